// The verbs of a sweep on one contact, templated on the scalar: what its relative velocity is,
// which problem it poses, how an impulse changes the two bodies. A round contact (spheres, or a
// sphere on a wall that does not turn) needs neither tangents nor tensors: its Delassus block is
// isotropic in the tangential plane, so that all laws with a circular cone agree and have one
// closed form.
#pragma once

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
    const Vec3<T> spin = c.lever_a * a.w + c.lever_b * b.w;
    return (a.v - b.v) - cross(spin, c.n);
}

/// Lets an impulse act on a and its opposite on b.
template <class T>
SCREE_HD void apply(const RoundRow<T>& c, const Vec3<T>& impulse, BodyVelocity<T>& a,
                    BodyVelocity<T>& b)
{
    const Vec3<T> turn = cross(impulse, c.n);
    a.v = a.v + a.inverse_mass * impulse;
    b.v = b.v - b.inverse_mass * impulse;
    a.w = a.w + (c.lever_a * a.inverse_moment) * turn;
    b.w = b.w + (c.lever_b * b.inverse_moment) * turn;
}

/// The closed form of the law: the impulse that this block would take. Returns the change it still
/// makes, as a velocity, squared.
template <class T>
SCREE_HD T solve_block(const RoundRow<T>& c, const BodyVelocity<T>& a, const BodyVelocity<T>& b,
                       Vec3<T>& change)
{
    using namespace lane;
    const T A_nn = a.inverse_mass + b.inverse_mass;
    const T A_tt =
        A_nn + c.lever_a * c.lever_a * a.inverse_moment + c.lever_b * c.lever_b * b.inverse_moment;
    const Vec3<T> dv = relative_velocity(c, a, b);
    const T dv_n = dot(c.n, dv);
    const T x_n0 = dot(c.n, c.impulse);
    const Vec3<T> dv_t = dv - dv_n * c.n;
    const Vec3<T> x_t0 = c.impulse - x_n0 * c.n;

    const T x_n = larger(T(0), x_n0 - (dv_n + c.shift) / A_nn);
    const Vec3<T> stick = x_t0 - (T(1) / A_tt) * dv_t;
    const T length2 = dot(stick, stick);
    const T limit = c.mu * x_n;
    const auto slides = length2 > limit * limit;
    const T scale = select(slides, limit / sqrt(length2), T(1));
    const T change_n = x_n - x_n0;
    const Vec3<T> change_t = scale * stick - x_t0;
    change = change_n * c.n + change_t;
    const T change_v = A_nn * change_n;
    return change_v * change_v + A_tt * A_tt * dot(change_t, change_t);
}

template <class T>
SCREE_HD Vec3<T> relative_velocity(const GeneralRow<T>& c, const BodyVelocity<T>& a,
                                   const BodyVelocity<T>& b)
{
    return (a.v + cross(a.w, c.lever_a)) - (b.v + cross(b.w, c.lever_b));
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
