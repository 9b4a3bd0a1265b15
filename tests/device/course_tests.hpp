// Small worlds to which anything may happen, in an order that is drawn; and courses of events that
// once went wrong.
#pragma once

#include "device/world_tests.hpp"

#include <algorithm>
#include <array>

namespace scree::test {

/// Worlds of spheres of all kinds, with and without floors, walls, groups and periods.
class DrawnCourse {
public:
    explicit DrawnCourse(std::uint64_t seed) : seed_(seed)
    {
        s_.time_step = chance(1, 0.5) ? 1e-3 : 2e-3;
        s_.threads = 1;
        s_.tolerance = chance(2, 0.6) ? 0 : 1e-3;
        s_.accelerate = s_.tolerance == 0;
        s_.sweeps = 2 + one_of(0, 3, 8);
        s_.warm_start = chance(4, 0.7) ? 1 : 0;
        s_.contacts_per_copy = chance(5, 0.8) ? 32 : 6;
        s_.gravity = chance(6, 0.3) ? Vec{0, 0, 0} : s_.gravity;
        if (chance(7, 0.4)) {
            s_.period = {0.16, 0.16, 0};
            s_.origin = {-0.02, -0.01, 0};
        }
        s_.law = chance(8, 0.3) ? Law::coulomb : s_.law;
        s_.skin = chance(9, 0.3) ? 0.02 : s_.skin;
        floor_ = chance(10, 0.8);
        others_ = chance(11, 0.5);
        first_ball_ = (floor_ ? 1U : 0U) + (others_ ? 5U : 0U);
    }

    [[nodiscard]] World world() const
    {
        const std::array counts{0, 1, 2, 30, 60, 120, 200};
        World world(s_);
        world.set_surface(0, 0, {0.4, chance(12, 0.6) ? 0 : 0.5});
        if (floor_) {
            world.add(obstacle(Shape::half_space()));
        }
        if (others_) {
            world.add(obstacle(Shape::sphere(0.02), {0.05, 0.05, 0.02}));
            for (const double x : {0.0, 0.03}) {
                Body b = obstacle(Shape::box(0.03, 0.03, 0.01), {x, 0, 0.004});
                b.group = 1;
                world.add(b);
            }
            for (const double x : {0.0, 0.02}) {
                Body b = obstacle(Shape::sphere(0.015), {x, 0.08, 0.004});
                b.group = 2;
                world.add(b);
            }
        }
        const bool alike = chance(13, 0.6);
        const double speed = chance(14, 0.5) ? 0.1 : 1.5;
        for (int i = 0; i < counts[static_cast<std::size_t>(one_of(0, 15, 7))]; ++i) {
            const auto k = static_cast<std::uint64_t>(i);
            world.add(sphere(alike ? 0.01 : draw(k, 16, 0.005, 0.011),
                             {0.021 * (i % 6), 0.021 * (i / 6 % 5), 0.012 + 0.0205 * (i / 30)},
                             {speed * draw(k, 17, -1, 1), speed * draw(k, 18, -1, 1),
                              speed * draw(k, 19, -1, 0.5)}));
        }
        return world;
    }

    /// What happens before the k-th step, if anything does.
    void happen(Twins& twins, std::uint64_t k, int gpu) const
    {
        const auto ball = [&](BodyId i) { return first_ball_ + i; };
        const auto remove = [&](const Box& box) {
            twins.both([&](World& w) { return w.remove_inside(box).count; });
        };
        const auto to_ball = [&](BodyId i, auto&& what) {
            twins.both([&](World& w) {
                if (w.contains(ball(i))) {
                    what(w, ball(i));
                }
            });
        };
        switch (one_of(1000 + k, 0, 40)) {
        case 0:
            twins.both([&](World& w) {
                w.add(sphere(0.01, {0.05 + 1e-4 * static_cast<double>(k), 0.05, 0.3}, {0, 0, -3}));
            });
            break;
        case 1:
            to_ball(3, [](World& w, BodyId id) { w.set_velocity(id, {1, -1, 1}, {5, 0, 0}); });
            break;
        case 2:
        case 3:
        case 4:
        case 5:
        case 6: remove({{0.11, -9, -9}, {9, 9, 9}}); break;
        case 7: remove({{-9, -9, -9}, {0.01, 9, 9}}); break;
        case 8: to_ball(5, [](World& w, BodyId id) { w.remove(id); }); break;
        case 9:
            if (floor_) {
                twins.both([&](World& w) {
                    w.set_velocity(0, {0, 0, draw(k, 1, -0.1, 0.1)}, {0, 0, 0});
                });
            }
            break;
        case 10:
            if (others_) {
                twins.both([&](World& w) {
                    w.set_velocity(floor_ ? 1 : 0, {draw(k, 2, -1, 1), 0, 0}, {0, 0, 0});
                });
            }
            break;
        case 11: set(twins, [&](Settings& s) { s.sweeps = 2 + one_of(k, 3, 8); }); break;
        case 12: set(twins, [](Settings& s) { s.time_step = 3e-3 - s.time_step; }); break;
        case 13: move_to(twins.device, no_gpu); break;
        case 14:
        case 15: move_to(twins.device, gpu); break;
        case 16: {
            World again = world_of(columns_of(twins.device));
            again.set_settings(twins.device.settings());
            twins.device = std::move(again);
            break;
        }
        case 17: twins.both([](World& w) { return w.momentum().linear.x; }); break;
        case 18:
            twins.both([](World& w) { return static_cast<double>(w.frame().contacts.size()); });
            break;
        case 19:
            twins.both([&](World& w) { w.set_surface(0, 0, {0.2, k % 2 == 0 ? 0.0 : 0.4}); });
            break;
        case 20:
            to_ball(8, [](World& w, BodyId id) {
                w.set_pose(id, {0.05, 0.05, 0.2}, {1, 0, 0, 0});
            });
            break;
        case 21: to_ball(9, [](World& w, BodyId id) { w.apply_impulse(id, {0, 0, 1e-3}); }); break;
        case 22: remove({{-9, -9, -9}, {9, 9, 0.015}}); break;
        case 23: twins.both([](World& w) { return w.true_residual(); }); break;
        case 24:
            to_ball(11, [&](World& w, BodyId id) {
                w.set_force(id, {draw(k, 4, -1e-2, 1e-2), 0, 0});
            });
            break;
        default: break;
        }
    }

private:
    [[nodiscard]] double draw(std::uint64_t i, std::uint64_t k, double from, double to) const
    {
        return math::uniform(100 + seed_, i, k, from, to);
    }
    [[nodiscard]] bool chance(std::uint64_t k, double part) const
    {
        return draw(0, 100 + k, 0, 1) < part;
    }
    [[nodiscard]] int one_of(std::uint64_t i, std::uint64_t k, int n) const
    {
        return static_cast<int>(draw(i, 200 + k, 0, n));
    }
    template <class Change> static void set(Twins& twins, Change change)
    {
        twins.both([&](World& w) {
            Settings s = w.settings();
            change(s);
            w.set_settings(s);
        });
    }

    std::uint64_t seed_;
    Settings s_;
    bool floor_ = false, others_ = false;
    BodyId first_ball_ = 0;
};

TEST_P(DeviceWorld, TakesAnyCourse)
{
    for (std::uint64_t seed = 0; seed < 48 / static_cast<std::uint64_t>(shorter); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnCourse course(seed);
        Twins twins([&] { return course.world(); }, gpu());
        for (std::uint64_t k = 0; k < (shorter > 1 ? 50 : 150); ++k) {
            course.happen(twins, k, gpu());
            ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
            if (k % 37 == 36) {
                ASSERT_NO_FATAL_FAILURE(twins.compare()) << k;
            }
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
    }
}

TEST_P(DeviceWorld, ComesToADeviceWithoutPairs)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.tolerance = 0;
    Twins twins(
        [&] {
            World world(s);
            world.add(obstacle(Shape::half_space()));
            for (int i = 0; i < 40; ++i) {
                world.add(sphere(0.01, {1.0 * (i / 2), 0, 0.03 + 0.05 * (i % 2)},
                                 {0, 0, -0.1 * (i % 2)}));
            }
            return world;
        },
        no_gpu);
    ASSERT_NO_FATAL_FAILURE(twins.step());
    ASSERT_EQ(twins.host.report().pairs, 0U);
    move_to(twins.device, gpu());
    for (int k = 0; k < 120; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
        if (k == 0) {
            twins.device = world_of(columns_of(twins.device));  // restored, on the host
            move_to(twins.device, gpu());
        }
    }
    EXPECT_GT(twins.seen.contacts, 20U);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// The list that comes is one part, whatever the host's last list was cut into.
TEST_P(DeviceWorld, ComesToTheHostWithItsList)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.sweeps = 5;
    Twins twins(
        [&] {
            World world(s);
            world.add(obstacle(Shape::half_space()));
            for (int i = 0; i < 40; ++i) {
                world.add(sphere(0.01, {0.0201 * (i % 5), 0.0201 * (i / 5), 0.01}));
            }
            return world;
        },
        no_gpu);
    ASSERT_NO_FATAL_FAILURE(twins.step());
    move_to(twins.device, gpu());
    twins.both([](World& w) {
        for (int i = 0; i < 900; ++i) {
            w.add(sphere(0.01,
                         {0.0201 * (i % 10), 0.0201 * (i / 10 % 10), 0.0302 + 0.0201 * (i / 100)}));
        }
    });
    for (int k = 0; k < 5; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    EXPECT_GT(twins.host.report().pairs, 2048U);
    move_to(twins.device, no_gpu);
    for (int k = 0; k < 5; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// Forces of the next step leave what is known of the last one.
TEST_P(DeviceWorld, KnowsItsContactsAfterForcesAreSet)
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    Twins twins(
        [&] {
            World world(s);
            world.add(obstacle(Shape::half_space()));
            for (int i = 0; i < 40; ++i) {
                world.add(sphere(0.01, {0.0199 * (i % 5), 0.0199 * (i / 5), 0.01}));
            }
            return world;
        },
        gpu());
    for (int k = 0; k < 30; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
        EXPECT_GT(twins.host.frame().contacts.size(), 20U);
        twins.both([&](World& w) {
            w.apply_impulse(5, {0, 0, 1e-6});
            w.set_force(static_cast<BodyId>(6 + k), {1e-4 * k, 0, 0}, {0, 1e-7, 0});
        });
        if (k % 3 == 1) {
            twins.both([](World& w) { return w.remove_inside({{5, 5, 5}, {6, 6, 6}}).count; });
        }
        if (k % 4 == 1) {
            twins.both([&](World& w) { w.add(sphere(0.01, {0.05, 0.05, 1.0 + k})); });
        } else {
            twins.both([](World& w) { return w.true_residual(); });
            twins.both([](World& w) { return static_cast<double>(w.contact_problems().size()); });
        }
        ASSERT_EQ(differences(columns_of(twins.device.frame()), columns_of(twins.host.frame())),
                  "");
        if (k % 5 == 1) {
            ASSERT_EQ(twins.device.state_hash(), twins.host.state_hash());
        }
    }
    ASSERT_NO_FATAL_FAILURE(twins.step());
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

/// A dense stream of spheres along a floor, in which every step looks ahead to the next one.
inline World stream()
{
    Settings s;
    s.time_step = 1e-3;
    s.threads = 1;
    s.tolerance = 0;
    s.sweeps = 4;
    World world(s);
    world.set_surface(0, 0, {0.3, 0});
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 600; ++i) {
        const auto spread = [&](std::uint64_t axis) {
            return math::uniform(7, static_cast<std::uint64_t>(i), axis, -1e-4, 1e-4);
        };
        world.add(sphere(0.01,
                         {0.0201 * (i % 20) + 5 * spread(0), 0.0201 * (i / 20 % 6) + spread(1),
                          0.0102 + 0.0202 * (i / 120) + spread(2)},
                         {0.8, 0, 0}));
    }
    return world;
}

// A sink that takes all it sees, as was expected: until there are so many gaps that a new list is
// made, which knows nothing of what was expected with the old one.
TEST_P(DeviceWorld, SinksTakeWhatWasExpected)
{
    Twins twins(stream, gpu());
    std::size_t gone = 0;
    for (int k = 0; k < 160 / shorter; ++k) {
        twins.both([&](World& w) {
            const std::size_t count = w.remove_inside({{0.39, -9, -9}, {9, 9, 9}}).count;
            gone += count;
            return count;
        });
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
        if (k % 8 == 7) {
            ASSERT_EQ(differences(columns_of(twins.device.frame()), columns_of(twins.host.frame())),
                      "");
        }
    }
    EXPECT_GT(gone, shorter > 1 ? 0U : 260U);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// Sinks that overlap; that see more than they can tell at once; and one that is not asked in every
// step, so that bodies stay in it.
TEST_P(DeviceWorld, SinksTakeOtherThanWasExpected)
{
    const Box first{{0.41, -9, -9}, {9, 9, 9}}, second{{0.4, 0.03, -9}, {0.5, 9, 0.06}},
        third{{0.2, -9, 0.05}, {0.25, 9, 9}}, large{{0.3, -9, -9}, {9, 9, 9}};
    Twins twins(stream, gpu());
    std::size_t gone = 0, most = 0;
    const auto remove = [&](const Box& box) {
        twins.both([&](World& w) {
            const std::size_t count = w.remove_inside(box).count;
            gone += count;
            most = std::max(most, count);
            return count;
        });
    };
    for (int k = 0; k < 120 / shorter; ++k) {
        remove(first);
        if (k >= 40 / shorter) {
            remove(second);
        }
        if (k >= 70 / shorter && k % 4 == 0) {
            remove(third);
        }
        if (k == 90 / shorter) {
            remove(large);
        }
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
    }
    EXPECT_GT(most, 64U);
    EXPECT_GE(gone, 2 * most);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// More boxes than are watched: who is taken by one of the others is as many as are in one of those,
// but somebody else.
TEST_P(DeviceWorld, OthersGoThanThoseInSinks)
{
    Twins twins(stream, gpu());
    const Box sink{{0.4, 0.03, 0}, {0.419, 0.05, 0.03}};
    const auto is_in_sink = [&](const Vec& x) {
        return x.x >= sink.min.x && x.x <= sink.max.x && x.y >= sink.min.y && x.y <= sink.max.y &&
               x.z >= sink.min.z && x.z <= sink.max.z;
    };
    int alone = 0;
    twins.both([&](World& w) { return w.remove_inside(sink).count; });
    for (int k = 0; k < 90 / shorter; ++k) {
        const Frame frame = twins.host.frame(false);
        const auto inside =
            std::count_if(frame.positions.begin(), frame.positions.end(), is_in_sink);
        const BodyId one = 121 + static_cast<BodyId>(37 * k % 400);
        if (twins.host.contains(one)) {
            alone += inside == 1 ? 1 : 0;
            const Vec at = twins.host.body(one).position, little{1e-6, 1e-6, 1e-6};
            twins.both([&](World& w) { return w.remove_inside({at - little, at + little}).count; });
        }
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
    }
    if (shorter == 1) {
        EXPECT_GT(alone, 10);
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// Balls that fall on others, faster in every step: whether a pair is a candidate asks for the speed
// at the beginning of its step.
TEST_P(DeviceWorld, LooksAheadWithTheSpeedsOfTheNextStep)
{
    constexpr double h = 1e-3;
    Twins twins(
        [] {
            Settings s;
            s.time_step = h;
            s.threads = 1;
            s.tolerance = 0;
            s.sweeps = 4;
            World world(s);
            for (int i = 0; i < 60; ++i) {
                world.add(obstacle(Shape::sphere(0.1), {static_cast<double>(i), 0, 0}));
                const double falls = math::uniform(8, static_cast<std::uint64_t>(i), 0, 12, 60);
                world.add(sphere(0.1, {static_cast<double>(i), 0, 0.2 + falls * g0 * h * h}));
            }
            return world;
        },
        gpu());
    for (int k = 0; k < 20; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step()) << k;
    }
    EXPECT_EQ(twins.host.report().candidates, 60U);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

}  // namespace scree::test
