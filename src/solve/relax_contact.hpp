// The verbs of a sweep on one contact, templated on the scalar: what its relative velocity is,
// which problem it poses, how an impulse changes the two bodies. A round contact (spheres, or a
// sphere on a wall that does not turn) needs neither tangents nor tensors: its Delassus block is
// isotropic in the tangential plane, so that all laws with a circular cone agree and have one
// closed form.
#pragma once

#include "collide/sphere_pairs.hpp"
#include "law/any.hpp"
#include "math/rigid.hpp"

namespace scree::sweeps {

template <class T> struct BodyVelocity {
    Vec3<T> v, w;
    T inverse_mass, inverse_moment;
};

template <class T> struct RoundRow {
    Vec3<T> n, impulse;
    T lever_a, lever_b, shift, mu, weight;
};

template <class T> struct GeneralRow {
    Vec3<T> n, t, lever_a, lever_b;
    DelassusBlock<T> A;
    ContactVector<T> impulse;
    T shift, objective_shift, mu, weight;
};

/// δv = (v_a − v_b) − (ρ_a ω_a + ρ_b ω_b) × n
template <class T>
SCREE_HD Vec3<T> relative_velocity(const RoundRow<T>& c, const BodyVelocity<T>& a,
                                   const BodyVelocity<T>& b)
{
    const Vec3<T> spin = mad(c.lever_a, a.w, c.lever_b * b.w);
    return (a.v - b.v) - cross(spin, c.n);
}

/// Lets an impulse act on a and its opposite on b.
template <class T>
SCREE_HD void apply(const RoundRow<T>& c, const Vec3<T>& impulse, BodyVelocity<T>& a,
                    BodyVelocity<T>& b)
{
    const Vec3<T> turn = cross(impulse, c.n);
    a.v = mad(a.inverse_mass, impulse, a.v);
    b.v = less(b.v, b.inverse_mass, impulse);
    a.w = mad(c.lever_a * a.inverse_moment, turn, a.w);
    b.w = mad(c.lever_b * b.inverse_moment, turn, b.w);
}

/// What a round block's solution takes, known before the velocities are.
template <class T> struct KnownBlock {
    T A_nn, A_tt, inverse_nn, inverse_tt;
    T x_n0;  ///< the normal impulse so far
};
template <class T>
SCREE_HD KnownBlock<T> know_block(const RoundRow<T>& c, const BodyVelocity<T>& a,
                                  const BodyVelocity<T>& b)
{
    KnownBlock<T> k;
    k.A_nn = a.inverse_mass + b.inverse_mass;
    k.A_tt = k.A_nn + c.lever_a * c.lever_a * a.inverse_moment +
             c.lever_b * c.lever_b * b.inverse_moment;
    const T inverse = lane::inverse(k.A_nn * k.A_tt);  // one division for both
    k.inverse_nn = k.A_tt * inverse;
    k.inverse_tt = k.A_nn * inverse;
    k.x_n0 = dot(c.n, c.impulse);
    return k;
}

/// The normal impulse, and the tangential one that would stop all sliding.
template <class T> struct RoundPose {
    T x_n, limit, length2;
    Vec3<T> stick;
};
/// The closed form of the law, first part.
template <class T>
SCREE_HD RoundPose<T> pose_block(const RoundRow<T>& c, const KnownBlock<T>& k,
                                 const BodyVelocity<T>& a, const BodyVelocity<T>& b)
{
    RoundPose<T> p;
    const Vec3<T> dv = relative_velocity(c, a, b);
    const T dv_n = dot(c.n, dv);
    p.x_n = lane::larger(T(0), k.x_n0 - k.inverse_nn * (dv_n + c.shift));
    // The tangential part of x₀ − δv/A_tt
    const Vec3<T> free = less(c.impulse, k.inverse_tt, dv);
    p.stick = less(free, k.x_n0 - k.inverse_tt * dv_n, c.n);
    p.length2 = dot(p.stick, p.stick);
    p.limit = c.mu * p.x_n;
    return p;
}
/// Second part: the change to the impulse that this block would take.
template <class T> SCREE_HD Vec3<T> finish_block(const RoundRow<T>& c, const RoundPose<T>& p)
{
    using namespace lane;
    const auto slides = p.length2 > p.limit * p.limit;
    const T scale = select(slides, over_root(p.limit, p.length2), T(1));
    return mad(p.x_n, c.n, scale * p.stick) - c.impulse;
}
/// |A Δx|², the change as a velocity, with the tangential part of Δx from Pythagoras.
template <class T>
SCREE_HD T velocity_of(const KnownBlock<T>& k, const T& x_n, const Vec3<T>& change)
{
    const T change_n = x_n - k.x_n0;
    const T change_n2 = change_n * change_n;
    return k.A_nn * k.A_nn * change_n2 +
           k.A_tt * k.A_tt * lane::larger(T(0), dot(change, change) - change_n2);
}

/// What set-up needs to know of the step.
template <class T> struct StepConstants {
    T time_step, error_reduction, correction_limit, slack, threshold, deep;
    Vec3<T> gravity;
};

/// What set-up learns of a contact.
template <class T> struct Prepared {
    T gap, radius, speed2;
    lane::mask_of<T> bounces;
};

/// The gap term. g = ε min(0, ξ/δt) + max(0, ξ/δt), where ξ is by how much the gap exceeds the
/// slack, or the penetration does, and not below a part of the radius. A contact may bounce in the
/// step in which it would close; its penetration is then not corrected.
template <class T>
SCREE_HD T gap_term(const StepConstants<T>& s, const T& whole_gap, const T& radius,
                    const T& restitution, const T& approach, const T& fall,
                    lane::mask_of<T>& bounces)
{
    using namespace lane;
    const T slack = s.slack * radius;
    const T gap = larger(T(0), whole_gap - slack) + smaller(T(0), whole_gap + slack);
    bounces = restitution > T(0) && minus(approach) > s.threshold &&
              gap + s.time_step * (approach + fall) <= T(0);
    const T rate = larger(gap, minus(s.correction_limit * radius)) / s.time_step;
    const T open = larger(T(0), rate);
    return select(bounces, open, s.error_reduction * smaller(T(0), rate) + open);
}

/// Makes a round row of two balls. On entry n is the vector between the centres, the levers are the
/// radii, the shift is the coefficient of restitution and the impulse that of the last step.
template <class T>
SCREE_HD Prepared<T> prepare(RoundRow<T>& c, const BodyVelocity<T>& a, const BodyVelocity<T>& b,
                             const StepConstants<T>& s)
{
    using namespace lane;
    const auto touch = collide::round_contact(c.n, c.lever_a, c.lever_b);
    c.n = touch.normal;
    Prepared<T> out;
    out.gap = touch.gap;
    out.radius = smaller(c.lever_a, c.lever_b);
    c.lever_a = c.lever_a + constant<T>(0.5) * out.gap;
    c.lever_b = c.lever_b + constant<T>(0.5) * out.gap;
    const Vec3<T> dv = relative_velocity(c, a, b);
    out.speed2 = dot(dv, dv);
    const T fall = select(b.inverse_mass == T(0), s.time_step * dot(c.n, s.gravity), T(0));
    c.shift = gap_term(s, out.gap, out.radius, c.shift, dot(c.n, dv), fall, out.bounces);
    c.weight = select(out.bounces, minus(c.weight), c.weight);
    const auto keep = dot(c.n, c.impulse) > T(0) && !out.bounces;
    c.impulse = {select(keep, c.impulse.x, T(0)), select(keep, c.impulse.y, T(0)),
                 select(keep, c.impulse.z, T(0))};
    return out;
}

template <class T>
SCREE_HD Vec3<T> relative_velocity(const GeneralRow<T>& c, const BodyVelocity<T>& a,
                                   const BodyVelocity<T>& b)
{
    return point_velocity(a.v, a.w, c.lever_a) - point_velocity(b.v, b.w, c.lever_b);
}

/// The work of a contact's impulse in a step, and 1 if it has one.
template <class T> struct Work {
    T normal, friction, wall, correction, gap, restitution, active;
};

/// From the relative velocities before and after the step, the impulse and the velocity of the
/// second body's surface.
template <class Row, class T>
SCREE_HD Work<T> work_of(const Row& c, const Vec3<T>& impulse, const T& x_n, const Vec3<T>& dv0,
                         const Vec3<T>& dv1, const Vec3<T>& wall, const BodyVelocity<T>& b)
{
    using namespace lane;
    const Vec3<T> mean = constant<T>(0.5) * (dv0 + dv1);
    const T mean_n = dot(c.n, mean);
    const Vec3<T> friction = impulse - x_n * c.n;
    const auto prescribed = b.inverse_mass == T(0) && b.inverse_moment == T(0);
    const T shifted = minus(x_n * c.shift);
    const auto bounces = c.weight < T(0);
    return {x_n * mean_n,
            dot(friction, mean - mean_n * c.n),
            select(prescribed, dot(impulse, wall), T(0)),
            select(!bounces && c.shift < T(0), shifted, T(0)),
            select(!bounces && c.shift > T(0), shifted, T(0)),
            select(bounces, shifted, T(0)),
            select(x_n > T(0), T(1), T(0))};
}

/// a0, b0: the bodies before the step; a, b: after it.
template <class T>
SCREE_HD Work<T> work_of(const RoundRow<T>& c, const BodyVelocity<T>& a0, const BodyVelocity<T>& b0,
                         const BodyVelocity<T>& a, const BodyVelocity<T>& b)
{
    // A prescribed ball may turn.
    const Vec3<T> wall = b.v + c.lever_b * cross(b.w, c.n);
    return work_of(c, c.impulse, dot(c.n, c.impulse), relative_velocity(c, a0, b0),
                   relative_velocity(c, a, b), wall, b);
}

template <class T> SCREE_HD ContactVector<T> to_frame(const GeneralRow<T>& c, const Vec3<T>& a)
{
    return {dot(c.n, a), dot(c.t, a), dot(cross(c.n, c.t), a)};
}
template <class T> SCREE_HD Vec3<T> to_world(const GeneralRow<T>& c, const ContactVector<T>& x)
{
    return x.n * c.n + (x.t * c.t + x.o * cross(c.n, c.t));
}

template <class T>
SCREE_HD Work<T> work_of(const GeneralRow<T>& c, const BodyVelocity<T>& a0,
                         const BodyVelocity<T>& b0, const BodyVelocity<T>& a,
                         const BodyVelocity<T>& b)
{
    return work_of(c, to_world(c, c.impulse), c.impulse.n, relative_velocity(c, a0, b0),
                   relative_velocity(c, a, b), point_velocity(b.v, b.w, c.lever_b), b);
}

template <class T>
SCREE_HD void apply(const GeneralRow<T>& c, const Vec3<T>& impulse, BodyVelocity<T>& a,
                    BodyVelocity<T>& b, const Sym3<T>& inertia_a, const Sym3<T>& inertia_b)
{
    a.v = a.v + a.inverse_mass * impulse;
    b.v = b.v - b.inverse_mass * impulse;
    a.w = a.w + inertia_a * cross(c.lever_a, impulse);
    b.w = b.w - inertia_b * cross(c.lever_b, impulse);
}

template <class T>
SCREE_HD ContactVector<T> times(const DelassusBlock<T>& A, const ContactVector<T>& x)
{
    return {A.nn * x.n + A.nt * x.t + A.no * x.o, A.nt * x.n + A.tt * x.t + A.to * x.o,
            A.no * x.n + A.to * x.t + A.oo * x.o};
}

/// The single-contact problem given all other impulses: w = −δv + A x, β = w_n − g.
template <class T>
SCREE_HD ContactProblem<T> block_problem(const GeneralRow<T>& c, const BodyVelocity<T>& a,
                                         const BodyVelocity<T>& b)
{
    const ContactVector<T> dv = to_frame(c, relative_velocity(c, a, b));
    const ContactVector<T> Ax = times(c.A, c.impulse);
    const T w_n = Ax.n - dv.n;
    return {c.A, {w_n - c.objective_shift, Ax.t - dv.t, Ax.o - dv.o}, w_n - c.shift, c.mu};
}

/// |A Δx|²
template <class T> SCREE_HD T velocity_of(const DelassusBlock<T>& A, const ContactVector<T>& change)
{
    const ContactVector<T> dv = times(A, change);
    return dv.n * dv.n + dv.t * dv.t + dv.o * dv.o;
}

}  // namespace scree::sweeps
