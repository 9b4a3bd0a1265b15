// Bodies that turn freely: angular momentum, energy, flips about the middle axis, precession of a
// symmetric body, moments that are infinite, and a centre of mass off the shape's origin.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

namespace scree::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Body brick(const Vec& moments, const Vec& w)
{
    Body b = block({0.1, 0.1, 0.1}, {0, 0, 0});
    b.mass = MassProperties{1, {0, 0, 0}, {moments.x, 0, 0, moments.y, 0, moments.z}};
    b.angular_velocity = w;
    return b;
}

World free_world(double h, Rotation rotation)
{
    Settings s = exact(h, {0, 0, 0});
    s.rotation = rotation;
    return World(s);
}

/// Complete elliptic integral of the first kind, by the arithmetic-geometric mean.
double elliptic_K(double k2)
{
    double a = 1;
    double b = std::sqrt(1 - k2);
    for (int i = 0; i < 30; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::acos(-1.0) / (2 * a);
}

const Vec moments{1, 2, 3};
const Vec flipping{0.3, 4, 0.3};

/// Time between two flips of a body with I₁ < I₂ < I₃ that starts with ω in its own frame: half
/// the period of Euler's equations.
double flip_time(const Vec& I, const Vec& w)
{
    const double E2 = I.x * w.x * w.x + I.y * w.y * w.y + I.z * w.z * w.z;
    const double L2 = I.x * I.x * w.x * w.x + I.y * I.y * w.y * w.y + I.z * I.z * w.z * w.z;
    double a = (I.z - I.y) * (L2 - E2 * I.x);
    double b = (I.y - I.x) * (E2 * I.z - L2);
    if (L2 < E2 * I.y) {
        std::swap(a, b);
    }
    return 2 * elliptic_K(b / a) * std::sqrt(I.x * I.y * I.z / a);
}

/// Mean time between changes of sign of ω_y in the body's frame.
double measured_flip_time(Rotation rotation, double h, double until)
{
    World world = free_world(h, rotation);
    const BodyId id = world.add(brick(moments, flipping));
    double before = flipping.y;
    double first = 0;
    double last = 0;
    int flips = 0;
    while (world.time() < until) {
        world.step();
        const Body b = world.body(id);
        const double now = rotate_back(b.orientation, b.angular_velocity).y;
        if (now * before < 0) {
            last = world.time() - h * now / (now - before);
            first = flips == 0 ? last : first;
            ++flips;
        }
        before = now;
    }
    EXPECT_GE(flips, 3);
    return (last - first) / (flips - 1);
}

TEST(FreeRotation, FlipsAboutTheMiddleAxisAtTheTimeOfTheEllipticIntegral)
{
    const double expected = flip_time(moments, flipping);
    double error[2] = {};
    for (const int k : {0, 1}) {
        const double h = 1e-3 / (1 + k);
        error[k] = measured_flip_time(Rotation::momentum, h, 20) / expected - 1;
    }
    EXPECT_LT(std::abs(error[0]), 1e-3);
    EXPECT_NEAR(error[0] / error[1], 4, 0.4) << error[0] << " " << error[1];  // second order
    // First order, and energy that comes in lets it flip sooner or later each time.
    const double coarse = measured_flip_time(Rotation::semi_implicit_euler, 2e-4, 10);
    EXPECT_NEAR(coarse, expected, 0.05 * expected);
}

TEST(FreeRotation, MomentumIsKeptToRoundingAndEnergyStaysNear)
{
    double most[2] = {};
    for (const int k : {0, 1}) {
        const double h = 1e-3 / (1 + k);
        World world = free_world(h, Rotation::momentum);
        const BodyId id = world.add(brick(moments, {0.3, 4, -0.2}));
        const Vec L = world.momentum().angular;
        const double E = 0.5 * dot(world.body(id).angular_velocity, L);
        double first_half = 0;
        double second_half = 0;
        const int n = 100000 / (shorter > 1 ? 4 : 1);
        for (int i = 0; i < n; ++i) {
            world.step();
            const double off = std::abs(world.report().energy.kinetic / E - 1);
            (i < n / 2 ? first_half : second_half) =
                std::max(i < n / 2 ? first_half : second_half, off);
        }
        EXPECT_LT(norm(world.momentum().angular - L), 1e-11 * norm(L));
        EXPECT_LT(second_half, 1.05 * first_half) << "energy drifts";
        most[k] = first_half;
    }
    EXPECT_LT(most[0], 1e-5);
    EXPECT_NEAR(most[0] / most[1], 4, 0.2);
}

// Far beyond what the step resolves, 2 rad in each, momentum is still kept and energy bounded by
// L²/(2 I) of the least and the greatest moment.
TEST(FreeRotation, MomentumIsKeptHoweverFast)
{
    World world = free_world(1e-3, Rotation::momentum);
    const Vec w{1500, 1000, 500};
    world.add(brick(moments, w));
    const Vec L = world.momentum().angular;
    for (int i = 0; i < 10000; ++i) {
        const double E = world.step().energy.kinetic;
        EXPECT_GE(E, dot(L, L) / (2 * moments.z) * (1 - 1e-9));
        EXPECT_LE(E, dot(L, L) / (2 * moments.x) * (1 + 1e-9));
    }
    EXPECT_LT(norm(world.momentum().angular - L), 1e-11 * norm(L));
}

// The explicit gyroscopic term feeds energy: to leading order each step adds
// ½ δt² τ·I⁻¹τ with τ = ω × Iω, which an ordinary step must keep far below the energy itself.
TEST(FreeRotation, EulerGainsWhatItsGyroscopicTermPutsIn)
{
    const double h = 1e-4;
    World world = free_world(h, Rotation::semi_implicit_euler);
    const Vec w{1, 4, 2};
    const BodyId id = world.add(brick(moments, w));
    const double E = 0.5 * dot(w, spin_of(world.body(id)));
    const Vec torque = cross(w, spin_of(world.body(id)));
    world.step();
    const double gained = 0.5 * h * h *
                          (torque.x * torque.x / moments.x + torque.y * torque.y / moments.y +
                           torque.z * torque.z / moments.z);
    const EnergyLedger& e = world.report().energy;
    EXPECT_NEAR(e.gyroscopic_work, gained, 1e-9 * gained);
    run(world, 9999);
    const double growth = world.report().energy.kinetic / E - 1;
    std::printf("semi-implicit Euler, ω δt = %.1e: energy grew by %.1e in 10000 steps\n",
                norm(w) * h, growth);
    EXPECT_LT(std::abs(growth), 0.01);
}

// The axis of a symmetric body goes round L with |L|/I₁.
TEST(FreeRotation, ASymmetricBodyPrecesses)
{
    double error[2] = {};
    for (const int k : {0, 1}) {
        const double h = 1e-3 / (1 + k);
        World world = free_world(h, Rotation::momentum);
        const Vec I{3, 2, 2};
        const Vec w{5, 1.5, 0};
        const BodyId id = world.add(brick(I, w));
        const Vec L{I.x * w.x, I.y * w.y, 0};
        const Vec along = normalised(L);
        const Vec axis{1, 0, 0};
        const Vec across = normalised(axis - dot(axis, along) * along);
        const Vec side = cross(along, across);
        const double rate = norm(L) / I.y;
        const long steps = std::lround(5 / rate / h);  // 5 rad
        run(world, steps);
        const Vec now = rotate(world.body(id).orientation, axis);
        EXPECT_NEAR(dot(now, along), dot(axis, along), 1e-5);
        double turned = std::atan2(dot(now, side), dot(now, across));
        turned += turned < 0 ? 2 * std::acos(-1.0) : 0;
        error[k] = turned - rate * static_cast<double>(steps) * h;
    }
    EXPECT_LT(std::abs(error[0]), 1e-4);
    EXPECT_NEAR(error[0] / error[1], 4, 0.2) << error[0];
}

TEST(FreeRotation, InfiniteMomentsDoNotTurn)
{
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.rotation = rotation;
        World world(s);
        world.add(obstacle(Shape::half_space()));
        Body point = sphere(0.1, {0, 0, 0.1}, {1, 0, -1});
        point.mass = MassProperties{2, {0, 0, 0}, {infinity, 0, 0, infinity, 0, infinity}};
        const BodyId id = world.add(point);
        // A plate that turns about z alone, thrown against the ground with one corner.
        Body plate = block({0.2, 0.2, 0.2}, {5, 0, 1}, about({1, 0, 0}, 0.3));
        plate.mass = MassProperties{1, {0, 0, 0}, {infinity, 0, 0, infinity, 0, infinity}};
        plate.velocity = {0, 0, -50};
        const BodyId other = world.add(plate);
        run(world, 100);
        const Body b = world.body(id);
        EXPECT_EQ(norm(b.angular_velocity), 0);
        EXPECT_NEAR(b.velocity.x, 0.5, 1e-12);  // μ x_n/m = 0.5
        EXPECT_EQ(norm(world.body(other).angular_velocity), 0);
        EXPECT_NEAR(world.body(other).velocity.z, 0, 1e-9);
        EXPECT_EQ(b.mass->inertia.xx, infinity) << "the body says what it was given";
    }
}

TEST(FreeRotation, APlanarBodyTurnsAboutOneAxisOnly)
{
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.rotation = rotation;
        World world(s);
        world.set_surface(0, 0, {0, 0});
        Body plate = block({0.4, 0.1, 0.1}, {0, 0, 0});
        plate.mass = MassProperties{1, {0, 0, 0}, {infinity, 0, 0, infinity, 0, 0.02}};
        const BodyId id = world.add(plate);
        // Off the middle in y and z: the push would turn it about x and z if it could.
        world.add(sphere(0.05, {0.15, 0.11, 0.02}, {0, -1, 0}));
        run(world, 300);
        const Vec w = world.body(id).angular_velocity;
        EXPECT_LT(std::hypot(w.x, w.y), 1e-12);
        EXPECT_LT(w.z, -0.1);
    }
}

TEST(FreeRotation, ACentreOfMassOffTheOriginFliesAParabola)
{
    const double h = 1e-3;
    for (const Rotation rotation : {Rotation::semi_implicit_euler, Rotation::momentum}) {
        Settings s = exact(h);
        s.rotation = rotation;
        World world(s);
        Body b = sphere(0.1, {0, 0, 5}, {1, 2, 3}, {10, -5, 2});
        b.orientation = about({1, 1, 0}, 0.7);
        b.mass = MassProperties{2, {0.03, -0.02, 0.05}, {0.01, 0.001, 0, 0.02, 0, 0.015}};
        const BodyId id = world.add(b);
        const Vec start = b.position + rotate(b.orientation, b.mass->centre);
        const Vec L = world.momentum().angular;
        const int n = 500;
        run(world, n);
        const Body now = world.body(id);
        const double t = n * h;
        const Vec fallen = t * b.velocity + Vec{0, 0, -0.5 * g0 * (t * t + t * h)};
        EXPECT_LT(norm(centre_of(now) - start - fallen), 1e-11);
        EXPECT_GT(norm(now.position - b.position - fallen), 1e-3);  // the shape swings about it
        if (rotation == Rotation::momentum) {
            const Vec spin = spin_of(now);
            const Vec before = L - cross(start, 2.0 * b.velocity);
            EXPECT_LT(norm(spin - before), 1e-12);
        }
    }
}

}  // namespace
}  // namespace scree::test
