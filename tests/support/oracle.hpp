// The solution of maximum dissipation with 113 bits, found by bisection and Newton on the angle and
// accepted only with its own Karush–Kuhn–Tucker certificate. The problem is convex, so the
// certificate is sufficient however the solution was found.
#pragma once

#include "scree/types.hpp"

#include <cmath>

namespace scree::test {

using Quad = __float128;

inline Quad quad_abs(Quad x) { return x < 0 ? -x : x; }

inline Quad quad_sqrt(Quad x)
{
    if (x <= 0) {
        return 0;
    }
    Quad root = std::sqrt(static_cast<double>(x));
    if (root == 0) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        root = (root + x / root) / 2;
    }
    return root;
}

struct Q2 {
    Quad t, o;
};
inline Q2 operator+(Q2 a, Q2 b) { return {a.t + b.t, a.o + b.o}; }
inline Q2 operator-(Q2 a, Q2 b) { return {a.t - b.t, a.o - b.o}; }
inline Q2 operator*(Quad s, Q2 a) { return {s * a.t, s * a.o}; }
inline Quad dot(Q2 a, Q2 b) { return a.t * b.t + a.o * b.o; }
inline Quad cross(Q2 a, Q2 b) { return a.t * b.o - a.o * b.t; }
inline Q2 perp(Q2 a) { return {-a.o, a.t}; }
inline Quad norm(Q2 a) { return quad_sqrt(dot(a, a)); }
inline Q2 normalised(Q2 a)
{
    const Quad length = norm(a);
    return {a.t / length, a.o / length};
}

struct Reference {
    ContactVector<Quad> x;
    ContactState state;
    bool certified;
};

class Oracle {
public:
    explicit Oracle(const ContactProblem<double>& c)
        : A{c.A.nn, c.A.nt, c.A.no, c.A.tt, c.A.to, c.A.oo}, b{c.b.n, c.b.t, c.b.o}, beta(c.beta),
          mu(c.mu)
    {
        const Q2 a{A.nt, A.no};
        lean = {a.t / A.nn, a.o / A.nn};
        kappa = mu * lean;
        rho = mu * beta / A.nn;
        htt = A.tt - a.t * lean.t;
        hto = A.to - a.t * lean.o;
        hoo = A.oo - a.o * lean.o;
        rhs = Q2{b.t, b.o} - b.n * lean;
    }

    Reference solve() const
    {
        if (beta < 0) {
            return {{0, 0, 0}, ContactState::separating, true};
        }
        if (mu == 0) {
            return {{beta / A.nn, 0, 0}, ContactState::sliding, true};
        }
        const Quad det = htt * hoo - hto * hto;
        const Q2 u0{(hoo * rhs.t - hto * rhs.o) / det, (htt * rhs.o - hto * rhs.t) / det};
        const Quad x_n0 = beta / A.nn - dot(lean, u0);
        if (norm(u0) <= mu * x_n0) {
            return checked({x_n0, u0.t, u0.o}, ContactState::sticking);
        }
        if (beta == 0) {
            return apex();
        }
        const Q2 e = slide(u0, x_n0);
        // Two forms of the same length, of which the first cancels next to an asymptote.
        const Q2 d = perp(e) + perp(kappa);
        const Quad lengths[2] = {rho / (1 + dot(kappa, e)), dot(d, rhs) / dot(d, times(e))};
        Reference found{};
        for (const Quad r : lengths) {
            found = checked({r / mu, r * e.t, r * e.o}, ContactState::sliding);
            if (found.certified) {
                break;
            }
        }
        return found;
    }

    Quad energy(const ContactVector<Quad>& x) const
    {
        return (x.n * (A.nn * x.n + 2 * (A.nt * x.t + A.no * x.o)) +
                x.t * (A.tt * x.t + 2 * A.to * x.o) + A.oo * x.o * x.o) /
                   2 -
               (x.n * b.n + x.t * b.t + x.o * b.o);
    }

    /// ‖x‖_A
    Quad a_norm(const ContactVector<Quad>& x) const
    {
        return quad_sqrt(2 * (energy(x) + x.n * b.n + x.t * b.t + x.o * b.o));
    }

    /// ½bᵀA⁻¹b: the most that can be dissipated.
    Quad available() const
    {
        const Quad det = htt * hoo - hto * hto;
        const Quad tangential =
            (hoo * rhs.t * rhs.t - 2 * hto * rhs.t * rhs.o + htt * rhs.o * rhs.o) / det;
        return (b.n * b.n / A.nn + tangential) / 2;
    }

private:
    Q2 times(Q2 u) const { return {htt * u.t + hto * u.o, hto * u.t + hoo * u.o}; }

    /// Bisection on the arc between u₀'s direction and the horizon, Newton where it stays inside.
    Q2 slide(Q2 u0, Quad x_n0) const
    {
        const auto slope = [&](Q2 e, Quad& derivative) {
            const Q2 d = perp(e) + perp(kappa);
            const Quad f = 1 + dot(kappa, e);
            const Q2 g = rho * times(e) - f * rhs;
            derivative = dot(d, rho * times(perp(e)) - dot(kappa, perp(e)) * rhs) - dot(e, g);
            return dot(d, g);
        };
        const Quad length = norm(u0);
        Quad k = mu * x_n0 / length;
        k = k < -1 ? Quad(-1) : k;
        Quad derivative = 0;
        const Q2 start = normalised(u0);
        const Quad side = slope(start, derivative) < 0 ? 1 : -1;
        Q2 left = start;
        Q2 right = k * start + side * quad_sqrt((1 - k) * (1 + k)) * perp(start);
        Q2 e = start;
        for (int i = 0; i < 400; ++i) {
            const bool feasible = 1 + dot(kappa, e) > 0;
            const Quad G = side * slope(e, derivative);
            if (feasible && G == 0) {
                break;
            }
            (feasible && G < 0 ? left : right) = e;
            const Quad turn = side * G / derivative;
            const Q2 newton = normalised(e - turn * perp(e));
            const bool inside =
                feasible && side * cross(left, newton) >= 0 && side * cross(newton, right) >= 0;
            // The arc may span up to 180°, where the sum of the ends is no direction.
            const Q2 sum = left + right;
            const Q2 middle =
                dot(sum, sum) > 1e-4 ? normalised(sum) : normalised(sum + side * perp(left));
            const Q2 next = inside && i % 8 != 7 ? newton : middle;
            const Quad moved = norm(next - e);
            e = next;
            if (moved < 1e-33) {
                break;
            }
        }
        return e;
    }

    /// β = 0: the apex or one of the two rays.
    Reference apex() const
    {
        const Quad k2 = dot(kappa, kappa);
        ContactVector<Quad> best{0, 0, 0};
        if (k2 >= 1) {
            Quad least = 0;
            for (const int sign : {-1, 1}) {
                const Q2 e = normalised(Quad(sign) * quad_sqrt(k2 - 1) * perp(kappa) - kappa);
                const Quad r = dot(e, rhs) / dot(e, times(e));
                const Quad value = -r * dot(e, rhs) / 2;
                if (r > 0 && value < least) {
                    least = value;
                    best = {r / mu, r * e.t, r * e.o};
                }
            }
        }
        return {best, ContactState::sliding, true};
    }

    Reference checked(const ContactVector<Quad>& x, ContactState state) const
    {
        const Q2 u{x.t, x.o};
        const Q2 g = times(u) - rhs;
        Quad nu = 0;
        Q2 N{0, 0};
        bool in_cone = norm(u) <= mu * x.n * (1 + Quad(1e-30));
        if (state == ContactState::sliding) {
            N = normalised(u) + kappa;
            nu = -dot(g, N) / dot(N, N);
        }
        const Quad scale = norm(times(u)) + norm(rhs) + quad_abs(nu) * norm(N);
        const Quad stationarity = norm(g + nu * N);
        const Quad terms =
            A.nn * quad_abs(x.n) + quad_abs(A.nt * x.t) + quad_abs(A.no * x.o) + beta;
        const Quad plane = quad_abs(A.nn * x.n + A.nt * x.t + A.no * x.o - beta);
        const bool ok = in_cone && nu >= -1e-24 * scale && stationarity <= 1e-20 * scale &&
                        plane <= 1e-24 * terms;
        return {x, state, ok};
    }

    DelassusBlock<Quad> A;
    ContactVector<Quad> b;
    Quad beta, mu, rho, htt, hto, hoo;
    Q2 lean, kappa, rhs;
};

}  // namespace scree::test
