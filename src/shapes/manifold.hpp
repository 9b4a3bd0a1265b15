// What the narrow phase makes of two shapes: up to four contact points of convex ones, eight of
// others.
#pragma once

#include "scree/space.hpp"

#include <cstdint>

namespace scree::shapes {

/// Where a shape's own frame is in the world.
struct Pose {
    Vec3<double> position;
    Quat<double> orientation;
};

/// One point of contact between a first and a second shape.
struct ContactPoint {
    Vec3<double> point;   ///< midpoint of the two witness points
    Vec3<double> normal;  ///< unit, from the second shape towards the first
    double gap;           ///< signed distance of the witness points along the normal
    /// Names the features that touch; the same from step to step while they do, distinct within a
    /// manifold.
    std::uint32_t feature;
};

struct Manifold {
    static constexpr int capacity = 8, of_convex = 4;
    int count = 0;
    ContactPoint points[capacity];
};

}  // namespace scree::shapes
