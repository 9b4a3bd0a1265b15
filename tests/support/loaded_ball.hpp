// A ball with its centre of mass off the middle, rocking on a plane, and its exact motion.
#pragma once

#include "support/worlds.hpp"

namespace scree::test {

struct LoadedBall {
    double m = 1, R = 0.1, d = 0.04, I = 0.004;

    /// φ̈ from d/dt(J φ̇) = ½ J′ φ̇² − m g d sin φ
    [[nodiscard]] double acceleration(double tilt, double rate) const
    {
        const double J = I + m * (R * R + d * d - 2 * R * d * std::cos(tilt));
        return -m * d * std::sin(tilt) * (g0 + R * rate * rate) / J;
    }
    /// By Runge and Kutta's method of fourth order.
    [[nodiscard]] double exact_tilt(double start, double t) const
    {
        const int n = 20000;
        const double h = t / n;
        double x = start;
        double v = 0;
        for (int i = 0; i < n; ++i) {
            const double a1 = acceleration(x, v);
            const double v2 = v + h / 2 * a1;
            const double a2 = acceleration(x + h / 2 * v, v2);
            const double v3 = v + h / 2 * a2;
            const double a3 = acceleration(x + h / 2 * v2, v3);
            const double v4 = v + h * a3;
            const double a4 = acceleration(x + h * v3, v4);
            x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        return x;
    }
};

struct LoadedBallWorld {
    World world;
    BodyId id = 0;

    LoadedBallWorld(const LoadedBall& ball, double h, double tilt,
                    Rotation rotation = Rotation::momentum)
        : world(with(h, rotation))
    {
        world.set_surface(0, 0, {5, 0});
        world.add(obstacle(Shape::half_space()));
        Body b = sphere(ball.R, {0, 0, ball.R});
        b.mass = MassProperties{ball.m, {0, 0, -ball.d}, {ball.I, 0, 0, ball.I, 0, ball.I}};
        b.orientation = about({0, 1, 0}, tilt);
        id = world.add(b);
    }
    static Settings with(double h, Rotation rotation)
    {
        Settings s = exact(h);
        s.rotation = rotation;
        return s;
    }
    /// Angle about y from the place of rest; x of the middle grows with it.
    [[nodiscard]] double tilt() const
    {
        const Vec up = rotate(world.body(id).orientation, Vec{0, 0, 1});
        return std::atan2(up.x, up.z);
    }
};

}  // namespace scree::test
