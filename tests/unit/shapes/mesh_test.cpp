// Meshes: contacts against those with half-spaces and against all triangles one by one, no ghosts
// at inner edges, repairs and refusals.
#include "scree/error.hpp"
#include "scree/query.hpp"
#include "shapes/collide.hpp"
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace scree {
namespace {

using namespace test;
using V = Vec3<double>;
using Corners = std::array<std::uint32_t, 3>;
constexpr shapes::Pose origin{{0, 0, 0}, {1, 0, 0, 0}};

/// n × n squares of about 1 with the height of a function, cut at random and turned at random.
template <class F> Shape terrain(Random& random, int n, double jitter, F&& height)
{
    std::vector<V> points;
    std::vector<Corners> triangles;
    for (int y = 0; y <= n; ++y) {
        for (int x = 0; x <= n; ++x) {
            const double dx = random.uniform(-jitter, jitter);
            const double dy = random.uniform(-jitter, jitter);
            const double px = x - 0.5 * n + dx, py = y - 0.5 * n + dy;
            points.push_back({px, py, height(px, py)});
        }
    }
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const auto a = static_cast<std::uint32_t>(y * (n + 1) + x);
            const auto row = static_cast<std::uint32_t>(n + 1);
            const bool cut = random.chance(0.5);
            Corners one = cut ? Corners{a, a + 1, a + row + 1} : Corners{a, a + 1, a + row};
            Corners two =
                cut ? Corners{a, a + row + 1, a + row} : Corners{a + 1, a + row + 1, a + row};
            if (random.chance(0.5)) {
                std::swap(one[0], one[1]);
            }
            if (random.chance(0.5)) {
                std::swap(two[0], two[2]);
            }
            triangles.push_back(one);
            triangles.push_back(two);
        }
    }
    return Shape::mesh(points, triangles);
}

Shape plane(Random& random)
{
    return terrain(random, 8, 0.3, [](double, double) { return 0.0; });
}

TEST(Mesh, SpheresTouchAPlaneAsTheyTouchAHalfSpace)
{
    Random random(71);
    const Shape mesh = plane(random);
    std::set<std::uint32_t> names;
    for (int i = 0; i < 3000; ++i) {
        const double r = random.decades(-2, 0.3);
        V at;
        // Often exactly over an edge or corner of the lattice's middle.
        at.x = random.uniform(-2.5, 2.5);
        at.y = random.uniform(-2.5, 2.5);
        at.z = r * random.uniform(0.9, 1.2);
        if (i % 3 == 0) {
            const V on = points_of(mesh)[random.bits() % points_of(mesh).size()];
            if (std::abs(on.x) < 3 && std::abs(on.y) < 3) {
                at.x = on.x;
                at.y = on.y;
            }
        }
        Manifold m, expected;
        const Shape ball = Shape::sphere(r);
        shapes::collide(ball, {at, {1, 0, 0, 0}}, mesh, origin, 0.1, m);
        shapes::collide(ball, {at, {1, 0, 0, 0}}, Shape::half_space(), origin, 0.1, expected);
        ASSERT_EQ(m.count, expected.count) << i;
        for (int k = 0; k < m.count; ++k) {
            const shapes::ContactPoint &p = m.points[k], &q = expected.points[k];
            EXPECT_EQ(p.gap, q.gap);
            EXPECT_EQ(norm(p.normal - q.normal), 0);
            EXPECT_EQ(norm(p.point - q.point), 0);
            names.insert(p.feature);
        }
    }
    EXPECT_EQ(names.size(), 1U);  // an impulse stays with its contact as the sphere rolls on
}

TEST(Mesh, NoShapeFeelsTheEdgesOfAPlane)
{
    Random random(72);
    const Shape mesh = plane(random);
    int touching = 0;
    for (std::uint64_t i = 0; i < 1400; ++i) {
        Solid a{random_shape(random, bounded_kind(i % bounded), 0.7), {}};
        a.pose.orientation = random_orientation(random, i % 2 == 0);
        a.pose.position = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), 0};
        const Solid floor{Shape::half_space(), origin};
        // Its lowest point is this high.
        const double low = random.uniform(-0.02, 0.05) * least_width(a.shape);
        a.pose.position.z = low + static_cast<double>(support_function(a, {0, 0, -1}, {0, 0, 0}));
        const double reach = 0.05;
        Manifold m, expected;
        shapes::collide(a.shape, a.pose, mesh, origin, reach, m);
        shapes::collide(a.shape, a.pose, floor.shape, floor.pose, reach, expected);
        ASSERT_EQ(m.count > 0, expected.count > 0) << i;
        double least = 1, wanted = 1;
        for (int k = 0; k < expected.count; ++k) {
            wanted = std::min(wanted, expected.points[k].gap);
        }
        for (int k = 0; k < m.count; ++k) {
            least = std::min(least, m.points[k].gap);
            EXPECT_LE(norm(m.points[k].normal - V{0, 0, 1}), 2e-6)
                << i << " " << name_of(a.shape.kind);
            // The point is on the plane, halfway down to the shape.
            EXPECT_NEAR(m.points[k].point.z, 0.5 * m.points[k].gap, 1e-6);
        }
        EXPECT_NEAR(least, wanted, 1e-9) << i << " " << name_of(a.shape.kind);
        // As wide a stand as on the half-space.
        for (int k = 0; k < expected.count; ++k) {
            double off = 1;
            for (int l = 0; l < m.count; ++l) {
                off = std::min(off, norm(m.points[l].point - expected.points[k].point));
            }
            if (expected.points[k].gap < wanted + 1e-6 && expected.count <= 4 &&
                a.shape.kind == ShapeKind::box) {
                EXPECT_LE(off, 1e-6) << i;
            }
        }
        touching += m.count > 0 ? 1 : 0;
    }
    EXPECT_GT(touching, 700);
}

/// The largest separation of a shape from a triangle along normals that single-triangle meshes and
/// the direction between them suggest, in long double: a lower bound of their distance.
Long apart_from(const Solid& a, const V (&corner)[3], double reach)
{
    const Corners one{0, 1, 2};
    const Shape single = Shape::mesh(corner, std::span<const Corners>(&one, 1));
    Manifold m;
    shapes::collide(a.shape, a.pose, single, origin, reach, m);
    if (m.count == 0) {
        return reach;
    }
    const LongVec n = unit(widen(m.points[0].normal));
    Long top = -1e30L;
    for (const V& p : corner) {
        top = std::max(top, dot(n, widen(p)));
    }
    return -support_function(a, -n, {0, 0, 0}) - top;
}

TEST(Mesh, TheLeastGapIsThatOfTheNearestTriangle)
{
    Random random(73);
    const auto hills = [](double x, double y) { return 0.4 * std::sin(2 * x) * std::cos(3 * y); };
    const Shape mesh = terrain(random, 8, 0.2, hills);
    const std::vector<V> points = points_of(mesh);
    const std::vector<Corners> triangles = triangles_of(mesh);
    int near = 0, several = 0;
    for (std::uint64_t i = 0; i < 700; ++i) {
        Solid a{scaled(random_shape(random, bounded_kind(i % bounded), 0.5), 0.6), {}};
        a.pose.orientation = random_orientation(random, false);
        a.pose.position = {random.uniform(-4.5, 4.5), random.uniform(-4.5, 4.5),
                           random.uniform(-2, 2)};
        const double reach = 0.4;
        Long least = reach;
        for (const Corners& t : triangles) {
            const V corner[3]{points[t[0]], points[t[1]], points[t[2]]};
            least = std::min(least, apart_from(a, corner, reach));
        }
        if (least < 1e-6L) {
            continue;  // in penetration there is no distance
        }
        Manifold m;
        shapes::collide(a.shape, a.pose, mesh, origin, reach, m);
        if (least >= Long(reach)) {
            EXPECT_EQ(m.count, 0) << i;
            continue;
        }
        ASSERT_GT(m.count, 0) << i << " " << name_of(a.shape.kind);
        double found = reach;
        for (int k = 0; k < m.count; ++k) {
            found = std::min(found, m.points[k].gap);
            EXPECT_NEAR(norm(m.points[k].normal), 1, 1e-12);
            // Its two ends are on the body, but for points of a face that is not the nearest, and
            // on the surface.
            const V on = m.points[k].point - (0.5 * m.points[k].gap) * m.points[k].normal;
            double off = 1e30;
            for (const Corners& t : triangles) {
                off = std::min(off, norm(on - shapes::nearest_on_triangle(
                                                  points[t[0]], points[t[1]], points[t[2]], on)
                                                  .point));
            }
            EXPECT_LE(off, 1e-7) << i << " " << name_of(a.shape.kind);
        }
        EXPECT_NEAR(found, static_cast<double>(least), 1e-9) << i << " " << name_of(a.shape.kind);
        ++near;
        several += m.count > 1 ? 1 : 0;
    }
    EXPECT_GT(near, 100);
    EXPECT_GT(several, 30);
}

/// Floor and two walls, 2 × 2 each, of two triangles each.
Shape corner_of_a_room()
{
    const std::vector<V> p{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                           {0, 0, 2}, {2, 0, 2}, {0, 2, 2}};
    return Shape::mesh(
        p, std::vector<Corners>{{0, 1, 2}, {0, 2, 3}, {0, 1, 5}, {0, 5, 4}, {0, 3, 6}, {0, 6, 4}});
}

TEST(Mesh, ABodyInACornerTouchesAllSides)
{
    const Shape room = corner_of_a_room();
    Manifold m;
    shapes::collide(Shape::sphere(0.5), {{0.5, 0.5, 0.5}, {1, 0, 0, 0}}, room, origin, 0.01, m);
    ASSERT_EQ(m.count, 3);
    V sum{0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(m.points[k].gap, 0, 1e-15);
        sum = sum + m.points[k].normal;
    }
    EXPECT_LE(norm(sum - V{1, 1, 1}), 1e-15);
    shapes::collide(Shape::box(1, 1, 1), {{0.5, 0.5, 0.5}, {1, 0, 0, 0}}, room, origin, 0.01, m);
    ASSERT_EQ(m.count, 8);
    int along[3] = {0, 0, 0};
    for (int k = 0; k < m.count; ++k) {
        EXPECT_NEAR(m.points[k].gap, 0, 1e-14);
        const V n = m.points[k].normal;
        EXPECT_NEAR(n.x + n.y + n.z, 1, 1e-12);
        along[n.x > 0.5 ? 0 : (n.y > 0.5 ? 1 : 2)] += 1;
    }
    EXPECT_GE(std::min({along[0], along[1], along[2]}), 1);
    // From outside, over the convex side of the same edges, the corner itself is touched.
    shapes::collide(Shape::sphere(0.5), {{-0.3, -0.3, -0.3}, {1, 0, 0, 0}}, room, origin, 0.1, m);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, 0.3 * std::sqrt(3) - 0.5, 1e-15);
    EXPECT_NEAR(m.points[0].normal.x, -std::sqrt(1.0 / 3), 1e-15);
}

TEST(Mesh, WhatIsWrongIsRepairedOrRefused)
{
    const std::vector<V> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    MeshRepairs repairs;
    // A duplicate turned round, two degenerate ones, and a corner that is there twice.
    std::vector<V> points = square;
    points.push_back({1, 1 + 1e-12, 0});
    points.push_back({0.5, 0, 0});
    const Shape mesh = Shape::mesh(
        points, std::vector<Corners>{{0, 1, 2}, {2, 1, 0}, {0, 4, 3}, {0, 0, 1}, {0, 5, 1}},
        &repairs);
    EXPECT_EQ(triangles_of(mesh).size(), 2U);
    EXPECT_EQ(repairs.duplicate, 1U);
    EXPECT_EQ(repairs.degenerate, 2U);
    EXPECT_EQ(repairs.joined_points, 1U);
    EXPECT_EQ(repairs.open_edges, 4U);
    EXPECT_EQ(repairs.shared_edges, 0U);
    Manifold m;
    shapes::collide(Shape::sphere(0.1), {{0.5, 0.5, 0.1}, {1, 0, 0, 0}}, mesh, origin, 0.01, m);
    EXPECT_EQ(m.count, 1);
    // Three triangles at one edge.
    (void)Shape::mesh(std::vector<V>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}},
                      std::vector<Corners>{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}, &repairs);
    EXPECT_EQ(repairs.shared_edges, 1U);

    const auto expect = [](const std::vector<V>& p, const std::vector<Corners>& t,
                           const char* part) {
        try {
            (void)Shape::mesh(p, t);
            ADD_FAILURE() << part;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    };
    expect({}, {}, "none is left");
    expect(square, {{0, 1, 4}}, "triangle 0 of a mesh has the corner 4");
    expect(square, {{0, 0, 1}}, "of 1 none is left");
    points = square;
    points[2].y = std::numeric_limits<double>::quiet_NaN();
    expect(points, {{0, 1, 2}}, "point 2");
    points[2].y = std::numeric_limits<double>::infinity();
    expect(points, {{0, 1, 2}}, "point 2");
    points[2].y = 1e200;
    expect(points, {{0, 1, 2}}, "1e60");
    EXPECT_NE(problems_with({ShapeKind::mesh, {1, 0, 0}}), "");
    EXPECT_THROW((void)mass_properties(mesh, 1), Error);
}

TEST(Mesh, IsTheSameWhenMadeAgain)
{
    Random random(74);
    const Shape mesh = terrain(random, 20, 0.3, [](double x, double y) { return 0.1 * x * y; });
    EXPECT_EQ(Shape::mesh(points_of(mesh), triangles_of(mesh)).surface, mesh.surface);
    const Shape flat = terrain(random, 20, 0, [](double, double) { return 0.0; });
    EXPECT_EQ(Shape::mesh(points_of(flat), triangles_of(flat)).surface, flat.surface);
}

TEST(Mesh, FindsContactsAmongManyTriangles)
{
    Random random(75);
    const Shape mesh =
        terrain(random, 150, 0.1, [](double x, double y) { return 0.01 * (x * x + y * y); });
    EXPECT_EQ(triangles_of(mesh).size(), 45000U);
    int touching = 0;
    for (int i = 0; i < 300; ++i) {
        V at{random.uniform(-60, 60), random.uniform(-60, 60), 0};
        at.z = 0.01 * (at.x * at.x + at.y * at.y) + 0.3;
        Manifold m;
        shapes::collide(Shape::sphere(0.4), {at, {1, 0, 0, 0}}, mesh, origin, 0.1, m);
        touching += m.count > 0 ? 1 : 0;
    }
    EXPECT_EQ(touching, 300);
}

TEST(Mesh, MovesScalesAndTurns)
{
    Random random(76);
    const Shape mesh = plane(random);
    const Quat<double> q = random.orientation();
    const V up = rotate(q, V{0, 0, 1}), at{3, -2, 1};
    Manifold m;
    shapes::collide(Shape::sphere(0.2), {at + 0.25 * up, random.orientation()}, scaled(mesh, 0.5),
                    {at, q}, 0.1, m);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, 0.05, 1e-15);
    EXPECT_LE(norm(m.points[0].normal - up), 1e-15);
    EXPECT_LE(norm(m.points[0].point - (at + 0.025 * up)), 1e-15);
    // Clumps touch it part by part.
    const Shape bell = Shape::clump(std::vector<Part>{{Shape::sphere(0.2), {0.3, 0, 0}},
                                                      {Shape::box(0.4, 0.4, 0.4), {-0.3, 0, 0}}});
    shapes::collide(bell, {at + 0.21 * up, q}, mesh, {at, q}, 0.1, m);
    EXPECT_EQ(m.count, 5);
}

}  // namespace
}  // namespace scree
