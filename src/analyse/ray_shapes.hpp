// Where a straight line runs inside a shape, in closed form. Bounded shapes are convex, so the
// answer is one interval; each shape is made of slabs and balls by two operations on intervals, the
// common part and, where the union is convex, the span. All in the shape's own frame.
#pragma once

#include "math/vec.hpp"
#include "scree/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::analyse {

using Vec = Vec3<double>;

/// Parameters t of the points o + t d between two ends; empty if exit < enter.
struct Interval {
    double enter, exit;

    [[nodiscard]] bool empty() const { return !(enter <= exit); }
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Interval nowhere{infinity, -infinity};
inline constexpr Interval everywhere{-infinity, infinity};

inline Interval common(const Interval& a, const Interval& b)
{
    return {std::max(a.enter, b.enter), std::min(a.exit, b.exit)};
}
/// The least interval that holds both.
inline Interval span(const Interval& a, const Interval& b)
{
    if (a.empty() || b.empty()) {
        return a.empty() ? b : a;
    }
    return {std::min(a.enter, b.enter), std::max(a.exit, b.exit)};
}

/// from ≤ o + t d ≤ to.
inline Interval in_slab(double o, double d, double from, double to)
{
    if (d == 0) {
        return o >= from && o <= to ? everywhere : nowhere;
    }
    const double a = (from - o) / d, b = (to - o) / d;
    return {std::min(a, b), std::max(a, b)};
}

/// |o + t d| ≤ r, from the point of the line that is nearest to the centre, so that no digits
/// cancel. With one component of o and d set to zero: in a cylinder.
inline Interval in_ball(const Vec& o, const Vec& d, double r)
{
    const double a = dot(d, d);
    if (a == 0) {
        return dot(o, o) <= r * r ? everywhere : nowhere;
    }
    const double nearest = -dot(o, d) / a;
    const Vec q = o + nearest * d;
    const double room = r * r - dot(q, q);
    if (!(room >= 0)) {
        return nowhere;
    }
    const double half = std::sqrt(room / a);
    return {nearest - half, nearest + half};
}

/// The part of the line inside a bounded shape. For all digits, o should be near the shape.
inline Interval inside(const Shape& shape, const Vec& o, const Vec& d)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere: return in_ball(o, d, s.x);
    case ShapeKind::box:
        return common(in_slab(o.x, d.x, -s.x, s.x),
                      common(in_slab(o.y, d.y, -s.y, s.y), in_slab(o.z, d.z, -s.z, s.z)));
    case ShapeKind::capsule: {
        const Interval tube =
            common(in_ball({0, o.y, o.z}, {0, d.y, d.z}, s.x), in_slab(o.x, d.x, -s.y, s.y));
        return span(tube, span(in_ball({o.x - s.y, o.y, o.z}, d, s.x),
                               in_ball({o.x + s.y, o.y, o.z}, d, s.x)));
    }
    case ShapeKind::cylinder:
        return common(in_ball({0, o.y, o.z}, {0, d.y, d.z}, s.x), in_slab(o.x, d.x, -s.y, s.y));
    case ShapeKind::ellipsoid:
        return in_ball({o.x / s.x, o.y / s.y, o.z / s.z}, {d.x / s.x, d.y / s.y, d.z / s.z}, 1);
    case ShapeKind::profile: {
        const Interval half_disc =
            common(in_ball({o.x, o.y, 0}, {d.x, d.y, 0}, s.x), in_slab(o.x, d.x, -infinity, 0));
        const Interval rectangle = common(in_slab(o.x, d.x, 0, s.y), in_slab(o.y, d.y, -s.x, s.x));
        return common(span(half_disc, rectangle), in_slab(o.z, d.z, -s.z, s.z));
    }
    default: return nowhere;
    }
}

/// The outward unit normal of a bounded shape at a point of its surface: that of the face the
/// point is on, or of the farthest out if it is off by rounding.
inline Vec outward_normal(const Shape& shape, const Vec& p)
{
    const Vec& s = shape.size;
    const auto along = [](double x) { return x < 0 ? -1.0 : 1.0; };
    switch (shape.kind) {
    case ShapeKind::box: {
        const double x = std::abs(p.x) - s.x, y = std::abs(p.y) - s.y, z = std::abs(p.z) - s.z;
        if (x >= y && x >= z) {
            return {along(p.x), 0, 0};
        }
        return y >= z ? Vec{0, along(p.y), 0} : Vec{0, 0, along(p.z)};
    }
    case ShapeKind::capsule: return normalised(Vec{p.x - std::clamp(p.x, -s.y, s.y), p.y, p.z});
    case ShapeKind::cylinder:
        return std::abs(p.x) - s.y > std::hypot(p.y, p.z) - s.x ? Vec{along(p.x), 0, 0}
                                                                : normalised(Vec{0, p.y, p.z});
    case ShapeKind::ellipsoid:
        return normalised(Vec{p.x / (s.x * s.x), p.y / (s.y * s.y), p.z / (s.z * s.z)});
    case ShapeKind::profile: {
        const double side = p.x > 0 ? std::abs(p.y) - s.x : std::hypot(p.x, p.y) - s.x;
        const double back = p.x - s.y, end = std::abs(p.z) - s.z;
        if (end >= side && end >= back) {
            return {0, 0, along(p.z)};
        }
        if (back >= side) {
            return {1, 0, 0};
        }
        return p.x > 0 ? Vec{0, along(p.y), 0} : normalised(Vec{p.x, p.y, 0});
    }
    default: return normalised(p);
    }
}

}  // namespace scree::analyse
