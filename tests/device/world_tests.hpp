// Worlds on a device against worlds on the host, through all that a user can do to them. The device
// is the tests' parameter: its emulation where there is none, a GPU where there is one.
#pragma once

#include "device/lively_world.hpp"
#include "device/twins.hpp"
#include "math/random.hpp"

#include <limits>

namespace scree::test {

class DeviceWorld : public ::testing::TestWithParam<int> {
protected:
    [[nodiscard]] static int gpu() { return GetParam(); }
};

TEST_P(DeviceWorld, GoesOnToTheSameBits)
{
    SeenInSteps all;
    for (const Way& way : ways()) {
        SCOPED_TRACE(way.name);
        const bool first = way.name == ways()[0].name;
        const std::uint64_t steps = shorter > 1 ? 8 : first ? 450 : 210;
        const bool walls = way.settings.period.x == 0;
        Twins twins([&] { return lively_world(way.settings, way.round, walls); }, gpu());
        for (std::uint64_t k = 0; k < steps; ++k) {
            twins.both([&](World& w) { drive(w, k, way.round); });
            twins.both([&](World& w) { meddle(w, k); });
            ASSERT_NO_FATAL_FAILURE(twins.step());
            if (k % 75 == 74) {
                ASSERT_NO_FATAL_FAILURE(twins.compare());
            }
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
        if (shorter == 1) {
            EXPECT_GT(twins.seen.contacts, 30 * steps);
            EXPECT_GT(twins.seen.lists, steps / 25);
            EXPECT_GT(twins.seen.passes, steps);
        }
        all.copies += twins.seen.copies;
        all.accelerated_sweeps += twins.seen.accelerated_sweeps;
        all.restitution_reduced += twins.seen.restitution_reduced;
        all.restitutions += twins.seen.restitutions;
    }
    if (shorter == 1) {
        EXPECT_GT(all.copies, 0U);
        EXPECT_GT(all.accelerated_sweeps, 0U);
        EXPECT_GT(all.restitution_reduced, 0U);
        EXPECT_GT(all.restitutions, 0U);
    }
}

// Here bodies are asked for before every step.
TEST_P(DeviceWorld, LetsEverythingHappen)
{
    for (int which = 0; which < eventful_worlds; ++which) {
        SCOPED_TRACE(which);
        Twins twins([&] { return eventful_world(which); }, gpu());
        for (std::uint64_t k = 0; k < 150 / shorter; ++k) {
            twins.both([&](World& w) { happen(w, which, k); });
            ASSERT_NO_FATAL_FAILURE(twins.step());
            ASSERT_EQ(twins.device.state_hash(), twins.host.state_hash()) << k;
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
    }
}

// More than one chunk of a sum, many blocks of rows, several thousand pairs.
TEST_P(DeviceWorld, AddsUpOverManyBodies)
{
    for (const bool mixed : {false, true}) {
        const int width = shorter > 1 ? 8 : 16;
        Twins twins(
            [&] {
                Settings s;
                s.time_step = 1e-3;
                s.sweeps = 30;
                s.threads = 1;
                World world(s);
                world.add_material();
                world.add(obstacle(Shape::half_space()));
                for (int i = 0; i < width * width * 10; ++i) {
                    Body b = grain(static_cast<std::uint64_t>(i), 0, !mixed);
                    b.position = {0.05 * (i % width), 0.05 * (i / width % width),
                                  0.04 + 0.05 * (i / width / width)};
                    world.add(b);
                }
                return world;
            },
            gpu());
        for (int k = 0; k < 30 / shorter; ++k) {
            ASSERT_NO_FATAL_FAILURE(twins.step());
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
        EXPECT_GT(twins.host.report().pairs, std::size_t(4000) / shorter);
    }
}

// Floats in sweeps: the same course to their precision, momentum to their round-off, energy
// balanced as far as the looser bound for it says; and the same bits when it is done again. Bodies
// that are not spheres take part.
TEST_P(DeviceWorld, MixedPrecisionIsNearTheFull)
{
    for (const bool only_spheres : {true, false}) {
        std::vector<BodyId> ids;
        const auto cloud = [&](Precision precision) {
            Settings s;
            s.time_step = 1e-3;
            s.gravity = {0, 0, 0};
            s.sweeps = shorter > 1 ? 12 : 60;
            s.tolerance = 0;
            s.gpu = gpu();
            s.precision = precision;
            World world(s);
            world.add_material();
            ids.clear();
            const double apart = shorter > 1 ? 0.05 : 0.06;
            for (int i = 0; i < (shorter > 1 ? 64 : 400); ++i) {
                Body b = grain(static_cast<std::uint64_t>(i), 0, only_spheres);
                b.position = {apart * (i % 8), apart * (i / 8 % 8), apart * (i / 64)};
                b.velocity = -20.0 * (b.position - Vec3<double>{0.175, 0.175, 0.15});
                ids.push_back(world.add(b));
            }
            return world;
        };
        World full = cloud(Precision::full), mixed = cloud(Precision::mixed),
              again = cloud(Precision::mixed);
        const Vec3<double> before = mixed.momentum().linear;
        const int steps = shorter > 1 ? 15 : 25;
        std::size_t contacts = 0;
        double least_energy = 1e300;
        for (int k = 0; k < steps; ++k) {
            for (World* world : {&full, &mixed, &again}) {
                world->step();
            }
            contacts += mixed.report().loaded_contacts;
            least_energy = std::min(least_energy, mixed.report().energy.kinetic);
            EXPECT_EQ(mixed.report()[Condition::energy_unbalanced].count, 0U) << k;
            EXPECT_EQ(mixed.state_hash(), again.state_hash()) << k;
        }
        EXPECT_GT(contacts, std::size_t(500) / shorter);
        EXPECT_NE(mixed.state_hash(), full.state_hash());
        double fastest = 0, far = 0;
        for (const BodyId id : ids) {
            fastest = std::max(fastest, norm(full.body(id).velocity));
            far = std::max(far, norm(mixed.body(id).position - full.body(id).position));
        }
        EXPECT_LT(norm(mixed.momentum().linear - before), 1e-6 * 2 * least_energy / fastest);
        EXPECT_LT(far, 1e-3 * steps * 1e-3 * fastest);
    }
}

// A world of spheres on a resting floor has no tensors and no forces, until it needs them.
TEST_P(DeviceWorld, BeginsWithSpheresAlone)
{
    const auto make = [] {
        Settings s;
        s.time_step = 2e-3;
        s.threads = 1;
        World world(s);
        world.add(obstacle(Shape::half_space()));
        world.add(obstacle(Shape::sphere(0.1), {0.05, 0, 0}));
        for (int i = 0; i < (shorter > 1 ? 72 : 200); ++i) {
            world.add(sphere(0.02,
                             {0.041 * (i % 6), 0.041 * (i / 6 % 6),
                              (shorter > 1 ? 0.121 : 0.15) + 0.041 * (i / 36)},
                             {0, 0, -0.2}));
        }
        return world;
    };
    const std::vector<std::function<void(World&)>> changes{
        [](World& w) {
            w.set_force(20, {0.01, 0, 0}, {0, 0, 1e-6});
        },
        [](World& w) {
            w.set_velocity(1, {0, 0, 0}, {0, 0, 2});
        },
        [](World& w) {
            w.add(block({0.05, 0.06, 0.07}, {0.1, 0.1, 0.6}));
        },
        // The spheres are alike, and bounce or are relaxed otherwise; or one is not like the
        // others.
        [](World& w) {
            w.set_surface(0, 0, {0.3, 0.5});
        },
        [](World& w) {
            Settings s = w.settings();
            s.relaxation = 0.8;
            s.law = Law::frictionless;
            w.set_settings(s);
        },
        [](World& w) {
            w.add(sphere(0.03, {0.1, 0.1, 0.6}));
        },
        [](World& w) {
            Settings s = w.settings();
            s.law = Law::projected;
            w.set_settings(s);
        },
        [](World& w) {
            const MaterialId ice = w.add_material();
            w.set_surface(0, ice, {0.02, 0.3});
            Body b = sphere(0.03, {0.1, 0.1, 0.7});
            b.material = ice;
            w.add(b);
        },
        [](World& w) {
            Settings s = w.settings();
            s.contacts_per_copy = 2;
            s.period = {0.6, 0, 0};
            w.set_settings(s);
        }};
    for (const auto& change : changes) {
        Twins twins(make, gpu());
        for (int k = 0; k < (shorter > 1 ? 12 : 60); ++k) {
            if (k == (shorter > 1 ? 5 : 25)) {
                twins.both(change);
            }
            ASSERT_NO_FATAL_FAILURE(twins.step());
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
    }
}

TEST_P(DeviceWorld, StepsFewBodiesOrNone)
{
    Settings s;
    s.time_step = 2e-3;
    Twins twins([&] { return World(s); }, gpu());
    const auto step = [&] {
        for (int k = 0; k < 10; ++k) {
            ASSERT_NO_FATAL_FAILURE(twins.step());
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
    };
    ASSERT_NO_FATAL_FAILURE(step());
    twins.both([](World& w) { return w.add(obstacle(Shape::half_space())); });
    ASSERT_NO_FATAL_FAILURE(step());
    twins.both([](World& w) { return w.add(sphere(0.1, {0, 0, 0.1})); });
    ASSERT_NO_FATAL_FAILURE(step());
    twins.both([](World& w) { return w.add(block({0.1, 0.1, 0.1}, {0.05, 0, 0.3})); });
    ASSERT_NO_FATAL_FAILURE(step());
    twins.both([](World& w) { w.remove(0); });
    ASSERT_NO_FATAL_FAILURE(step());
    twins.both([](World& w) { return w.remove_inside({{-9, -9, -9}, {9, 9, 9}}).mass; });
    ASSERT_NO_FATAL_FAILURE(step());
    EXPECT_EQ(twins.device.body_count(), 0U);
}

// The first pass of a device has no room for rows and is made again. A ball that passes above
// another is a candidate at its velocity after gravity has acted, and not before.
TEST_P(DeviceWorld, MakesAPassAgainFromTheSameVelocities)
{
    constexpr double h = 1e-3;
    Twins twins(
        [] {
            Settings s;
            s.time_step = h;
            World world(s);
            world.add(obstacle(Shape::sphere(0.1)));
            // Any two bodies are candidates up to ten falls of a step.
            world.add(sphere(0.1, {0, 0, 0.2 + 10.5 * g0 * h * h}, {1, 0, 0}));
            world.add(obstacle(Shape::sphere(0.1), {3, 0, 0}));
            world.add(sphere(0.1, {3, 0, 0.2}));
            return world;
        },
        gpu());
    ASSERT_NO_FATAL_FAILURE(twins.step());
    EXPECT_EQ(twins.host.report().candidates, 1U);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// A list is good for longer when the body that left it first is gone.
TEST_P(DeviceWorld, ForgetsWhereARemovedBodyWas)
{
    bool otherwise_new = false;
    for (int steps = 1; steps < 60; ++steps) {
        const auto make = [] {
            Settings s;
            s.time_step = 1e-3;
            World world(s);
            world.add(obstacle(Shape::half_space()));
            for (int i = 0; i < 20; ++i) {
                world.add(sphere(0.1, {static_cast<double>(i), 0, 0.1}));
            }
            world.add(sphere(0.1, {0, 5, 9}));  // falls
            return world;
        };
        World kept = make();
        run(kept, steps);
        const bool would_be_new = kept.step().list_rebuilt;
        if (shorter > 1 && !would_be_new) {
            continue;
        }
        Twins twins(make, gpu());
        for (int k = 0; k < steps; ++k) {
            ASSERT_NO_FATAL_FAILURE(twins.step());
        }
        twins.both([](World& w) { return w.remove_inside({{-1, 4, 0}, {1, 6, 9}}).count; });
        ASSERT_NO_FATAL_FAILURE(twins.step());
        const bool made = twins.host.report().list_rebuilt;
        otherwise_new = otherwise_new || (would_be_new && !made);
    }
    EXPECT_TRUE(otherwise_new);
}

// All flow with one velocity but for a few elsewhere: whoever is gone stands still, and is far from
// that.
TEST_P(DeviceWorld, WhoIsGoneDoesNotStray)
{
    Settings s;
    s.time_step = 1e-3;
    s.gravity = {0, 0, 0};
    s.threads = 1;
    Twins twins(
        [&] {
            World world(s);
            for (int i = 0; i < 300; ++i) {
                world.add(sphere(0.005, {0.011 * (i % 12), 0.011 * (i / 12 % 5), 0.011 * (i / 60)},
                                 {1, 0, 0}));
            }
            for (int i = 0; i < 60; ++i) {
                const auto spread = [&](std::uint64_t axis) {
                    return math::uniform(3, static_cast<std::uint64_t>(i), axis, -0.3, 0.3);
                };
                world.add(sphere(0.005, {-2 + 0.05 * (i % 10), 1 + 0.05 * (i / 10), 0},
                                 {1 + spread(0), spread(1), spread(2)}));
            }
            return world;
        },
        gpu());
    std::size_t gone = 0;
    for (int k = 0; k < 80; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
        twins.both([&](World& w) {
            const std::size_t count = w.remove_inside({{0.15, -1, -1}, {9, 9, 9}}).count;
            gone += count;
            return count;
        });
    }
    EXPECT_GT(gone, 100U);
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// Without a tolerance the device ends a step of spheres before the host has heard of its passes;
// with what may still come after a pass: further ones, new lists, bounces, and changes between
// steps.
TEST_P(DeviceWorld, EndsStepsByItself)
{
    for (const double restitution : {0.0, 0.6}) {
        Settings s;
        s.time_step = 1e-3;
        s.threads = 1;
        s.tolerance = 0;
        s.sweeps = 6;
        Twins twins(
            [&] {
                World world(s);
                world.set_surface(0, 0, {0.4, restitution});
                world.add(obstacle(Shape::half_space()));
                for (int i = 0; i < 240; ++i) {
                    const auto spread = [&](std::uint64_t axis) {
                        return math::uniform(5, static_cast<std::uint64_t>(i), axis, -0.8, 0.8);
                    };
                    world.add(sphere(
                        0.01, {0.021 * (i % 8), 0.021 * (i / 8 % 6), 0.012 + 0.021 * (i / 48)},
                        {spread(0), spread(1), spread(2)}));
                }
                return world;
            },
            gpu());
        std::size_t gone = 0;
        for (int k = 0; k < 240 / shorter; ++k) {
            ASSERT_NO_FATAL_FAILURE(twins.step());
            if (k % (60 / shorter) == 20 / shorter) {
                twins.both([&](World& w) {
                    w.add(sphere(0.01, {0.07, 0.05, 0.4 + 1e-3 * k}, {0, 0, -4}));
                });
            }
            if (k % (60 / shorter) == 40 / shorter) {
                twins.both([](World& w) {
                    w.set_velocity(w.body_count() / 2, {1, -1, 2}, {9, 0, 0});
                });
            }
            twins.both([&](World& w) {
                const std::size_t count = w.remove_inside({{0.2, -9, -9}, {9, 9, 9}}).count;
                gone += count;
                return count;
            });
        }
        ASSERT_NO_FATAL_FAILURE(twins.compare());
        if (shorter == 1) {
            EXPECT_GT(twins.seen.passes, 240U);
            EXPECT_GT(twins.seen.lists, 5U);
            EXPECT_GT(gone, 2U);
        }
        EXPECT_EQ(twins.seen.restitutions > 0, restitution > 0);
    }
}

// Saved on the one and gone on with on the other, both ways; and moved from one to the other.
TEST_P(DeviceWorld, IsSavedHereAndGoesOnThere)
{
    const Way way = ways()[0];
    Twins twins([&] { return lively_world(way.settings, way.round); }, gpu());
    const auto go = [&](Twins& some, std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t k = from; k < to; ++k) {
            some.both([&](World& w) { drive(w, k, way.round); });
            ASSERT_NO_FATAL_FAILURE(some.step());
        }
    };
    std::uint64_t k = 0;
    constexpr std::uint64_t last = 90 / shorter;
    for (const std::uint64_t until :
         {std::uint64_t(0), std::uint64_t(1), std::uint64_t(37 / shorter), last}) {
        ASSERT_NO_FATAL_FAILURE(go(twins, k, until));
        // Also right after bodies were added and taken away.
        twins.both([&](World& w) {
            w.add(grain(7000 + until, 0.9, false));
            return w.remove_inside({{-0.1, -0.1, 0}, {0.1, 0.1, 0.05}}).count;
        });
        Twins swapped(world_of(columns_of(twins.device)), world_of(columns_of(twins.host)), gpu());
        EXPECT_EQ(swapped.host.state_hash(), twins.host.state_hash());
        ASSERT_NO_FATAL_FAILURE(go(swapped, until, until + 40 / shorter));
        k = until + 40 / shorter;
        ASSERT_NO_FATAL_FAILURE(go(twins, until, k));
        ASSERT_EQ(swapped.host.state_hash(), twins.host.state_hash()) << until;
        ASSERT_EQ(swapped.device.state_hash(), twins.host.state_hash()) << until;
        if (until < last) {
            twins = Twins([&] { return lively_world(way.settings, way.round); }, gpu());
            k = 0;
        }
    }
}

TEST_P(DeviceWorld, MovesBetweenMachines)
{
    const Way way = ways()[0];
    Twins twins([&] { return lively_world(way.settings, way.round); }, gpu());
    int observed = 0;
    twins.device.observe(7,
                         [&](const Frame& frame) { observed += frame.contacts.empty() ? 0 : 1; });
    for (std::uint64_t k = 0; k < 210 / shorter; ++k) {
        if (k % 10 == 3) {
            move_to(twins.device, k % 20 == 3 ? no_gpu : gpu());
        }
        twins.both([&](World& w) { drive(w, k, way.round); });
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
    EXPECT_EQ(observed, 30 / shorter);
}

// What is refused is refused with the same words, and nothing has changed.
TEST_P(DeviceWorld, RefusesWhatIsWrong)
{
    const Way way = ways()[0];
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Twins twins([&] { return lively_world(way.settings, way.round); }, gpu());
    for (std::uint64_t k = 0; k < 60 / shorter; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    const std::vector<std::function<void(World&)>> wrong{
        [](World& w) {
            w.add(sphere(0.1, {nan, 0, 0}));
        },
        [](World& w) {
            Body b = sphere(0.1, {0, 0, 2});
            b.id = first_grain;
            w.add(b);
        },
        [](World& w) { w.remove(123456); },
        [](World& w) {
            w.set_velocity(first_grain, {0, nan, 0}, {0, 0, 0});
        },
        [](World& w) {
            w.set_pose(rammer, {0, 0, 0}, {0, 0, 0, 0});
        },
        [](World& w) {
            w.set_force(table, {1, 0, 0});
        },
        [](World& w) {
            w.apply_impulse(first_grain, {nan, 0, 0});
        },
        [](World& w) {
            Settings s = w.settings();
            s.sweeps = 0;
            w.set_settings(s);
        },
        [](World& w) {
            Settings s = w.settings();
            s.gpu = 1000;
            w.set_settings(s);
        }};
    for (const auto& f : wrong) {
        const std::uint64_t hash = twins.device.state_hash();
        EXPECT_THROW(f(twins.device), std::exception);
        twins.both(f);
        EXPECT_EQ(twins.device.state_hash(), hash);
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

// A body that is not finite is named, and the rest goes on. Bits of what is not a number are not
// compared: machines differ in them.
TEST_P(DeviceWorld, NamesABodyThatIsNotFinite)
{
    const Way way = ways()[0];
    Twins twins([&] { return lively_world(way.settings, way.round); }, gpu());
    for (std::uint64_t k = 0; k < 30 / shorter; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    twins.both([](World& w) {
        Body b = sphere(0.01, {3, 3, 3});
        b.id = 777;
        w.add(b);
    });
    ASSERT_NO_FATAL_FAILURE(twins.step());
    twins.both([](World& w) { w.apply_impulse(777, {1e308, 0, 0}); });
    for (int k = 0; k < 5; ++k) {
        for (World* w : {&twins.host, &twins.device}) {
            const StepReport& r = w->step();
            EXPECT_EQ(r[Condition::not_finite].count, 1U) << k;
            EXPECT_EQ(r[Condition::not_finite].first, 777U);
            EXPECT_GT(r.contacts, 0U);
            EXPECT_THROW((void)columns_of(*w), std::exception);
        }
        EXPECT_EQ(twins.device.report().contacts, twins.host.report().contacts);
        EXPECT_EQ(twins.device.report().pairs, twins.host.report().pairs);
    }
    twins.both([](World& w) { w.remove(777); });
    for (int k = 0; k < 5; ++k) {
        twins.both([](World& w) { return w.step().contacts; });
        twins.both([](World& w) { return w.report()[Condition::not_finite].count; });
    }
    EXPECT_EQ(differences(columns_of(twins.device.frame()), columns_of(twins.host.frame())), "");
}

// More bodies in one place than a list can hold: the step fails, and the world can be used again.
TEST_P(DeviceWorld, RecoversFromAListThatCannotBeMade)
{
    const Way way = ways()[1];
    Twins twins([&] { return lively_world(way.settings, way.round); }, gpu());
    for (std::uint64_t k = 0; k < 30 / shorter; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    twins.both([](World& w) {
        for (BodyId i = 0; i < 2500; ++i) {
            Body b = sphere(0.01, {2, 2, 2});
            b.id = 10'000 + i;
            w.add(b);
        }
    });
    EXPECT_THROW(twins.device.step(), std::exception);
    EXPECT_THROW(twins.host.step(), std::exception);
    EXPECT_EQ(differences(saved_columns(twins.device), saved_columns(twins.host)), "");
    twins.both([](World& w) {
        for (BodyId i = 0; i < 1000; ++i) {
            w.remove(10'000 + i);
        }
        return w.remove_inside({{1, 1, 1}, {3, 3, 3}}).count;
    });
    for (int k = 0; k < 10; ++k) {
        ASSERT_NO_FATAL_FAILURE(twins.step());
    }
    ASSERT_NO_FATAL_FAILURE(twins.compare());
}

}  // namespace scree::test
