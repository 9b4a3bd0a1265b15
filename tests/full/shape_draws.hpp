// Random pairs of shapes for the full draw: sizes with aspect ratios up to 1000, poses at random
// and with faces, edges and axes parallel, on top of each other or nearly so; apart, touching, and
// in each other up to coincident centres. Polyhedra, clumps and meshes are kept by the program for
// ever, so they are made before, and drawn from pools.
#pragma once

#include "unit/shapes/collide_oracle.hpp"

namespace scree::test {

/// The convex parts of a shape in space.
inline std::vector<Solid> parts_of(const Solid& a)
{
    if (a.shape.kind != ShapeKind::clump) {
        return {a};
    }
    std::vector<Solid> parts;
    for (int i = 0; i < collide::part_count(a.shape); ++i) {
        const collide::PlacedPart p = collide::part_of(a.shape, a.pose, i);
        parts.push_back({p.shape, p.pose});
    }
    return parts;
}

struct DrawnPair {
    Solid a, b;
    bool aligned = false;
    bool deep = false;    ///< deeper than a tenth of the least width
    bool ask_fcl = true;  ///< as well
};

/// Corners up to 1e-6 of the extent below a face belong to it, which moves them by so much. Here
/// such polyhedra are left out.
inline bool has_flat_faces(const Shape& shape)
{
    const Polyhedron& p = *shape.solid;
    for (int f = 0; f < p.face_count; ++f) {
        const Polyhedron::Plane& plane = p.planes()[f];
        for (int k = p.face_begin()[f]; k < p.face_begin()[f + 1]; ++k) {
            const Vec3<double> corner = p.vertices()[p.corners()[k].vertex] - p.centre;
            if (std::abs(dot(plane.normal, corner) - plane.offset) > 1e-14 * p.radius) {
                return false;
            }
        }
    }
    return true;
}

struct ShapePools {
    std::vector<Shape> polyhedra[2];  ///< aspect ratios up to 10, up to 1000
    std::vector<Shape> clumps;
    std::vector<Shape> meshes;

    explicit ShapePools(std::size_t polyhedron_count)
    {
        Random random(17);
        for (int k = 0; k < 2; ++k) {
            while (polyhedra[k].size() < polyhedron_count) {
                const Shape shape = random_shape(random, ShapeKind::polyhedron, k == 0 ? 1 : 3);
                if (has_flat_faces(shape)) {
                    polyhedra[k].push_back(shape);
                }
            }
        }
        using V = Vec3<double>;
        const double half = std::sqrt(0.5);
        const std::vector<std::vector<Part>> parts{
            {{Shape::sphere(0.5), {0.4, 0, 0}}, {Shape::sphere(0.4), {-0.4, 0.2, 0}}},
            {{Shape::sphere(0.02), {0.3, 0, 0}},
             {Shape::sphere(0.2), {-0.3, 0, 0}},
             {Shape::cylinder(0.05, 0.6)}},
            {{Shape::box(1, 0.2, 0.2)}, {Shape::box(0.2, 1, 0.2)}, {Shape::box(0.2, 0.2, 1)}},
            {{Shape::capsule(0.1, 0.8)},
             {Shape::capsule(0.1, 0.8), {0.4, 0.1, 0}, {half, 0, 0, half}}},
            {{Shape::ellipsoid(0.5, 0.3, 0.2), {0, 0, 0}, {half, half, 0, 0}},
             {polyhedra[0][0], {0.3, 0.3, 0}}}};
        for (const std::vector<Part>& p : parts) {
            clumps.push_back(Shape::clump(p));
        }
        for (int kind = 0; kind < 3; ++kind) {
            std::vector<V> points;
            std::vector<std::array<std::uint32_t, 3>> triangles;
            constexpr std::uint32_t n = 6;
            for (std::uint32_t y = 0; y <= n; ++y) {
                for (std::uint32_t x = 0; x <= n; ++x) {
                    const double px = x - 0.5 * n, py = y - 0.5 * n;
                    const double hills[3] = {0, 0.3 * random.uniform(-1, 1),
                                             0.1 * px * px - 0.05 * py * py};
                    points.push_back({0.4 * px, 0.4 * py, 0.4 * hills[kind]});
                }
            }
            for (std::uint32_t y = 0; y < n; ++y) {
                for (std::uint32_t x = 0; x < n; ++x) {
                    const std::uint32_t a = y * (n + 1) + x;
                    triangles.push_back({a, a + 1, a + n + 1});
                    triangles.push_back({a + 1, a + n + 2, a + n + 1});
                }
            }
            meshes.push_back(Shape::mesh(points, triangles));
        }
    }

    [[nodiscard]] Shape draw(Random& random, ShapeKind kind, bool slender) const
    {
        const auto of = [&](const std::vector<Shape>& pool) {
            Shape shape = pool[random.bits() % pool.size()];
            shape.size.x = random.decades(-1, 0);
            return shape;
        };
        switch (kind) {
        case ShapeKind::polyhedron: return of(polyhedra[slender ? 1 : 0]);
        case ShapeKind::clump: return of(clumps);
        case ShapeKind::mesh: return of(meshes);
        case ShapeKind::half_space: return Shape::half_space();
        case ShapeKind::cylinder_wall: return Shape::cylinder_wall(random.decades(0.1, 2));
        case ShapeKind::sphere_wall: return Shape::sphere_wall(random.decades(0.1, 2));
        default: {
            Shape shape = random_shape(random, kind, slender ? 3 : 1);
            if (kind == ShapeKind::capsule && random.chance(0.1)) {
                shape.size.x = 0;  // a thin rod
            }
            return shape;
        }
        }
    }
};

/// An offset that puts corners, edges or middles of aligned shapes on top of each other.
inline double lining_up(Random& random, double a, double b)
{
    const std::uint64_t which = random.bits() % 4;
    const double sign = random.sign();
    const double any = random.uniform(-1, 1);
    return which == 0 ? 0 : (which == 1 ? sign * (a + b) : (which == 2 ? sign * (a - b) : any));
}

inline DrawnPair draw_any_pair(Random& random, const ShapePools& pools, ShapeKind ka, ShapeKind kb)
{
    DrawnPair pair;
    Solid &a = pair.a, &b = pair.b;
    const bool slender = random.chance(0.5);
    a.shape = pools.draw(random, ka, slender);
    b.shape = pools.draw(random, kb, slender);
    pair.aligned = random.chance(0.4);
    a.pose.orientation = random_orientation(random, pair.aligned);
    b.pose.orientation = random_orientation(random, pair.aligned);
    b.pose.position = random.in_ball();
    a.pose.position = b.pose.position + random.in_ball();
    Vec3<double> n = random.direction();
    if (pair.aligned) {
        const std::uint64_t k = random.bits() % 3;
        const double sign = random.sign();
        n = sign * rotate(b.pose.orientation,
                          Vec3<double>{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
        if (random.chance(0.5)) {
            const double x = lining_up(random, a.shape.size.x, b.shape.size.x);
            const double y = lining_up(random, a.shape.size.y, b.shape.size.y);
            const double z = lining_up(random, a.shape.size.z, b.shape.size.z);
            a.pose.position = b.pose.position + rotate(b.pose.orientation, Vec3<double>{x, y, z});
        }
    }
    double s = random.decades(-10, -1);
    if (random.chance(0.1)) {
        s = 0;
    }
    const bool penetrating = random.chance(0.5);
    if (is_wall(kb) && kb != ShapeKind::mesh) {
        // Inside of curved walls: towards the wall from within.
        const double far = kb == ShapeKind::half_space ? 0.0 : b.shape.size.x;
        Vec3<double> inwards{0, 0, 1};
        Vec3<double> from{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        if (kb != ShapeKind::half_space && !pair.aligned) {
            inwards = random.direction();
            inwards.x = kb == ShapeKind::cylinder_wall ? 0.0 : inwards.x;
            inwards = normalised(inwards);
            from = {random.uniform(-1, 1), 0, 0};
            from.x = kb == ShapeKind::sphere_wall ? 0.0 : from.x;
        }
        const double radius = collide::outer_radius(a.shape);
        const double depth = penetrating ? s * radius : -s;
        // How far the shape sticks out along the way to the wall.
        const LongVec out = -widen(rotate(b.pose.orientation, inwards));
        const Solid alone{a.shape, {{0, 0, 0}, a.pose.orientation}};
        const Long reach =
            ka == ShapeKind::clump ? Long(radius) : support_function(alone, out, {0, 0, 0});
        const double at = far + depth - static_cast<double>(reach);
        a.pose.position = b.pose.position + rotate(b.pose.orientation, from - at * inwards);
        return pair;
    }
    if (kb == ShapeKind::mesh) {
        // Laid onto some triangle along some direction on its upper side.
        const std::vector<Vec3<double>> points = points_of(b.shape);
        const auto triangles = triangles_of(b.shape);
        const auto t = triangles[random.bits() % triangles.size()];
        const double u = random.uniform(), v = random.uniform(0, 1 - u);
        const Vec3<double> on =
            points[t[0]] + u * (points[t[1]] - points[t[0]]) + v * (points[t[2]] - points[t[0]]);
        Vec3<double> up =
            normalised(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
        if (random.chance(0.5)) {
            up = normalised(up + 0.5 * random.direction());
        }
        const LongVec down = -widen(rotate(b.pose.orientation, up));
        const Solid alone{a.shape, {{0, 0, 0}, a.pose.orientation}};
        const Long reach = ka == ShapeKind::clump ? Long(collide::outer_radius(a.shape))
                                                  : support_function(alone, down, {0, 0, 0});
        const double small = ka == ShapeKind::clump ? 0.1 * a.shape.size.x : least_width(a.shape);
        const double at = static_cast<double>(reach) + (penetrating ? -s * small : s);
        a.pose.position =
            b.pose.position + rotate(b.pose.orientation, on) + at * rotate(b.pose.orientation, up);
        return pair;
    }
    if (ka == ShapeKind::clump || kb == ShapeKind::clump) {
        // One part of each is laid onto the other.
        const std::vector<Solid> of_a = parts_of(a), of_b = parts_of(b);
        Solid first = of_a[random.bits() % of_a.size()];
        const Solid second = of_b[random.bits() % of_b.size()];
        const Vec3<double> before = first.pose.position;
        const double small = std::min(least_width(first.shape), least_width(second.shape));
        set_apart(first, second, n, penetrating ? -s * small : s);
        a.pose.position = a.pose.position + (first.pose.position - before);
        return pair;
    }
    if (random.chance(0.1)) {
        pair.deep = true;
        const double off = random.chance(0.3) ? 0.0 : random.decades(-20, 0);
        const double small =
            std::min(collide::bounding_radius(a.shape), collide::bounding_radius(b.shape));
        a.pose.position = b.pose.position + rotate(b.pose.orientation, inner_point(b.shape)) -
                          rotate(a.pose.orientation, inner_point(a.shape)) +
                          (off * small) * random.direction();
        return pair;
    }
    const double small = std::min(least_width(a.shape), least_width(b.shape));
    const double depth = small > 0 ? s * small : s * 0.1;
    set_apart(a, b, n, penetrating ? -depth : s);
    return pair;
}

/// The pair of this number, a function of the kinds and the number alone.
inline DrawnPair draw_numbered_pair(const ShapePools& pools, ShapeKind a, ShapeKind b, long number)
{
    const std::uint64_t kinds = 1000003U * static_cast<unsigned>(a) + static_cast<unsigned>(b);
    Random random(Random((kinds << 32U) + static_cast<std::uint64_t>(number)).bits());
    return draw_any_pair(random, pools, a, b);
}

}  // namespace scree::test
