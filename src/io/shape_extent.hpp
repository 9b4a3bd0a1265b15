// How large shapes are, for pictures of them.
#pragma once

#include "scree/shape.hpp"
#include "shapes/clump.hpp"

namespace scree::io {

/// Full extents along the shape's own axes [m], zero for walls. Those of profiles, polyhedra and
/// clumps are not centred at their origin.
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
    case ShapeKind::polyhedron:
    case ShapeKind::clump: {
        const auto width = [&](const Vec3<double>& m) {
            const auto end = [&](const Vec3<double>& e) {
                return dot(m, shapes::farthest_point(shape, {{0, 0, 0}, {1, 0, 0, 0}}, e));
            };
            return end(m) - end(-m);
        };
        return {width({1, 0, 0}), width({0, 1, 0}), width({0, 0, 1})};
    }
    default: return {0, 0, 0};
    }
}

/// Radius about the shape's origin of a ball that holds it [m], zero for walls.
inline double radius(const Shape& shape)
{
    return is_wall(shape.kind) ? 0 : shapes::outer_radius(shape);
}

}  // namespace scree::io
