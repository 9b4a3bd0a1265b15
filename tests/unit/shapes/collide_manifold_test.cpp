// Manifolds of flat features that rest on each other: how many points, where, with which gaps; that
// noise does not change them; and contacts against half-spaces and inside curved walls.
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <string>

namespace scree {
namespace {

using namespace test;
using V = Vec3<double>;

const Quat<double> upright_x{std::sqrt(0.5), 0, std::sqrt(0.5), 0};  // turns x into −z
const Quat<double> same{1, 0, 0, 0};

Quat<double> about(const V& axis, double angle)
{
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

Manifold contact(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, double reach)
{
    Manifold m;
    collide::collide(a, pa, b, pb, reach, m);
    return m;
}

std::set<std::uint32_t> features(const Manifold& m)
{
    std::set<std::uint32_t> all;
    for (int i = 0; i < m.count; ++i) {
        all.insert(m.points[i].feature);
    }
    return all;
}

/// Twice the area that the points span in x and y, as the sum over the hull of at most four points.
double spanned_area(const Manifold& m)
{
    double best = 0;
    for (int i = 0; i < m.count; ++i) {
        for (int j = 0; j < m.count; ++j) {
            for (int k = 0; k < m.count; ++k) {
                for (int l = 0; l < m.count; ++l) {
                    const V d = m.points[k].point - m.points[i].point;
                    const V e = m.points[l].point - m.points[j].point;
                    best = std::max(best, std::abs(d.x * e.y - d.y * e.x));
                }
            }
        }
    }
    return best;
}

void expect_flat(const Manifold& m, int count, double height, double gap, const char* what)
{
    ASSERT_EQ(m.count, count) << what;
    EXPECT_EQ(static_cast<int>(features(m).size()), count) << what;
    for (int i = 0; i < m.count; ++i) {
        EXPECT_NEAR(m.points[i].gap, gap, 1e-14) << what;
        EXPECT_NEAR(m.points[i].point.z, height, 1e-14) << what;
        EXPECT_NEAR(m.points[i].normal.z, 1, 1e-15) << what;
    }
}

TEST(Manifold, HoldsTheCornersOfFacesThatRest)
{
    const Shape cube = Shape::box(1, 1, 1), slab = Shape::box(4, 4, 1);
    const Shape can = Shape::cylinder(0.5, 1);
    for (const double gap : {-1e-3, 0.0, 1e-9, 1e-3}) {
        const auto at = [&](double z) { return Pose{{0.1, 0.2, z + gap}, same}; };
        const auto stand = [&](double z) { return Pose{{0.1, 0.2, z + gap}, upright_x}; };
        const Pose origin{{0, 0, 0}, same};
        const double z = gap / 2;
        expect_flat(contact(cube, at(0.5), Shape::half_space(), origin, 0.01), 4, z, gap, "plane");
        expect_flat(contact(cube, at(1), slab, origin, 0.01), 4, 0.5 + z, gap, "slab");
        const Manifold shifted = contact(cube, at(1), cube, origin, 0.01);
        expect_flat(shifted, 4, 0.5 + z, gap, "cube on cube");
        EXPECT_NEAR(spanned_area(shifted), 2 * 0.9 * 0.8, 1e-14);
        const Manifold turned = contact(
            cube, {{0, 0, 1 + gap}, about({0, 0, 1}, std::numbers::pi / 4)}, cube, origin, 0.01);
        expect_flat(turned, 4, 0.5 + z, gap, "turned cube");
        // The octagon's area is 2(√2 − 1); four of its corners span at least half of it.
        EXPECT_GT(spanned_area(turned), 2 * (std::sqrt(2.0) - 1));
        expect_flat(contact(can, stand(0.5), Shape::half_space(), origin, 0.01), 4, z, gap, "can");
        expect_flat(contact(can, stand(1), slab, origin, 0.01), 4, 0.5 + z, gap, "can on slab");
        expect_flat(contact(can, stand(1), can, {{0, 0, 0}, upright_x}, 0.01), 4, 0.5 + z, gap,
                    "can on can");
        expect_flat(contact(can, at(0.5), Shape::half_space(), origin, 0.01), 2, z, gap, "lying");
        expect_flat(contact(can, at(1), slab, origin, 0.01), 2, 0.5 + z, gap, "can lies on slab");
        const Shape pill = Shape::capsule(0.5, 1);
        expect_flat(contact(pill, at(0.5), Shape::half_space(), origin, 0.01), 2, z, gap, "pill");
        expect_flat(contact(pill, at(1), slab, origin, 0.01), 2, 0.5 + z, gap, "pill on slab");
        expect_flat(contact(pill, {{0.3, 0, 1 + gap}, same}, pill, origin, 0.01), 2, 0.5 + z, gap,
                    "pill on pill");
        const Shape iron = Shape::profile(0.5, 1, 1);
        expect_flat(contact(iron, at(0.5), Shape::half_space(), origin, 0.01), 4, z, gap, "iron");
        expect_flat(contact(iron, at(1), slab, origin, 0.01), 4, 0.5 + z, gap, "iron on slab");
    }
}

TEST(Manifold, HoldsOnePointOfCrossedEdgesAndAxes)
{
    // Two boxes on edge: edges along x and y, 0.01 apart.
    const double d = std::sqrt(0.5);
    const Manifold edges = contact(
        Shape::box(2, 1, 1), {{0.1, 0.2, 2 * d + 0.01}, about({1, 0, 0}, std::numbers::pi / 4)},
        Shape::box(1, 2, 1), {{0, 0, 0}, about({0, 1, 0}, std::numbers::pi / 4)}, 0.1);
    ASSERT_EQ(edges.count, 1);
    EXPECT_NEAR(edges.points[0].gap, 0.01, 1e-14);
    EXPECT_NEAR(norm(edges.points[0].point - V{0, 0.2, d + 0.005}), 0, 1e-14);
    EXPECT_NEAR(edges.points[0].normal.z, 1, 1e-14);
    for (const double radius : {0.0, 0.1}) {
        const Shape rod = Shape::capsule(radius, 2);
        const Manifold rods = contact(rod, {{0.1, 0.2, 2 * radius + 0.01}, same}, rod,
                                      {{0, 0, 0}, about({0, 0, 1}, std::numbers::pi / 2)}, 0.1);
        ASSERT_EQ(rods.count, 1);
        EXPECT_NEAR(rods.points[0].gap, 0.01, 1e-15);
        EXPECT_NEAR(norm(rods.points[0].point - V{0, 0.2, radius + 0.005}), 0, 1e-15);
    }
    // Long thin rods that cross at a small angle touch only where they cross.
    const Shape needle = Shape::capsule(1e-3, 2);
    const Manifold cross_small =
        contact(needle, {{0, 0, 2.1e-3}, about({0, 0, 1}, 0.04)}, needle, {{0, 0, 0}, same}, 1e-3);
    ASSERT_GE(cross_small.count, 1);
    for (int i = 0; i < cross_small.count; ++i) {
        EXPECT_LE(norm(cross_small.points[i].point - V{0, 0, 1.05e-3}), 0.05);
        EXPECT_NEAR(cross_small.points[i].gap, 1e-4, 1e-6);
    }
}

/// Nearly parallel capsules: wherever the half sphere at an end of one comes within reach of the
/// other's side there is a contact point, so that a step cannot turn one into the other.
TEST(Manifold, EndsOfCapsulesWithinReachTouch)
{
    Random random(31);
    const double r = 0.3, h = 0.5, reach = 0.05;
    int ends = 0;
    for (int draw = 0; draw < 3000; ++draw) {
        const Shape capsule = Shape::capsule(r, 2 * h);
        const V axis{0, std::sin(draw), std::cos(draw)};  // across x: the tilt is of any kind
        const Pose pa{{random.uniform(-0.6, 0.6), 0, 2 * r + random.uniform(-0.1, 0.04)},
                      about(axis, random.uniform(-0.3, 0.3))};
        const Pose pb{{0, 0, 0}, same};
        const Manifold m = contact(capsule, pa, capsule, pb, reach);
        const V da = rotate(pa.orientation, V{1, 0, 0});
        for (int end = 0; end < 4; ++end) {
            const double at = end % 2 == 0 ? -h : h;
            const bool of_a = end < 2;
            // The centre of the half sphere, and its foot on the other's axis.
            const V c = of_a ? pa.position + at * da : V{at, 0, 0};
            const double foot = of_a ? c.x : dot(c - pa.position, da);
            const V f = of_a ? V{foot, 0, 0} : pa.position + foot * da;
            const double gap = norm(c - f) - 2 * r;
            if (std::fabs(foot) > h - 1e-6 || gap > reach || m.count == 4) {
                continue;
            }
            ++ends;
            bool found = false;
            for (int i = 0; i < m.count; ++i) {
                found = found || (std::fabs(m.points[i].gap - gap) <= collide::same_gap * h &&
                                  norm(m.points[i].point - 0.5 * (c + f)) < 1e-12);
            }
            EXPECT_TRUE(found) << draw << ", end " << end;
        }
    }
    EXPECT_GT(ends, 1000);
}

/// The same for cylinders, and for a cylinder and a capsule: the least distance of a rim, or of the
/// middle of a half sphere, from the other's axis is found by trying all of it.
TEST(Manifold, EndsOfCylindersWithinReachTouch)
{
    Random random(32);
    const double r = 0.3, h = 0.5, reach = 0.05;
    const V x{1, 0, 0};
    int ends = 0;
    for (int draw = 0; draw < 1000; ++draw) {
        const Shape can = Shape::cylinder(r, 2 * h);
        const Shape first = draw % 3 == 0 ? Shape::capsule(r, 2 * h) : can;
        const Quat<double> tilt = about({0, 1, 0}, random.uniform(-0.04, 0.04));
        const Quat<double> turn = about({0, 0, 1}, random.uniform(-0.3, 0.3));
        const V da = rotate(turn, rotate(tilt, x));
        const Pose pa{{random.uniform(-0.6, 0.6), 0, 2 * r + random.uniform(-0.05, 0.04)},
                      turn * tilt};
        const Pose pb{{0, 0, 0}, same};
        const Manifold m = contact(first, pa, can, pb, reach);
        // Sides that lean more against the normal face each other with an end.
        if (m.count == 0 || m.count == 4 || std::fabs(dot(m.points[0].normal, da)) > 0.04 ||
            std::fabs(dot(m.points[0].normal, x)) > 0.04) {
            continue;
        }
        for (int end = 0; end < 4; ++end) {
            const bool of_a = end < 2;
            const V own = of_a ? da : x, other = of_a ? x : da;
            const V at = (of_a ? pa.position : V{0, 0, 0}) + (end % 2 == 0 ? -h : h) * own;
            const V centre = of_a ? V{0, 0, 0} : pa.position;
            const bool rim = !of_a || first.kind == ShapeKind::cylinder;
            double least = 1e9, foot = 0;
            const V u = normalised(cross(own, V{0, 1, 0})), v = cross(own, u);
            for (int i = 0; i < 3000; ++i) {
                const double angle = 2 * std::numbers::pi * i / 3000;
                const V p = at + (rim ? r : 0.0) * (std::cos(angle) * u + std::sin(angle) * v);
                const double along = dot(p - centre, other);
                const double off = norm(p - centre - along * other);
                if (off < least) {
                    least = off;
                    foot = along;
                }
            }
            const double gap = least - (rim ? r : 2 * r);
            if (std::fabs(foot) > h - 1e-3 || gap > reach - 1e-3) {
                continue;
            }
            ++ends;
            double nearest = 1e9;
            for (int i = 0; i < m.count; ++i) {
                if (norm(m.points[i].point - at) < r + 0.1) {
                    nearest = std::min(nearest, std::fabs(m.points[i].gap - gap));
                }
            }
            EXPECT_LT(nearest, 1e-3 * r) << draw << ", end " << end;
        }
    }
    EXPECT_GT(ends, 500);
}

// A box with an edge or a corner down keeps the points within reach, each with its own gap.
TEST(Manifold, GapsAreThoseOfTheFeatures)
{
    Random random(31);
    const ShapeKind shapes[3] = {ShapeKind::box, ShapeKind::profile, ShapeKind::polyhedron};
    for (int i = 0; i < 4500; ++i) {
        const Shape a = random_shape(random, shapes[i % 3], 0.5);
        const V axis = random.direction();
        const Quat<double> q = about(axis, random.decades(-12, -1));
        const Shape slab = Shape::box(20, 20, 2);
        Solid solid{a, {{0, 0, 0}, q}}, base{slab, {{0, 0, -1}, same}};
        set_apart(solid, base, {0, 0, 1}, random.uniform(-1e-2, 1e-2));
        const Manifold on_slab = contact(a, solid.pose, slab, base.pose, 0.05);
        const Manifold on_plane =
            contact(a, solid.pose, Shape::half_space(), {{0, 0, 0}, same}, 0.05);
        ASSERT_GE(on_slab.count, 1);
        for (const Manifold& m : {on_slab, on_plane}) {
            double lowest = 1;
            for (int k = 0; k < m.count; ++k) {
                const auto& p = m.points[k];
                lowest = std::min(lowest, p.gap);
                // The upper witness point is on the shape and its height is the gap.
                const LongVec top = widen(p.point) + p.gap / 2.0L * widen(p.normal);
                EXPECT_NEAR(static_cast<double>(top.z), p.gap, 3e-9);
                EXPECT_LE(outside(solid, top), 3e-9L);
            }
            const double depth =
                static_cast<double>(-support_function(solid, LongVec{0, 0, -1}, LongVec{0, 0, 0}));
            EXPECT_NEAR(lowest, depth, 1e-13);
        }
    }
}

// What rests keeps its points and names under noise of the poses.
TEST(Manifold, NoiseDoesNotChangeThePoints)
{
    struct Case {
        const char* what;
        Shape a;
        Pose pa;
        Shape b;
        Pose pb;
    };
    const Shape cube = Shape::box(1, 1, 1), can = Shape::cylinder(0.5, 1);
    const Pose origin{{0, 0, 0}, same};
    const Case cases[] = {
        {"cube on plane", cube, {{0, 0, 0.5}, same}, Shape::half_space(), origin},
        {"cube on equal cube", cube, {{0, 0, 1}, same}, cube, origin},
        {"cube shifted", cube, {{0.3, 0.1, 1}, same}, cube, origin},
        {"cube turned", cube, {{0, 0, 1}, about({0, 0, 1}, 0.5)}, cube, origin},
        {"cube on slab", cube, {{0, 0, 1}, same}, Shape::box(3, 3, 1), origin},
        {"can on slab", can, {{0, 0, 1}, upright_x}, Shape::box(3, 3, 1), origin},
        {"can on plane", can, {{0, 0, 0.5}, upright_x}, Shape::half_space(), origin},
        {"can on can", can, {{0, 0, 1}, upright_x}, can, {{0, 0, 0}, upright_x}},
        {"can lying on plane", can, {{0, 0, 0.5}, same}, Shape::half_space(), origin},
        {"pill on slab", Shape::capsule(0.5, 1), {{0, 0, 1}, same}, Shape::box(3, 3, 1), origin},
        {"pill on pill", Shape::capsule(0.5, 1), {{0, 0, 1}, same}, Shape::capsule(0.5, 1), origin},
        {"iron on slab", Shape::profile(0.5, 1, 1), {{0, 0, 1}, same}, Shape::box(4, 4, 1), origin},
        {"cube in tube", cube, {{0, 0, -1}, same}, Shape::cylinder_wall(std::sqrt(2.5)), origin},
    };
    Random random(32);
    for (const Case& c : cases) {
        const Manifold still = contact(c.a, c.pa, c.b, c.pb, 0.01);
        ASSERT_GE(still.count, 2) << c.what;
        for (int i = 0; i < 300; ++i) {
            const double noise = i < 200 ? 1e-15 : 1e-13;
            const V shift = noise * random.in_ball(), tilt = noise * random.in_ball();
            Pose p = c.pa;
            p.position = p.position + shift;
            const Quat<double>& q = p.orientation;
            const V v{q.x, q.y, q.z};
            const V w = v + q.w * tilt + cross(tilt, v);
            p.orientation = {q.w - dot(tilt, v), w.x, w.y, w.z};
            const Manifold m = contact(c.a, p, c.b, c.pb, 0.01);
            ASSERT_EQ(m.count, still.count) << c.what;
            ASSERT_EQ(features(m), features(still)) << c.what;
            for (int k = 0; k < m.count; ++k) {
                EXPECT_LE(norm(m.points[k].point - still.points[k].point), 1e-11) << c.what;
                EXPECT_LE(norm(m.points[k].normal - still.points[k].normal), 1e-11) << c.what;
            }
        }
    }
}

// The greatest of h(n) over directions in the space in which the wall is round, by search.
Long farthest(const Solid& a, const Solid& wall, Random& random)
{
    const Quat<Long> q = widen(wall.pose.orientation);
    const LongVec origin = widen(wall.pose.position);
    const bool tube = wall.shape.kind == ShapeKind::cylinder_wall;
    const auto flat = [&](LongVec l) {
        l.x = tube ? 0 : l.x;
        return rotate(q, unit(l));
    };
    Long best = 0;
    LongVec best_l{0, 0, 1};
    const auto attempt = [&](const LongVec& l) {
        const Long h = support_function(a, flat(l), origin);
        if (h > best) {
            best = h;
            best_l = l;
            return true;
        }
        return false;
    };
    for (int i = 0; i < 300; ++i) {
        attempt(widen(random.direction()));
    }
    Long step = 0.1L;
    for (int i = 0; i < 400; ++i) {
        step = std::max(attempt(unit(best_l + step * widen(random.direction()))) ? step * 1.3L
                                                                                 : step * 0.93L,
                        Long(1e-10));
    }
    return best;
}

TEST(Walls, TouchWhereASearchFindsTheDeepestPoint)
{
    Random random(41);
    for (std::uint64_t kind = 0; kind < bounded; ++kind) {
        for (const ShapeKind wall_kind :
             {ShapeKind::half_space, ShapeKind::cylinder_wall, ShapeKind::sphere_wall}) {
            for (int i = 0; i < 300; ++i) {
                const bool aligned = random.chance(0.4);
                const double decades = random.chance(0.3) ? 3 : 0.7;
                Solid a{random_shape(random, bounded_kind(kind), decades), {}};
                Solid wall{{wall_kind, {random.uniform(1.5, 3), 0, 0}}, {}};
                wall.shape.size.x = wall_kind == ShapeKind::half_space ? 0 : wall.shape.size.x;
                wall.pose.position = random.in_ball();
                const double off = random.chance(0.2) ? 0.0 : 1.0;
                a.pose.position = wall.pose.position + off * random.in_ball();
                a.pose.orientation = random_orientation(random, aligned);
                wall.pose.orientation = random_orientation(random, aligned);
                SCOPED_TRACE(std::string(name_of(a.shape.kind)) + " " +
                             std::string(name_of(wall_kind)) + " " + std::to_string(i));
                const Manifold m = contact(a.shape, a.pose, wall.shape, wall.pose, 10);
                ASSERT_GE(m.count, 1);
                Long expected = 0;
                if (wall_kind == ShapeKind::half_space) {
                    const LongVec n = rotate(widen(wall.pose.orientation), LongVec{0, 0, 1});
                    expected = -support_function(a, -n, widen(wall.pose.position));
                } else {
                    expected = wall.shape.size.x - farthest(a, wall, random);
                }
                Long lowest = 100;
                LongVec deepest{0, 0, 1};
                for (int k = 0; k < m.count; ++k) {
                    const auto& p = m.points[k];
                    deepest = p.gap < lowest ? widen(p.normal) : deepest;
                    lowest = std::min<Long>(lowest, p.gap);
                    ASSERT_NEAR(norm(p.normal), 1, 2e-15);
                    const V on_shape = p.point + 0.5 * p.gap * p.normal;
                    const V on_wall = p.point - 0.5 * p.gap * p.normal;
                    ASSERT_LE(outside(a, widen(on_shape)), 2e-9L);
                    ASSERT_NEAR(collide::wall_distance(wall.shape, wall.pose, on_wall), 0, 2e-9);
                }
                const Long along =
                    wall.shape.size.x - support_function(a, -deepest, widen(wall.pose.position));
                ASSERT_NEAR(static_cast<double>(lowest - along), 0, 1e-12);
                // Points on the shape prove that it reaches so far; the search must not reach
                // farther.
                ASSERT_LE(lowest - expected, 1e-12L);
            }
        }
    }
}

TEST(Walls, TouchAsWorkedOutByHand)
{
    const Pose origin{{0, 0, 0}, same};
    // A can along the axis of a tube touches along a line: both rims.
    const Manifold can = contact(Shape::cylinder(0.5, 2), {{0.3, 0, -0.45}, same},
                                 Shape::cylinder_wall(1), origin, 0.1);
    ASSERT_EQ(can.count, 2);
    for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(can.points[i].gap, 0.05, 1e-15);
        EXPECT_NEAR(can.points[i].normal.z, 1, 1e-15);
        EXPECT_NEAR(can.points[i].point.z, -0.975, 1e-15);
    }
    // A rod across a ball touches at both ends.
    const Manifold rod =
        contact(Shape::capsule(0.1, 1.7), {{0, 0, 0}, same}, Shape::sphere_wall(1), origin, 0.1);
    ASSERT_EQ(rod.count, 2);
    EXPECT_NEAR(rod.points[0].gap, 0.05, 1e-15);
    EXPECT_NEAR(rod.points[0].normal.x, 1, 1e-15);
    EXPECT_NEAR(rod.points[1].normal.x, -1, 1e-15);
    // An egg across a tube as well.
    const Manifold egg =
        contact(Shape::ellipsoid(0.2, 0.95, 0.3), origin, Shape::cylinder_wall(1), origin, 0.1);
    ASSERT_EQ(egg.count, 2);
    EXPECT_NEAR(egg.points[0].gap, 0.05, 1e-14);
    EXPECT_NEAR(egg.points[1].gap, 0.05, 1e-14);
    EXPECT_EQ(contact(Shape::half_space(), origin, Shape::sphere_wall(1), origin, 1).count, 0);
}

TEST(Support, BoundingRadiusIsTight)
{
    Random random(51);
    for (std::uint64_t i = 0; i < 350; ++i) {
        const Solid a{random_shape(random, bounded_kind(i % bounded), 1),
                      {{0, 0, 0}, {1, 0, 0, 0}}};
        const double radius = collide::bounding_radius(a.shape);
        Solid ball{Shape::sphere_wall(radius), {{0, 0, 0}, {1, 0, 0, 0}}};
        EXPECT_NEAR(static_cast<double>(farthest(a, ball, random)), radius, 1e-6 * radius);
    }
    EXPECT_TRUE(std::isinf(collide::bounding_radius(Shape::half_space())));
}

}  // namespace
}  // namespace scree
