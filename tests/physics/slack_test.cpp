// Slack: gaps and penetrations up to it count as none. Bodies rest within it, and bounce as
// without.
#include "scree/checkpoint.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree::test {
namespace {

constexpr double slack = 1e-5;

/// A ball or a box of bounding radius 0.1 above a floor.
struct Resting {
    Resting(const Shape& shape, double half_height, double gap, double restitution = 0)
        : world(settings()), half(half_height)
    {
        world.set_surface(0, 0, {0.5, restitution});
        world.add(obstacle(Shape::half_space()));
        Body b;
        b.shape = shape;
        b.position = {0, 0, half + gap};
        id = world.add(b);
    }
    static Settings settings()
    {
        Settings s = exact(1e-3);
        s.slack = slack;
        return s;
    }
    [[nodiscard]] double gap() const { return world.body(id).position.z - half; }

    World world;
    double half;
    BodyId id = 0;
};

void rests(const Shape& shape, double half)
{
    constexpr double free = slack * 0.1;
    // Within the slack nothing moves.
    for (const double gap : {-0.9 * free, -0.3 * free, 0.4 * free, 0.9 * free}) {
        Resting r(shape, half, gap);
        run(r.world, 50);
        EXPECT_NEAR(r.gap(), gap, 1e-3 * free) << gap;
    }
    // What comes from above stays on its upper edge.
    Resting fallen(shape, half, 20 * free);
    run(fallen.world, 100);
    EXPECT_NEAR(fallen.gap(), free, 0.01 * free);
    // What is deeper is pushed out.
    Resting deep(shape, half, -20 * free);
    run(deep.world, 200);
    EXPECT_GT(deep.gap(), -1.01 * free);
    EXPECT_LT(deep.gap(), 1.01 * free);
}

TEST(Slack, BodiesRestWithinIt)
{
    rests(Shape::sphere(0.1), 0.1);
    const double edge = 0.2 / std::sqrt(3.0);
    rests(Shape::box(edge, edge, edge), edge / 2);
}

TEST(Slack, ABallBouncesAsWithout)
{
    Resting r(Shape::sphere(0.1), 0.1, 0.01, 0.5);
    Settings s = r.world.settings();
    s.gravity = {0, 0, 0};
    r.world.set_settings(s);
    r.world.set_velocity(r.id, {0, 0, -1}, {0, 0, 0});
    run(r.world, 15);
    EXPECT_NEAR(r.world.body(r.id).velocity.z, 0.5, 1e-12);
}

TEST(Slack, IsPartOfTheState)
{
    Resting r(Shape::sphere(0.1), 0.1, 0);
    run(r.world, 3);
    std::vector<Column> columns;
    r.world.save([&](Column&& column) { columns.push_back(std::move(column)); });
    const World again =
        World::restore([&](std::string_view name) { return find_column(columns, name); });
    EXPECT_EQ(again.settings().slack, slack);
    EXPECT_EQ(again.state_hash(), r.world.state_hash());
    Settings s = r.world.settings();
    s.slack = 0;
    r.world.set_settings(s);
    EXPECT_NE(again.state_hash(), r.world.state_hash());
}

}  // namespace
}  // namespace scree::test
