// Other ways to the sliding solution, to compare with: golden section on the angle and the closed
// form of the real quartic. Scalar, host only, for β > 0, μ > 0 and no stick.
#pragma once

#include "law/max_dissipation.hpp"

#include <cmath>
#include <numbers>

namespace scree::bench {

template <class Real> struct SlideInput {
    law::Reduced<Real> red;
    math::plane::Vec<Real> h;
    Real rho, x_n0;
    math::plane::Polar<Real> u0;
};

template <class Real> SlideInput<Real> slide_input(const ContactProblem<Real>& c)
{
    SlideInput<Real> in;
    in.red = law::reduce(c.A);
    in.h = law::reduced_rhs(in.red, c.b, c.b.n);
    const math::plane::Vec<Real> u0 = law::solve(in.red, in.h);
    in.x_n0 = law::normal_impulse(in.red, c.beta, u0);
    in.u0 = polar(u0);
    in.rho = c.mu * c.beta * in.red.inverse_nn;
    return in;
}

template <class Real> bool sticks(const SlideInput<Real>& in, Real mu)
{
    return in.u0.length <= mu * in.x_n0;
}

template <class Real>
ContactVector<Real> at_angle(const SlideInput<Real>& in, Real mu, const math::plane::Vec<Real>& e)
{
    const Real r = in.rho / (1 + mu * dot(in.red.p, e));
    return {r / mu, r * e.t, r * e.o};
}

/// Golden section over the visible arc.
template <class Real>
ContactVector<Real> golden_section(const ContactProblem<Real>& c, int steps = 20)
{
    const SlideInput<Real> in = slide_input(c);
    if (sticks(in, c.mu)) {
        const auto u0 = in.u0.length * in.u0.direction;
        return {in.x_n0, u0.t, u0.o};
    }
    const auto objective = [&](Real alpha) {
        const math::plane::Vec<Real> e{std::cos(alpha), std::sin(alpha)};
        const Real f = 1 + c.mu * dot(in.red.p, e);
        if (f <= 0) {
            return std::numeric_limits<Real>::infinity();
        }
        const math::plane::Vec<Real> u = (in.rho / f) * e;
        return Real(0.5) * dot(u, in.red.H * u) - dot(u, in.h);
    };
    const Real middle = std::atan2(in.u0.direction.o, in.u0.direction.t);
    const Real half = std::acos(std::max(Real(-1), c.mu * in.x_n0 / in.u0.length));
    constexpr Real golden = Real(0.6180339887498949);
    Real left = middle - half;
    Real right = middle + half;
    Real a = right - golden * (right - left);
    Real b = left + golden * (right - left);
    Real at_a = objective(a);
    Real at_b = objective(b);
    for (int i = 0; i < steps; ++i) {
        if (at_a < at_b) {
            right = b;
            b = a;
            at_b = at_a;
            a = right - golden * (right - left);
            at_a = objective(a);
        } else {
            left = a;
            a = b;
            at_a = at_b;
            b = left + golden * (right - left);
            at_b = objective(b);
        }
    }
    const Real alpha = Real(0.5) * (left + right);
    return at_angle(in, c.mu, {std::cos(alpha), std::sin(alpha)});
}

/// The same quartic as the solver's, by radicals (Ferrari), the root in the bracket.
template <class Real> ContactVector<Real> real_quartic(const ContactProblem<Real>& c)
{
    const SlideInput<Real> in = slide_input(c);
    if (sticks(in, c.mu)) {
        const auto u0 = in.u0.length * in.u0.direction;
        return {in.x_n0, u0.t, u0.o};
    }
    const auto equation = law::detail::slide_equation(
        in.red, in.u0.direction, in.u0.inverse * in.h, in.rho * in.u0.inverse, c.mu,
        std::max(Real(-1), c.mu * in.x_n0 * in.u0.inverse), true);
    const auto& q = equation.quartic;
    // t⁴ + b t³ + c t² + d t + e, shifted to y⁴ + p y² + s y + r
    const Real b3 = q.c3 / q.c4, b2 = q.c2 / q.c4, b1 = q.c1 / q.c4, b0 = q.c0 / q.c4;
    const Real shift = b3 / 4;
    const Real p = b2 - 6 * shift * shift;
    const Real s = b1 - 2 * b2 * shift + 8 * shift * shift * shift;
    const Real r = b0 - b1 * shift + b2 * shift * shift - 3 * shift * shift * shift * shift;
    // Resolvent cubic z³ + 2p z² + (p² − 4r) z − s² = 0, its largest real root
    const Real a2 = 2 * p, a1 = p * p - 4 * r, a0 = -s * s;
    const Real Q = (3 * a1 - a2 * a2) / 9;
    const Real R = (9 * a2 * a1 - 27 * a0 - 2 * a2 * a2 * a2) / 54;
    const Real D = Q * Q * Q + R * R;
    Real z;
    if (D >= 0) {
        const Real root = std::sqrt(D);
        z = std::cbrt(R + root) + std::cbrt(R - root) - a2 / 3;
    } else {
        z = 2 * std::sqrt(-Q) * std::cos(std::acos(R / std::sqrt(-Q * Q * Q)) / 3) - a2 / 3;
    }
    const Real w = std::sqrt(std::max(z, Real(0)));
    Real best = std::numeric_limits<Real>::quiet_NaN();
    for (const Real sign : {Real(-1), Real(1)}) {
        const Real inner = -z - 2 * p - sign * 2 * s / w;
        if (!(inner >= 0)) {
            continue;
        }
        for (const Real other : {Real(-1), Real(1)}) {
            const Real t = (sign * w + other * std::sqrt(inner)) / 2 - shift;
            if (t >= equation.bracket.left && t <= equation.bracket.right) {
                best = t;
            }
        }
    }
    return at_angle(in, c.mu,
                    polar(law::detail::slide_direction(equation, best, in.u0.direction)).direction);
}

}  // namespace scree::bench
