// A clump as one block of memory: a header, and behind it its parts, for a scale of 1.
#pragma once

#include "shapes/support.hpp"

namespace scree {

struct ClumpPart {
    Shape shape;
    shapes::Pose pose;  ///< in the clump's frame
    Vec3<double> middle;
    double radius;  ///< of the ball about the middle that holds the part
};

struct Clump {
    std::uint32_t bytes;  ///< of the whole block
    std::uint32_t count;
    double outer_radius;   ///< of the ball about the origin that holds all parts
    double volume;         ///< of the union [m³]
    Vec3<double> centre;   ///< of volume
    Sym3<double> moments;  ///< ∫ x xᵀ dV about the centre [m⁵]

    [[nodiscard]] SCREE_HD const ClumpPart* parts() const
    {
        return reinterpret_cast<const ClumpPart*>(this + 1);
    }
};

inline constexpr std::size_t most_clump_parts = 256;

namespace shapes {

/// A part of a clump in the world, or the one part that any other shape has.
struct PlacedPart {
    Shape shape;
    Pose pose;
    Vec middle;
    double radius;  ///< infinite for walls
};

SCREE_HD int part_count(const Shape& shape)
{
    return shape.parts != nullptr ? static_cast<int>(shape.parts->count) : 1;
}

SCREE_LONG PlacedPart part_of(const Shape& shape, const Pose& pose, int i)
{
    if (shape.parts == nullptr) {
        return {shape, pose, pose.position, bounding_radius(shape)};
    }
    const ClumpPart& part = shape.parts->parts()[i];
    const double scale = shape.size.x;
    PlacedPart placed{part.shape, {}, {}, scale * part.radius};
    placed.shape.size = scale * part.shape.size;
    placed.pose = {pose.position + rotate(pose.orientation, scale * part.pose.position),
                   pose.orientation * part.pose.orientation};
    placed.middle = pose.position + rotate(pose.orientation, scale * part.middle);
    return placed;
}

/// The same as bounding_radius for any shape.
SCREE_LONG double outer_radius(const Shape& shape)
{
    return shape.parts != nullptr ? shape.size.x * shape.parts->outer_radius
                                  : bounding_radius(shape);
}

/// The point of a bounded shape that is farthest along m.
inline Vec farthest_point(const Shape& shape, const Pose& pose, const Vec& m)
{
    Vec best{0, 0, 0};
    for (int i = 0; i < part_count(shape); ++i) {
        const PlacedPart part = part_of(shape, pose, i);
        const Placed body = place(part.shape, part.pose, {0, 0, 0});
        const Vec p = support(body, m) + (body.round / norm(m)) * m;
        best = i == 0 || dot(p, m) > dot(best, m) ? p : best;
    }
    return best;
}

}  // namespace shapes

}  // namespace scree
