// A sphere against shapes whose signed distance has a closed form: the distance of its centre, less
// its radius.
#pragma once

#include "shapes/support.hpp"

namespace scree::shapes {

/// Signed distance of a point to a surface, and the unit normal there, away from the solid.
struct Distance {
    double d;
    Vec n;
};

SCREE_HD void one_point(const Vec& point, const Vec& normal, double gap, double reach,
                        Manifold& out)
{
    if (gap <= reach) {
        out.points[0] = {point, normal, gap, 0};
        out.count = 1;
    }
}

/// Normal from b to a, and gap, of two balls.
template <class T> struct RoundContact {
    Vec3<T> normal;
    T gap;
};
/// d is the vector from b's centre to a's.
template <class T>
SCREE_HD RoundContact<T> round_contact(const Vec3<T>& d, const T& radius_a, const T& radius_b)
{
    using namespace math;
    const T length = norm(d);
    RoundContact<T> c{(T(1) / length) * d, length - (radius_a + radius_b)};
    const auto apart = length > T(0);
    if (!all(apart)) {
        c.normal = {select(apart, c.normal.x, T(0)), select(apart, c.normal.y, T(0)),
                    select(apart, c.normal.z, T(1))};
    }
    return c;
}

/// The same for centres so near that the square of their distance has few digits.
SCREE_HD RoundContact<double> round_contact_of_near(const Vec& d, double radius_a, double radius_b)
{
    const bool same = is_zero(d);
    const double length = same ? 0.0 : norm(1e150 * d) * 1e-150;
    return {same ? Vec{0, 0, 1} : direction_of(d), length - (radius_a + radius_b)};
}

SCREE_HD void collide_spheres(double radius_a, const Vec& centre_a, double radius_b,
                              const Vec& centre_b, double reach, Manifold& out)
{
    out.count = 0;
    const Vec d = centre_a - centre_b;
    const double d2 = dot(d, d), far = radius_a + radius_b + reach;
    if (d2 > far * far) {
        return;
    }
    const auto [n, gap] = d2 > 1e-280 ? round_contact(d, radius_a, radius_b)
                                      : round_contact_of_near(d, radius_a, radius_b);
    one_point(centre_b + (radius_b + 0.5 * gap) * n, n, gap, reach, out);
}

/// Distance in the plane to the rectangle |u| ≤ hu, |v| ≤ hv, with the outward direction (nu, nv).
/// Inside, the nearest side wins, u at a tie.
SCREE_HD double rectangle_distance(double u, double v, double hu, double hv, double& nu, double& nv)
{
    const double du = math::abs(u) - hu, dv = math::abs(v) - hv;
    if (du > 0 && dv > 0) {
        const double largest = most(du, dv);
        const double length =
            largest * math::sqrt(du / largest * (du / largest) + dv / largest * (dv / largest));
        nu = sign_of(u) * (du / length);
        nv = sign_of(v) * (dv / length);
        return length;
    }
    const bool by_u = du >= dv;
    nu = by_u ? sign_of(u) : 0.0;
    nv = by_u ? 0.0 : sign_of(v);
    return by_u ? du : dv;
}

SCREE_HD Distance box_distance(const Vec& p, const Vec& half)
{
    const Vec d{math::abs(p.x) - half.x, math::abs(p.y) - half.y, math::abs(p.z) - half.z};
    if (d.x <= 0 && d.y <= 0 && d.z <= 0) {
        if (d.x >= d.y && d.x >= d.z) {
            return {d.x, {sign_of(p.x), 0, 0}};
        }
        return d.y >= d.z ? Distance{d.y, {0, sign_of(p.y), 0}}
                          : Distance{d.z, {0, 0, sign_of(p.z)}};
    }
    const Vec out{sign_of(p.x) * most(d.x, 0), sign_of(p.y) * most(d.y, 0),
                  sign_of(p.z) * most(d.z, 0)};
    const Vec n = direction_of(out);
    return {dot(out, n), n};
}

SCREE_HD Distance capsule_core_distance(const Vec& p, double half)
{
    const Vec d{p.x - clamped(p.x, -half, half), p.y, p.z};
    if (is_zero(d)) {
        return {0, {0, 0, 1}};
    }
    const Vec n = direction_of(d);
    return {dot(d, n), n};
}

SCREE_HD Distance cylinder_distance(const Vec& p, double r, double half)
{
    const double rho = math::sqrt(p.y * p.y + p.z * p.z);
    const double uy = rho > 1e-150 ? p.y / rho : 0.0, uz = rho > 1e-150 ? p.z / rho : 1.0;
    double nx = 0, nr = 0;
    const double d = rectangle_distance(p.x, rho, half, r, nx, nr);
    return {d, {nx, nr * uy, nr * uz}};
}

/// The outline of the profile first: its signed distance is that of a straight side for x ≥ 0 and
/// that of the circle before it, continuous with its normal at x = 0.
SCREE_HD Distance profile_distance(const Vec& p, double r, double l, double h)
{
    double d = 0, nx = 0, ny = 0;
    if (p.x <= 0) {
        const double rho = math::sqrt(p.x * p.x + p.y * p.y);
        d = rho - r;
        nx = rho > 1e-150 ? p.x / rho : -1.0;
        ny = rho > 1e-150 ? p.y / rho : 0.0;
    } else if (p.x <= l) {
        const double dy = math::abs(p.y) - r, dx = p.x - l;
        nx = dx > dy ? 1.0 : 0.0;
        ny = dx > dy ? 0.0 : sign_of(p.y);
        d = most(dx, dy);
    } else {
        d = rectangle_distance(p.x - l, p.y, 0, r, nx, ny);
    }
    // A half disc's inside may still be nearer to the back.
    if (p.x <= 0 && p.x - l > d) {
        d = p.x - l;
        nx = 1;
        ny = 0;
    }
    const double dz = math::abs(p.z) - h, nz = sign_of(p.z);
    if (d > 0 && dz > 0) {
        const double largest = most(d, dz);
        const double length =
            largest * math::sqrt(d / largest * (d / largest) + dz / largest * (dz / largest));
        const double k = d / length;
        return {length, {k * nx, k * ny, nz * (dz / length)}};
    }
    return d >= dz ? Distance{d, {nx, ny, 0}} : Distance{dz, {0, 0, nz}};
}

/// Inside, the nearest plane; outside, the nearest point of the faces that see p.
SCREE_LONG Distance polyhedron_distance(const Polyhedron& s, double scale, const Vec& p)
{
    const Vec q = (1 / scale) * p - s.centre;
    const std::uint16_t* begin = s.face_begin();
    Distance top{-std::numeric_limits<double>::infinity(), {0, 0, 1}};
    Distance near{std::numeric_limits<double>::infinity(), {0, 0, 1}};
    for (int f = 0; f < s.face_count; ++f) {
        const Polyhedron::Plane& plane = s.planes()[f];
        const double height = dot(plane.normal, q) - plane.offset;
        if (height > top.d) {
            top = {height, plane.normal};
        }
        if (!(height > 0) || height >= near.d) {
            continue;
        }
        bool above = true;
        for (int k = begin[f]; k < begin[f + 1]; ++k) {
            const int next = k + 1 == begin[f + 1] ? begin[f] : k + 1;
            const Vec from = s.vertices()[s.corners()[k].vertex] - s.centre;
            const Vec side = s.vertices()[s.corners()[next].vertex] - s.centre - from;
            const Vec d = q - from;
            if (dot(cross(plane.normal, side), d) >= 0) {
                continue;
            }
            above = false;
            const double t = clamped(dot(d, side) / dot(side, side), 0, 1);
            const Vec off = d - t * side;
            const double length = norm(off);
            if (length < near.d) {
                near = {length, length > 1e-14 * s.radius ? direction_of(off) : plane.normal};
            }
        }
        if (above) {
            near = {height, plane.normal};
        }
    }
    return top.d > 0 ? Distance{scale * near.d, near.n} : Distance{scale * top.d, top.n};
}

/// Of shapes with a closed form, see has_closed_form.
SCREE_HD Distance closed_form_distance(const Shape& shape, const Vec& p)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::box: return box_distance(p, s);
    case ShapeKind::capsule: {
        const Distance d = capsule_core_distance(p, s.y);
        return {d.d - s.x, d.n};
    }
    case ShapeKind::cylinder: return cylinder_distance(p, s.x, s.y);
    case ShapeKind::profile: return profile_distance(p, s.x, s.y, s.z);
    case ShapeKind::half_space: return {p.z, {0, 0, 1}};
    case ShapeKind::cylinder_wall: {
        const double rho = math::sqrt(p.y * p.y + p.z * p.z);
        const bool off = rho > 1e-150;
        return {s.x - rho, {0, off ? -p.y / rho : 0.0, off ? -p.z / rho : 1.0}};
    }
    case ShapeKind::sphere_wall: {
        if (is_zero(p)) {
            return {s.x, {0, 0, 1}};
        }
        const Vec n = direction_of(p);
        return {s.x - dot(p, n), -n};
    }
    default: return {norm(p) - s.x, is_zero(p) ? Vec{0, 0, 1} : direction_of(p)};
    }
}

/// Where a sphere touches a shape, given the distance of its centre in the shape's own frame.
/// Returns whether the gap is up to the reach.
SCREE_HD bool touch(double radius, const Vec& centre, const Distance& at, const Pose& pb,
                    double reach, ContactPoint& out)
{
    const double gap = at.d - radius;
    if (!(gap <= reach)) {
        return false;
    }
    const Vec n = rotate(pb.orientation, at.n);
    out = {centre - (radius + 0.5 * gap) * n, n, gap, 0};
    return true;
}

/// A sphere (first) and a shape whose distance is known.
SCREE_LONG void collide_sphere_with(double radius, const Pose& pa, const Shape& b, const Pose& pb,
                                    double reach, Manifold& out)
{
    const Vec p = rotate_back(pb.orientation, pa.position - pb.position);
    const Distance at = b.kind == ShapeKind::polyhedron ? polyhedron_distance(*b.solid, b.size.x, p)
                                                        : closed_form_distance(b, p);
    out.count = touch(radius, pa.position, at, pb, reach, out.points[0]) ? 1 : 0;
}

}  // namespace scree::shapes
