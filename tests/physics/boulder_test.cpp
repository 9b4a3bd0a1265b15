// A boulder among dust: a body with many more neighbours than others is split into copies, which
// must not show in the result.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace scree::test {
namespace {

/// Dust just above the boulder's surface, flying to its middle.
void add_dust(World& world, const Body& boulder, double size, double r, int count)
{
    world.add(boulder);
    const double golden = std::acos(-1.0) * (3 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
        const double z = 1 - 2 * (i + 0.5) / count;
        const double flat = std::sqrt(1 - z * z);
        const Vec n{flat * std::cos(golden * i), flat * std::sin(golden * i), z};
        world.add(sphere(r, (size + 1.01 * r) * n, -1.0 * n + Vec{0.3, -0.2 * z, 0.1}));
    }
}

void check(World& world, int steps)
{
    const World::Momentum start = world.momentum();
    double size = 0;
    for (const BodyId id : world.frame().ids) {
        const Body b = world.body(id);
        size += b.mass->mass * norm(b.velocity);
    }
    double before = 1e300;
    for (int i = 0; i < steps; ++i) {
        const StepReport& r = world.step();
        const World::Momentum now = world.momentum();
        EXPECT_GT(r.split_copies, 0);
        EXPECT_LE(r.colours, 40);
        EXPECT_LT(norm(now.linear - start.linear), 1e-11 * size) << i;
        EXPECT_LT(norm(now.angular - start.angular), 1e-11 * size) << i;
        EXPECT_LT(std::abs(r.energy.residual()), 1e-11 * (r.energy.kinetic + 1));
        if (r[Condition::unconverged].count == 0) {
            EXPECT_LE(r.energy.kinetic - r.energy.rotation_error, before * (1 + 1e-6));
        }
        before = r.energy.kinetic;
    }
    const StepReport& r = world.report();
    std::printf("boulder: %d copies, %d colours, %zu contacts active, %d sweeps\n", r.split_copies,
                r.colours, r.loaded_contacts, r.sweeps);
}

Settings dusty()
{
    Settings s = exact(1e-3, {0, 0, 0});
    s.rotation = Rotation::momentum;
    s.error_reduction = 0;
    s.sweeps = 300;
    s.tolerance = 1e-6;
    return s;
}

TEST(Boulder, MayBeASphereOfFiftyTimesTheSize)
{
    World world(dusty());
    add_dust(world, sphere(0.5, {0, 0, 0}), 0.5, 0.01, 3000);
    check(world, 15);
}

// An ellipsoid's copies need its inertia as well.
TEST(Boulder, MayBeAnEllipsoid)
{
    World world(dusty());
    Body boulder;
    boulder.shape = Shape::ellipsoid(0.5, 0.5 * (1 - 1e-9), 0.5 * (1 - 1e-9));
    boulder.mass = MassProperties{500, {0, 0, 0}, {30, 0, 0, 50, 0, 60}};
    boulder.angular_velocity = {0.5, 0.2, -0.3};
    add_dust(world, boulder, 0.5, 0.02, 800);
    check(world, 15);
}

// The same impulses, split or not: a plate on 40 legs.
TEST(Boulder, HasCopiesThatDoNotChangeTheSolution)
{
    Vec velocity[2];
    Vec turning[2];
    for (const int split : {0, 1}) {
        Settings s = exact(1e-3);
        s.contacts_per_copy = split == 1 ? 4 : 32;
        s.tolerance = 1e-12;
        World world(s);
        world.set_surface(0, 0, {0.3, 0});
        for (int i = 0; i < 24; ++i) {
            const double angle = 0.2618 * i;
            world.add(obstacle(Shape::sphere(0.05),
                               {0.8 * std::cos(angle), 0.8 * std::sin(angle), -0.05}));
        }
        Body plate = block({2, 2, 0.1}, {0, 0, 0.05});
        plate.velocity = {0.1, 0, -1};
        plate.angular_velocity = {0, 0, 0.5};
        const BodyId id = world.add(plate);
        world.step();
        EXPECT_EQ(world.report().split_copies > 0, split == 1);
        velocity[split] = world.body(id).velocity;
        turning[split] = world.body(id).angular_velocity;
    }
    // Impulses are not unique with 24 legs, velocities along the normal are.
    EXPECT_NEAR(velocity[0].z, 0, 1e-9);
    EXPECT_NEAR(velocity[1].z, 0, 1e-9);
    EXPECT_LT(std::abs(turning[1].x) + std::abs(turning[1].y), 1e-9);
}

}  // namespace
}  // namespace scree::test
