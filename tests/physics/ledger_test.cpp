// The energy ledger: it closes to rounding in runs with everything in them, and each of its terms
// is what an independent expression says.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree::test {
namespace {

/// Closes every step, and over the run.
class Auditor {
public:
    void check(const World& world)
    {
        const EnergyLedger& e = world.report().energy;
        const double size = e.kinetic + std::abs(e.potential) + e.kinetic_before +
                            std::abs(e.potential_before) + std::abs(e.inserted) +
                            std::abs(e.removed) + std::abs(e.force_work) + std::abs(e.wall_work);
        EXPECT_LE(std::abs(e.residual()), 1e-12 * size) << world.report().step;
        EXPECT_EQ(world.report()[Condition::energy_unbalanced].count, 0U);
        sum_ += size;
        EXPECT_LE(std::abs(missing(world.energy())), 1e-14 * sum_ + 1e-12 * size)
            << world.report().step;
    }

private:
    double sum_ = 0;
};

Body grain(Random& random, int kind)
{
    Body b;
    const double a = random.uniform(0.03, 0.06);
    switch (kind % 5) {
    case 0: b.shape = Shape::sphere(a); break;
    case 1: b.shape = Shape::box(2 * a, 1.5 * a, a); break;
    case 2: b.shape = Shape::capsule(0.5 * a, a); break;
    case 3: b.shape = Shape::cylinder(0.8 * a, a); break;
    default: b.shape = Shape::ellipsoid(a, 0.8 * a, 0.6 * a); break;
    }
    b.orientation = random.orientation();
    b.velocity = random.in_ball();
    b.angular_velocity = 5.0 * random.in_ball();
    if (kind % 7 == 0) {
        b.mass = MassProperties{1, {0.2 * a, 0, 0.1 * a}, {2e-3, 1e-4, 0, 3e-3, 0, 4e-3}};
    }
    b.material = kind % 2 == 0 ? MaterialId(0) : MaterialId(1);
    return b;
}

// A shaken trough, periodic along x with gravity partly along it, bodies coming and going, pulled
// and kicked, bouncing off each other.
TEST(Ledger, ClosesInAShakenPeriodicTrough)
{
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s;
        // Explicit gyroscopic terms want steps far below 1/ω.
        s.time_step = rotation == Rotation::momentum ? 2e-3 : 4e-4;
        s.gravity = {3, 0, -9};
        s.threads = 1;
        s.sweeps = 30;
        s.rotation = rotation;
        s.period = {0.6, 0, 0};
        World world(s);
        world.add_material();
        world.set_surface(0, 1, {0.3, 0.7});
        world.set_surface(1, 1, {0.6, 0.2});
        const BodyId floor = world.add(obstacle(Shape::half_space()));
        const BodyId left =
            world.add(obstacle(Shape::half_space(), {0, -0.3, 0}, orientation_of_z({0, 1, 0})));
        world.add(obstacle(Shape::half_space(), {0, 0.3, 0}, orientation_of_z({0, -1, 0})));
        Random random(3);
        std::vector<BodyId> grains;
        Auditor auditor;
        double wrapped = 0;
        for (int i = 0; i < 1500 / shorter; ++i) {
            if (i % 10 == 0 && grains.size() < 60) {
                Body b = grain(random, i / 10);
                b.position = {random.uniform(0, 0.6), random.uniform(-0.2, 0.2), 0.5};
                grains.push_back(world.add(b));
            }
            if (i % 50 == 49) {
                world.remove(grains[static_cast<std::size_t>(i / 50 % 7)]);
                grains.erase(grains.begin() + i / 50 % 7);
            }
            const double shake = 0.3 * std::sin(0.05 * i);
            world.set_velocity(floor, {0.2 * shake, 0, shake}, {0, 0, 0});
            world.set_velocity(left, {0, shake, 0}, {0, 0, 0});
            if (i % 30 == 0) {
                world.set_force(grains.back(), {1, 2, 3}, {1e-5, 0, 2e-5});
                world.apply_impulse(grains.front(), {0, 0, 0.3}, {1e-6, 2e-6, 0});
            }
            world.step();
            auditor.check(world);
            ASSERT_FALSE(HasFailure());
            wrapped += world.report().energy.periodic_wrap;
        }
        if (shorter > 1) {
            continue;  // not all has happened yet
        }
        const EnergyLedger& e = world.energy();
        EXPECT_NE(wrapped, 0);
        EXPECT_NE(e.force_work, 0);
        EXPECT_NE(e.wall_work, 0);
        EXPECT_GT(e.restitution_work, 0);
        EXPECT_LT(e.friction_work, 0);
        EXPECT_EQ(e.periodic_wrap, wrapped);
    }
}

TEST(Ledger, ClosesInATurningDrum)
{
    Settings s;
    s.time_step = 2e-3;
    s.threads = 1;
    s.sweeps = 30;
    World world(s);
    Body drum = obstacle(Shape::cylinder_wall(0.5));
    drum.angular_velocity = {2, 0, 0};
    world.add(drum);
    world.add(obstacle(Shape::half_space(), {-0.2, 0, 0}, orientation_of_z({1, 0, 0})));
    world.add(obstacle(Shape::half_space(), {0.2, 0, 0}, orientation_of_z({-1, 0, 0})));
    Random random(4);
    world.add_material();
    for (int i = 0; i < 40; ++i) {
        Body b = grain(random, i);
        b.position = {0.1 * (i % 2) - 0.05, 0.12 * (i / 2 % 5) - 0.24, 0.12 * (i / 10) - 0.24};
        world.add(b);
    }
    Auditor auditor;
    double largest = 0;
    for (int i = 0; i < 1500 / shorter; ++i) {
        world.step();
        auditor.check(world);
        ASSERT_FALSE(HasFailure());
        largest = std::max(largest, world.report().max_penetration);
    }
    // The drum drives, friction takes: in the mean all of the wall's work.
    EXPECT_GT(world.energy().wall_work, 0);
    EXPECT_LT(world.energy().friction_work, 0);
    EXPECT_LT(largest, 0.02);
}

TEST(Ledger, APistonLiftsABlock)
{
    const double v = 0.7;
    World world(exact(1e-3));
    Body piston = obstacle(Shape::half_space());
    piston.velocity = {0, 0, v};
    world.add(piston);
    const BodyId id = world.add(block({0.2, 0.2, 0.2}, {0, 0, 0.1}));
    const double m = world.body(id).mass->mass;
    run(world, 1000);
    // It is brought up to v at once, which costs the piston m v² and loses half of it.
    EXPECT_NEAR(world.energy().wall_work, m * v * v + m * g0 * v, 1e-9 * m);
    EXPECT_NEAR(world.energy().normal_work, -0.5 * m * v * (v + g0 * 1e-3), 1e-9 * m);
    EXPECT_NEAR(world.energy().potential, m * g0 * (0.1 + v), 1e-9 * m);
    EXPECT_NEAR(world.energy().friction_work, 0, 1e-9 * m);
}

// A belt that drags a block up to its speed: the belt gives m v², friction turns half into heat.
TEST(Ledger, ABeltDragsABlock)
{
    Settings s = exact(1e-4);
    s.law = Law::coulomb;
    World world(s);
    world.set_surface(0, 0, {0.5, 0});
    Body belt = obstacle(Shape::half_space());
    belt.velocity = {1, 0, 0};
    world.add(belt);
    const BodyId id = world.add(block({0.2, 0.2, 0.1}, {0, 0, 0.05}));
    const double m = world.body(id).mass->mass;
    run(world, 3000);
    EXPECT_NEAR(world.body(id).velocity.x, 1, 1e-9);
    EXPECT_NEAR(world.energy().wall_work, m, 1e-8 * m);
    EXPECT_NEAR(world.energy().friction_work, -0.5 * m, 1e-8 * m);
}

TEST(Ledger, CountsForceTorqueAndImpulse)
{
    World world(exact(1e-3, {0, 0, 0}));
    const BodyId pulled = world.add(sphere(0.1, {0, 0, 0}));
    const BodyId kicked = world.add(sphere(0.1, {5, 0, 0}));
    const double m = world.body(pulled).mass->mass;
    const double I = world.body(pulled).mass->inertia.xx;
    world.set_force(pulled, {0, 3, 0}, {0, 0, 0.2});
    world.apply_impulse(kicked, {2, 0, 0}, {0, 0.1, 0});
    world.apply_impulse(kicked, {1, 0, 0});
    run(world, 500);
    const double expected = 0.5 * (3 * 0.5) * (3 * 0.5) / m + 0.5 * (0.2 * 0.5) * (0.2 * 0.5) / I +
                            0.5 * 9 / m + 0.5 * 0.01 / I;
    EXPECT_NEAR(world.energy().force_work, expected, 1e-12 * expected);
    EXPECT_NEAR(world.energy().kinetic, expected, 1e-12 * expected);
}

TEST(Ledger, CountsFreeFallAndPeriodicBorders)
{
    const double h = 1e-3;
    Settings s = exact(h, {4, 0, 0});
    s.period = {0.5, 0, 0};
    World world(s);
    const BodyId id = world.add(sphere(0.05, {0.1, 0, 0}));
    const double m = world.body(id).mass->mass;
    const int n = 1500;
    run(world, n);
    const double t = n * h;
    const double way = 0.5 * 4 * (t * t + t * h);
    const double borders = std::floor((0.1 + way) / 0.5);
    EXPECT_GT(borders, 5);
    EXPECT_NEAR(world.body(id).position.x, 0.1 + way - 0.5 * borders, 1e-11);
    EXPECT_NEAR(world.energy().periodic_wrap, borders * m * 4 * 0.5, 1e-10 * m);
    EXPECT_NEAR(world.energy().gravity_error, -0.5 * m * 16 * h * t, 1e-10 * m);
    EXPECT_NEAR(world.energy().gravity_work, 0.5 * m * 16 * t * t, 1e-10 * m);
}

TEST(Ledger, CountsInsertionRemovalAndNewGravity)
{
    World world(exact(1e-3));
    const BodyId a = world.add(sphere(0.1, {0, 0, -20}, {3, 0, 0}));
    const double m = world.body(a).mass->mass;
    world.step();
    EXPECT_NEAR(world.report().energy.inserted, m * (4.5 - 20 * g0), 1e-10 * m);
    EXPECT_TRUE(world.report().good());
    const BodyId b = world.add(sphere(0.1, {5, 0, 2}));
    const Body gone = world.body(a);
    world.remove(a);
    world.step();
    EXPECT_NEAR(world.report().energy.inserted, m * 2 * g0, 1e-10 * m);
    EXPECT_NEAR(world.report().energy.removed,
                m * (0.5 * dot(gone.velocity, gone.velocity) + g0 * gone.position.z), 1e-10 * m);
    EXPECT_TRUE(world.report().good());
    Settings s = world.settings();
    s.gravity = {0, 0, -1};
    world.set_settings(s);
    const double z = world.body(b).position.z;
    world.step();
    EXPECT_NEAR(world.report().energy.inserted, m * z * (1 - g0), 1e-10 * m);
    EXPECT_TRUE(world.report().good());
    world.set_velocity(b, {0, 0, 4}, {0, 0, 0});
    world.set_pose(b, {0, 0, 7}, {1, 0, 0, 0});
    world.step();
    EXPECT_LT(std::abs(missing(world.energy())), 1e-10 * m);
}

// Parts of the normal work of a single sphere that closes a gap, bounces, or is pushed out.
TEST(Ledger, TellsThePartsOfNormalWork)
{
    const double h = 1e-3;
    const auto world_of = [&](double e, double gap, double speed) {
        World world(exact(h, {0, 0, 0}));
        world.set_surface(0, 0, {0, e});
        world.add(obstacle(Shape::half_space()));
        world.add(sphere(0.1, {0, 0, 0.1 + gap}, {0, 0, -speed}));
        world.step();
        return world;
    };
    const double m = mass_properties(Shape::sphere(0.1), 1000).mass;
    const double rate = 0.3;  // gap/δt
    const World closing = world_of(0, rate * h, 1);
    EXPECT_NEAR(closing.energy().gap_work, -m * (1 - rate) * rate, 1e-10 * m);
    EXPECT_NEAR(closing.energy().normal_work, -0.5 * m * (1 - rate * rate), 1e-10 * m);
    const World bouncing = world_of(0.5, rate * h, 1);
    EXPECT_NEAR(bouncing.energy().restitution_work, 1.5 * m * 0.5, 1e-10 * m);
    EXPECT_NEAR(bouncing.energy().normal_work, -0.5 * m * (1 - 0.25), 1e-10 * m);
    EXPECT_EQ(bouncing.energy().gap_work, 0);
    const World pushed = world_of(0, -rate * h, 0);
    const double v = 0.2 * rate;
    EXPECT_NEAR(pushed.energy().correction_work, m * v * v, 1e-10 * m);
    EXPECT_NEAR(pushed.energy().normal_work, 0.5 * m * v * v, 1e-10 * m);
    EXPECT_NEAR(pushed.energy().kinetic, 0.5 * m * v * v, 1e-10 * m);
}

// What explicit gyroscopic terms and turned inertia do to energy, against the energy itself.
TEST(Ledger, CountsGyroscopicWorkAndTurnedInertia)
{
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.rotation = rotation;
        World world(s);
        Body b = block({0.1, 0.2, 0.4}, {0, 0, 0});
        b.angular_velocity = {3, 4, 5};
        const BodyId id = world.add(b);
        const double before = 0.5 * dot(b.angular_velocity, spin_of(world.body(id)));
        run(world, 1000);
        const Body now = world.body(id);
        const double after = 0.5 * dot(now.angular_velocity, spin_of(now));
        const EnergyLedger& e = world.energy();
        EXPECT_NEAR(e.gyroscopic_work + e.rotation_error, after - before, 1e-11 * before);
        EXPECT_EQ(e.gyroscopic_work == 0, rotation == Rotation::momentum);
        EXPECT_NE(e.rotation_error, 0);
    }
}

}  // namespace
}  // namespace scree::test
