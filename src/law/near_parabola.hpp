// The sliding solution where the conic is nearly a parabola and the optimum lies far out on it:
// there f = 1 + κ·e and N = e + κ cancel, and the half angle measured from u₀ has a nearly triple
// zero. Measured from −κ instead, e = ((τ² − 1)κ̂ + 2τκ̂⊥)/(1 + τ²), nothing cancels:
//
//   (1 + τ²) f = sτ² − δ,   (1 + τ²) d = (−2τ, δ + sτ²) in the frame (κ̂, κ̂⊥),   δ = |κ| − 1,  s =
//   |κ| + 1
//
// and G is again a quartic, in τ. All its zeros are found and the one of least energy is taken.
// Scalar double: this serves the few problems that `finish` sends here.
#pragma once

#include "law/quartic.hpp"
#include "law/reduced.hpp"

namespace scree::law {

/// Where this holds and f is small the quick way loses digits.
template <class T> SCREE_HD math::mask_of<T> near_parabola(const math::plane::Vec<T>& kappa)
{
    using namespace math;
    return abs(dot(kappa, kappa) - T(1)) < constant<T>(2e-3);
}

namespace detail {

/// Collects critical points of the energy along the conic and keeps the best.
struct NearParabola {
    const ContactProblem<double>& c;
    Reduced<double> red;
    math::plane::Vec<double> h, k1, k2;  ///< κ̂ and κ̂⊥
    double delta, s, g;
    ContactVector<double> best{0, 0, 0};
    double least = 0;
    bool found = false;

    /// The quartic c₀ + … + c₄τ⁴ proportional to G, of unit scale.
    SCREE_HD Quartic<double> quartic() const
    {
        const double rho = c.mu * g;
        const math::plane::Vec<double> Hk1 = red.H * k1;
        const double H11 = dot(k1, Hk1);
        const double H12 = dot(k2, Hk1);
        const double H22 = dot(k2, red.H * k2);
        const double h1 = dot(k1, h);
        const double h2 = dot(k2, h);
        const double unit = 1 / (norm1(h) + rho * (H11 + H22));
        return {delta * (delta * h2 - rho * H12) * unit,
                2 * (rho * H11 - delta * h1 + delta * rho * H22) * unit, -6 * rho * H12 * unit,
                2 * (s * h1 - rho * H11 + s * rho * H22) * unit, s * (rho * H12 - s * h2) * unit};
    }

    /// One zero, given as τ² : 1 = a : b and τ = ±√(ab) = m; so τ = ∞ is a point like any other.
    SCREE_HD void consider(double a, double b, double m)
    {
        using namespace math;
        const double l = a + b;
        const double f = s * a - delta * b;
        const math::plane::Vec<double> e = ((a - b) / l) * k1 + (2 * m / l) * k2;
        // Beyond this length the energy rises along e, which it does not before the solution.
        const double useful = dot(e, h) / (c.mu * dot(e, red.H * e));
        const math::plane::Vec<double> d = (-2 * m) * k1 + (s * a + delta * b) * k2;
        const double dh = dot(d, h);
        const double dHe = dot(d, red.H * e);
        const double lost_in_f = (s * a + abs(delta) * b) / f;
        const double size = 2 * abs(m) + s * a + abs(delta) * b;
        const double lost_in_d = size * (norm1(h) / abs(dh) + norm1(red.H * e) / abs(dHe));
        double x_n = f > 0 && !(lost_in_d < lost_in_f) ? g * l / f : dh / (c.mu * dHe);
        x_n = x_n > 0 && x_n < useful ? x_n : useful;
        const ContactVector<double> x{x_n, c.mu * x_n * e.t, c.mu * x_n * e.o};
        const double value = energy(c, x);
        // f < 0 is no point of the conic, but its rounding may be.
        if (x_n > 0 && f > -1e-12 * l && (!found || value < least)) {
            best = x;
            least = value;
            found = true;
        }
    }
};

}  // namespace detail

/// The sliding solution of a problem with β > 0, μ > 0 that does not stick; false if there is none,
/// which needs κ = 0.
SCREE_HD bool near_parabola_slide(const ContactProblem<double>& c, ContactVector<double>& x)
{
    using namespace math;
    const Reduced<double> red = reduce(c.A);
    const double lean = norm(red.p);
    if (!(lean > 0)) {
        return false;
    }
    const math::plane::Vec<double> k1{red.p.t / lean, red.p.o / lean};
    detail::NearParabola search{c,
                                red,
                                reduced_rhs(red, c.b, c.b.n),
                                k1,
                                perp(k1),
                                c.mu * lean - 1,
                                c.mu * lean + 1,
                                c.beta * red.inverse_nn};
    const Quartic<double> q = search.quartic();
    for (int side = 0; side < 4; ++side) {
        const double sign = side % 2 == 0 ? 1.0 : -1.0;
        const bool reversed = side >= 2;  // the unknown is 1/τ
        const Quartic<double> p = reversed
                                      ? Quartic<double>{q.c4, sign * q.c3, q.c2, sign * q.c1, q.c0}
                                      : Quartic<double>{q.c0, sign * q.c1, q.c2, sign * q.c3, q.c4};
        if (p.c0 == 0) {
            search.consider(reversed ? 1 : 0, reversed ? 0 : 1, 0);
        }
        // Signs of Bernstein coefficients would be noise here.
        const Pieces<double> pieces = detail::monotone_pieces(p);
        double left = 0;
        for (int i = 0; i < 4; ++i) {
            const double right = i < 3 ? pieces.end[i] : 1.0;
            bool found = false;
            const double y = zero_between(p, left, right, found);
            left = right;
            if (found) {
                search.consider(reversed ? 1 : y * y, reversed ? y * y : 1, sign * y);
            }
        }
    }
    x = search.found ? search.best : x;
    return search.found;
}

}  // namespace scree::law
