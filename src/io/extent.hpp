// How large shapes are, for pictures of them.
#pragma once

#include "collide/support.hpp"
#include "scree/shape.hpp"

namespace scree::io {

/// Full extents along the shape's own axes [m], zero for walls. Those of a profile are not centred
/// at its origin.
inline Vec3<double> extents(const Shape& shape)
{
    const Vec3<double>& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere: return {2 * s.x, 2 * s.x, 2 * s.x};
    case ShapeKind::box:
    case ShapeKind::ellipsoid: return {2 * s.x, 2 * s.y, 2 * s.z};
    case ShapeKind::capsule: return {2 * (s.x + s.y), 2 * s.x, 2 * s.x};
    case ShapeKind::cylinder: return {2 * s.y, 2 * s.x, 2 * s.x};
    case ShapeKind::profile: return {s.x + s.y, 2 * s.x, 2 * s.z};
    default: return {0, 0, 0};
    }
}

/// Radius about the shape's origin of a ball that holds it [m], zero for walls.
inline double radius(const Shape& shape)
{
    return is_wall(shape.kind) ? 0 : collide::bounding_radius(shape);
}

}  // namespace scree::io
