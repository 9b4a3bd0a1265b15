// What is left of a world when one of its steps fails on a device: where memory runs out, anywhere
// in the step, and where a list cannot be made.
#include "device/twins.hpp"
#include "engine/emulation.hpp"
#include "exec/serial_loops.hpp"
#include "support/worlds.hpp"

#include <new>
#include <set>

namespace scree::test {

namespace {

/// Sixty balls that come together above a floor, or lie on each other.
World sixty_balls(double restitution, bool fast)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.tolerance = 0;
    s.sweeps = 4;
    s.gpu = emulated_gpu;
    World world(s);
    world.set_surface(0, 0, {0.4, restitution});
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 60; ++i) {
        const double d = fast ? 0.022 : 0.02;
        const Vec at{d * (i % 5), d * (i / 5 % 4), (fast ? 0.013 : 0.01) + d * (i / 20)};
        world.add(sphere(0.01, at, (fast ? -4.0 : 0.0) * (at - Vec{0.045, 0.03, 0.03})));
    }
    return world;
}

/// Steps while only so many buffers may grow, and so many then cannot. Returns whether that was not
/// enough.
bool fails(World& world, long growths, long lasts)
{
    const struct Enough {
        ~Enough() { exec::shortage = {}; }
    } enough;
    exec::shortage = {growths, lasts};
    try {
        world.step();
    } catch (const std::bad_alloc&) {
        return true;
    }
    return false;
}

/// For each growth of a step, from the first on: a world that make() gives, which failed there; by
/// itself, and with whatever would grow after it. Returns how many there were.
template <class Make, class Then> int for_each_failure(Make make, Then then)
{
    for (int failure = 0;; ++failure) {
        const int growth = failure / 2;
        World world = make();
        if (!fails(world, growth, failure % 2 == 0 ? 1 : 1000)) {
            return growth;
        }
        SCOPED_TRACE("growth " + std::to_string(growth) + (failure % 2 == 0 ? "" : " and on"));
        then(world);
        if (::testing::Test::HasFatalFailure()) {
            return growth;
        }
    }
}

void go_on(World& world)
{
    for (int k = 0; k < 3; ++k) {
        ASSERT_NO_THROW(world.step());
        ASSERT_TRUE(world.report().good());
    }
    ASSERT_FALSE(world.frame().contacts.empty());
}

}  // namespace

TEST(DeviceOutOfMemory, LeavesTheVelocitiesOfTheBeginning)
{
    int failures = 0;
    for (int steps = 0; steps < 40; ++steps) {
        SCOPED_TRACE(steps);
        World::Momentum before{};
        failures += for_each_failure(
            [&] {
                World world = sixty_balls(0, true);
                for (int k = 0; k < steps; ++k) {
                    world.step();
                }
                before = world.momentum();
                return world;
            },
            [&](World& world) {
                // A step's fall is 2e-3 kg m/s; sums are in the order of bodies.
                ASSERT_LT(norm(world.momentum().linear - before.linear), 1e-15);
                ASSERT_LT(norm(world.momentum().angular - before.angular), 1e-16);
                ASSERT_TRUE(world.frame().contacts.empty());
                for (int k = 0; k < 3; ++k) {
                    ASSERT_NO_THROW(world.step());
                }
            });
    }
    EXPECT_GT(failures, 60);
}

// A step that failed in a pass has left nothing of what was expected of it: made again, it is the
// host's.
TEST(DeviceOutOfMemory, MakesTheSameStepAgain)
{
    int failures = 0;
    for (int steps = 0; steps < 40; ++steps) {
        SCOPED_TRACE(steps);
        const auto make = [&] {
            World world = sixty_balls(0, true);
            for (int k = 0; k < steps; ++k) {
                world.step();
            }
            return world;
        };
        World host = make();
        move_to(host, no_gpu);
        if (host.step().list_rebuilt) {
            continue;  // impulses may be lost where it fails
        }
        const auto expected = columns_of(host.frame());
        failures += for_each_failure(make, [&](World& world) {
            ASSERT_NO_THROW(world.step());
            ASSERT_EQ(differences(columns_of(world.frame()), expected), "");
        });
    }
    EXPECT_GT(failures, 3);
}

TEST(DeviceOutOfMemory, GoesOnAfterBounces)
{
    int failures = 0;
    for (int steps = 0; steps < 40; ++steps) {
        SCOPED_TRACE(steps);
        failures += for_each_failure(
            [&] {
                World world = sixty_balls(0.6, true);
                for (int k = 0; k < steps; ++k) {
                    world.step();
                }
                return world;
            },
            [](World& world) {
                for (int k = 0; k < 3; ++k) {
                    ASSERT_NO_THROW(world.step());
                }
            });
    }
    EXPECT_GT(failures, 60);
}

TEST(DeviceOutOfMemory, GoesOnWithoutSomeBodies)
{
    EXPECT_GT(
        for_each_failure(
            [] { return sixty_balls(0, false); },
            [](World& world) {
                ASSERT_EQ(world.remove_inside({{0.03, 0.01, 0.02}, {0.05, 0.03, 0.04}}).count, 1U);
                go_on(world);
            }),
        40);
}

TEST(DeviceOutOfMemory, LosesNobodyWhereSomeAreGone)
{
    EXPECT_GT(for_each_failure(
                  [] {
                      World world = sixty_balls(0, false);
                      world.step();
                      world.step();
                      world.remove_inside({{0.03, 0.01, 0.0}, {0.05, 0.03, 0.09}});
                      for (int i = 0; i < 300; ++i) {
                          world.add(sphere(
                              0.01, {0.02 * (i % 5), 0.02 * (i / 5 % 4), 0.11 + 0.02 * (i / 20)}));
                      }
                      return world;
                  },
                  [](World& world) {
                      const Frame frame = world.frame();
                      ASSERT_EQ(frame.ids.size(), world.body_count());
                      ASSERT_EQ(std::set<BodyId>(frame.ids.begin(), frame.ids.end()).size(),
                                world.body_count());
                      for (std::size_t i = 0; i < frame.ids.size(); ++i) {
                          ASSERT_EQ(norm(world.body(frame.ids[i]).position - frame.positions[i]), 0)
                              << i;
                      }
                      go_on(world);
                      ASSERT_EQ(world.frame().ids.size(), world.body_count());
                  }),
              20);
}

// More bodies in one place than a list can hold.
TEST(DeviceLists, ThatCannotBeMadeLoseNobody)
{
    Twins twins([] { return sixty_balls(0, false); }, emulated_gpu);
    move_to(twins.host, no_gpu);
    for (int k = 0; k < 5; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    twins.both([](World& w) { return w.remove_inside({{0.03, -1, -1}, {0.05, 1, 1}}).count; });
    ASSERT_NO_FATAL_FAILURE(twins.step());
    twins.both([](World& w) {
        for (int i = 0; i < 2500; ++i) {
            w.add(sphere(0.01, {2, 2, 2}));
        }
    });
    EXPECT_THROW(twins.device.step(), std::exception);
    EXPECT_THROW(twins.host.step(), std::exception);
    EXPECT_EQ(differences(saved_columns(twins.device), saved_columns(twins.host)), "");
    EXPECT_EQ(differences(columns_of(twins.device.frame()), columns_of(twins.host.frame())), "");
    twins.both([](World& w) { return w.remove_inside({{1, 1, 1}, {3, 3, 3}}).count; });
    for (int k = 0; k < 10; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

}  // namespace scree::test
