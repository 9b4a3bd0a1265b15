// Newton's cradle without strings. Spheres that touch are hit at once, not one after the other: the
// only contact that approaches is the first, so it alone bounces, and the row behind it answers as
// one body of n−1 masses. With e = 1 the striker therefore comes back with (2−n)/n of its speed and
// the row leaves together with 2/n. That keeps momentum and energy, but it is not what steel balls
// do; they are separated by waves, that is by gaps. With gaps that a step does not bridge the
// impacts follow each other, and the last ball leaves with everything.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree::test {
namespace {

struct Cradle {
    World world;
    std::vector<BodyId> balls;

    Cradle(int n, double gap, double speed) : world(exact(1e-3, {0, 0, 0}))
    {
        world.set_surface(0, 0, {0.3, 1});
        for (int i = 0; i < n; ++i) {
            balls.push_back(world.add(sphere(0.05, {i * (0.1 + gap), 0, 0}, {0, 0, 0})));
        }
        world.set_velocity(balls[0], {speed, 0, 0}, {0, 0, 0});
    }
    [[nodiscard]] double speed(int i) const
    {
        return world.body(balls[static_cast<std::size_t>(i)]).velocity.x;
    }
};

TEST(Cradle, BallsThatTouchAnswerAsOne)
{
    for (const int n : {2, 3, 5, 8}) {
        Cradle cradle(n, 0, 2);
        cradle.world.step();
        EXPECT_NEAR(cradle.speed(0), 2.0 * (2 - n) / n, 1e-10) << n;
        for (int i = 1; i < n; ++i) {
            EXPECT_NEAR(cradle.speed(i), 4.0 / n, 1e-10) << n << " " << i;
        }
    }
}

TEST(Cradle, BallsApartHandEverythingToTheLast)
{
    Cradle cradle(5, 0.01, 2);
    run(cradle.world, 40);
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(cradle.speed(i), 0, 1e-12);
    }
    EXPECT_NEAR(cradle.speed(4), 2, 1e-12);
}

// Gaps smaller than a step's way: whatever the pattern, momentum stays and energy is not gained.
TEST(Cradle, SmallGapsGainNothing)
{
    for (const double gap : {1e-9, 1e-5, 3e-4, 1e-3, 1.9e-3}) {
        Cradle cradle(6, gap, 2);
        const double p = cradle.world.momentum().linear.x;
        double before = 1e300;
        for (int i = 0; i < 30; ++i) {
            cradle.world.step();
            EXPECT_NEAR(cradle.world.momentum().linear.x, p, 1e-12 * p) << gap;
            const double now = cradle.world.report().energy.kinetic;
            EXPECT_LE(now, before * (1 + 1e-12)) << gap;
            before = now;
        }
        EXPECT_GT(cradle.speed(5), 0.1) << gap;
    }
}

}  // namespace
}  // namespace scree::test
