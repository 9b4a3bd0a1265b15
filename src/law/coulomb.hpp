// Coulomb friction for impulses: where the contact slides, the friction impulse opposes the slip
// that remains. Unlike maximum dissipation it may have several solutions. With the slip v_to = −k
// A_nn u, k ≥ 0, they are (H + kI)u = h and |u| = μ x_n: the sticking one (k = 0), the real zeros k
// > 0 of
//
//   P(k) = μ²(n₂k² + n₁k + n₀)² − |p₀ + k h|²,   p₀ = adj(H) h,   x_n det(H + kI) = n₂k² + n₁k + n₀
//
// with x_n > 0, and the zero impulse when β = 0. P is searched on k ≤ s and, as a polynomial in
// s/k, on k ≥ s, s = tr H, so that small and large k keep their relative precision.
#pragma once

#include "law/quartic.hpp"
#include "law/reduced.hpp"

#include <optional>

namespace scree::law {

namespace detail {

template <class T> struct CoulombFamily {
    Reduced<T> red;
    math::plane::Vec<T> h;   ///< with β in place of b_n
    math::plane::Vec<T> p0;  ///< adj(H) h
    T beta, mu, trace;

    SCREE_HD math::plane::Vec<T> u(const T& k) const
    {
        const T inverse = T(1) / ((k + trace) * k + red.det);
        return inverse * (p0 + k * h);
    }

    /// One restitution_reduced Newton step on |u| − μ x_n itself, which is not squared as P is.
    SCREE_HD T polish(const T& k) const
    {
        using namespace math;
        const math::plane::Vec<T> at = u(k);
        const T before = excess(at);
        const T det = (k + trace) * k + red.det;
        // u' = −(H + kI)⁻¹u
        const math::plane::Vec<T> du{(red.H.to * at.o - (red.H.oo + k) * at.t) / det,
                                     (red.H.to * at.t - (red.H.tt + k) * at.o) / det};
        const T slope = dot(polar(at).direction, du) + mu * dot(red.p, du);
        const T next = k - before / slope;
        const T after = excess(u(next));
        return select(next > T(0) && abs(after) < abs(before), next, k);
    }

    /// |u| − μ x_n
    SCREE_HD T excess(const math::plane::Vec<T>& at) const
    {
        return norm(at) - mu * normal_impulse(red, beta, at);
    }

    /// P(s y) as a quartic in y, divided by the square of the problem's size.
    SCREE_HD Quartic<T> polynomial() const
    {
        using namespace math;
        const T g = beta * red.inverse_nn;
        const T size = norm1(h) + abs(g);
        const T unit = T(1) / select(size > T(0), size, T(1));
        const T s = trace;
        const T n2 = mu * (g * unit) * s * s;
        const T n1 = mu * ((g * trace - dot(red.p, h)) * unit) * s;
        const T n0 = mu * ((g * red.det - dot(red.p, p0)) * unit);
        const math::plane::Vec<T> m1 = (unit * s) * h;
        const math::plane::Vec<T> m0 = unit * p0;
        return {n0 * n0 - dot(m0, m0), T(2) * (n1 * n0 - dot(m0, m1)),
                (n1 * n1 + T(2) * (n2 * n0)) - dot(m1, m1), T(2) * (n2 * n1), n2 * n2};
    }
};

template <class T> SCREE_HD CoulombFamily<T> coulomb_family(const ContactProblem<T>& c)
{
    CoulombFamily<T> f;
    f.red = reduce(c.A);
    f.h = reduced_rhs(f.red, c.b, c.beta);
    const math::plane::Sym<T>& H = f.red.H;
    f.p0 = {H.oo * f.h.t - H.to * f.h.o, H.tt * f.h.o - H.to * f.h.t};
    f.beta = c.beta;
    f.mu = c.mu;
    f.trace = H.tt + H.oo;
    return f;
}

/// Where the search found no zero although one must exist (β > 0, no stick): |u| − μ x_n is
/// positive for small k and negative for large, so halve the decades between.
template <class T> SCREE_HD T bisect_slip(const CoulombFamily<T>& f)
{
    using namespace math;
    const double decades = single_precision<T> ? 1e18 : 1e150;
    T left = sqrt(f.trace * constant<T>(1 / decades));
    T right = sqrt(f.trace * constant<T>(decades));
    for (int step = 0; step < all_steps; ++step) {
        const T middle = sqrt(left * right);  // of the square roots of k
        const auto outside = f.excess(f.u(middle * middle)) > T(0);
        left = select(outside, middle, left);
        right = select(outside, right, middle);
    }
    return left * right;
}

}  // namespace detail

/// Calls sink(x, k, where) once per candidate with x_n > 0, `where` the lanes in which it is a
/// solution. The zero impulse is not among them.
template <class T, class Sink>
SCREE_HD void each_coulomb_solution(const ContactProblem<T>& c, const math::mask_of<T>& lanes,
                                    Sink& sink)
{
    using namespace math;
    const detail::CoulombFamily<T> f = detail::coulomb_family(c);
    const math::plane::Vec<T> u0 = solve(f.red, f.h);
    const T x_n0 = normal_impulse(f.red, c.beta, u0);
    const auto stick = lanes && norm(u0) <= c.mu * x_n0;
    auto some = stick;
    if (any(stick)) {
        sink(ContactVector<T>{x_n0, u0.t, u0.o}, T(0), stick);
    }
    const Quartic<T> direct = f.polynomial();
    const Quartic<T> reversed{direct.c4, direct.c3, direct.c2, direct.c1, direct.c0};
    for (int side = 0; side < 2; ++side) {
        const Quartic<T>& q = side == 0 ? direct : reversed;
        const Pieces<T> pieces = pieces_of(q);
        T left = T(0);
        for (int i = 0; i < 4; ++i) {
            const T right = i < 3 ? pieces.end[i] : T(1);
            mask_of<T> found;
            const T y = zero_between(q, left, right, found);
            left = right;
            // The zeros with x_n < 0 came in by squaring.
            const T rough_k = side == 0 ? f.trace * y : f.trace / y;
            found =
                found && lanes && y > T(0) && normal_impulse(f.red, c.beta, f.u(rough_k)) > T(0);
            if (!any(found)) {
                continue;
            }
            const T k = f.polish(f.polish(rough_k));
            const math::plane::Vec<T> u = f.u(k);
            const T x_n = norm(u) / c.mu;
            some = some || found;
            sink(ContactVector<T>{x_n, u.t, u.o}, k, found);
        }
    }
    const auto missing = lanes && !some && c.beta > T(0);
    if (any(missing)) {
        const T k = f.polish(f.polish(detail::bisect_slip(f)));
        const math::plane::Vec<T> u = f.u(k);
        sink(ContactVector<T>{norm(u) / c.mu, u.t, u.o}, k, missing);
    }
}

/// β = 0 and P = 0 for every k to the last digits: h is an eigenvector of H and κ·h = −|h|, as for
/// the paradox rod at μ = μ*. Then all impulses between zero and the sticking one are solutions;
/// returns that one, or nothing.
inline std::optional<ContactVector<double>> coulomb_continuum(const ContactProblem<double>& c)
{
    const detail::CoulombFamily<double> f = detail::coulomb_family(c);
    const double along = dot(f.h, f.h);
    const double across = f.p0.t * f.h.o - f.p0.o * f.h.t;
    const double lean = c.mu * dot(f.red.p, f.h) + norm(f.h);
    const double tolerance = 32 * math::epsilon<double>;
    if (c.beta != 0 || along == 0 || math::abs(across) > tolerance * norm(f.p0) * norm(f.h) ||
        math::abs(lean) > tolerance * norm(f.h)) {
        return std::nullopt;
    }
    const math::plane::Vec<double> u = f.u(0);
    return ContactVector<double>{norm(u) / c.mu, u.t, u.o};
}

namespace detail {

template <class T> struct LeastEnergy {
    const ContactProblem<T>& problem;
    ContactVector<T> x{T(0), T(0), T(0)};
    T best;
    T state = code<T>(ContactState::sliding);

    SCREE_HD void operator()(const ContactVector<T>& candidate, const T& k,
                             const math::mask_of<T>& where)
    {
        using namespace math;
        const T e = energy(problem, candidate);
        const auto better = where && e < best;
        x.n = select(better, candidate.n, x.n);
        x.t = select(better, candidate.t, x.t);
        x.o = select(better, candidate.o, x.o);
        best = select(better, e, best);
        state = select(
            better,
            select(k > T(0), code<T>(ContactState::sliding), code<T>(ContactState::sticking)),
            state);
    }
};

}  // namespace detail

/// The Coulomb solution of least energy, the choice for simulations.
template <class T> SCREE_HD Outcome<T> coulomb(const ContactProblem<T>& c)
{
    using namespace math;
    const Reduced<T> red = reduce(c.A);
    const auto ok = valid(c, red);
    const auto closed = ok && c.beta >= T(0);
    const auto rough = closed && c.mu > T(0);
    // With β > 0 some solution is taken whatever its energy; with β = 0 zero is one of them.
    constexpr auto scalar_infinity = std::numeric_limits<scalar_of<T>>::infinity();
    const T infinity(scalar_infinity);
    detail::LeastEnergy<T> least{.problem = c, .best = select(c.beta > T(0), infinity, T(0))};
    if (any(rough)) {
        each_coulomb_solution(c, rough, least);
    }
    Outcome<T> out;
    out.x = {select(rough, least.x.n, select(closed, c.beta * red.inverse_nn, T(0))),
             select(rough, least.x.t, T(0)), select(rough, least.x.o, T(0))};
    out.state =
        select(closed, select(rough, least.state, code<T>(ContactState::sliding)),
               select(ok, code<T>(ContactState::separating), code<T>(ContactState::invalid)));
    // The zero may have been too close to 0 or ∞ for the precision: then the plane is missed.
    const T on_plane = c.beta * red.inverse_nn;
    const T lean = dot(red.p, math::plane::Vec<T>{out.x.t, out.x.o});
    const T missed = abs(out.x.n + lean - on_plane);
    const T size = abs(out.x.n) + abs(lean) + abs(on_plane);
    const T allowed = constant<T>(single_precision<T> ? 1e-5 : 1e-12) * size;
    out.unfinished = needs_finishing(c, red, ok) || (rough && !(missed <= allowed)) ||
                     (rough && extreme(size) && size > T(0));
    return out;
}

}  // namespace scree::law
