// How large shapes are, for pictures of them.
#pragma once

#include "collide/support.hpp"
#include "scree/shape.hpp"

namespace scree::io {

/// Full extents along the shape's own axes [m], zero for walls. Those of profiles and polyhedra are
/// not centred at their origin.
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
    case ShapeKind::polyhedron: {
        const collide::Placed body = collide::place(shape, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0});
        const auto width = [&](const Vec3<double>& m) {
            return dot(m, collide::support(body, m)) - dot(m, collide::support(body, -m));
        };
        return {width({1, 0, 0}), width({0, 1, 0}), width({0, 0, 1})};
    }
    default: return {0, 0, 0};
    }
}

/// Radius about the shape's origin of a ball that holds it [m], zero for walls.
inline double radius(const Shape& shape)
{
    return is_wall(shape.kind) ? 0 : collide::bounding_radius(shape);
}

}  // namespace scree::io
