// Worlds of several ranks on devices, emulated ones if the program is given no others, against the
// same on the host. Part of the program of ranks_test.cpp.
#include "mpi/rank_worlds.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace scree;
using namespace scree::test;

namespace {

int some_device() { return test::device == no_gpu ? emulated_gpu : test::device; }

/// The same world, stepped by the host or by the device.
std::uint64_t hash_on(int gpu, Settings s, double boxes, double restitution)
{
    s.gpu = gpu;
    s.period.x = 0.12;
    s.region_pairs = 0;  // a device has one region
    World world = heap(s, 6, 4, 4, 5, 0.02, boxes);
    world.set_surface(0, 0, {.friction = 0.4, .restitution = restitution});
    world.distribute(all());
    for (int step = 0; step < 24; ++step) {
        if (step == 12) {
            world.remove_inside({{0.05, -1, -1}, {0.06, 1, 1}});
            // So fast that lists are made in the middle of a step.
            Body bullet = sphere(0.008, {0.03, 0.03, 0.2});
            bullet.shape = boxes > 0 ? Shape::box(0.01, 0.012, 0.014) : bullet.shape;
            bullet.velocity = {2, 0, -20};
            world.add(bullet);
        }
        world.step();
    }
    EXPECT_EQ(world.memory().device > 0, gpu != no_gpu);
    return world.state_hash();
}

TEST(Ranks, DevicesGiveTheBitsOfTheHost)
{
    for (const double boxes : {0.0, 0.3, 1.0}) {
        for (const auto& [restitution, tolerance] :
             {std::pair{0.0, 0.0}, std::pair{0.0, 1e-3}, std::pair{0.5, 1e-3}}) {
            Settings s = one_thread({});
            s.time_step = 1e-3;
            s.tolerance = tolerance;
            s.sweeps = tolerance > 0 ? 60 : 10;
            EXPECT_EQ(hash_on(some_device(), s, boxes, restitution),
                      hash_on(no_gpu, s, boxes, restitution))
                << boxes << ' ' << restitution << ' ' << tolerance;
        }
    }
}

/// Steps two worlds, by the host and by the device. On the host two ranks take that many colours.
void expect_same_places(World host, World on_device, int least_colours, int steps, double within)
{
    for (int step = 0; step < steps; ++step) {
        host.step();
        on_device.step();
    }
    double colours[] = {double(host.report().colours), double(on_device.report().colours)};
    all()->largest(colours);
    EXPECT_LE(colours[1], 63);
    if (all()->size() == 2) {
        EXPECT_GE(colours[0], least_colours);  // or this shows nothing
    }
    const std::map<BodyId, Vec> there = positions_of(WholeFrame(host.frame()));
    for (const auto& [id, at] : positions_of(WholeFrame(on_device.frame()))) {
        EXPECT_LT(norm(at - there.at(id)), within) << id;
    }
}

/// Bodies with many neighbours each.
World crowd(int gpu, double speed)
{
    Settings s = exact(1e-3, {0, 0, 0});
    s.tolerance = 1e-10;
    s.threads = 1;
    s.gpu = gpu;
    s.skin = 0.8;
    s.period = {1.616, 0.606, 0.606};
    World world(s);
    Random random(5);
    const auto some = [&] { return random.uniform(-speed, speed); };
    for (int i = 0; i < 576; ++i) {
        const Vec at{0.101 * (i / 36), 0.101 * (i % 6), 0.101 * (i / 6 % 6)};
        world.add(sphere(0.05, at, {some(), some(), some()}));
    }
    world.distribute(all());
    return world;
}

// Colours apart for those that are shared would be more than a device has.
TEST(Ranks, ManyNeighboursNeedNoMoreColoursThanADeviceHas)
{
    expect_same_places(crowd(no_gpu, 1), crowd(some_device(), 1), 65, 5, 1e-9);
}

TEST(Ranks, ADeviceThatAWorldIsSetToHasColoursEnough)
{
    World world = crowd(no_gpu, 0.1);
    world.step();
    Settings s = world.settings();
    s.gpu = some_device();
    world.set_settings(s);
    world.step();
    EXPECT_LE(world.report().colours, 63);
}

// Two large balls with 32 small ones around each, one of them shared by two ranks: all the colours
// that there are. Some of the small balls touch an obstacle as well.
TEST(Ranks, WallsAreNoColour)
{
    const auto stars_on = [](int gpu) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.sweeps = 500;
        s.threads = 1;
        s.gpu = gpu;
        s.skin = 0.05;
        World world(s);
        const double large = 0.5, small = 0.01;
        Random random(5);
        const auto star = [&](const Vec& centre, bool left) {
            world.add(sphere(large, centre));
            for (int i = 0, made = 0; made < 32; ++i) {
                const double z = 1 - (2 * i + 1) / 80.0, q = std::sqrt(1 - z * z);
                const Vec n{q * std::cos(2.39996323 * i), q * std::sin(2.39996323 * i), z};
                if (left && n.x > -0.1) {
                    continue;
                }
                ++made;
                world.add(sphere(small, centre + (large + small - 1e-7) * n, -0.01 * n));
                if (!left && random.chance(0.5)) {
                    world.add(
                        obstacle(Shape::sphere(small), centre + (large + 3 * small - 2e-7) * n));
                }
            }
        };
        star({1e-4, 0, 0}, true);
        star({-2, 0, 0}, false);
        world.distribute(all(), {{all()->size(), 1, 1}, {-4, -4, -4}, {4, 4, 4}});
        return world;
    };
    // Small balls go 30 µm if nothing stops them.
    expect_same_places(stars_on(no_gpu), stars_on(some_device()), 64, 3, 1e-6);
}

}  // namespace
