// Errors at δt, δt/2, δt/4 against exact motions: the step is of first order, free rotation that
// carries momentum of second. Prints the table.
#include "support/loaded_ball.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

namespace scree::test {
namespace {

void expect_order(const char* name, double order, double h, const std::function<double(double)>& f)
{
    const double error[3] = {f(h), f(h / 2), f(h / 4)};
    const double slope[2] = {std::log2(error[0] / error[1]), std::log2(error[1] / error[2])};
    std::printf("%-28s dt %.1e: errors %.3e %.3e %.3e, slopes %.3f %.3f\n", name, h, error[0],
                error[1], error[2], slope[0], slope[1]);
    EXPECT_NEAR(slope[0], order, 0.15) << name;
    EXPECT_NEAR(slope[1], order, 0.15) << name;
}

double sliding_then_rolling(double h)
{
    const double v0 = 1;
    const double mu = 0.2;
    const double t = 0.4;
    const double T = 2 * v0 / (7 * mu * g0);
    World world(exact(h));
    world.set_surface(0, 0, {mu, 0});
    world.add(obstacle(Shape::half_space()));
    const BodyId id = world.add(sphere(0.1, {0, 0, 0.1}, {v0, 0, 0}));
    run(world, std::lround(t / h));
    const double exact_way = v0 * T - 0.5 * mu * g0 * T * T + 5.0 / 7 * v0 * (t - T);
    return std::abs(world.body(id).position.x - exact_way);
}

/// Mean over where in a step the bounce falls, each with its own constant.
double bouncing(double h)
{
    const double e = 0.7;
    const double t = 0.4;
    double sum = 0;
    const int phases = 64;
    for (int k = 0; k < phases; ++k) {
        const double drop = 0.2 + 0.02 * k / phases;
        World world(exact(h));
        world.set_surface(0, 0, {0, e});
        world.add(obstacle(Shape::half_space()));
        const BodyId id = world.add(sphere(0.1, {0, 0, 0.1 + drop}));
        run(world, std::lround(t / h));
        const double hit = std::sqrt(2 * drop / g0);
        const double after = t - hit;
        const double height = e * g0 * hit * after - 0.5 * g0 * after * after;
        sum += std::abs(world.body(id).position.z - 0.1 - height);
    }
    return sum / phases;
}

double swinging(double h)
{
    const LoadedBall ball;
    LoadedBallWorld scene(ball, h, 1.0);
    run(scene.world, std::lround(0.3 / h));
    return std::abs(scene.tilt() - ball.exact_tilt(1.0, 0.3));
}

/// Angle of a symmetric body's axis from where it should be.
double precessing(Rotation rotation, double h)
{
    Settings s = exact(h, {0, 0, 0});
    s.rotation = rotation;
    World world(s);
    Body b = block({0.1, 0.1, 0.1}, {0, 0, 0});
    b.mass = MassProperties{1, {0, 0, 0}, {3, 0, 0, 2, 0, 2}};
    b.angular_velocity = {3, 1.5, 0};
    const BodyId id = world.add(b);
    const Vec L{9, 3, 0};
    const double t = 0.5;
    run(world, std::lround(t / h));
    const Vec axis = rotate(world.body(id).orientation, Vec{1, 0, 0});
    return norm(axis - rotate(about(L, norm(L) / 2 * t), Vec{1, 0, 0}));
}

TEST(Convergence, first_order_in_the_time_step)
{
    expect_order("sliding, then rolling", 1, 2e-3, sliding_then_rolling);
    expect_order("bouncing", 1, 2e-3, bouncing);
    expect_order("swinging loaded ball", 1, 1e-3, swinging);
    expect_order("free precession, Euler", 1, 2e-3,
                 [](double h) { return precessing(Rotation::semi_implicit_euler, h); });
    expect_order("free precession, momentum", 2, 1e-2,
                 [](double h) { return precessing(Rotation::momentum, h); });
}

}  // namespace
}  // namespace scree::test
