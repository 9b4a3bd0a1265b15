// What users may get wrong is refused with a reason, and leaves the world as it was; bodies that
// overlap from the start are reported and part in order.
#include "scree/error.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace scree::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_refused(const char* reason, const std::function<void()>& f)
{
    try {
        f();
        ADD_FAILURE() << "not refused: " << reason;
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
    }
}

TEST(Input, BadBodiesAreRefused)
{
    World world(exact(1e-3));
    const auto refused = [&](const char* reason, const std::function<void(Body&)>& spoil) {
        Body b = sphere(0.1, {0, 0, 1});
        spoil(b);
        expect_refused(reason, [&] { world.add(b); });
    };
    refused("position", [](Body& b) { b.position.y = nan; });
    refused("position", [](Body& b) { b.position.y = infinity; });
    refused("velocity", [](Body& b) { b.velocity.x = nan; });
    refused("angular_velocity", [](Body& b) { b.angular_velocity.x = infinity; });
    refused("density", [](Body& b) { b.density = 0; });
    refused("density", [](Body& b) { b.density = -1; });
    refused("density", [](Body& b) { b.density = nan; });
    refused("size and density", [](Body& b) { b.shape = Shape::sphere(1e-100); });
    refused("size and density", [](Body& b) { b.shape = Shape::sphere(1e100); });
    refused("orientation", [](Body& b) { b.orientation = {1, 1, 0, 0}; });
    refused("orientation", [](Body& b) { b.orientation = {nan, 0, 0, 0}; });
    refused("orientation", [](Body& b) { b.orientation = {0, 0, 0, 0}; });
    refused("material 3", [](Body& b) { b.material = 3; });
    refused("radius", [](Body& b) { b.shape = Shape::sphere(-1); });
    refused("", [](Body& b) { b.shape = Shape::sphere(nan); });
    refused("", [](Body& b) { b.shape = Shape::box(1, 0, 1); });
    refused("thickness", [](Body& b) { b.shape = Shape::capsule(0, 1); });
    const auto with_mass = [](double m, Sym3<double> I) {
        return [=](Body& b) { b.mass = MassProperties{m, {0, 0, 0}, I}; };
    };
    refused("mass is 0", with_mass(0, {1, 0, 0, 1, 0, 1}));
    refused("mass is -2", with_mass(-2, {1, 0, 0, 1, 0, 1}));
    refused("mass is nan", with_mass(nan, {1, 0, 0, 1, 0, 1}));
    refused("moments", with_mass(1, {1, 0, 0, 0, 0, 1}));
    refused("not positive definite", with_mass(1, {1, 2, 0, 1, 0, 1}));
    refused("products", with_mass(1, {1, nan, 0, 1, 0, 1}));
    refused("infinite moment", with_mass(1, {infinity, 0.1, 0, 1, 0, 1}));
    refused("mass.centre", [](Body& b) {
        b.mass = MassProperties{1, {nan, 0, 0}, {1, 0, 0, 1, 0, 1}};
    });
    refused("infinite moment", [](Body& b) {
        b.mass = MassProperties{1, {0, 0, 0}, {infinity, 0, 0, 1, 0, 1}};
        b.angular_velocity = {1, 0, 0};
    });
    refused("infinite mass", [](Body& b) {
        b.mass = MassProperties{infinity, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
        b.velocity = {1, 0, 0};
    });
    // All that is wrong is said at once.
    refused("; velocity", [](Body& b) {
        b.position.x = nan;
        b.velocity.x = nan;
    });
    EXPECT_EQ(world.body_count(), 0U);
    world.step();
    EXPECT_TRUE(world.report().good());
}

TEST(Input, IdsAreThoseGivenOrTheNext)
{
    World world(exact(1e-3));
    Body b = sphere(0.1, {0, 0, 1});
    b.id = 7;
    EXPECT_EQ(world.add(b), 7U);
    expect_refused("id 7", [&] { world.add(b); });
    EXPECT_EQ(world.add(sphere(0.1, {1, 0, 1})), 8U);
    b.id = 3;
    b.position.x = 2;
    EXPECT_EQ(world.add(b), 3U);
    b.id = std::numeric_limits<BodyId>::max();
    expect_refused("id", [&] { world.add(b); });
    expect_refused("no body 99", [&] { world.remove(99); });
    expect_refused("no body 99", [&] { (void)world.body(99); });
    expect_refused("no body 99", [&] { world.set_force(99, {0, 0, 0}); });
    world.remove(7);
    EXPECT_FALSE(world.contains(7));
    expect_refused("no body 7", [&] { world.remove(7); });
    EXPECT_EQ(world.body_count(), 2U);
    world.step();
    EXPECT_TRUE(world.contains(3) && world.contains(8));
}

TEST(Input, BadChangesAreRefused)
{
    World world(exact(1e-3));
    const BodyId id = world.add(sphere(0.1, {0, 0, 1}));
    const auto hash = world.state_hash();
    expect_refused("velocity", [&] { world.set_velocity(id, {nan, 0, 0}, {0, 0, 0}); });
    expect_refused("angular", [&] { world.set_velocity(id, {0, 0, 0}, {0, nan, 0}); });
    expect_refused("position", [&] { world.set_pose(id, {nan, 0, 0}, {1, 0, 0, 0}); });
    expect_refused("orientation", [&] { world.set_pose(id, {0, 0, 0}, {2, 0, 0, 0}); });
    expect_refused("force", [&] { world.set_force(id, {nan, 0, 0}); });
    expect_refused("impulse", [&] { world.apply_impulse(id, {0, infinity, 0}); });
    expect_refused("material 4", [&] { world.set_surface(0, 4, {}); });
    expect_refused("friction", [&] { world.set_surface(0, 0, {-0.1, 0}); });
    expect_refused("friction", [&] { world.set_surface(0, 0, {nan, 0}); });
    expect_refused("restitution", [&] { world.set_surface(0, 0, {0.1, 1.5}); });
    expect_refused("interval", [&] { world.observe(0, [](const Frame&) {}); });
    expect_refused("step", [&] { (void)world.true_residual(); });
    EXPECT_EQ(world.state_hash(), hash);
}

TEST(Input, BadSettingsAreRefused)
{
    const auto refused = [](const char* reason, const std::function<void(Settings&)>& spoil) {
        Settings s;
        spoil(s);
        expect_refused(reason, [&] { const World world(s); });
    };
    refused("time_step", [](Settings& s) { s.time_step = 0; });
    refused("time_step", [](Settings& s) { s.time_step = nan; });
    refused("gravity", [](Settings& s) { s.gravity.x = infinity; });
    refused("error_reduction", [](Settings& s) { s.error_reduction = 1.1; });
    refused("sweeps", [](Settings& s) { s.sweeps = 0; });
    refused("tolerance", [](Settings& s) { s.tolerance = -1; });
    refused("relaxation", [](Settings& s) { s.relaxation = 0; });
    refused("warm_start", [](Settings& s) { s.warm_start = 2; });
    refused("contacts_per_copy", [](Settings& s) { s.contacts_per_copy = 33; });
    refused("slack", [](Settings& s) { s.slack = 3e-5; });
    refused("skin", [](Settings& s) { s.skin = -0.1; });
    refused("threads", [](Settings& s) { s.threads = -1; });
    refused("gpu is -3, must be -1", [](Settings& s) { s.gpu = -3; });
    refused("there is no GPU 1000", [](Settings& s) { s.gpu = 1000; });
    refused("period", [](Settings& s) { s.period.y = -1; });
    refused("; sweeps", [](Settings& s) {
        s.time_step = -1;
        s.sweeps = -1;
    });
}

// The world as told is the world that is given back.
TEST(Input, ABodyCanBeAddedAgain)
{
    World world(exact(1e-3));
    Body b = block({0.1, 0.2, 0.3}, {1, 2, 3}, about({1, 2, 3}, 0.4));
    b.mass = MassProperties{2, {0.01, 0.02, 0.03}, {1, 0.1, 0.05, 2, 0.2, 2.5}};
    b.velocity = {1, 2, 3};
    b.angular_velocity = {3, 2, 1};
    const BodyId first = world.add(b);
    world.step();
    Body copy = world.body(first);
    world.remove(first);
    const BodyId again = world.add(copy);
    EXPECT_EQ(again, first);
    const Body now = world.body(again);
    EXPECT_LT(norm(now.position - copy.position), 1e-15);
    EXPECT_EQ(norm(now.velocity - copy.velocity), 0);
    EXPECT_EQ(now.mass->inertia.xy, b.mass->inertia.xy);
}

// Overlapping bodies part at ε of the overlap per step, and with no more energy than that takes.
TEST(Input, OverlapIsReportedAndResolved)
{
    Settings s = exact(1e-3, {0, 0, 0});
    World world(s);
    const double r = 0.1;
    const double overlap = 0.3 * r;
    const BodyId a = world.add(sphere(r, {0, 0, 0}));
    const BodyId b = world.add(sphere(r, {2 * r - overlap, 0, 0}));
    world.add(block({0.2, 0.2, 0.2}, {5, 0, 0}, about({1, 1, 0}, 0.3)));
    world.add(block({0.2, 0.2, 0.2}, {5.1, 0.05, 0.02}, about({0, 1, 0}, 0.8)));
    world.add(sphere(r, {9, 0, 0}));
    world.add(sphere(r, {9, 0, 0}));  // one in the other
    world.step();
    EXPECT_EQ(world.report()[Condition::deep_penetration].count > 0, true);
    EXPECT_GE(world.report().max_penetration, overlap);
    const double parting = world.body(b).velocity.x - world.body(a).velocity.x;
    EXPECT_NEAR(parting, s.error_reduction * s.correction_limit * r / s.time_step, 1e-9);
    for (int i = 0; i < 200; ++i) {
        world.step();
        EXPECT_EQ(world.report()[Condition::not_finite].count, 0U);
    }
    EXPECT_EQ(world.report().max_penetration, 0);
    EXPECT_LE(world.energy().kinetic, world.energy().correction_work);
    // Nobody leaves faster than the limit of corrections allows.
    for (const Vec& v : world.frame().velocities) {
        EXPECT_LE(norm(v), s.error_reduction * s.correction_limit * 0.18 / s.time_step);
    }
}

// A fall into a heap of overlapping grains under gravity settles.
TEST(Input, AnOverlappingHeapSettles)
{
    Settings s = exact(1e-3);
    s.sweeps = 100;
    s.tolerance = 1e-4;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 5; ++i) {
        world.add(sphere(0.05, {0, 0, 0.04 + 0.09 * i}));
    }
    run(world, 1000);
    EXPECT_LT(world.report().max_penetration, 1e-3);
    for (const Vec& v : world.frame().velocities) {
        EXPECT_LT(norm(v), 20);
    }
    EXPECT_EQ(world.report()[Condition::not_finite].count, 0U);
}

// New settings and laws between steps.
TEST(Input, SettingsChangeBetweenSteps)
{
    Settings s = exact(1e-3);
    World world(s);
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 20; ++i) {
        world.add(sphere(0.05, {0.11 * (i % 5), 0.11 * (i / 5), 0.05}));
    }
    run(world, 3);
    s.law = Law::projected;
    world.set_settings(s);
    run(world, 3);
    s.law = Law::coulomb;
    s.period = {0.55, 0.44, 0};
    world.set_settings(s);
    run(world, 3);
    EXPECT_TRUE(world.report().good());
    // Neighbours across the new border see each other.
    s.period = {0.52, 0.44, 0};
    world.set_settings(s);
    world.step();
    EXPECT_GE(world.report().max_penetration, 0.019);
}

}  // namespace
}  // namespace scree::test
