// A body without contacts: semi-implicit Euler's own closed form, and its distance from the
// parabola.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

// v_n = v + n δt g, x_n = x + n δt v + ½ n(n+1) δt² g
TEST(Fall, IsSemiImplicitEulerToRounding)
{
    const double h = 1e-3;
    const Vec g{0.3, -1.2, -9.81};
    const Vec x{1, 2, 30};
    const Vec v{-2, 1, 5};
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s = exact(h, g);
        s.rotation = rotation;
        World world(s);
        const BodyId ball = world.add(sphere(0.05, x, v));
        Body brick = block({0.1, 0.2, 0.3}, x + Vec{5, 0, 0});
        brick.velocity = v;
        brick.angular_velocity = {3, -2, 1};
        const BodyId tumbling = world.add(brick);
        const int n = 2000;
        run(world, n);
        const double t = n * h;
        const Vec fallen = t * v + (0.5 * (t * t + t * h)) * g;
        for (const auto& [id, from] : {std::pair{ball, x}, std::pair{tumbling, x + Vec{5, 0, 0}}}) {
            const Body b = world.body(id);
            EXPECT_LT(norm(b.position - from - fallen), 1e-11);
            EXPECT_LT(norm(b.velocity - v - t * g), 1e-11);
        }
        EXPECT_NEAR(world.time(), t, 1e-12);
        // The parabola is missed by ½ g δt t.
        const Vec miss = world.body(ball).position - x - (t * v + (0.5 * t * t) * g);
        EXPECT_NEAR(norm(miss), 0.5 * norm(g) * h * t, 1e-10);
    }
}

}  // namespace
}  // namespace scree::test
