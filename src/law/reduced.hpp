// What all contact laws share: the problem with the normal impulse eliminated. On the plane
// a_n·x = β the normal part is x_n = β/A_nn − p·u, u = x_to, and the energy as a function of u
// alone is A_nn(½uᵀHu − u·h) + const. Dividing by A_nn keeps H free of units and h an impulse, so
// neither squares of huge nor of tiny masses appear.
//
//   p = (A_nt, A_no)/A_nn     H = Â/A_nn, Â = A_to,to − A_nn p pᵀ     h = (b_to − p b_n)/A_nn
#pragma once

#include "math/lane.hpp"
#include "math/tangent_plane.hpp"
#include "scree/types.hpp"

namespace scree::law {

/// An impulse with the state it leaves. Where `unfinished` is set, x is no answer yet: the problem
/// has to be solved again by `finish` (see laws.hpp), which always ends.
template <class T> struct Outcome {
    ContactVector<T> x;
    T state;  ///< the value of a scree::ContactState
    math::mask_of<T> unfinished;
};

template <class T> SCREE_HD constexpr T code(ContactState state)
{
    return T(math::scalar_of<T>(state));
}

template <class T> struct Reduced {
    T inverse_nn;           ///< 1/A_nn
    math::plane::Vec<T> p;  ///< (A_nt, A_no)/A_nn
    math::plane::Sym<T> H;  ///< Â/A_nn
    T det;                  ///< det H
};

template <class T> SCREE_HD Reduced<T> reduce(const DelassusBlock<T>& A)
{
    Reduced<T> r;
    r.inverse_nn = T(1) / A.nn;
    r.p = {A.nt * r.inverse_nn, A.no * r.inverse_nn};
    r.H = {A.tt * r.inverse_nn - r.p.t * r.p.t, A.to * r.inverse_nn - r.p.t * r.p.o,
           A.oo * r.inverse_nn - r.p.o * r.p.o};
    r.det = r.H.tt * r.H.oo - r.H.to * r.H.to;
    return r;
}

/// h for the tangential right-hand side b_to and the normal velocity `b_n` that goes with it.
template <class T>
SCREE_HD math::plane::Vec<T> reduced_rhs(const Reduced<T>& r, const ContactVector<T>& b,
                                         const T& b_n)
{
    return {(b.t - r.p.t * b_n) * r.inverse_nn, (b.o - r.p.o * b_n) * r.inverse_nn};
}

/// H⁻¹h
template <class T>
SCREE_HD math::plane::Vec<T> solve(const Reduced<T>& r, const math::plane::Vec<T>& h)
{
    const T inverse = T(1) / r.det;
    return {(r.H.oo * h.t - r.H.to * h.o) * inverse, (r.H.tt * h.o - r.H.to * h.t) * inverse};
}

/// x_n on the plane of maximum compression.
template <class T>
SCREE_HD T normal_impulse(const Reduced<T>& r, const T& beta, const math::plane::Vec<T>& u)
{
    return beta * r.inverse_nn - dot(r.p, u);
}

/// β = 0: where |κ| < 1 the plane touches the cone in its apex only, else along rays. On the edge
/// between the two, to the last digits, the rays count: they are what dissipates.
template <class T> SCREE_HD math::mask_of<T> has_rays(const T& kappa2)
{
    return kappa2 >= math::constant<T>(1 - 16 * math::epsilon<T>);
}

/// ½xᵀAx − xᵀb: the change of kinetic energy [J].
template <class T> SCREE_HD T energy(const ContactProblem<T>& c, const ContactVector<T>& x)
{
    const T vn = c.A.nn * x.n + c.A.nt * x.t + c.A.no * x.o - c.b.n;
    const T vt = c.A.nt * x.n + c.A.tt * x.t + c.A.to * x.o - c.b.t;
    const T vo = c.A.no * x.n + c.A.to * x.t + c.A.oo * x.o - c.b.o;
    return math::constant<T>(0.5) * (x.n * (vn - c.b.n) + x.t * (vt - c.b.t) + x.o * (vo - c.b.o));
}

/// Sizes beyond this (or below its inverse, for A_nn) are no contact problem: products would
/// overflow.
template <class T> constexpr double size_limit = math::single_precision<T> ? 1e30 : 1e100;

/// True where the input is finite and of sane size, A positive definite as far as rounding can
/// tell, and μ ≥ 0.
template <class T> SCREE_HD math::mask_of<T> valid(const ContactProblem<T>& c, const Reduced<T>& r)
{
    using namespace math;
    const T size = abs(c.b.n) + abs(c.b.t) + abs(c.b.o) + abs(c.beta) + c.mu + c.A.nn + c.A.tt +
                   c.A.oo + abs(c.A.nt) + abs(c.A.no) + abs(c.A.to);
    return size < constant<T>(size_limit<T>) && c.A.nn > constant<T>(1 / size_limit<T>) &&
           r.H.tt > T(0) && r.H.oo > T(0) && r.det > T(0) && c.mu >= T(0);
}

/// True where forming H and its determinant cancelled so many digits that a law should rather be
/// solved in double: never for double itself.
template <class T>
SCREE_HD math::mask_of<T> ill_conditioned(const DelassusBlock<T>& A, const Reduced<T>& r)
{
    using namespace math;
    const T limit = constant<T>(single_precision<T> ? 1e-3 : 0.0);
    return limit > T(0) && r.det < limit * (A.tt * r.inverse_nn) * (A.oo * r.inverse_nn);
}

/// True where a law's quick solution is not to be trusted whatever the law: the input looks invalid
/// or A ill conditioned, and the contact is not one that separates.
template <class T>
SCREE_HD math::mask_of<T> needs_finishing(const ContactProblem<T>& c, const Reduced<T>& r,
                                          const math::mask_of<T>& ok)
{
    return !ok || (ill_conditioned(c.A, r) && c.beta >= T(0));
}

/// True where the square of this length may underflow or overflow; then the problem has to be
/// rescaled.
template <class T> SCREE_HD math::mask_of<T> extreme(const T& length)
{
    using namespace math;
    const double limit = single_precision<T> ? 1e17 : 1e150;
    return !(length < constant<T>(limit) && length > constant<T>(1 / limit));
}

}  // namespace scree::law
