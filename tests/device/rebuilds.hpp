// Worlds whose neighbour lists are made again and again, by the CPU and by a device's loops: every
// column has to be the same to the bit.
#pragma once

#include "engine/transfer.hpp"
#include "stages/neighbours/device_list.hpp"
#include "stages/neighbours/verlet_list.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace scree::test {

struct Cloud {
    std::size_t grains = 0;
    double size = 1;                  ///< of the space that they are in
    double radius[2] = {-1.7, -1.4};  ///< powers of ten
    double speed = 0.3;
    bool walls = false, obstacles = false, boulder = false, tensors = false, forces = false;
    int contacts_per_copy = 32;
    Vec3<double> period{0, 0, 0};
};

/// Bodies in the order in which they were added: all kinds mixed.
inline void populate(const Cloud& cloud, Random& random, state::Model& model, state::Bodies& bodies)
{
    model.settings.time_step = 1e-3;
    model.settings.contacts_per_copy = cloud.contacts_per_copy;
    model.box = {{cloud.period.x, cloud.period.y, cloud.period.z}, {-0.5, -0.5, -0.5}};
    const auto kind = [&](const Shape& shape) {
        state::Prototype p{};
        p.shape = shape;
        p.offset = 0.01 * random.in_ball();
        model.prototypes.push_back(p);
        return static_cast<std::uint32_t>(model.prototypes.size() - 1);
    };
    const auto add = [&](double r, int flags, std::uint32_t prototype) {
        const Vec3<double> x =
            0.5 * cloud.size *
            Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Vec3<double> axis = random.direction();
        bodies.id.push_back(random.bits() >> 8);
        bodies.ball.push_back({x.x, x.y, x.z, r});
        bodies.orientation.push_back({0.6, 0.8 * axis.x, 0.8 * axis.y, 0.8 * axis.z});
        const bool moves = (flags & state::flag_prescribed) == 0;
        const Vec3<double> v = (moves ? cloud.speed : 0.1) * random.in_ball();
        bodies.velocity.push_back({v, random.in_ball(), 1, 1});
        bodies.velocity_before.push_back({1.5 * v, random.in_ball(), 1, 1});
        bodies.drift.push_back({0, 0, 0, 0});
        bodies.prototype.push_back(prototype);
        bodies.flags.push_back(static_cast<std::uint8_t>(flags | state::flag_alive));
        bodies.reach.push_back(static_cast<float>(random.uniform()));
        if (cloud.tensors) {
            bodies.inertia.push_back({{1, 0, 0, random.uniform(), 0, 1}, {0, 0}});
        }
        if (cloud.forces) {
            bodies.force.push_back({random.in_ball(), {}, {}, random.in_ball()});
        }
    };
    const std::uint32_t grain = kind(Shape::sphere(0.01));
    for (std::size_t i = 0; i < cloud.grains; ++i) {
        add(random.decades(cloud.radius[0], cloud.radius[1]), state::flag_round, grain);
        if (cloud.obstacles && i % 50 == 7) {
            add(random.uniform(0.02, 0.1), state::flag_prescribed, kind(Shape::box(0.1, 0.1, 0.1)));
        }
        if (cloud.walls && i % 200 == 5) {
            const Shape shapes[] = {Shape::half_space(), Shape::cylinder_wall(0.4),
                                    Shape::sphere_wall(0.5)};
            add(0, state::flag_prescribed | state::flag_wall, kind(shapes[i / 200 % 3]));
            // Some turn, and one about its own axis.
            bodies.velocity.back().w =
                i == 5 ? rotate(bodies.orientation.back(), Vec3<double>{0, 0, 1})
                       : (i / 200 % 6 < 4 ? 0.0 : 1.0) * random.in_ball();
        }
        if (cloud.boulder && i == cloud.grains / 2) {
            add(0.4 * cloud.size, state::flag_round, grain);
            add(0.1 * cloud.size, state::flag_round, grain);
        }
    }
}

/// Impulses as a step may have left them.
inline void fill_impulses(Random& random, const state::PairList& list, bool features,
                          state::StoredImpulses& stored)
{
    stored = {};
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        if (p % state::pair_chunk == 0) {
            stored.chunk_first.push_back(static_cast<std::uint32_t>(stored.impulse.size()));
        }
        const std::uint64_t draw = random.bits() % 8;
        const auto count = static_cast<std::uint8_t>(draw < 4 ? 0 : features ? draw - 3 : 1);
        stored.count.push_back(count);
        for (int c = 0; c < count; ++c) {
            stored.impulse.push_back(random.in_ball());
            if (features) {
                stored.feature.push_back(static_cast<std::uint32_t>(random.bits()));
            }
        }
    }
}

template <class T>
void expect_same(const char* name, const std::vector<T>& device, const std::vector<T>& host)
{
    ASSERT_EQ(device.size(), host.size()) << name;
    for (std::size_t i = 0; i < host.size(); ++i) {
        ASSERT_EQ(std::memcmp(static_cast<const void*>(&device[i]), &host[i], sizeof(T)), 0)
            << name << "[" << i << "] of " << host.size();
    }
}
inline void expect_same(state::Bodies& device, state::Bodies& host)
{
    expect_same("id", device.id, host.id);
    expect_same("ball", device.ball, host.ball);
    expect_same("orientation", device.orientation, host.orientation);
    expect_same("velocity", device.velocity, host.velocity);
    expect_same("velocity_before", device.velocity_before, host.velocity_before);
    expect_same("drift", device.drift, host.drift);
    expect_same("prototype", device.prototype, host.prototype);
    expect_same("flags", device.flags, host.flags);
    expect_same("reach", device.reach, host.reach);
    expect_same("inertia", device.inertia, host.inertia);
    expect_same("force", device.force, host.force);
    EXPECT_EQ(std::memcmp(&device.drift_velocity, &host.drift_velocity, sizeof(Vec3<double>)), 0);
    EXPECT_EQ(device.dynamic_count, host.dynamic_count);
    EXPECT_EQ(device.bounded_count, host.bounded_count);
}
inline void expect_same(const state::PairList& device, const state::PairList& host)
{
    expect_same("pair", device.pair, host.pair);
    expect_same("colour", device.colour, host.colour);
    expect_same("slot", device.slot, host.slot);
    expect_same("copies_of", device.copies_of, host.copies_of);
    expect_same("splits", device.splits, host.splits);
    EXPECT_EQ(device.colours, host.colours);
    EXPECT_EQ(device.copy_count, host.copy_count);
}
inline void expect_same(const state::StoredImpulses& device, const state::StoredImpulses& host)
{
    expect_same("count", device.count, host.count);
    expect_same("chunk_first", device.chunk_first, host.chunk_first);
    expect_same("impulse", device.impulse, host.impulse);
    expect_same("feature", device.feature, host.feature);
}

/// The columns in the step's order are those of the list, colour by colour.
inline void expect_step_order(const state::PairList& list, const std::vector<std::uint32_t>& place,
                              const std::vector<state::BodyPair>& in_step,
                              const std::size_t (&colour_begin)[65])
{
    ASSERT_EQ(place.size(), list.pair.size());
    ASSERT_EQ(in_step.size(), list.pair.size());
    std::size_t k = 0;
    for (std::size_t c = 0; c < 64; ++c) {
        ASSERT_EQ(colour_begin[c], k) << "colour " << c;
        for (std::size_t i = 0; i < list.pair.size(); ++i) {
            if (list.colour[i] == c) {
                ASSERT_EQ(place[k], i);
                ASSERT_EQ(in_step[k], list.pair[i]);
                ++k;
            }
        }
    }
    EXPECT_EQ(colour_begin[64], k);
}

/// What the lists of a run had in them, for tests to see that they test something.
struct SeenInLists {
    std::size_t pairs = 0, contacts = 0, copies = 0, reordered = 0, wall_pairs = 0;
};

/// More bodies behind those that are there, as like them as brothers.
inline void add_some(Random& random, state::Bodies& bodies)
{
    const std::size_t n = bodies.count();
    bodies.velocity.resize(n);
    bodies.velocity_before.resize(n);
    bodies.inertia.resize(bodies.inertia.empty() ? 0 : n);
    for (std::size_t i = 0; i < n; i += 100) {
        const std::size_t from = random.bits() % n;
        bodies.for_each_column([&](auto& column) {
            const auto value = column[from];
            column.push_back(value);
        });
        bodies.id.back() = random.bits() >> 8;
        bodies.ball.back().z += 0.01;
    }
}

/// Makes the list `times` times, with motion in between. Bodies are removed before each of them,
/// and new ones come before some.
template <class Loops> SeenInLists rebuild_often(const Cloud& cloud, int times)
{
    Random random(cloud.grains + 17);
    state::Model model;
    state::Bodies bodies;
    state::PairList list;
    state::StoredImpulses stored;
    populate(cloud, random, model, bodies);
    model.settings.region_pairs = 0;  // as devices do
    neighbours::VerletList broad_phase;

    Loops loops;
    state::BodyColumns<Loops> columns;
    state::ListColumns<Loops> list_columns;
    state::StoredColumns<Loops> stored_columns, spare;
    neighbours::DeviceVerletList<Loops> lists;
    typename Loops::template Buffer<state::Prototype> prototypes;
    state::ModelView seen_model = view(model);
    engine::upload_column(loops, model.prototypes, prototypes);
    seen_model.prototypes = prototypes.data();

    SeenInLists seen;
    state::Bodies got_bodies;
    state::PairList got_list;
    state::StoredImpulses got_stored;
    for (int k = 0; k < times; ++k) {
        SCOPED_TRACE("list " + std::to_string(k));
        const bool changed = k % 40 == 0 || k == 6;
        const bool relaxed = k % 3 == 2;
        if (k > 0 && changed) {
            add_some(random, bodies);
        }
        engine::upload(loops, bodies, columns);
        engine::upload(loops, stored, list_columns, stored_columns);
        const bool stale = broad_phase.stale(model, bodies, 0.5);
        EXPECT_EQ(lists.stale(loops, seen_model, columns.view(), 0.5), stale);
        const bool reordered =
            broad_phase.rebuild(model, bodies, list, stored, changed, relaxed, {}, nullptr);
        EXPECT_EQ(lists.rebuild(loops, seen_model, columns, list_columns, stored_columns, spare,
                                changed, relaxed),
                  reordered);
        EXPECT_EQ(lists.rebuilds(), broad_phase.rebuilds());

        engine::download_shown(loops, columns, got_bodies);
        engine::download_hidden(loops, columns, got_bodies);
        columns.for_each_momentary(
            got_bodies, [&](auto& from, auto& to) { engine::download_column(loops, from, to); });
        engine::download(loops, list_columns, got_list);
        engine::download(loops, stored_columns, list_columns, got_stored);
        expect_same(got_bodies, bodies);
        expect_same(got_list, list);
        expect_same(got_stored, stored);
        std::vector<std::uint32_t> place;
        std::vector<state::BodyPair> in_step;
        engine::download_column(loops, list_columns.place, place);
        engine::download_column(loops, list_columns.in_step, in_step);
        expect_step_order(list, place, in_step, list_columns.colour_begin);
        if (::testing::Test::HasFatalFailure()) {
            return seen;
        }
        seen.pairs += list.pair.size();
        seen.copies += list.copy_count;
        seen.contacts += stored.impulse.size();
        seen.reordered += reordered ? 1 : 0;
        for (const state::BodyPair& p : list.pair) {
            seen.wall_pairs += p.second >= bodies.bounded_count ? 1 : 0;
        }

        fill_impulses(random, list, cloud.tensors, stored);
        for (std::size_t i = 0; i < bodies.count(); ++i) {
            shapes::Ball& b = bodies.ball[i];
            const Vec3<double> way = 0.01 * bodies.velocity[i].v;
            b = {b.x + way.x, b.y + way.y, b.z + way.z, b.r};
            bodies.drift[i].x += static_cast<float>(random.uniform(-1e-4, 1e-4));
            bodies.velocity[i].v = bodies.velocity[i].v + 0.01 * random.in_ball();
        }
        for (int gaps = 0; gaps < 2 && bodies.dynamic_count > 20; ++gaps) {
            make_gap(view(bodies), random.bits() % bodies.dynamic_count);
        }
    }
    return seen;
}

}  // namespace scree::test
