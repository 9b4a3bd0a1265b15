// Names, checks and mass properties of shapes, in closed form.
#include "scree/shape.hpp"

#include "math/hash.hpp"
#include "scree/error.hpp"
#include "shapes/clump.hpp"
#include "shapes/hull.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <string>

namespace scree {
namespace {

constexpr std::string_view names[shape_kind_count] = {
    "sphere",     "box",           "capsule",     "cylinder",   "ellipsoid", "profile",
    "half_space", "cylinder_wall", "sphere_wall", "polyhedron", "clump",     "mesh"};

bool positive(double x) { return x > 0 && std::isfinite(x); }

/// A body with three planes of symmetry, or nearly: the centre at x, moments about the centre.
MassProperties symmetric(double mass, double x, double xx, double yy, double zz)
{
    return {mass, {x, 0, 0}, {xx, 0, 0, yy, 0, zz}};
}

MassProperties capsule(double r, double half, double density)
{
    using std::numbers::pi;
    const double length = 2 * half;
    if (r == 0) {
        const double m = density * length;
        return symmetric(m, 0, 0, m * length * length / 12, m * length * length / 12);
    }
    // A cylinder and two half spheres; a half sphere's centre is 3r/8 from its flat side.
    const double cylinder = density * pi * r * r * length;
    const double ball = density * 4 / 3 * pi * r * r * r;
    const double axial = cylinder * r * r / 2 + ball * 2 / 5 * r * r;
    const double across = cylinder * (length * length / 12 + r * r / 4) +
                          ball * (2 * r * r / 5 + half * half + 3 * half * r / 4);
    return symmetric(cylinder + ball, 0, axial, across, across);
}

MassProperties profile(double r, double l, double h, double density)
{
    using std::numbers::pi;
    // Half disc: area π r²/2, centre −4r/(3π), ∫x² = ∫y² = π r⁴/8. Box: area 2 r l, centre l/2.
    const double disc = pi * r * r / 2, box = 2 * r * l, area = disc + box;
    const double first = -2 * r * r * r / 3 + box * l / 2;
    const double x2 = pi * r * r * r * r / 8 + box * l * l / 3;
    const double y2 = pi * r * r * r * r / 8 + box * r * r / 3;
    const double z2 = area * h * h / 3;
    const double x = first / area;
    const double k = 2 * h * density;
    const double about_centre = x2 - x * first;
    return symmetric(k * area, x, k * (y2 + z2), k * (about_centre + z2), k * (about_centre + y2));
}

/// Of a Polyhedron or a Clump.
template <class Solid> MassProperties solid(const Solid& p, double scale, double density)
{
    const double cube = scale * scale * scale, k = density * cube * scale * scale;
    const Sym3<double>& m = p.moments;
    return {
        density * cube * p.volume,
        {scale * p.centre.x, scale * p.centre.y, scale * p.centre.z},
        {k * (m.yy + m.zz), -k * m.xy, -k * m.xz, k * (m.xx + m.zz), -k * m.yz, k * (m.xx + m.yy)}};
}

}  // namespace

const Polyhedron* shapes::kept(PolyhedronBlock&& block)
{
    static std::mutex door;
    static auto& known = *new std::multimap<std::uint64_t, PolyhedronBlock>;
    math::Digest digest;
    digest.add(std::as_bytes(std::span(block)));
    const std::lock_guard guard(door);
    auto [from, to] = known.equal_range(digest.value());
    for (; from != to; ++from) {
        if (from->second == block) {
            return &polyhedron_in(from->second);
        }
    }
    return &polyhedron_in(known.emplace(digest.value(), std::move(block))->second);
}

Shape Shape::polyhedron(std::span<const Vec3<double>> points)
{
    return {ShapeKind::polyhedron, {1, 0, 0}, shapes::kept(shapes::convex_hull(points))};
}

std::vector<Vec3<double>> corners_of(const Shape& shape)
{
    std::vector<Vec3<double>> corners;
    for (int i = 0; shape.solid != nullptr && i < shape.solid->vertex_count; ++i) {
        corners.push_back(shape.size.x * shape.solid->vertices()[i]);
    }
    return corners;
}

std::vector<std::vector<std::size_t>> faces_of(const Shape& shape)
{
    std::vector<std::vector<std::size_t>> faces;
    for (int f = 0; shape.solid != nullptr && f < shape.solid->face_count; ++f) {
        const std::uint16_t* begin = shape.solid->face_begin() + f;
        faces.emplace_back();
        for (int k = begin[0]; k < begin[1]; ++k) {
            faces.back().push_back(shape.solid->corners()[k].vertex);
        }
    }
    return faces;
}

std::string_view name_of(ShapeKind kind)
{
    const auto i = static_cast<std::size_t>(kind);
    return i < shape_kind_count ? names[i] : "unknown shape";
}

std::string_view problems_with(const Shape& shape)
{
    const Vec3<double>& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere:
        return positive(s.x) ? "" : "the radius of a sphere must be positive and finite";
    case ShapeKind::box:
        return positive(s.x) && positive(s.y) && positive(s.z)
                   ? ""
                   : "the edges of a box must be positive and finite";
    case ShapeKind::capsule:
        if (!(s.x >= 0 && std::isfinite(s.x) && s.y >= 0 && std::isfinite(s.y))) {
            return "the radius and length of a capsule must not be negative, and finite";
        }
        return s.x > 0 || s.y > 0 ? "" : "a capsule needs a positive radius or a positive length";
    case ShapeKind::cylinder:
        return positive(s.x) && positive(s.y)
                   ? ""
                   : "the radius and length of a cylinder must be positive and finite";
    case ShapeKind::ellipsoid:
        return positive(s.x) && positive(s.y) && positive(s.z)
                   ? ""
                   : "the semi-axes of an ellipsoid must be positive and finite";
    case ShapeKind::profile:
        return positive(s.x) && positive(s.y) && positive(s.z)
                   ? ""
                   : "the radius, length and height of a profile must be positive and finite";
    case ShapeKind::half_space: return "";
    case ShapeKind::cylinder_wall:
        return positive(s.x) ? "" : "the radius of a cylinder_wall must be positive and finite";
    case ShapeKind::sphere_wall:
        return positive(s.x) ? "" : "the radius of a sphere_wall must be positive and finite";
    case ShapeKind::polyhedron:
        if (shape.solid == nullptr) {
            return "a polyhedron has no corners; make it with Shape::polyhedron";
        }
        return positive(s.x) ? "" : "the scale of a polyhedron must be positive and finite";
    case ShapeKind::clump:
        if (shape.parts == nullptr) {
            return "a clump has no parts; make it with Shape::clump";
        }
        return positive(s.x) ? "" : "the scale of a clump must be positive and finite";
    case ShapeKind::mesh:
        if (shape.surface == nullptr) {
            return "a mesh has no triangles; make it with Shape::mesh";
        }
        return positive(s.x) ? "" : "the scale of a mesh must be positive and finite";
    }
    return "the kind of the shape is unknown";
}

MassProperties mass_properties(const Shape& shape, double density)
{
    using std::numbers::pi;
    if (const std::string_view wrong = problems_with(shape); !wrong.empty()) {
        throw Error("mass_properties: " + std::string(wrong));
    }
    if (!positive(density)) {
        throw Error("mass_properties: density = " + std::to_string(density) +
                    " kg/m³; it must be positive and finite");
    }
    const double x = shape.size.x, y = shape.size.y, z = shape.size.z;
    switch (shape.kind) {
    case ShapeKind::sphere: {
        const double m = density * 4 / 3 * pi * x * x * x, i = m * 2 / 5 * x * x;
        return symmetric(m, 0, i, i, i);
    }
    case ShapeKind::box: {
        const double m = density * 8 * x * y * z;
        return symmetric(m, 0, m * (y * y + z * z) / 3, m * (x * x + z * z) / 3,
                         m * (x * x + y * y) / 3);
    }
    case ShapeKind::capsule: return capsule(x, y, density);
    case ShapeKind::cylinder: {
        const double m = density * pi * x * x * 2 * y, across = m * (x * x / 4 + y * y / 3);
        return symmetric(m, 0, m * x * x / 2, across, across);
    }
    case ShapeKind::ellipsoid: {
        const double m = density * 4 / 3 * pi * x * y * z;
        return symmetric(m, 0, m * (y * y + z * z) / 5, m * (x * x + z * z) / 5,
                         m * (x * x + y * y) / 5);
    }
    case ShapeKind::profile: return profile(x, y, z, density);
    case ShapeKind::polyhedron: return solid(*shape.solid, x, density);
    case ShapeKind::clump: return solid(*shape.parts, x, density);
    default:
        throw Error("mass_properties: a " + std::string(name_of(shape.kind)) +
                    " is a wall, without mass; give it to an immovable body");
    }
}

}  // namespace scree
