// Real zeros of quartics on an interval, found with brackets: Halley steps inside an interval whose
// ends have opposite signs, halving it when a step would leave. Lanes freeze when converged.
#pragma once

#include "math/lane.hpp"

namespace scree::law {

/// Enough steps for every bracket, which halves at the worst, down to zeros near 1e-50.
constexpr int all_steps = 200;

/// c₀ + c₁t + c₂t² + c₃t³ + c₄t⁴
template <class T> struct Quartic {
    T c0, c1, c2, c3, c4;

    /// In Estrin's order, whose chain of operations is shorter than Horner's.
    SCREE_HD T value(const T& t) const
    {
        const T t2 = t * t;
        return (c0 + c1 * t) + t2 * ((c2 + c3 * t) + t2 * c4);
    }
    SCREE_HD Quartic derivative() const { return {c1, T(2) * c2, T(3) * c3, T(4) * c4, T(0)}; }
};

template <class T> struct Bracket {
    T left, right, start;
};

/// The zero of q in the bracket, q < 0 at its left end and > 0 at its right, for lanes marked
/// `unfinished`; those that needed more than `max_steps` stay marked. Halley's steps converge
/// cubically, so a small last step leaves an error of the order of rounding. They take products of
/// values: q must not be of extreme scale.
template <class T>
SCREE_HD T find_zero(const Quartic<T>& q, const Bracket<T>& bracket, int max_steps,
                     math::mask_of<T>& unfinished)
{
    using namespace math;
    const T tolerance = constant<T>(single_precision<T> ? 3e-3 : 3e-8);
    const T d1 = T(2) * q.c2;
    const T d2 = T(3) * q.c3;
    const T d3 = T(4) * q.c4;
    const T s2 = T(6) * q.c4;
    T t = bracket.start;
    T left = bracket.left;
    T right = bracket.right;
    for (int step = 0; step < max_steps && any(unfinished); ++step) {
        const T value = q.value(t);
        const T slope = (q.c1 + d1 * t) + t * t * (d2 + d3 * t);
        const T half_bend = (q.c2 + d2 * t) + s2 * (t * t);
        left = select(value < T(0), t, left);
        right = select(value > T(0), t, right);
        const T halley = t - value * slope / (slope * slope - value * half_bend);
        const T next =
            select(halley >= left && halley <= right, halley, constant<T>(0.5) * (left + right));
        const auto exact = value == T(0);
        const auto small = abs(next - t) <= tolerance * abs(next);
        t = select(unfinished && !exact, next, t);
        unfinished = unfinished && !exact && !small;
    }
    return t;
}

/// One zero in (left, right] where the signs at the ends differ; `found` says where there is one.
template <class T>
SCREE_HD T zero_between(const Quartic<T>& q, const T& left, const T& right, math::mask_of<T>& found)
{
    using namespace math;
    const T at_left = q.value(left);
    const T at_right = q.value(right);
    const auto rising = at_left < T(0) && at_right >= T(0);
    const auto falling = at_left > T(0) && at_right <= T(0);
    found = rising || falling;
    if (!any(found)) {
        return right;
    }
    const T sign = select(rising, T(1), T(-1));
    const Quartic<T> up{sign * q.c0, sign * q.c1, sign * q.c2, sign * q.c3, sign * q.c4};
    auto unfinished = found;
    const T zero =
        find_zero(up, {left, right, constant<T>(0.5) * (left + right)}, all_steps, unfinished);
    found = found && !unfinished;
    return select(found, zero, right);
}

/// The points that split [0, 1] into at most four pieces on which q has at most one zero,
/// ascending; those that are not needed are 1.
template <class T> struct Pieces {
    T end[3];
};

namespace detail {

/// Split where q turns, for lanes where there may be several zeros.
template <class T> SCREE_HD Pieces<T> monotone_pieces(const Quartic<T>& q)
{
    using namespace math;
    const Quartic<T> slope = q.derivative();
    const Quartic<T> bend = slope.derivative();  // c₂t² + c₁t + c₀
    const T root = sqrt(bend.c1 * bend.c1 - T(4) * bend.c2 * bend.c0);
    const T sum = constant<T>(-0.5) * (bend.c1 + select(bend.c1 < T(0), minus(root), root));
    T first = sum / bend.c2;
    T second = bend.c0 / sum;
    first = select(first > T(0) && first < T(1), first, T(1));
    second = select(second > T(0) && second < T(1), second, T(1));
    const T inner[4] = {T(0), smaller(first, second), larger(first, second), T(1)};
    Pieces<T> pieces;
    for (int i = 0; i < 3; ++i) {
        mask_of<T> found;
        pieces.end[i] = zero_between(slope, inner[i], inner[i + 1], found);
    }
    return pieces;
}

}  // namespace detail

/// The number of zeros in (0, 1) is at most the number of sign changes of q's Bernstein
/// coefficients, and equal to it if that is 0 or 1: only beyond are pieces needed, and where q is
/// zero at 0.
template <class T> SCREE_HD Pieces<T> pieces_of(const Quartic<T>& q)
{
    using namespace math;
    const T b[5] = {q.c0, q.c0 + constant<T>(0.25) * q.c1,
                    q.c0 + constant<T>(0.5) * q.c1 + constant<T>(1.0 / 6) * q.c2,
                    q.c0 + constant<T>(0.75) * q.c1 + constant<T>(0.5) * q.c2 +
                        constant<T>(0.25) * q.c3,
                    q.c0 + q.c1 + q.c2 + q.c3 + q.c4};
    T changes(0);
    for (int i = 0; i < 4; ++i) {
        const auto change = (b[i] < T(0) && b[i + 1] >= T(0)) || (b[i] >= T(0) && b[i + 1] < T(0));
        changes = changes + select(change, T(1), T(0));
    }
    Pieces<T> pieces{{T(1), T(1), T(1)}};
    const auto several = changes > T(1) || q.c0 == T(0);  // a bracket needs a sign at 0
    if (any(several)) {
        const Pieces<T> split = detail::monotone_pieces(q);
        for (int i = 0; i < 3; ++i) {
            pieces.end[i] = select(several, split.end[i], T(1));
        }
    }
    return pieces;
}

}  // namespace scree::law
