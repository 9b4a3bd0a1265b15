// The law of most game engines: each friction component is limited on its own, |x_t| ≤ μ x_n and
// |x_o| ≤ μ x_n, so the cone becomes a pyramid that depends on the choice of t and o. This is the
// fixed point that row-by-row projected Gauss–Seidel converges to, found directly: each component
// is at its lower bound, free (no slip) or at its upper bound, nine linear problems in all. The one
// with the least violation is taken, among equals the one of least energy.
#pragma once

#include "law/reduced.hpp"

namespace scree::law {

namespace detail {

/// How far a component at the given side (−1, 0, +1) of its bound is from its condition: a free one
/// beyond the bound, a bounded one pushed inwards by the slip. Relative.
template <class T>
SCREE_HD T box_violation(int side, const T& x, const T& bound, const T& slip, const T& slip_scale)
{
    using namespace math;
    if (side == 0) {
        const T over = abs(x) - bound;
        return select(over > T(0), over / abs(x), T(0));
    }
    const T push = side > 0 ? slip : math::minus(slip);
    return select(push > T(0), push / slip_scale, T(0));
}

}  // namespace detail

/// How far x is from the conditions of this law beside the plane, relative.
template <class T>
SCREE_HD T box_residual(const ContactProblem<T>& c, const ContactVector<T>& x,
                        const ContactVector<T>& velocity)
{
    using namespace math;
    const T bound = c.mu * x.n;
    const auto component = [&](const T& xi, const T& vi, const T& slip_scale) {
        const T beyond = select(abs(xi) > bound, (abs(xi) - bound) / abs(xi), T(0));
        // Free: no slip. At a bound: only a slip that pushes outwards, and what is left to the
        // bound is charged to it. Whichever fits better.
        const T inward = select(xi > T(0), larger(T(0), vi), larger(T(0), minus(vi)));
        const T loose = select(abs(xi) < bound, (bound - abs(xi)) / bound, T(0));
        const T slip = smaller(abs(vi), inward + abs(vi) * loose);
        return larger(beyond, select(slip > T(0) && bound > T(0), slip / slip_scale, T(0)));
    };
    const T t_scale = abs(c.b.t) + abs(c.A.nt * x.n) + abs(c.A.tt * x.t) + abs(c.A.to * x.o);
    const T o_scale = abs(c.b.o) + abs(c.A.no * x.n) + abs(c.A.to * x.t) + abs(c.A.oo * x.o);
    return larger(component(x.t, velocity.t, t_scale), component(x.o, velocity.o, o_scale));
}

template <class T> SCREE_HD Outcome<T> projected(const ContactProblem<T>& c)
{
    using namespace math;
    const Reduced<T> red = reduce(c.A);
    const math::plane::Vec<T> h = reduced_rhs(red, c.b, c.beta);
    const T g = c.beta * red.inverse_nn;
    const T scale = norm1(h);
    const auto ok = valid(c, red);
    const auto closed = ok && c.beta >= T(0);

    ContactVector<T> best{T(0), T(0), T(0)};
    constexpr auto infinity = std::numeric_limits<scalar_of<T>>::infinity();
    T best_violation(infinity);
    T best_energy = T(0);
    T best_state = code<T>(ContactState::sliding);
    for (int i = 0; i < 9; ++i) {
        const int st = i % 3 - 1;
        const int so = i / 3 - 1;
        // Bounded components are s μ x_n; with x_n = g − p·u the rest is linear in x_n.
        const T bt = st == 0 ? T(0) : (st > 0 ? c.mu : minus(c.mu));
        const T bo = so == 0 ? T(0) : (so > 0 ? c.mu : minus(c.mu));
        T x_n;
        math::plane::Vec<T> u;
        if (st == 0 && so == 0) {
            u = solve(red, h);
            x_n = normal_impulse(red, c.beta, u);
        } else if (st == 0) {
            // H_tt u_t + H_to b_o x_n = h_t and x_n(1 + p_o b_o) + p_t u_t = g
            const T denominator = (T(1) + red.p.o * bo) * red.H.tt - red.p.t * red.H.to * bo;
            x_n = (g * red.H.tt - red.p.t * h.t) / denominator;
            u.o = bo * x_n;
            u.t = (h.t - red.H.to * u.o) / red.H.tt;
        } else if (so == 0) {
            const T denominator = (T(1) + red.p.t * bt) * red.H.oo - red.p.o * red.H.to * bt;
            x_n = (g * red.H.oo - red.p.o * h.o) / denominator;
            u.t = bt * x_n;
            u.o = (h.o - red.H.to * u.t) / red.H.oo;
        } else {
            x_n = g / (T(1) + red.p.t * bt + red.p.o * bo);
            u = {bt * x_n, bo * x_n};
        }
        const math::plane::Vec<T> slip = red.H * u - h;
        const T bound = c.mu * x_n;
        T violation = larger(detail::box_violation(st, u.t, bound, slip.t, scale),
                             detail::box_violation(so, u.o, bound, slip.o, scale));
        violation = select(finite(x_n) && x_n >= T(0), violation, constant<T>(1e6));
        const ContactVector<T> x{x_n, u.t, u.o};
        const T e = energy(c, x);
        const auto better =
            violation < best_violation || (violation == best_violation && e < best_energy);
        best.n = select(better, x.n, best.n);
        best.t = select(better, x.t, best.t);
        best.o = select(better, x.o, best.o);
        best_violation = select(better, violation, best_violation);
        best_energy = select(better, e, best_energy);
        const ContactState state =
            st == 0 && so == 0 ? ContactState::sticking : ContactState::sliding;
        best_state = select(better, code<T>(state), best_state);
    }
    Outcome<T> out;
    out.x = {select(closed, best.n, T(0)), select(closed, best.t, T(0)),
             select(closed, best.o, T(0))};
    out.state =
        select(closed, best_state,
               select(ok, code<T>(ContactState::separating), code<T>(ContactState::invalid)));
    out.unfinished =
        needs_finishing(c, red, ok) || (closed && extreme(scale + abs(g)) && scale + abs(g) > T(0));
    return out;
}

}  // namespace scree::law
