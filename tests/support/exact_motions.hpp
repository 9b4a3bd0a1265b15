// Motions with a closed form, stepped to a fixed time: the error as a function of the time step.
#pragma once

#include "support/loaded_ball.hpp"
#include "support/worlds.hpp"

#include <cmath>

namespace scree::test {

inline double sliding_then_rolling(double h)
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
inline double bouncing(double h)
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

inline double swinging(double h)
{
    const LoadedBall ball;
    LoadedBallWorld scene(ball, h, 1.0);
    run(scene.world, std::lround(0.3 / h));
    return std::abs(scene.tilt() - ball.exact_tilt(1.0, 0.3));
}

/// Angle of a symmetric body's axis from where it should be.
inline double precessing(Rotation rotation, double h)
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

}  // namespace scree::test
