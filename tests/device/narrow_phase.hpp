// The stage narrow_phase of a device against the host's, over random pairs of every two kinds of
// shapes: which pairs are candidates, and their points, normals, gaps and features to the bit.
#pragma once

#include "device/drawn_pairs.hpp"
#include "engine/expected_step.hpp"
#include "engine/transfer.hpp"
#include "stages/candidates/device_find.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace scree::test {

/// What was compared, for tests to see that they test something.
struct Compared {
    std::size_t pairs = 0, touching = 0, points = 0;
};

/// Up to some pairs that differ fail by name.
template <class Loops> Compared compare_narrow_phases(DrawnPairs& drawn)
{
    const std::size_t n = drawn.list.pair.size();
    candidates::Candidates host;
    candidates::find_candidates(drawn.model, drawn.bodies, drawn.list, drawn.spare,
                                candidates::Pass::first, host);
    Loops loops;
    typename Loops::template Buffer<state::Prototype> kinds;
    typename Loops::template Buffer<std::uint64_t> solids;
    state::BodyColumns<Loops> bodies;
    state::ListColumns<Loops> list;
    engine::DeviceRows<Loops, double> rows;
    state::ModelView model = view(drawn.model);
    engine::upload_kinds(loops, drawn.model.prototypes, kinds, solids);
    model.prototypes = kinds.data();
    engine::upload(loops, drawn.bodies, bodies);
    engine::upload(loops, drawn.list, list);
    candidates::follow_list(loops, model, bodies, list, rows);
    rows.fit_slots(bodies.count);
    candidates::find_candidates(
        loops, model, bodies.view(), list, drawn.spare, candidates::Pass::first, rows, rows.found,
        relax::row_notes(list, bodies.view(), rows), engine::ExpectedStep{});
    std::vector<std::uint8_t> found;
    std::vector<std::uint32_t> place, special_of;
    std::vector<shapes::ContactPoint> points;
    engine::download_column(loops, rows.found.count, found);
    engine::download_column(loops, list.place, place);
    engine::download_column(loops, rows.special_of, special_of);
    engine::download_column(loops, rows.found.points, points);

    Compared compared;
    std::vector<std::size_t> step_of(n);
    for (std::size_t k = 0; k < n; ++k) {
        step_of[place[k]] = k;
    }
    int differ = 0;
    std::size_t at = 0;  // in the host's chunk
    for (std::size_t p = 0; p < n && differ < 10; ++p) {
        at = p % state::pair_chunk == 0 ? 0 : at;
        const state::BodyPair pair = drawn.list.pair[p];
        const bool plain = (drawn.bodies.flags[pair.first] & drawn.bodies.flags[pair.second] &
                            state::flag_round) != 0;  // which has no points yet
        const std::size_t count = host.count[p];
        const std::size_t k = step_of[p];
        bool same = (found[k] & candidates::found_count) == count;
        for (std::size_t f = 0; f < count && !plain && same; ++f) {
            const shapes::ContactPoint& x = host.chunks[p / state::pair_chunk].points[at + f];
            const shapes::ContactPoint& y =
                points[shapes::Manifold::capacity * std::size_t(special_of[k]) + f];
            same = std::memcmp(&x.point, &y.point, sizeof x.point) == 0 &&
                   std::memcmp(&x.normal, &y.normal, sizeof x.normal) == 0 &&
                   std::memcmp(&x.gap, &y.gap, sizeof x.gap) == 0 && x.feature == y.feature;
            compared.points += same ? 1 : 0;
        }
        at += plain ? 0 : count;
        ++compared.pairs;
        compared.touching += count > 0 ? 1 : 0;
        if (!same) {
            ++differ;
            const auto kind = [&](std::uint32_t body) {
                return drawn.model.prototypes[drawn.bodies.prototype[body]].shape.kind;
            };
            ADD_FAILURE() << "pair " << p << ", "
                          << name_of(TwoKinds{kind(pair.first), kind(pair.second)}) << ": "
                          << (found[k] & candidates::found_count) << " points, the host has "
                          << count;
        }
    }
    return compared;
}

/// Every two kinds by themselves, `each` pairs, and then fewer of all together.
template <class Loops> void compare_all_kinds(std::size_t each, std::size_t together)
{
    const std::vector<TwoKinds> all = all_two_kinds();
    EXPECT_EQ(all.size(), 68U);
    for (const TwoKinds& kinds : all) {
        DrawnPairs drawn = draw_pairs({kinds}, each);
        const Compared compared = compare_narrow_phases<Loops>(drawn);
        EXPECT_EQ(compared.pairs, each) << name_of(kinds);
        EXPECT_GT(3 * compared.touching, each) << name_of(kinds);
        EXPECT_LT(compared.touching, each) << name_of(kinds);
        EXPECT_GT(6 * compared.points, each) << name_of(kinds);
    }
    DrawnPairs drawn = draw_pairs(all, together);
    EXPECT_EQ(compare_narrow_phases<Loops>(drawn).pairs, 68 * together);
}

}  // namespace scree::test
