// Where a straight line runs inside a shape, in closed form. Bounded shapes are convex, so the
// answer is one interval; each shape is made of slabs and balls by two operations on intervals, the
// common part and, where the union is convex, the hull. All in the shape's own frame.
#pragma once

#include "shapes/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::shapes {

inline constexpr double endless = std::numeric_limits<double>::infinity();

/// The part of a line p + t d: t from `from` to `to`, empty if to < from.
struct Interval {
    double from, to;

    [[nodiscard]] double length() const { return to > from ? to - from : 0; }
    [[nodiscard]] bool empty() const { return !(from <= to); }
};
inline constexpr Interval no_part{endless, -endless};
inline constexpr Interval whole_line{-endless, endless};

inline Interval common(const Interval& a, const Interval& b)
{
    return {std::max(a.from, b.from), std::min(a.to, b.to)};
}
/// The least interval that holds both.
inline Interval joined(const Interval& a, const Interval& b)
{
    if (a.empty() || b.empty()) {
        return a.empty() ? b : a;
    }
    return {std::min(a.from, b.from), std::max(a.to, b.to)};
}

/// from ≤ o + t d ≤ to.
inline Interval in_slab(double o, double d, double from, double to)
{
    if (d == 0) {
        return o >= from && o <= to ? whole_line : no_part;
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
        return dot(o, o) <= r * r ? whole_line : no_part;
    }
    const double nearest = -dot(o, d) / a;
    const Vec q = o + nearest * d;
    const double room = r * r - dot(q, q);
    if (!(room >= 0)) {
        return no_part;
    }
    const double half = std::sqrt(room / a);
    return {nearest - half, nearest + half};
}

/// The part of the line inside a bounded shape, or inside a wall's free space. For all digits, o
/// should be near the shape.
inline Interval chord(const Shape& shape, const Vec& o, const Vec& d)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::sphere_wall: return in_ball(o, d, s.x);
    case ShapeKind::box:
        return common(in_slab(o.x, d.x, -s.x, s.x),
                      common(in_slab(o.y, d.y, -s.y, s.y), in_slab(o.z, d.z, -s.z, s.z)));
    case ShapeKind::capsule: {
        const Interval tube =
            common(in_ball({0, o.y, o.z}, {0, d.y, d.z}, s.x), in_slab(o.x, d.x, -s.y, s.y));
        return joined(tube, joined(in_ball({o.x - s.y, o.y, o.z}, d, s.x),
                                   in_ball({o.x + s.y, o.y, o.z}, d, s.x)));
    }
    case ShapeKind::cylinder:
        return common(in_ball({0, o.y, o.z}, {0, d.y, d.z}, s.x), in_slab(o.x, d.x, -s.y, s.y));
    case ShapeKind::ellipsoid:
        return in_ball({o.x / s.x, o.y / s.y, o.z / s.z}, {d.x / s.x, d.y / s.y, d.z / s.z}, 1);
    case ShapeKind::profile: {
        const Interval half_disc =
            common(in_ball({o.x, o.y, 0}, {d.x, d.y, 0}, s.x), in_slab(o.x, d.x, -endless, 0));
        const Interval rectangle = common(in_slab(o.x, d.x, 0, s.y), in_slab(o.y, d.y, -s.x, s.x));
        return common(joined(half_disc, rectangle), in_slab(o.z, d.z, -s.z, s.z));
    }
    case ShapeKind::polyhedron: {
        Interval inside = whole_line;
        for (int f = 0; f < shape.solid->face_count; ++f) {
            const Polyhedron::Plane& plane = shape.solid->planes()[f];
            const double height = dot(plane.normal, o - s.x * shape.solid->centre);
            inside =
                common(inside, in_slab(height, dot(plane.normal, d), -endless, s.x * plane.offset));
        }
        return inside;
    }
    case ShapeKind::clump:
    case ShapeKind::mesh: return no_part;  // its parts have chords of their own
    case ShapeKind::half_space: return in_slab(o.z, d.z, 0, endless);
    case ShapeKind::cylinder_wall: return in_ball({0, o.y, o.z}, {0, d.y, d.z}, s.x);
    }
    return no_part;
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
    case ShapeKind::polyhedron: {
        const auto out = [&](const Polyhedron::Plane& plane) {
            return dot(plane.normal, p - s.x * shape.solid->centre) - s.x * plane.offset;
        };
        const Polyhedron::Plane* begin = shape.solid->planes();
        return std::max_element(begin, begin + shape.solid->face_count,
                                [&](const auto& a, const auto& b) { return out(a) < out(b); })
            ->normal;
    }
    default: return normalised(p);
    }
}

}  // namespace scree::shapes
