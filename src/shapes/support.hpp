// Shapes as the narrow phase sees them: a bounded shape placed in space as a core (a point,
// segment, box, cylinder, ellipsoid, profile or polyhedron) plus a rounding radius, its support
// points, and the signed distance of points to walls. A support point p(m) is the core's point
// farthest along m; m·p(m) is the support function, which is all that the general method knows of a
// shape.
#pragma once

#include "math/vec.hpp"
#include "scree/shape.hpp"
#include "shapes/manifold.hpp"
#include "shapes/mesh.hpp"
#include "shapes/polyhedron.hpp"

namespace scree::shapes {

using Vec = Vec3<double>;

SCREE_HD double least(double a, double b) { return a < b ? a : b; }
SCREE_HD double most(double a, double b) { return a > b ? a : b; }
SCREE_HD double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }
SCREE_HD double clamped(double x, double from, double to)
{
    return x < from ? from : (x > to ? to : x);
}

/// Some unit vector across n, a continuous function of n almost everywhere.
SCREE_HD Vec across(const Vec& n)
{
    const double x = math::abs(n.x), y = math::abs(n.y), z = math::abs(n.z);
    const Vec e = x <= y && x <= z ? Vec{1, 0, 0} : (y <= z ? Vec{0, 1, 0} : Vec{0, 0, 1});
    return direction_of(cross(n, e));
}

/// Radius about the origin of a ball that holds a shape that is no clump; infinite for walls.
SCREE_LONG double bounding_radius(const Shape& shape)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere: return s.x;
    case ShapeKind::box: return norm(s);
    case ShapeKind::capsule: return s.x + s.y;
    case ShapeKind::cylinder: return math::sqrt(s.x * s.x + s.y * s.y);
    case ShapeKind::ellipsoid: return most(s.x, most(s.y, s.z));
    case ShapeKind::profile: {
        // The farthest points: the corners (l, r, h), or the arc's rim at distance (r, h).
        return math::sqrt(s.x * s.x + s.y * s.y + s.z * s.z);
    }
    case ShapeKind::polyhedron: return s.x * shape.solid->outer_radius;
    default: return std::numeric_limits<double>::infinity();
    }
}

/// Signed distance of a point to a wall's surface, positive in the free space; infinite for meshes,
/// which have no space behind them.
SCREE_HD double wall_distance(const Shape& wall, const Pose& pose, const Vec& point)
{
    const Vec p = rotate_back(pose.orientation, point - pose.position);
    switch (wall.kind) {
    case ShapeKind::half_space: return p.z;
    case ShapeKind::cylinder_wall: return wall.size.x - math::sqrt(p.y * p.y + p.z * p.z);
    case ShapeKind::sphere_wall: return wall.size.x - norm(p);
    default: return std::numeric_limits<double>::infinity();
    }
}

/// Whether a point is within a distance of a wall's surface, or behind it.
SCREE_LONG bool is_near_wall(const Shape& wall, const Pose& pose, const Vec& point, double reach)
{
    if (wall.surface == nullptr) {
        return wall_distance(wall, pose, point) <= reach;
    }
    const double scale = wall.size.x;
    const Vec p = rotate_back(pose.orientation, point - pose.position);
    return reach >= 0 && is_near(*wall.surface, (1 / scale) * p, reach / scale);
}

/// A bounded shape in space. Positions are relative to an origin near both shapes.
struct Placed {
    ShapeKind kind;
    Vec size;
    Vec centre;      ///< inside of the core, of a polyhedron that of mass
    Vec ax, ay, az;  ///< the shape's axes in the world
    double round;    ///< radius of the ball added to the core
    double small;    ///< the core's least half width, 0 for points and segments
    double large;    ///< the core's greatest half width
    double inner;    ///< radius of a ball about the centre inside of the core
    const Polyhedron* solid;
};

SCREE_LONG Placed place(const Shape& shape, const Pose& pose, const Vec& origin)
{
    const Vec& s = shape.size;
    const Quat<double>& q = pose.orientation;
    Placed c{shape.kind,
             s,
             pose.position - origin,
             rotate(q, Vec{1, 0, 0}),
             rotate(q, Vec{0, 1, 0}),
             rotate(q, Vec{0, 0, 1}),
             0,
             0,
             0,
             0,
             shape.solid};
    switch (shape.kind) {
    case ShapeKind::sphere: c.round = s.x; break;
    case ShapeKind::capsule:
        c.round = s.x;
        c.large = s.y;
        break;
    case ShapeKind::cylinder:
        c.small = c.inner = least(s.x, s.y);
        c.large = most(s.x, s.y);
        break;
    case ShapeKind::profile:
        c.small = least(s.x, s.z);
        c.inner = least(c.small, s.y);
        c.large = most(s.x, most(s.y, s.z));
        break;
    case ShapeKind::polyhedron:
        c.centre = c.centre + rotate(q, s.x * shape.solid->centre);
        c.small = s.x * shape.solid->half_width;
        c.inner = s.x * shape.solid->inner_radius;
        c.large = s.x * shape.solid->radius;
        break;
    default:
        c.small = c.inner = least(s.x, least(s.y, s.z));
        c.large = most(s.x, most(s.y, s.z));
        break;
    }
    return c;
}

SCREE_HD Vec to_local(const Placed& c, const Vec& m)
{
    return {dot(m, c.ax), dot(m, c.ay), dot(m, c.az)};
}
SCREE_HD Vec to_world(const Placed& c, const Vec& p)
{
    return p.x * c.ax + p.y * c.ay + p.z * c.az;
}

/// A polyhedron's corner, relative to its centre, in its own frame.
SCREE_HD Vec corner_of(const Placed& c, int i)
{
    return c.size.x * (c.solid->vertices()[i] - c.solid->centre);
}

/// The core's support point for a direction m of its own frame, |m| near 1.
SCREE_HD Vec core_support(const Placed& c, const Vec& m)
{
    const Vec& s = c.size;
    switch (c.kind) {
    case ShapeKind::box: return {sign_of(m.x) * s.x, sign_of(m.y) * s.y, sign_of(m.z) * s.z};
    case ShapeKind::capsule: return {sign_of(m.x) * s.y, 0, 0};
    case ShapeKind::cylinder: {
        const double across_axis = math::sqrt(m.y * m.y + m.z * m.z);
        const double k = across_axis > 1e-150 ? s.x / across_axis : 0.0;
        return {sign_of(m.x) * s.y, k * m.y, k * m.z};
    }
    case ShapeKind::ellipsoid: {
        const Vec scaled{s.x * m.x, s.y * m.y, s.z * m.z};
        const double h = norm(scaled);
        return {s.x * (scaled.x / h), s.y * (scaled.y / h), s.z * (scaled.z / h)};
    }
    case ShapeKind::profile: {
        const double z = sign_of(m.z) * s.z;
        if (m.x >= 0) {
            return {m.x > 0 ? s.y : 0.0, sign_of(m.y) * s.x, z};
        }
        const double rho = math::sqrt(m.x * m.x + m.y * m.y);
        const double k = rho > 1e-150 ? s.x / rho : 0.0;
        return {k * m.x, k * m.y, z};
    }
    case ShapeKind::polyhedron: return corner_of(c, c.solid->farthest(m));
    default: return {0, 0, 0};
    }
}

SCREE_HD Vec support(const Placed& c, const Vec& m)
{
    return c.centre + to_world(c, core_support(c, to_local(c, m)));
}

}  // namespace scree::shapes
