// Restitution: the rebound is e times the approach at the beginning of the closing step, wherever
// within the step the gap closes.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

World bouncing_world(const Settings& s, double e)
{
    World world(s);
    world.set_surface(0, 0, {0.5, e});
    return world;
}

TEST(Bounce, ReboundIsETimesApproachAtAnyPhaseOfTheStep)
{
    const double h = 1e-3;
    for (const double e : {0.5, 0.9, 1.0}) {
        for (int phase = 0; phase <= 40; ++phase) {
            World world = bouncing_world(exact(h), e);
            world.add(obstacle(Shape::half_space()));
            const double speed = 2;
            const double gap = (3 + phase / 40.0) * h * speed;
            const BodyId ball = world.add(sphere(0.05, {0, 0, 0.05 + gap}, {0, 0, -speed}));
            double before = -speed;
            int bounces = 0;
            for (int i = 0; i < 8; ++i) {
                world.step();
                const Body b = world.body(ball);
                EXPECT_GE(b.position.z, 0.05 - 1e-12);
                if (b.velocity.z > 0 && before < 0) {
                    ++bounces;
                    EXPECT_NEAR(b.velocity.z, -e * before, 1e-12) << e << " " << phase;
                    EXPECT_GT(world.report().energy.restitution_work, 0);
                } else {
                    EXPECT_NEAR(b.velocity.z, before - h * g0, 1e-12) << e << " " << phase;
                }
                before = b.velocity.z;
            }
            EXPECT_EQ(bounces, 1) << e << " " << phase;
        }
    }
}

// Impulses of the impact are where those of the rebound start from, whatever a step starts from.
TEST(Bounce, IsTheSameWithoutWarmStart)
{
    const auto after = [](double warm_start) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.warm_start = warm_start;
        World world(s);
        world.set_surface(0, 0, {0.3, 0.5});
        const BodyId ball = world.add(sphere(0.1, {0, 0, 0}, {1, 0.3, 0}));
        world.add(sphere(0.1, {0.2002, 0, 0}, {-1, -0.3, 0}));
        world.step();
        EXPECT_EQ(world.report()[Condition::energy_unbalanced].count, 0U);
        return world.body(ball).velocity;
    };
    const Vec warm = after(1), cold = after(0);
    EXPECT_NEAR(warm.x, -0.5, 1e-12);
    EXPECT_NEAR(norm(cold - warm), 0, 1e-12);
}

// A box that lands flat leaves flat: four contacts, one speed.
TEST(Bounce, ABoxOnItsFaceReboundsWithoutTurning)
{
    for (const double e : {0.3, 1.0}) {
        World world = bouncing_world(exact(1e-3, {0, 0, 0}), e);
        world.add(obstacle(Shape::half_space()));
        Body box = block({0.3, 0.2, 0.1}, {0, 0, 0.0507});
        box.velocity = {0, 0, -1};
        const BodyId id = world.add(box);
        world.step();
        const Body b = world.body(id);
        EXPECT_NEAR(b.velocity.z, e, 1e-11);
        EXPECT_LT(norm(b.angular_velocity), 1e-9);
    }
}

// Central impact of two spheres along any line, of any masses: v₁′ = V + e m₂/(m₁+m₂) (v₂ − v₁) …
TEST(Bounce, TwoSpheresExchangeMomentum)
{
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const double e = random.uniform();
        World world = bouncing_world(exact(1e-3, {0, 0, 0}), e);
        const Vec n = random.direction();
        const double r1 = random.uniform(0.02, 0.2);
        const double r2 = random.uniform(0.02, 0.2);
        const double v1 = random.uniform(0.5, 2);
        const double v2 = random.uniform(-2, 0);
        const double gap = random.uniform(0, 0.999) * 1e-3 * (v1 - v2);
        const BodyId a = world.add(sphere(r1, {0, 0, 0}, v1 * n));
        const BodyId b = world.add(sphere(r2, (r1 + r2 + gap) * n, v2 * n));
        const double m1 = world.body(a).mass->mass;
        const double m2 = world.body(b).mass->mass;
        world.step();
        const double mean = (m1 * v1 + m2 * v2) / (m1 + m2);
        const Vec u1 = (mean - e * m2 / (m1 + m2) * (v1 - v2)) * n;
        const Vec u2 = (mean + e * m1 / (m1 + m2) * (v1 - v2)) * n;
        EXPECT_LT(norm(world.body(a).velocity - u1), 1e-12);
        EXPECT_LT(norm(world.body(b).velocity - u2), 1e-12);
    }
}

// Relative to the wall: v′ = w + e (w − v).
TEST(Bounce, AMovingWallAddsItsVelocity)
{
    World world = bouncing_world(exact(1e-3, {0, 0, 0}), 0.6);
    Body wall = obstacle(Shape::half_space());
    wall.velocity = {0, 0, 1.5};
    world.add(wall);
    const BodyId ball = world.add(sphere(0.05, {0, 0, 0.0512}, {0, 0, -0.5}));
    world.step();
    EXPECT_NEAR(world.body(ball).velocity.z, 1.5 + 0.6 * 2, 1e-12);
}

TEST(Bounce, SlowApproachDoesNotBounce)
{
    Settings s = exact(1e-3, {0, 0, 0});
    s.restitution_threshold = 0.5;
    for (const double speed : {0.3, 0.5, 0.500001}) {
        World world = bouncing_world(s, 0.8);
        world.add(obstacle(Shape::half_space()));
        const double gap = 0.4e-3 * speed;
        const BodyId ball = world.add(sphere(0.05, {0, 0, 0.05 + gap}, {0, 0, -speed}));
        world.step();
        if (speed > s.restitution_threshold) {
            EXPECT_NEAR(world.body(ball).velocity.z, 0.8 * speed, 1e-12);
        } else {
            // It closes the gap and stays.
            EXPECT_NEAR(world.body(ball).velocity.z, -0.4 * speed, 1e-11);
            run(world, 2);
            EXPECT_NEAR(world.body(ball).position.z, 0.05, 1e-15);
            EXPECT_NEAR(world.body(ball).velocity.z, 0, 1e-15);
        }
    }
}

// Peaks of a bouncing ball: h_k = e²ᵏ h₀ up to O(δt), the constant from the speed that a step adds
// before the bounce: |Δv| ≤ g δt per bounce, Δh = v Δv / g ≤ δt v.
TEST(Bounce, PeaksDecayGeometrically)
{
    const double h = 1e-4;
    const double e = 0.8;
    const double drop = 0.5;
    World world = bouncing_world(exact(h), e);
    world.add(obstacle(Shape::half_space()));
    const BodyId ball = world.add(sphere(0.05, {0, 0, 0.05 + drop}));
    double peak = 0;
    double before = -1;
    int bounces = 0;
    for (int i = 0; i < 20000 && bounces < 5; ++i) {
        world.step();
        const Body b = world.body(ball);
        if (b.velocity.z > 0 && before < 0) {
            if (bounces > 0) {
                const double expected = drop * std::pow(e, 2 * bounces);
                EXPECT_NEAR(peak, expected, 3 * bounces * h * std::sqrt(2 * g0 * drop));
            }
            ++bounces;
            peak = 0;
        }
        peak = bounces > 0 ? std::max(peak, b.position.z - 0.05) : 0;
        before = b.velocity.z;
    }
    EXPECT_EQ(bounces, 5);
}

}  // namespace
}  // namespace scree::test
