// Bodies that come and go between any two steps: ids keep their bodies, memory does not grow.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace scree::test {
namespace {

TEST(Insertion, IdsKeepTheirBodiesAndMemoryStays)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.sweeps = 20;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    const BodyId drum =
        world.add(obstacle(Shape::cylinder_wall(0.6), {0, 0, 0}, orientation_of_x({0, 0, 1})));
    Random random(51);
    std::deque<BodyId> bodies;
    std::map<BodyId, double> sizes;
    std::size_t early = 0;
    const int steps = 6000 / shorter;
    for (int i = 0; i < steps; ++i) {
        if (bodies.size() >= 80) {
            const auto k = static_cast<std::size_t>(random.uniform(0, 79.99));
            const BodyId gone = bodies[k];
            bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(k));
            world.remove(gone);
            sizes.erase(gone);
            EXPECT_FALSE(world.contains(gone));
        }
        // Every body is of a kind of its own.
        Body b;
        const double a = random.uniform(0.02, 0.05);
        b.shape = i % 3 == 0 ? Shape::box(a, 2 * a, a) : Shape::sphere(a);
        const double x = random.uniform(-0.4, 0.4);
        const double y = random.uniform(-0.4, 0.4);
        b.position = {x, y, 1.5 + 0.001 * (i % 100)};
        const BodyId id = world.add(b);
        bodies.push_back(id);
        sizes[id] = b.shape.size.x;
        world.step();
        EXPECT_EQ(world.dynamic_count(), bodies.size());
        EXPECT_EQ(world.report()[Condition::not_finite].count, 0U);
        if (i % 100 == 0) {
            for (const auto& [known, size] : sizes) {
                EXPECT_EQ(world.body(known).shape.size.x, size);
            }
            const Frame frame = world.frame();
            EXPECT_EQ(frame.ids.size(), bodies.size() + 2);
            EXPECT_EQ(frame.dynamic_count, bodies.size());
        }
        if (i == steps / 2) {
            early = world.bytes();
        }
    }
    if (shorter == 1) {  // else it has not settled yet
        EXPECT_LT(static_cast<double>(world.bytes()), 1.05 * static_cast<double>(early));
    }
    EXPECT_TRUE(world.contains(drum));
}

// A body alone moves as if the others had never been.
TEST(Insertion, RemovedBodiesLeaveNoTrace)
{
    World world(exact(1e-3));
    const BodyId kept = world.add(sphere(0.1, {0, 0, 5}, {1, 0, 0}));
    World lonely(exact(1e-3));
    const BodyId alone = lonely.add(sphere(0.1, {0, 0, 5}, {1, 0, 0}));
    for (int i = 0; i < 300; ++i) {
        Body b = block({0.1, 0.1, 0.1}, {2, 0, 5.0 + i % 7});
        const BodyId guest = world.add(b);
        world.set_force(guest, {1, 2, 3}, {1, 2, 3});
        world.step();
        lonely.step();
        if (i % 2 == 0) {
            world.step();
            lonely.step();
        }
        world.remove(guest);
    }
    EXPECT_EQ(norm(world.body(kept).position - lonely.body(alone).position), 0);
    EXPECT_EQ(world.body_count(), 1U);
    world.remove(kept);
    world.step();
    EXPECT_EQ(world.report().energy.kinetic, 0);
    EXPECT_EQ(world.body_count(), 0U);
    EXPECT_TRUE(world.report().good());
    EXPECT_LT(std::abs(missing(world.energy())), 1e-7);
}

// Taking away a support lets what it carried fall in the next step.
TEST(Insertion, ARemovedSupportLetsGo)
{
    World world(exact(1e-3));
    const BodyId table = world.add(obstacle(Shape::box(1, 1, 0.1), {0, 0, 0.95}));
    const BodyId id = world.add(block({0.2, 0.2, 0.2}, {0, 0, 1.1}));
    run(world, 50);
    EXPECT_NEAR(world.body(id).position.z, 1.1, 1e-9);
    world.remove(table);
    world.step();
    EXPECT_NEAR(world.body(id).velocity.z, -g0 * 1e-3, 1e-9);
}

}  // namespace
}  // namespace scree::test
