#include "world/body_kinds.hpp"

#include "math/hash.hpp"
#include "math/tensor.hpp"
#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace scree::world {

namespace {

using Vec = Vec3<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// How much farther from the centre of mass the surface's farthest point is than its nearest: zero
/// for a sphere, whose turning closes no gap.
double swing_of(const Shape& shape, const Vec& offset, double radius)
{
    const bool centred = offset.x == 0 && offset.y == 0 && offset.z == 0;
    if (is_wall(shape.kind)) {
        return 0;  // bodies near a turning wall are candidates by their own reach and its pose
    }
    return shape.kind == ShapeKind::sphere && centred ? 0 : radius;
}

/// Bounding radius about the centre of mass, from which the shape's origin is off.
double radius_of(const Shape& shape, const Vec& offset)
{
    if (is_wall(shape.kind)) {
        return 0;
    }
    if (shape.kind != ShapeKind::polyhedron && shape.kind != ShapeKind::clump) {
        return shapes::bounding_radius(shape) + norm(offset);
    }
    double radius = 0;
    for (int i = 0; shape.parts != nullptr && i < shapes::part_count(shape); ++i) {
        const shapes::PlacedPart part = shapes::part_of(shape, {offset, {1, 0, 0, 0}}, i);
        radius = std::max(radius, norm(part.middle) + part.radius);
    }
    for (const Vec& corner : corners_of(shape)) {
        radius = std::max(radius, norm(corner + offset));
    }
    return radius;
}

bool isotropic(const Sym3<double>& m)
{
    return m.xy == 0 && m.xz == 0 && m.yz == 0 && m.xx == m.yy && m.yy == m.zz;
}

double finite_or_zero(double x) { return x < infinity ? x : 0; }

/// All that a kind is made of.
std::array<double, 16> numbers_of(const state::Prototype& p)
{
    return {p.shape.size.x,
            p.shape.size.y,
            p.shape.size.z,
            p.offset.x,
            p.offset.y,
            p.offset.z,
            p.mass,
            p.inertia.xx,
            p.inertia.xy,
            p.inertia.xz,
            p.inertia.yy,
            p.inertia.yz,
            p.inertia.zz,
            p.inverse_inertia.xx,
            p.inverse_inertia.yy,
            p.inverse_inertia.zz};
}

}  // namespace

state::Prototype prototype_of(const Body& body)
{
    state::Prototype p{};
    p.shape = body.shape;
    p.material = body.material;
    p.group = body.group;
    const bool wall = is_wall(body.shape.kind);
    MassProperties m{infinity, {0, 0, 0}, {infinity, 0, 0, infinity, 0, infinity}};
    if (body.motion == Motion::dynamic && !wall) {
        m = body.mass ? *body.mass : mass_properties(body.shape, body.density);
    }
    const bool immovable = m.mass == infinity && m.inertia.xx == infinity &&
                           m.inertia.yy == infinity && m.inertia.zz == infinity;
    if (immovable) {
        m.centre = {0, 0, 0};
        p.flags |= state::flag_prescribed;
    }
    p.flags |= wall ? state::flag_wall : 0;
    p.flags |= body.group != 0 ? state::flag_grouped : 0;
    p.offset = Vec{0, 0, 0} - m.centre;
    p.mass = m.mass;
    p.inverse_inertia = inverse(m.inertia);
    p.inertia = {finite_or_zero(m.inertia.xx), m.inertia.xy, m.inertia.xz,
                 finite_or_zero(m.inertia.yy), m.inertia.yz, finite_or_zero(m.inertia.zz)};
    p.radius = radius_of(body.shape, p.offset);
    p.swing = swing_of(body.shape, p.offset, p.radius);
    // A mass that only turns can leave a contact without a way to give: the general rows see that.
    const bool gives = m.mass < infinity || immovable;
    if (body.shape.kind == ShapeKind::sphere && p.swing == 0 && isotropic(m.inertia) && gives) {
        p.flags |= state::flag_round;
    }
    return p;
}

MassProperties mass_of(const state::Prototype& kind)
{
    Sym3<double> inertia = kind.inertia;
    inertia.xx = kind.inverse_inertia.xx > 0 ? inertia.xx : infinity;
    inertia.yy = kind.inverse_inertia.yy > 0 ? inertia.yy : infinity;
    inertia.zz = kind.inverse_inertia.zz > 0 ? inertia.zz : infinity;
    return {kind.mass, Vec{0, 0, 0} - kind.offset, inertia};
}

bool same_kind(const state::Prototype& a, const state::Prototype& b)
{
    return a.shape.kind == b.shape.kind && a.shape.solid == b.shape.solid &&
           a.shape.parts == b.shape.parts && a.shape.surface == b.shape.surface &&
           a.material == b.material && a.flags == b.flags && a.group == b.group &&
           numbers_of(a) == numbers_of(b);
}

std::uint64_t hash_of(const state::Prototype& p)
{
    math::Digest d;
    d.add(static_cast<std::uint64_t>(p.shape.kind));
    for (const double x : numbers_of(p)) {
        d.add(x);
    }
    d.add(p.shape.solid != nullptr ? p.shape.solid->volume : 0);
    d.add(p.shape.parts != nullptr ? p.shape.parts->volume : 0);
    d.add(p.shape.surface != nullptr ? p.shape.surface->outer_radius : 0);
    d.add(std::uint64_t(p.material));
    d.add(std::uint64_t(p.flags));
    d.add(std::uint64_t(p.group));
    return d.value();
}

Body body_at(const state::Model& model, const state::Bodies& bodies, std::size_t i)
{
    const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
    Body body;
    body.shape = kind.shape;
    body.position = bodies.pose(i, kind).position;
    body.orientation = bodies.orientation[i];
    body.velocity = bodies.velocity[i].v;
    body.angular_velocity = bodies.velocity[i].w;
    body.motion = (kind.flags & state::flag_prescribed) != 0 ? Motion::prescribed : Motion::dynamic;
    body.material = kind.material;
    body.group = kind.group;
    body.mass = mass_of(kind);
    body.id = bodies.id[i];
    return body;
}

}  // namespace scree::world
