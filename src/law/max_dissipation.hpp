// The maximum dissipation principle: of all impulses in the friction cone and on the plane of
// maximum compression, the one that leaves least kinetic energy. It is unique.
//
// If the unconstrained minimiser is in the cone the contact sticks. Otherwise the minimiser lies on
// the arc of the conic that is visible from it, where the derivative G of the energy along the
// conic has exactly one zero. With τ = tan(Δα/2), Δα the angle from the unconstrained minimiser, G
// is a real quartic in τ, whose zero is found by Halley steps inside a bracket that shrinks
// (docs/theory.md, "The solver"). Letters as there.
#pragma once

#include "law/near_parabola.hpp"
#include "law/quartic.hpp"
#include "law/reduced.hpp"

namespace scree::law {

namespace detail {

/// The condition G(α) = 0 as a quartic in the half-angle tangent of the angle from u₀, mirrored and
/// reversed so that the unknown is in [0, 1].
template <class T> struct SlideEquation {
    Quartic<T> quartic;
    Bracket<T> bracket;
    math::mask_of<T> mirrored;  ///< the unknown is −τ
    math::mask_of<T> reversed;  ///< the unknown is 1/τ
};

/// ρ and h are divided by |u₀|, so that the coefficients have no unit.
template <class T>
SCREE_HD SlideEquation<T> slide_equation(const Reduced<T>& red, const math::plane::Vec<T>& e0,
                                         const math::plane::Vec<T>& h, const T& rho, const T& mu,
                                         const T& k, const math::mask_of<T>& lanes)
{
    using namespace math;
    const math::plane::Vec<T> kappa = mu * red.p;
    const math::plane::Vec<T> e0p = perp(e0);

    // In the frame of u₀. B is (H₁₁, H₁₂) but for rounding, which counts when H is ill conditioned.
    T K2 = dot(kappa, e0p);
    const T K1 = dot(kappa, e0);
    const T B1 = dot(h, e0);
    const T B2 = dot(h, e0p);
    const math::plane::Vec<T> He0 = red.H * e0;
    const T H11 = dot(e0, He0);
    const T H12 = dot(e0p, He0);
    const T H22 = (red.H.tt + red.H.oo) - H11;
    const T m = K1 * B2 - K2 * B1;
    const T X1 = rho * (H12 * K1 - H11 * K2) - K1 * m - B2;
    const T Y1 = rho * (H22 * K1 - H12 * K2) - K2 * m + B1;
    const T X2 = rho * H12 - constant<T>(0.5) * (K1 * B2 + K2 * B1);
    const T Y2 = constant<T>(0.5) * (rho * (H22 - H11) - (K2 * B2 - K1 * B1));
    const T G0 = constant<T>(-1.5) * m;

    T q0 = G0 + X1 + X2;
    const T q1 = T(2) * Y1 + T(4) * Y2;
    T q2 = T(2) * G0 - T(6) * X2;
    const T q3 = T(2) * Y1 - T(4) * Y2;
    T q4 = G0 - X1 + X2;

    // Mirror so that the zero lies at τ > 0.
    const auto mirrored = q0 > T(0);
    q0 = select(mirrored, minus(q0), q0);
    q2 = select(mirrored, minus(q2), q2);
    q4 = select(mirrored, minus(q4), q4);
    K2 = select(mirrored, minus(K2), K2);

    // The bracket's far end 1/τ: the horizon seen from u₀, √((1+k)/(1−k)), or the asymptote of a
    // hyperbola. 1 − k may round to 0.
    const T far = larger(T(1) - k, constant<T>(0.25 * epsilon<T>));
    const T near = T(1) + k;
    const T shared = sqrt(far * near) / (far * larger(near, constant<T>(0.25 * epsilon<T>)));
    T inverse_end = shared * near;
    T end = shared * far;
    const T excess = dot(kappa, kappa) - T(1);
    const T f0 = T(1) + K1;
    const auto hyperbola = lanes && excess > T(0) && f0 > T(0);
    if (any(hyperbola)) {
        const T asymptote = (sqrt(larger(T(0), excess)) - K2) / f0;
        const auto nearer = hyperbola && asymptote > inverse_end;
        inverse_end = select(nearer, asymptote, inverse_end);
        end = select(nearer, T(1) / inverse_end, end);
    }
    const auto reversed = inverse_end < T(1) && q0 + q1 + q2 + q3 + q4 < T(0);

    // At tiny b_n the sign at the far end is noise: start from the near one.
    return {{select(reversed, minus(q4), q0), select(reversed, minus(q3), q1),
             select(reversed, minus(q2), q2), select(reversed, minus(q1), q3),
             select(reversed, minus(q0), q4)},
            {select(reversed, inverse_end, T(0)), select(end < T(1) && !reversed, end, T(1)),
             select(reversed, T(1), T(0))},
            mirrored,
            reversed};
}

/// For a zero t of the equation: 1 + t² times the direction of x_to.
template <class T>
SCREE_HD math::plane::Vec<T> slide_direction(const SlideEquation<T>& equation, const T& t,
                                             const math::plane::Vec<T>& e0)
{
    using namespace math;
    const T t2 = t * t;
    const T cosine = select(equation.reversed, t2 - T(1), T(1) - t2);
    const T sine = select(equation.mirrored, T(-2), T(2)) * t;
    return cosine * e0 + sine * perp(e0);
}

/// The sliding solution for β > 0, μ > 0 and |u₀| > μ x_n0, in the lanes marked unfinished.
template <class T>
SCREE_HD ContactVector<T> slide(const ContactProblem<T>& c, const Reduced<T>& red,
                                const math::plane::Vec<T>& h, const math::plane::Polar<T>& u0,
                                const T& x_n0, int max_steps, math::mask_of<T>& unfinished)
{
    using namespace math;
    const auto sliding = unfinished;
    const math::plane::Sym<T>& H = red.H;
    const math::plane::Vec<T> kappa = c.mu * red.p;
    const T g = c.beta * red.inverse_nn;
    const T rho = c.mu * g;
    const T k = larger(T(-1), c.mu * x_n0 * u0.inverse);
    const SlideEquation<T> equation =
        slide_equation(red, u0.direction, u0.inverse * h, rho * u0.inverse, c.mu, k, sliding);
    const T t = find_zero(equation.quartic, equation.bracket, max_steps, unfinished);

    // From here on e stands for ℓe and f for ℓf, ℓ = |ℓe| = 1 + t²: one division less.
    math::plane::Vec<T> e = slide_direction(equation, t, u0.direction);
    T l = T(1) + t * t;
    {
        // One Newton step on G(e) = d·(ρHe − f h) itself, in the unrotated frame.
        const math::plane::Vec<T> ep = perp(e);
        const math::plane::Vec<T> d = ep + l * perp(kappa);
        const T f = l + dot(kappa, e);
        const math::plane::Vec<T> gradient = rho * (H * e) - f * h;
        const T G = dot(d, gradient);
        const T slope = dot(d, rho * (H * ep) - dot(kappa, ep) * h) - dot(e, gradient);
        const T turn = G / slope;
        const auto sound = abs(turn) <= constant<T>(single_precision<T> ? 1e-2 : 1e-4);
        const T turned = select(sound, turn, T(0));
        e = e - turned * ep;
        l = l + constant<T>(0.5) * l * (turned * turned);  // √(1 + turn²)
    }

    // x_n = ρ/(μ f); next to an asymptote, where f cancels, (d·h)/(μ d·He) if that cancels less.
    const T f = l + dot(kappa, e);
    T scale = g / f;  // x_n/ℓ
    const auto steep =
        sliding && f < l * larger(constant<T>(0.0625), constant<T>(0.01) * norm1(kappa));
    if (any(steep)) {
        const math::plane::Vec<T> d = perp(e) + l * perp(kappa);
        const math::plane::Vec<T> He = H * e;
        const T dh = dot(d, h);
        const T dHe = dot(d, He);
        const auto better =
            l * (abs(dh) * abs(dHe)) > f * (norm1(h) * abs(dHe) * l + norm1(He) * abs(dh));
        scale = select(steep && better, dh / (c.mu * dHe), scale);
    }
    const auto low = sliding && !(f > constant<T>(1e-3) * l);
    if (any(low)) {
        unfinished = unfinished || (low && near_parabola(kappa));
    }
    const T r = c.mu * scale;
    return {scale * l, r * e.t, r * e.o};
}

/// β = 0 and |κ| ≥ 1: the conic is a pair of rays from the apex (one, counted twice, when |κ| = 1);
/// the better of the two (erratum E3). Returns the direction, r its length, 0 if neither gains.
template <class T>
SCREE_HD math::plane::Vec<T> best_ray(const Reduced<T>& red, const math::plane::Vec<T>& h,
                                      const T& mu, T& r)
{
    using namespace math;
    const math::plane::Vec<T> kappa = mu * red.p;
    const T kappa2 = dot(kappa, kappa);
    const T root = sqrt(larger(T(0), kappa2 - T(1)));
    math::plane::Vec<T> best{T(1), T(0)};
    T best_energy = T(0);
    r = T(0);
    for (int side = 0; side < 2; ++side) {
        const T signed_root = side == 0 ? root : minus(root);
        const math::plane::Vec<T> e = polar(signed_root * perp(kappa) - kappa).direction;
        const T eh = dot(e, h);
        const T length = larger(T(0), eh / dot(e, red.H * e));
        const T energy = constant<T>(-0.5) * length * eh;
        const auto better = energy < best_energy;
        best = math::plane::select(better, e, best);
        r = select(better, length, r);
        best_energy = select(better, energy, best_energy);
    }
    return best;
}

}  // namespace detail

/// The number of bracketed steps after which a straggler is better solved alone.
template <class T> constexpr int quick_steps = math::single_precision<T> ? 4 : 6;

template <class T>
SCREE_HD Outcome<T> max_dissipation(const ContactProblem<T>& c, int max_steps = quick_steps<T>)
{
    using namespace math;
    const Reduced<T> red = reduce(c.A);
    const math::plane::Vec<T> h = reduced_rhs(red, c.b, c.b.n);
    const math::plane::Vec<T> u0 = solve(red, h);
    const T x_n0 = normal_impulse(red, c.beta, u0);
    const math::plane::Polar<T> polar0 = polar(u0);

    const auto ok = valid(c, red);
    const auto closed = ok && c.beta >= T(0);
    const auto rough = closed && c.mu > T(0);
    const auto stick = rough && polar0.length <= c.mu * x_n0;
    const auto apex = rough && !stick && c.beta == T(0);
    const auto sliding = rough && !stick && !apex;

    Outcome<T> out;
    // μ = 0 and no contact
    out.x = {select(closed && !rough, c.beta * red.inverse_nn, T(0)), T(0), T(0)};
    out.x.n = select(stick, x_n0, out.x.n);
    out.x.t = select(stick, u0.t, out.x.t);
    out.x.o = select(stick, u0.o, out.x.o);
    out.state = select(
        closed, select(stick, code<T>(ContactState::sticking), code<T>(ContactState::sliding)),
        select(ok, code<T>(ContactState::separating), code<T>(ContactState::invalid)));
    out.unfinished = sliding;

    if (any(sliding)) {
        const ContactVector<T> x =
            detail::slide(c, red, h, polar0, x_n0, max_steps, out.unfinished);
        out.x.n = select(sliding, x.n, out.x.n);
        out.x.t = select(sliding, x.t, out.x.t);
        out.x.o = select(sliding, x.o, out.x.o);
    }
    if (any(apex)) {
        const math::plane::Vec<T> kappa = c.mu * red.p;
        const auto ray = apex && has_rays(dot(kappa, kappa));
        T r;
        const math::plane::Vec<T> e = detail::best_ray(red, h, c.mu, r);
        out.x.n = select(ray, r / c.mu, out.x.n);
        out.x.t = select(ray, r * e.t, out.x.t);
        out.x.o = select(ray, r * e.o, out.x.o);
    }
    out.unfinished = out.unfinished || needs_finishing(c, red, ok) ||
                     (rough && extreme(polar0.length) && norm1(u0) > T(0));
    if constexpr (single_precision<T>) {
        // Next to a parabola stick and slide may differ by everything, and rounding decides.
        out.unfinished = out.unfinished ||
                         (rough && near_parabola(c.mu * red.p) &&
                          abs(polar0.length - c.mu * x_n0) <= constant<T>(1e-5) * polar0.length);
    }
    return out;
}

}  // namespace scree::law
