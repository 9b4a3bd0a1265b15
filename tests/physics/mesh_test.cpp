// Worlds with meshes: a body's course over a plane of triangles is that over a half-space; funnels
// hold what falls into them; meshes that move take bodies along.
#include "scree/query.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using namespace test;
using Corners = std::array<std::uint32_t, 3>;

/// A plane of 2 × 200 triangles of irregular size and either winding.
Shape plane()
{
    Random random(81);
    std::vector<Vec> points;
    std::vector<Corners> triangles;
    constexpr std::uint32_t n = 10;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= 2 * n; ++x) {
            const double dx = random.uniform(-0.03, 0.03);
            const double dy = random.uniform(-0.03, 0.03);
            points.push_back({0.1 * x - 0.5 + dx, 0.1 * y - 0.5 + dy, 0});
        }
    }
    constexpr std::uint32_t row = 2 * n + 1;
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < 2 * n; ++x) {
            const std::uint32_t a = y * row + x;
            triangles.push_back({a, a + 1, a + row});
            triangles.push_back({a + 1, a + row, a + row + 1});
        }
    }
    return Shape::mesh(points, triangles);
}

/// How far a body's courses on the plane of triangles and on a half-space are apart.
double strays(const Body& body, long steps)
{
    Vec end[2];
    double far = 0;
    for (int k = 0; k < 2; ++k) {
        World world(exact(1e-3));
        world.set_surface(0, 0, {0.3, 0});
        world.add(obstacle(k == 0 ? plane() : Shape::half_space()));
        const BodyId id = world.add(body);
        run(world, steps);
        end[k] = world.body(id).position;
        far = std::max(far, norm(end[k] - body.position));
        EXPECT_EQ(world.report()[Condition::energy_unbalanced].count, 0U);
    }
    EXPECT_GT(far, 0.3);  // it has crossed some edges
    return norm(end[0] - end[1]);
}

TEST(MeshWorld, ASphereRollsAsOnAHalfSpace)
{
    Body ball = sphere(0.05, {-0.3, -0.2, 0.05}, {1.2, 0.3, 0}, {3, 1, -2});
    EXPECT_LE(strays(ball, 600), 1e-12);
    ball.position.z = 0.08;  // falls first
    EXPECT_LE(strays(ball, 600), 1e-12);
}

// How several points share a load is not unique, and with friction a body's turning depends on it.
// But nothing lifts it, tips it or turns its way.
TEST(MeshWorld, ABrickSlidesOverEdgesWithoutAJolt)
{
    for (const double mu : {0.0, 0.3}) {
        World world(exact(1e-3));
        world.set_surface(0, 0, {mu, 0});
        world.add(obstacle(plane()));
        Body brick = block({0.15, 0.1, 0.05}, {-0.3, -0.2, 0.025}, about({0, 0, 1}, 0.3));
        brick.velocity = {1.6, 0.4, 0};
        brick.angular_velocity = {0, 0, mu > 0 ? 0.0 : 2.0};
        const BodyId id = world.add(brick);
        double speed = norm(brick.velocity);
        for (int i = 1; i <= 400; ++i) {
            world.step();
            const Body b = world.body(id);
            EXPECT_EQ(world.report().loaded_contacts, 4U) << i;
            EXPECT_NEAR(b.position.z, 0.025, 1e-12);
            EXPECT_LE(std::abs(b.velocity.z), 1e-11);
            EXPECT_LE(std::hypot(b.angular_velocity.x, b.angular_velocity.y), 1e-9);
            EXPECT_NEAR(speed - norm(b.velocity), mu * g0 * 1e-3, 1e-12 + 0.02 * mu * g0 * 1e-3);
            speed = norm(b.velocity);
            if (mu == 0) {
                EXPECT_LE(norm(b.position - (brick.position + (1e-3 * i) * brick.velocity)), 1e-12);
            }
        }
    }
}

TEST(MeshWorld, ACapsuleRollsAsOnAHalfSpace)
{
    Body pill = block({1, 1, 1}, {-0.3, 0.1, 0.04}, about({0, 0, 1}, 1.4));
    pill.shape = Shape::capsule(0.04, 0.1);
    pill.velocity = {1.4, 0, 0};
    EXPECT_LE(strays(pill, 400), 1e-6);
}

/// A square funnel, 0.4 wide above and 0.1 below, 0.3 high, with a floor; each side of two
/// triangles.
Shape funnel()
{
    std::vector<Vec> points;
    for (const double half : {0.05, 0.2}) {
        const double z = half == 0.05 ? 0.0 : 0.3;
        points.insert(points.end(),
                      {{-half, -half, z}, {half, -half, z}, {half, half, z}, {-half, half, z}});
    }
    std::vector<Corners> triangles{{0, 1, 2}, {0, 2, 3}};
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t next = (k + 1) % 4;
        triangles.push_back({k, next, next + 4});
        triangles.push_back({k, next + 4, k + 4});
    }
    return Shape::mesh(points, triangles);
}

TEST(MeshWorld, AFunnelHoldsWhatFallsIntoIt)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.sweeps = 50;
    World world(s);
    world.set_surface(0, 0, {0.4, 0});
    world.add(obstacle(funnel()));
    const Shape stone = Shape::polyhedron(std::vector<Vec>{
        {0.03, 0, 0}, {-0.02, 0.025, 0}, {-0.02, -0.025, 0}, {0, 0, 0.03}, {0.005, 0.005, -0.025}});
    const Shape bell = Shape::clump(std::vector<Part>{{Shape::sphere(0.018), {0.02, 0, 0}},
                                                      {Shape::sphere(0.018), {-0.02, 0, 0}}});
    const Shape shapes[]{Shape::sphere(0.02),
                         Shape::box(0.04, 0.03, 0.03),
                         stone,
                         bell,
                         Shape::cylinder(0.018, 0.04),
                         Shape::ellipsoid(0.025, 0.018, 0.015),
                         Shape::capsule(0.012, 0.03)};
    Random random(82);
    std::vector<BodyId> ids;
    for (int i = 0; i < 28; ++i) {
        Body body;
        body.shape = shapes[i % 7];
        body.position = {0.07 * (i % 3 - 1), 0.07 * (i / 3 % 3 - 1), 0.2 + 0.08 * (i / 9)};
        body.orientation = random.orientation();
        ids.push_back(world.add(body));
    }
    double deepest = 0;
    for (int i = 0; i < 1500 / shorter; ++i) {
        world.step();
        deepest = std::max(deepest, world.report().max_penetration);
        EXPECT_EQ(world.report()[Condition::energy_unbalanced].count, 0U) << i;
    }
    EXPECT_LE(deepest, 2e-3);
    double fastest = 0;
    for (const BodyId id : ids) {
        const Vec x = world.body(id).position;
        EXPECT_GT(x.z, 0) << name_of(world.body(id).shape.kind);
        EXPECT_LT(std::max(std::abs(x.x), std::abs(x.y)), 0.05 + 0.5 * x.z);
        fastest = std::max(fastest, norm(world.body(id).velocity));
    }
    if (shorter == 1) {
        EXPECT_LE(fastest, 0.05);
    }
    EXPECT_LE(std::abs(missing(world.energy())), 1e-12);
}

TEST(MeshWorld, AMeshThatMovesTakesBodiesAlong)
{
    // Upwards and along; then turning, on which a block circles.
    World world(exact(1e-3));
    world.set_surface(0, 0, {1, 0});
    Body floor = obstacle(plane());
    floor.velocity = {0.2, 0, 0.1};
    const BodyId moving = world.add(floor);
    const BodyId id = world.add(block({0.1, 0.1, 0.1}, {0, 0, 0.05}));
    run(world, 400);
    EXPECT_NEAR(world.body(id).velocity.x, 0.2, 1e-9);
    EXPECT_NEAR(world.body(id).velocity.z, 0.1, 1e-9);
    EXPECT_NEAR(world.body(id).position.z - world.body(moving).position.z, 0.05, 1e-9);
    world.set_velocity(moving, {0, 0, 0}, {0, 0, 1});
    const Vec before = world.body(id).position - world.body(moving).position;
    run(world, 1500);
    const Vec after = world.body(id).position - world.body(moving).position;
    EXPECT_NEAR(norm(after), norm(before), 0.01);
    EXPECT_LE(norm(Vec{0, 0, 1} - world.body(id).angular_velocity), 1e-3);
}

}  // namespace
}  // namespace scree
