// The verbs of a sweep on one contact, templated on the scalar: what its relative velocity is,
// which problem it poses, how an impulse changes the two bodies. A round contact (spheres, or a
// sphere on a wall that does not turn) needs neither tangents nor tensors (law/round.hpp).
#pragma once

#include "law/laws.hpp"
#include "law/round.hpp"
#include "math/tensor.hpp"
#include "stages/rows/row.hpp"

namespace scree::relax {

/// Lets an impulse act on a and its opposite on b.
template <class T>
SCREE_HD void apply(const rows::RoundRow<T>& c, const Vec3<T>& impulse, rows::BodyVelocity<T>& a,
                    rows::BodyVelocity<T>& b)
{
    const Vec3<T> turn = cross(impulse, c.n);
    a.v = mad(a.inverse_mass, impulse, a.v);
    b.v = less(b.v, b.inverse_mass, impulse);
    a.w = mad(c.lever_a * a.inverse_moment, turn, a.w);
    b.w = mad(c.lever_b * b.inverse_moment, turn, b.w);
}

/// What a round block's solution takes, known before the velocities are.
template <class T> struct KnownBlock {
    law::IsotropicBlock<T> A;
    T x_n0;  ///< the normal impulse so far
};
template <class T>
SCREE_HD KnownBlock<T> block_of(const rows::RoundRow<T>& c, const rows::BodyVelocity<T>& a,
                                const rows::BodyVelocity<T>& b)
{
    const T A_nn = a.inverse_mass + b.inverse_mass;
    const T A_tt =
        A_nn + c.lever_a * c.lever_a * a.inverse_moment + c.lever_b * c.lever_b * b.inverse_moment;
    return {law::isotropic_block(A_nn, A_tt), dot(c.n, c.impulse)};
}

/// The law of round contacts, first part.
template <class T>
SCREE_HD law::TrialImpulse<T> trial_impulse(const rows::RoundRow<T>& c, const KnownBlock<T>& k,
                                            const rows::BodyVelocity<T>& a,
                                            const rows::BodyVelocity<T>& b)
{
    return law::trial_impulse(k.A, c.n, c.shift, c.mu, c.impulse, k.x_n0,
                              rows::relative_velocity(c, a, b));
}
/// Second part: the change to the impulse that this block would take.
template <class T>
SCREE_HD Vec3<T> project_on_cone(const rows::RoundRow<T>& c, const law::TrialImpulse<T>& trial)
{
    return law::project_on_cone(c.n, trial) - c.impulse;
}
/// |A Δx|², the change as a velocity.
template <class T>
SCREE_HD T velocity_of(const KnownBlock<T>& k, const T& x_n, const Vec3<T>& change)
{
    return law::squared_velocity(k.A, x_n - k.x_n0, change);
}

/// The work of a contact's impulse in a step, and 1 if it has one.
template <class T> struct Work {
    T normal, friction, wall, correction, gap, restitution, active;
};

/// From the relative velocities before and after the step, the impulse and the velocity of the
/// second body's surface.
template <class Row, class T>
SCREE_HD Work<T> work_of(const Row& c, const Vec3<T>& impulse, const T& x_n, const Vec3<T>& dv0,
                         const Vec3<T>& dv1, const Vec3<T>& wall, const rows::BodyVelocity<T>& b)
{
    using namespace math;
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
SCREE_HD Work<T> work_of(const rows::RoundRow<T>& c, const rows::BodyVelocity<T>& a0,
                         const rows::BodyVelocity<T>& b0, const rows::BodyVelocity<T>& a,
                         const rows::BodyVelocity<T>& b)
{
    // A prescribed ball may turn.
    const Vec3<T> wall = b.v + c.lever_b * cross(b.w, c.n);
    return work_of(c, c.impulse, dot(c.n, c.impulse), rows::relative_velocity(c, a0, b0),
                   rows::relative_velocity(c, a, b), wall, b);
}

template <class T>
SCREE_HD ContactVector<T> to_frame(const rows::GeneralRow<T>& c, const Vec3<T>& a)
{
    return {dot(c.n, a), dot(c.t, a), dot(cross(c.n, c.t), a)};
}
template <class T>
SCREE_HD Vec3<T> to_world(const rows::GeneralRow<T>& c, const ContactVector<T>& x)
{
    return x.n * c.n + (x.t * c.t + x.o * cross(c.n, c.t));
}

template <class T>
SCREE_HD Work<T> work_of(const rows::GeneralRow<T>& c, const rows::BodyVelocity<T>& a0,
                         const rows::BodyVelocity<T>& b0, const rows::BodyVelocity<T>& a,
                         const rows::BodyVelocity<T>& b)
{
    return work_of(c, to_world(c, c.impulse), c.impulse.n, rows::relative_velocity(c, a0, b0),
                   rows::relative_velocity(c, a, b), point_velocity(b.v, b.w, c.lever_b), b);
}

template <class T>
SCREE_HD void apply(const rows::GeneralRow<T>& c, const Vec3<T>& impulse, rows::BodyVelocity<T>& a,
                    rows::BodyVelocity<T>& b, const Sym3<T>& inertia_a, const Sym3<T>& inertia_b)
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
SCREE_HD ContactProblem<T> block_problem(const rows::GeneralRow<T>& c,
                                         const rows::BodyVelocity<T>& a,
                                         const rows::BodyVelocity<T>& b)
{
    const ContactVector<T> dv = to_frame(c, rows::relative_velocity(c, a, b));
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

}  // namespace scree::relax
