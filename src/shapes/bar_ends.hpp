// Cylinders and capsules side by side: besides the point where they cross, the ends of each touch
// the other's side as far as they are within reach. In a step the touch may move from the crossing
// to an end, and nearly parallel ones would sink into each other there.
#pragma once

#include "shapes/feature.hpp"
#include "shapes/manifold_reduction.hpp"

namespace scree::shapes {

SCREE_HD bool is_bar(ShapeKind kind)
{
    return kind == ShapeKind::cylinder || kind == ShapeKind::capsule;
}

/// The end of a bar, that of `facing` on its side, on the side of another: where they are nearest,
/// with the normal out of the other. False if the end is not above the other's axis, which counts
/// as longer by `edge`, or so near to it that there is no telling on which side.
SCREE_LONG bool end_on_side(const Placed& bar, const Vec& facing, const Placed& other, double edge,
                            ContactPoint& out)
{
    // From the other's axis to a point, across the axis.
    const auto from_axis = [&](const Vec& p) {
        const Vec d = p - other.centre;
        return d - dot(d, other.ax) * other.ax;
    };
    const double near = 1e-12 * (bar.large + other.large);
    Vec p = bar.centre + dot(facing - bar.centre, bar.ax) * bar.ax;
    if (bar.kind == ShapeKind::cylinder) {
        // The point of the rim that looks towards the other's axis.
        const Vec d = from_axis(p), up = d - dot(d, bar.ax) * bar.ax;
        if (norm(up) <= near) {
            return false;
        }
        p = p - bar.size.x * direction_of(up);
    }
    const Vec d = from_axis(p);
    if (math::abs(dot(p - other.centre, other.ax)) > other.size.y + edge || norm(d) <= near) {
        return false;
    }
    out.normal = direction_of(d);
    out.gap = norm(d) - other.size.x - bar.round;
    out.point = p - (bar.round + 0.5 * out.gap) * out.normal;
    return true;
}

/// Adds the ends of two bars if their sides face each other along n, but for a tilt.
SCREE_LONG void add_ends(const Placed& a, const Placed& b, const Vec& n, double tilt,
                         const Vec& origin, PointPool& out)
{
    const Feature fa = feature_of(a, -n, tilt), fb = feature_of(b, n, tilt);
    if (fa.count != 2 || fb.count != 2) {
        return;
    }
    const double edge = 1e-9 * most(a.size.y, b.size.y);  // of two level ends one counts
    ContactPoint at{};
    for (int end = 0; end < 2; ++end) {
        if (end_on_side(a, fa.p[end], b, edge, at)) {
            out.add(origin + at.point, at.normal, at.gap,
                    static_cast<std::uint32_t>(fa.corner[end]) << 16 | fb.whole);
        }
        if (end_on_side(b, fb.p[end], a, -edge, at)) {
            out.add(origin + at.point, -at.normal, at.gap,
                    static_cast<std::uint32_t>(fa.whole) << 16 | fb.corner[end]);
        }
    }
}

}  // namespace scree::shapes
