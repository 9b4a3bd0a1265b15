// The route printed in the paper to the sliding solution: c₀ + c₁cos(α+φ₁) + c₂cos(2α+φ₂) = 0 as a
// complex quartic in y = exp(iα), solved in closed form. Kept for comparison only: even with c₁ and
// c₂ repaired (erratum E5) it fails for spheres and nearly so for small μ, where the quartic
// degenerates (erratum E6). Host code, scalars only, β = b_n.
#pragma once

#include "law/max_dissipation.hpp"

#include <complex>
#include <optional>

namespace scree::law {

namespace detail {

/// The four zeros of a y⁴ + b y³ + c y² + d y + e.
template <class Real>
void closed_form_quartic(std::complex<Real> a, std::complex<Real> b, std::complex<Real> c,
                         std::complex<Real> d, std::complex<Real> e, std::complex<Real> (&y)[4])
{
    using Complex = std::complex<Real>;
    const Real two(2), three(3), four(4), eight(8);
    const Complex p = (eight * a * c - three * b * b) / (eight * a * a);
    const Complex q = (b * b * b - four * a * b * c + eight * a * a * d) / (eight * a * a * a);
    const Complex d0 = c * c - three * b * d + Real(12) * a * e;
    const Complex d1 = two * c * c * c - Real(9) * b * c * d + Real(27) * b * b * e +
                       Real(27) * a * d * d - Real(72) * a * c * e;
    const Complex root = std::sqrt(d1 * d1 - four * d0 * d0 * d0);
    const Complex sum = std::abs(d1 + root) > std::abs(d1 - root) ? d1 + root : d1 - root;
    const Complex Q = std::pow(sum / two, Real(1) / three);
    const Complex S = std::sqrt(-two * p / three + (Q + d0 / Q) / (three * a)) / two;
    const Complex centre = -b / (four * a);
    const Complex minus = std::sqrt(-four * S * S - two * p + q / S) / two;
    const Complex plus = std::sqrt(-four * S * S - two * p - q / S) / two;
    y[0] = centre - S + minus;
    y[1] = centre - S - minus;
    y[2] = centre + S + plus;
    y[3] = centre + S - plus;
}

}  // namespace detail

/// The sliding impulse by the paper's route, or nothing if it found no valid angle.
template <class Real>
std::optional<ContactVector<Real>> paper_quartic_slide(const ContactProblem<Real>& c)
{
    const auto& [nn, nt, no, tt, to, oo] = c.A;
    const auto& [bn, bt, bo] = c.b;
    const Real mu = c.mu;
    const Real mu2 = mu * mu;
    const Real y1 = mu2 * ((no * to - nt * oo) * bn - no * no * bt + nt * no * bo) - nn * nn * bt +
                    nn * nt * bn;
    const Real x1 = mu2 * ((nt * to - no * tt) * bn + nt * no * bt - nt * nt * bo) - nn * nn * bo +
                    nn * no * bn;
    const Real y2 = (tt - oo) * bn - nt * bt + no * bo;
    const Real x2 = 2 * to * bn - no * bt - nt * bo;
    const Real c0 = Real(1.5) * mu * nn * (no * bt - nt * bo);
    const Real c1 = std::hypot(x1, y1);
    const Real c2 = Real(0.5) * mu * nn * std::hypot(x2, y2);
    const Real phi1 = std::atan2(y1, x1);
    const Real phi2 = std::atan2(y2, x2);

    std::complex<Real> y[4];
    const auto first = std::polar(c1, phi1);
    const auto second = std::polar(c2, phi2);
    detail::closed_form_quartic<Real>(second, first, Real(2) * c0, std::conj(first),
                                      std::conj(second), y);

    const Reduced<Real> red = reduce(c.A);
    const Real tolerance = std::numeric_limits<Real>::epsilon() > 1e-10 ? Real(1e-3) : Real(1e-6);
    std::optional<ContactVector<Real>> best;
    Real least = 0;
    for (const std::complex<Real>& candidate : y) {
        const Real alpha = std::arg(candidate);
        const Real trig = c0 + c1 * std::cos(alpha + phi1) + c2 * std::cos(2 * alpha + phi2);
        const math::plane::Vec<Real> e{std::cos(alpha), std::sin(alpha)};
        const Real f = 1 + mu * dot(red.p, e);
        if (!(std::abs(trig) <= tolerance * (std::abs(c0) + c1 + c2)) || !(f > 0)) {
            continue;
        }
        const Real r = mu * bn / (nn * f);
        const ContactVector<Real> x{r / mu, r * e.t, r * e.o};
        const Real value = energy(c, x);
        if (!best || value < least) {
            best = x;
            least = value;
        }
    }
    return best;
}

}  // namespace scree::law
