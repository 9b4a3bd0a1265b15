// The proof that goes with an impulse: how well it satisfies the law's conditions, computed from
// the problem and the impulse alone. The problem of maximum dissipation is convex, so small
// residuals are sufficient, and `gap` bounds how much more energy could have been dissipated
// (docs/theory.md, "Certificate"). All residuals are relative, of the order of the rounding error
// for a solution.
#pragma once

#include "law/reduced.hpp"

namespace scree::law {

/// A x − b, the contact's velocity after the impulse.
template <class T>
SCREE_HD ContactVector<T> velocity_after(const ContactProblem<T>& c, const ContactVector<T>& x)
{
    const auto row = [&](const T& an, const T& at, const T& ao) {
        return an * x.n + at * x.t + ao * x.o;
    };
    return {row(c.A.nn, c.A.nt, c.A.no) - c.b.n, row(c.A.nt, c.A.tt, c.A.to) - c.b.t,
            row(c.A.no, c.A.to, c.A.oo) - c.b.o};
}

/// How far x is off the plane of maximum compression. β < 0 asks for x = 0.
template <class T>
SCREE_HD T off_plane(const ContactProblem<T>& c, const ContactVector<T>& x,
                     const math::mask_of<T>& none)
{
    using namespace math;
    const T zero(0);
    const T terms = abs(c.A.nn * x.n) + abs(c.A.nt * x.t) + abs(c.A.no * x.o) + abs(c.beta);
    const T off = abs(c.A.nn * x.n + c.A.nt * x.t + c.A.no * x.o - c.beta);
    return select(c.beta >= zero, select(terms > zero, off / terms, zero),
                  select(none, zero, T(1)));
}

/// Coulomb: |v_to| u + μ x_n v_to = 0, with r = |u| and bound = μ x_n.
template <class T>
SCREE_HD T slip_opposition(const ContactProblem<T>& c, const ContactVector<T>& x,
                           const ContactVector<T>& velocity, const T& r, const T& bound,
                           const math::mask_of<T>& none)
{
    using namespace math;
    const T zero(0);
    const math::plane::Vec<T> u{x.t, x.o}, slip{velocity.t, velocity.o};
    const T scale = abs(c.b.t) + abs(c.b.o) + (abs(c.A.nt) + abs(c.A.no)) * abs(x.n) +
                    (abs(c.A.tt) + abs(c.A.to)) * abs(x.t) + (abs(c.A.oo) + abs(c.A.to)) * abs(x.o);
    const T opposed = norm1(norm(slip) * u + bound * slip) / (larger(r, abs(bound)) * scale);
    return select(none || c.mu == zero || scale == zero, zero, opposed);
}

/// What is left of the reduced gradient g that no condition of the law takes up, and the energy
/// that this may cost.
template <class T> struct Stationarity {
    T left_over, gap;
};

/// β = 0 and |κ| ≥ 1: the feasible set is the fan between two rays, where g·u = 0 and no descent
/// within the fan is what it takes: P, the projection of −g onto it, must vanish.
template <class T>
SCREE_HD Stationarity<T>
stationarity_in_fan(const Reduced<T>& red, const math::plane::Vec<T>& kappa,
                    const math::plane::Vec<T>& g, const math::plane::Vec<T>& u,
                    const math::plane::Vec<T>& e, const math::mask_of<T>& none)
{
    using namespace math;
    const T zero(0);
    const T root = sqrt(larger(zero, dot(kappa, kappa) - T(1)));
    const math::plane::Vec<T> ray1 = polar(root * perp(kappa) - kappa).direction;
    const math::plane::Vec<T> ray2 = polar(minus(root) * perp(kappa) - kappa).direction;
    const T descent1 = larger(zero, minus(dot(g, ray1)));
    const T descent2 = larger(zero, minus(dot(g, ray2)));
    const math::plane::Vec<T> onto_ray =
        math::plane::select(descent1 > descent2, descent1 * ray1, descent2 * ray2);
    const math::plane::Vec<T> P =
        math::plane::select(dot(kappa, g) >= norm(g), {minus(g.t), minus(g.o)}, onto_ray);
    const T along = select(none, zero, abs(dot(g, e)));
    return {along + norm1(P),
            larger(zero, dot(g + P, u)) + constant<T>(0.5) * dot(P, solve(red, P))};
}

template <class T>
SCREE_HD Certificate<T> certify(const ContactProblem<T>& c, const ContactVector<T>& x)
{
    using namespace math;
    const T zero(0);
    const T half = constant<T>(0.5);
    const Reduced<T> red = reduce(c.A);
    const math::plane::Vec<T> h = reduced_rhs(red, c.b, c.b.n);
    const math::plane::Vec<T> u{x.t, x.o};
    const T r = norm(u);
    const T inverse_r = T(1) / select(r > zero, r, T(1));
    const math::plane::Vec<T> e{select(r > zero, u.t * inverse_r, T(1)), u.o * inverse_r};
    const auto none = x.n == zero && r == zero;

    Certificate<T> z;
    z.velocity = velocity_after(c, x);
    z.energy = energy(c, x);

    const T bound = c.mu * x.n;
    const T outside = larger(zero, r - bound);
    z.cone = select(outside > zero, outside / larger(r, abs(bound)), zero);
    z.plane = off_plane(c, x, none);
    z.slip_error = slip_opposition(c, x, z.velocity, r, bound, none);

    const math::plane::Vec<T> kappa = c.mu * red.p;
    const math::plane::Vec<T> g = red.H * u - h;  // reduced gradient
    const T scale = (abs(red.H.tt) + abs(red.H.to)) * abs(u.t) +
                    (abs(red.H.oo) + abs(red.H.to)) * abs(u.o) +
                    (abs(c.b.t) + abs(c.b.o) + norm1(red.p) * abs(c.b.n)) * red.inverse_nn;

    // Inside the cone g = 0; on its boundary g = −ν N, N = e + κ, ν ≥ 0. Whichever fits better,
    // with the slack of the cone charged to ν.
    const math::plane::Vec<T> N = e + kappa;
    const T N2 = dot(N, N);
    const T nu = select(N2 > zero, larger(zero, minus(dot(g, N)) / N2), zero);
    const math::plane::Vec<T> s = g + nu * N;
    const T slack = larger(zero, c.mu * c.beta * red.inverse_nn - r - dot(kappa, u));
    const T loose = select(bound > r, (bound - r) / bound, zero);
    const T as_inside = norm1(g);
    const T as_boundary = norm1(s) + nu * norm1(N) * loose;
    const auto inside = as_inside <= as_boundary;
    T left_over = select(inside, as_inside, as_boundary);
    T gap = smaller(half * dot(g, solve(red, g)), half * dot(s, solve(red, s)) + nu * slack);

    // β = 0: the feasible set is the apex alone, or a fan.
    const auto fan = c.beta == zero && has_rays(dot(kappa, kappa));
    if (any(fan)) {
        const Stationarity<T> in_fan = stationarity_in_fan(red, kappa, g, u, e, none);
        left_over = select(fan, in_fan.left_over, left_over);
        gap = select(fan, in_fan.gap, gap);
    }
    const auto alone = c.mu == zero || c.beta < zero || (c.beta == zero && !fan && none);
    z.stationarity = select(alone || scale == zero, zero, left_over / scale);
    z.multiplier = select(alone || fan || inside, zero, nu * c.A.nn);
    z.gap = select(alone, zero, gap * c.A.nn);
    return z;
}

/// True where rounding decides between the apex and a ray: β = 0 and |κ| = 1 to the last digits
/// (the paradox rod at μ = μ*).
template <class T> SCREE_HD math::mask_of<T> on_edge(const ContactProblem<T>& c)
{
    using namespace math;
    const math::plane::Vec<T> kappa = c.mu * reduce(c.A).p;
    return c.beta == T(0) && abs(dot(kappa, kappa) - T(1)) <= constant<T>(32.0 * epsilon<T>);
}

}  // namespace scree::law
