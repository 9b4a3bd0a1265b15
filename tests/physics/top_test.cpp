// A heavy symmetric top on its tip. In steady precession at tilt θ the rate Ω solves
// I₁ cos θ Ω² − I₃ω₃ Ω + m g l = 0 (I₁ about the tip); for a fast top Ω ≈ m g l/(I₃ω₃).
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace scree::test {
namespace {

/// Relative error of the measured rate after a whole turn.
double precession_error(Rotation rotation, double h)
{
    const double m = 0.5;
    const double l = 0.06;
    const double I3 = 0.5 * m * 0.05 * 0.05;
    const double I_c = 0.25 * m * 0.05 * 0.05;
    const double I1 = I_c + m * l * l;
    const double angle = 0.4;
    const double w3 = 200;
    const double root = std::sqrt(I3 * w3 * I3 * w3 - 4 * I1 * std::cos(angle) * m * g0 * l);
    const double rate = 2 * m * g0 * l / (I3 * w3 + root);
    EXPECT_NEAR(rate, m * g0 * l / (I3 * w3), 0.15 * rate);

    Settings s = exact(h);
    s.tolerance = 1e-10;
    s.rotation = rotation;
    World world(s);
    world.set_surface(0, 0, {2, 0});
    world.add(obstacle(Shape::half_space()));
    const Vec axis{std::sin(angle), 0, std::cos(angle)};
    Body top;
    top.shape = Shape::capsule(0, 2 * l);
    top.mass = MassProperties{m, {0, 0, 0}, {I3, 0, 0, I_c, 0, I_c}};
    top.orientation = orientation_of_x(axis);
    top.position = l * axis;
    const Vec w = rate * Vec{0, 0, 1} + (w3 - rate * std::cos(angle)) * axis;
    top.angular_velocity = w;
    top.velocity = cross(w, l * axis);
    const BodyId id = world.add(top);

    double turned = 0;
    double nodding = 0;
    double wander = 0;
    Vec before = axis;
    while (turned < 2 * std::acos(-1.0) && world.time() < 10) {
        world.step();
        const Body b = world.body(id);
        const Vec now = rotate(b.orientation, Vec{1, 0, 0});
        turned += std::asin((before.x * now.y - before.y * now.x) /
                            (std::hypot(before.x, before.y) * std::hypot(now.x, now.y)));
        before = now;
        nodding = std::max(nodding, std::abs(std::acos(now.z) - angle));
        wander = std::max(wander, std::hypot(b.position.x - l * now.x, b.position.y - l * now.y));
    }
    // The tip keeps its place up to the turn ω₃δt that a step takes about a fixed axis.
    EXPECT_LT(nodding, 0.02);
    EXPECT_LT(wander, w3 * h * l);
    return turned / world.time() / rate - 1;
}

TEST(Top, PrecessesAtTheSteadyRate)
{
    const double momentum = precession_error(Rotation::momentum, 1e-4);
    const double euler = precession_error(Rotation::semi_implicit_euler, 4e-5);
    std::printf("top's precession: error %.2e (momentum, 1e-4 s), %.2e (semi-implicit, 4e-5 s)\n",
                momentum, euler);
    EXPECT_LT(std::abs(momentum), 5e-3);
    EXPECT_LT(std::abs(euler), 3e-2);
}

}  // namespace
}  // namespace scree::test
