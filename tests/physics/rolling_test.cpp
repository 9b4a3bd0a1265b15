// Spheres that roll: from sliding to rolling, and down an incline.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

// Angular momentum about the line of contact is kept: v = 5/7 v₀ after T = 2v₀/(7μg), with
// 12 v₀²/(49 μ g) behind it.
TEST(Rolling, ASlidingSphereEndsAtFiveSevenths)
{
    const double h = 1e-4;
    const double v0 = 1;
    const double mu = 0.3;
    const double r = 0.1;
    const double T = 2 * v0 / (7 * mu * g0);
    World world(exact(h));
    world.set_surface(0, 0, {mu, 0});
    world.add(obstacle(Shape::half_space()));
    const BodyId id = world.add(sphere(r, {0, 0, r}, {v0, 0, 0}));
    double transition = -1;
    double way = 0;
    for (int i = 1; i <= 5000; ++i) {
        world.step();
        const Body b = world.body(id);
        const double slip = b.velocity.x - r * b.angular_velocity.y;
        if (i * h < T) {
            EXPECT_NEAR(b.velocity.x, v0 - mu * g0 * i * h, 1e-10);
            EXPECT_NEAR(b.angular_velocity.y, 2.5 * mu * g0 * i * h / r, 1e-8);
        }
        if (transition < 0 && std::abs(slip) < 1e-10) {
            transition = i * h;
            way = b.position.x;
        }
        EXPECT_NEAR(b.position.z, r, 1e-13);
    }
    EXPECT_NEAR(transition, T, 1.01 * h);
    EXPECT_NEAR(way, 12 * v0 * v0 / (49 * mu * g0), 2 * h * v0);
    EXPECT_NEAR(world.body(id).velocity.x, 5.0 / 7 * v0, 1e-11);
    EXPECT_NEAR(world.body(id).angular_velocity.y, 5.0 / 7 * v0 / r, 1e-10);
    EXPECT_LT(std::abs(world.body(id).velocity.y), 1e-14);
}

// a = 5/7 g sin θ while tan θ ≤ 7/2 μ, and slipping beyond: a = g (sin θ − μ cos θ).
TEST(Rolling, ASphereRollsOrSlipsDownAnIncline)
{
    const double h = 1e-3;
    const double r = 0.1;
    const double mu = 0.2;
    for (const double angle : {0.1, 0.4, 0.7, 1.0}) {
        World world(exact(h));
        world.set_surface(0, 0, {mu, 0});
        const Vec n{std::sin(angle), 0, std::cos(angle)};
        const Vec down{std::cos(angle), 0, -std::sin(angle)};
        world.add(obstacle(Shape::half_space(), {0, 0, 0}, orientation_of_z(n)));
        const BodyId id = world.add(sphere(r, r * n));
        run(world, 1000);
        const bool rolls = std::tan(angle) <= 3.5 * mu;
        const double a =
            rolls ? 5.0 / 7 * g0 * std::sin(angle) : g0 * (std::sin(angle) - mu * std::cos(angle));
        const Body b = world.body(id);
        EXPECT_NEAR(dot(b.velocity, down), a, 1e-9) << angle;
        EXPECT_NEAR(dot(b.velocity, n), 0, 1e-10) << angle;
        EXPECT_NEAR(dot(b.position, down), 0.5 * a * (1 + h), 1e-9) << angle;
        const double turning = rolls ? a / r : 2.5 * mu * g0 * std::cos(angle) / r;
        EXPECT_NEAR(b.angular_velocity.y, turning, 1e-8) << angle;
    }
}

}  // namespace
}  // namespace scree::test
