// The box of space that an average is taken over, and the axes of space by number.
#pragma once

#include "math/vec.hpp"
#include "scree/world.hpp"

#include <limits>

namespace scree::analyse {

using Vec = Vec3<double>;

/// x, y or z of a vector, for axis 0, 1, 2.
constexpr double along(const Vec& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// A box along the axes. Its lower faces belong to it and its upper faces do not, so that a point
/// lies in exactly one of several boxes side by side.
struct Region {
    Vec low, high;  ///< [m]

    [[nodiscard]] bool contains(const Vec& p) const
    {
        return p.x >= low.x && p.x < high.x && p.y >= low.y && p.y < high.y && p.z >= low.z &&
               p.z < high.z;
    }
    [[nodiscard]] double volume() const  ///< [m³]
    {
        return (high.x - low.x) * (high.y - low.y) * (high.z - low.z);
    }
};

inline constexpr double unbounded = std::numeric_limits<double>::infinity();
inline constexpr Region everywhere{{-unbounded, -unbounded, -unbounded},
                                   {unbounded, unbounded, unbounded}};

/// The least box that holds a bounded shape in space.
Region bounds_of(const Shape& shape, const Vec& position, const Quat<double>& orientation);
/// The least box that holds all dynamic bodies; `everywhere` if there are none.
Region bounds_of(const Frame& frame);

/// Throws Error unless the region is bounded and its upper corner lies beyond its lower one;
/// `what` says which quantity needs it.
void require_bounded(const Region& region, const char* what);

}  // namespace scree::analyse
