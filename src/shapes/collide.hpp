// Clumps touch part by part. A point of one part that lies under another part of the same clump is
// none; of those that are left at most eight stay.
#pragma once

#include "shapes/clump.hpp"
#include "shapes/hidden_points.hpp"

namespace scree::shapes {

/// Whether a contact point of part `own`, given on its surface with the normal out of it, lies
/// under another part, for a body of this bounding radius.
SCREE_LONG bool is_hidden(const Shape& clump, const Pose& pose, int own, const Vec& point,
                          const Vec& normal, double radius)
{
    if (clump.parts == nullptr) {
        return false;
    }
    const PlacedPart at = part_of(clump, pose, own);
    for (int k = 0; k < part_count(clump); ++k) {
        const PlacedPart other = part_of(clump, pose, k);
        const Vec d = point - other.middle;
        const double far = other.radius + 0.1 * radius;
        if (k != own && dot(d, d) <= far * far &&
            covers({other.shape, other.pose}, {at.shape, at.pose}, point, normal, radius)) {
            return true;
        }
    }
    return false;
}

/// Points of a pair of parts have names of their own.
SCREE_HD std::uint32_t part_feature(std::uint32_t feature, int i, int j)
{
    const auto pair = static_cast<std::uint32_t>(i) * 256U + static_cast<std::uint32_t>(j) + 1U;
    return feature * 2654435761U ^ pair * 2246822519U;
}

/// All points of two shapes, one of which is a clump; their kinds are in order.
SCREE_LONG void collide_parts(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                              double reach, Manifold& out)
{
    PointPool all;
    double size = 0;
    for (int i = 0; i < part_count(a); ++i) {
        const PlacedPart p = part_of(a, pa, i);
        size = most(size, p.radius);
        const Vec between = p.middle - pb.position;
        const double near_b = p.radius + shapes::outer_radius(b) + reach;  // infinite for walls
        for (int j = 0; dot(between, between) <= near_b * near_b && j < part_count(b); ++j) {
            const PlacedPart q = part_of(b, pb, j);
            if (is_wall(q.shape.kind)) {
                if (!is_near_wall(q.shape, q.pose, p.middle, p.radius + reach)) {
                    continue;
                }
            } else {
                const Vec d = p.middle - q.middle;
                const double far = p.radius + q.radius + reach;
                if (dot(d, d) > far * far) {
                    continue;
                }
            }
            Manifold points;
            collide_convex_shapes(p.shape, p.pose, q.shape, q.pose, reach, points);
            const double radius = least(p.radius, q.radius);
            for (int k = 0; k < points.count; ++k) {
                const ContactPoint& c = points.points[k];
                const Vec half = (0.5 * c.gap) * c.normal;
                if (!is_hidden(a, pa, i, c.point + half, -c.normal, radius) &&
                    !is_hidden(b, pb, j, c.point - half, c.normal, radius)) {
                    all.add(c.point, c.normal, c.gap, part_feature(c.feature, i, j));
                }
            }
        }
    }
    spread(all, reach, same_gap * size, size, out);
}

/// All contact points of any two shapes with gap ≤ reach, as of convex ones.
SCREE_LONG void collide(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                        double reach, Manifold& out)
{
    if (a.parts == nullptr && b.parts == nullptr) {
        collide_convex_shapes(a, pa, b, pb, reach, out);
        return;
    }
    in_table_order(a, pa, b, pb, out,
                   [&](const Shape& one, const Pose& p, const Shape& two, const Pose& q) {
                       collide_parts(one, p, two, q, reach, out);
                   });
}

}  // namespace scree::shapes
