// Shapes of bodies and walls, and the mass they have at a density.
//
//   scree::Shape grain = scree::Shape::ellipsoid(2e-3, 1e-3, 1e-3);
//   scree::MassProperties m = scree::mass_properties(grain, 2650);
#pragma once

#include "scree/space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree {

/// Corners, edges and faces of a convex polyhedron, kept once for all shapes that have the same.
struct Polyhedron;
/// The parts of a clump, likewise.
struct Clump;
struct Part;
/// The triangles of a mesh, likewise.
struct Mesh;

/// What was wrong with the triangles that a mesh was made of, and what their surface is like.
struct MeshRepairs {
    std::size_t joined_points = 0;  ///< within 1e-9 of the extent of an earlier point
    std::size_t degenerate = 0;     ///< triangles left out: lower than 1e-9 of their longest side
    std::size_t duplicate = 0;      ///< triangles left out: with the corners of another
    std::size_t open_edges = 0;     ///< of one triangle alone: the surface has a rim or a hole
    std::size_t shared_edges = 0;   ///< of more than two triangles
};

/// Bounded shapes are convex, but for clumps of several that are. Walls are unbounded solids, whose
/// material lies behind the surface, and meshes, which are surfaces without thickness.
enum class ShapeKind : std::uint8_t {
    sphere,
    box,
    capsule,
    cylinder,
    ellipsoid,
    profile,
    half_space,
    cylinder_wall,
    sphere_wall,
    polyhedron,
    clump,
    mesh
};
/// How many kinds there are.
inline constexpr int shape_kind_count = 12;
/// "sphere" … "mesh"
std::string_view name_of(ShapeKind kind);

/// A shape in its own frame. `size` holds, in this order,
///   sphere         radius
///   box            half edges along x, y, z
///   capsule        radius (≥ 0; 0 is the thin rod), half length of the segment; axis x
///   cylinder       radius, half length; axis x
///   ellipsoid      semi-axes along x, y, z
///   profile        radius r, length l, half height h: half a disc (x ≤ 0, radius r) and a box
///                  (0 ≤ x ≤ l, |y| ≤ r) that meet tangentially, extruded over |z| ≤ h
///   half_space     the solid z ≤ 0; outward normal z
///   cylinder_wall  radius; the solid outside an infinite cylinder; axis x
///   sphere_wall    radius; the solid outside a sphere
///   polyhedron     scale, a factor of all lengths
///   clump, mesh    the same
/// Unused entries are zero. All lengths in m.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;  ///< which of the shapes
    Vec3<double> size{1, 0, 0};          ///< as above [m]
    const Polyhedron* solid = nullptr;   ///< of a polyhedron; lives as long as the program
    const Clump* parts = nullptr;        ///< of a clump, likewise
    const Mesh* surface = nullptr;       ///< of a mesh, likewise

    /// Radius > 0 [m].
    static constexpr Shape sphere(double radius) { return {ShapeKind::sphere, {radius, 0, 0}}; }
    /// Full edge lengths.
    static constexpr Shape box(double x, double y, double z)
    {
        return {ShapeKind::box, {x / 2, y / 2, z / 2}};
    }
    /// `length` between the centres of the two half spheres.
    static constexpr Shape capsule(double radius, double length)
    {
        return {ShapeKind::capsule, {radius, length / 2, 0}};
    }
    /// Radius and length from end to end [m]; axis x.
    static constexpr Shape cylinder(double radius, double length)
    {
        return {ShapeKind::cylinder, {radius, length / 2, 0}};
    }
    /// Semi-axes.
    static constexpr Shape ellipsoid(double a, double b, double c)
    {
        return {ShapeKind::ellipsoid, {a, b, c}};
    }
    /// `length` of the box behind the half disc, full height.
    static constexpr Shape profile(double radius, double length, double height)
    {
        return {ShapeKind::profile, {radius, length, height / 2}};
    }
    /// The solid z ≤ 0.
    static constexpr Shape half_space() { return {ShapeKind::half_space, {0, 0, 0}}; }
    /// The solid outside an infinite cylinder of this radius [m]; axis x.
    static constexpr Shape cylinder_wall(double radius)
    {
        return {ShapeKind::cylinder_wall, {radius, 0, 0}};
    }
    /// The solid outside a sphere of this radius [m].
    static constexpr Shape sphere_wall(double radius)
    {
        return {ShapeKind::sphere_wall, {radius, 0, 0}};
    }
    /// The convex hull of points, in the frame that these are given in: at most 1024 corners, and
    /// 16 of a face. Throws Error if they are fewer than 4, not finite, or in a plane.
    static Shape polyhedron(std::span<const Vec3<double>> points);
    /// A rigid union of bounded convex shapes, at most 256, that may overlap. Throws Error if there
    /// are none, or one that cannot be.
    static Shape clump(std::span<const Part> parts);
    /// A surface of triangles, given as numbers of points from 0 on; a wall. It may have holes and
    /// need not be turned one way: both sides touch. Throws Error if a point is not finite, a
    /// number too large or no triangle left; degenerate and duplicate ones are left out.
    static Shape mesh(std::span<const Vec3<double>> points,
                      std::span<const std::array<std::uint32_t, 3>> triangles,
                      MeshRepairs* repairs = nullptr);
};

/// A member of a clump.
struct Part {
    Shape shape;                           ///< bounded and convex
    Vec3<double> position{0, 0, 0};        ///< of the shape's origin in the clump's frame [m]
    Quat<double> orientation{1, 0, 0, 0};  ///< of length 1 within 1e-6
};

/// Whether shapes of this kind are walls: unbounded, or without thickness.
constexpr bool is_wall(ShapeKind kind)
{
    return (kind >= ShapeKind::half_space && kind <= ShapeKind::sphere_wall) ||
           kind == ShapeKind::mesh;
}

/// Mass, centre of mass and inertia of a body.
struct MassProperties {
    double mass;           ///< [kg]
    Vec3<double> centre;   ///< of mass, in the shape's frame [m]
    Sym3<double> inertia;  ///< about the centre of mass, along the shape's axes [kg m²]
};

/// The corners of a polyhedron [m], of other shapes none.
std::vector<Vec3<double>> corners_of(const Shape& shape);
/// The faces of a polyhedron as numbers of corners, counter-clockwise seen from outside.
std::vector<std::vector<std::size_t>> faces_of(const Shape& shape);

/// The parts of a clump, of other shapes none.
std::vector<Part> parts_of(const Shape& shape);

/// The points of a mesh [m] and its triangles, of other shapes none.
std::vector<Vec3<double>> points_of(const Shape& shape);
/// The triangles of a mesh as numbers of points, of other shapes none.
std::vector<std::array<std::uint32_t, 3>> triangles_of(const Shape& shape);

/// What is wrong with the shape's sizes, or an empty string.
std::string_view problems_with(const Shape& shape);

/// Mass, centre and inertia at a density [kg/m³]. A capsule of radius 0 is a rod whose density is
/// per length [kg/m]. Throws Error for walls, bad sizes and densities that are not positive.
MassProperties mass_properties(const Shape& shape, double density);

}  // namespace scree
