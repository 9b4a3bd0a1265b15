// The box of space that an average is taken over, and the axes of space by number.
#pragma once

#include "scree/world.hpp"

#include <algorithm>
#include <limits>

namespace scree::analyse {

/// A vector in space.
using Vec = Vec3<double>;

/// x, y or z of a vector, for axis 0, 1, 2.
constexpr double along(const Vec& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// A box along the axes. Its lower faces belong to it and its upper faces do not, so that a point
/// lies in exactly one of several boxes side by side.
struct Region {
    Vec low, high;  ///< [m]

    /// Whether a point belongs to it.
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

/// For bounds that are none.
inline constexpr double unbounded = std::numeric_limits<double>::infinity();
/// All of space.
inline constexpr Region everywhere{{-unbounded, -unbounded, -unbounded},
                                   {unbounded, unbounded, unbounded}};

/// No point at all; joined with a region it gives that region.
inline constexpr Region nowhere{everywhere.high, everywhere.low};

/// What both have in common.
inline Region common(const Region& a, const Region& b)
{
    return {
        {std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y), std::max(a.low.z, b.low.z)},
        {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y), std::min(a.high.z, b.high.z)}};
}
/// The least box that holds both.
inline Region joined(const Region& a, const Region& b)
{
    return {
        {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
        {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}
/// Whether no point belongs to it.
inline bool empty(const Region& a)
{
    return !(a.high.x > a.low.x && a.high.y > a.low.y && a.high.z > a.low.z);
}
/// Whether every point of the inner region belongs to the outer one.
inline bool holds(const Region& outer, const Region& inner)
{
    return inner.low.x >= outer.low.x && inner.low.y >= outer.low.y && inner.low.z >= outer.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y &&
           inner.high.z <= outer.high.z;
}

/// The least box that holds a bounded shape in space.
Region bounds_of(const Shape& shape, const Vec& position, const Quat<double>& orientation);
/// The least box that holds all dynamic bodies; `everywhere` if there are none.
Region bounds_of(const Frame& frame);

/// Throws Error unless the region is bounded and its upper corner lies beyond its lower one;
/// `what` says which quantity needs it.
void require_bounded(const Region& region, const char* what);

}  // namespace scree::analyse
