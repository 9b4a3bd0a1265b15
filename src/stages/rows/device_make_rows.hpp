// The stage contact_setup on a device: places of all candidates, and their rows.
#pragma once

#include "stages/rows/contact_rule.hpp"
#include "stages/rows/device_row_columns.hpp"
#include "stages/rows/row_access.hpp"
#include "stages/rows/row_pack.hpp"

namespace scree::rows {

/// Contacts of the pairs before the k-th; `round`: the rows of spheres among them.
SCREE_HD std::uint32_t contacts_before(const RowScans& scans, const candidates::RoundRows round,
                                       std::size_t k)
{
    std::uint32_t contacts = candidates::free_of(round) + candidates::on_wall_of(round);
    for (int f = 0; scans.general != nullptr && f < shapes::Manifold::capacity; ++f) {
        contacts += scans.general[k].of[f];
    }
    return contacts;
}

/// Lays out groups of rows for the candidates, after `start()`, which one thread does.
template <class Loops, class T, class Start>
void lay_out_rows(Loops& loops, const state::ListColumns<Loops>& list,
                  candidates::FoundPairs<Loops>& pairs, RowColumns<Loops, T>& rows,
                  const Start& start, RowCounts* numbers)
{
    const std::uint8_t* found = pairs.found.count.data();
    rows.general_scan.fit(pairs.any_general ? list.count + 1 : 0);
    if (pairs.any_general) {
        scan_general(loops, list.count, found, rows.general_scan.data());
    }
    const neighbours::ColourBegins begins = neighbours::colour_begins(list);
    const RowScans scans = scans_of(pairs, rows);
    rows.places.fit(1);
    RowPlaces* places = rows.places.data();
    const int colours = list.colours, kinds = pairs.any_general ? candidates::group_kinds : 2;
    const auto round_capacity = static_cast<std::uint32_t>(rows.round_capacity());
    const auto general_capacity = static_cast<std::uint32_t>(rows.general.size());
    // Where there are no pairs, one thread says so.
    candidates::scan_found(
        loops, list.count, pairs, std::size_t(kinds) * std::size_t(colours) + 1,
        [=] SCREE_DEVICE(std::size_t i) {
            if (i <= static_cast<std::size_t>(colours)) {
                count_before(begins, scans, static_cast<int>(i), *places);
            }
        },
        [=] SCREE_DEVICE(std::size_t i) {
            lay_out(begins, scans.general != nullptr, static_cast<int>(i) % kinds,
                    static_cast<int>(i) / kinds, round_capacity, general_capacity, *places);
            if (i == 0) {
                start();
                numbers->round_blocks = places->round_blocks;
                numbers->general_blocks = places->general_blocks;
                numbers->contacts = places->contacts;
                numbers->overflow = places->overflow;
            }
        });
}

/// Gives the candidates their places in rows. `next` gets the counts and places of contacts. One
/// loop.
template <class Loops, class T>
void place_rows(Loops& loops, const state::ListColumns<Loops>& list,
                const state::BodyColumns<Loops>& bodies, const candidates::FoundPairs<Loops>& pairs,
                RowColumns<Loops, T>& rows, state::StoredColumns<Loops>& next)
{
    const std::uint8_t* found = pairs.found.count.data();
    const RowScans scans = scans_of(pairs, rows);
    const RowPlaces* places = rows.places.data();
    const int colours = list.colours, kinds = pairs.any_general ? candidates::group_kinds : 2;
    state::RoundRowsOf<T>* round = rows.round.data();
    state::GeneralBlock* general = rows.general.data();
    std::uint32_t* pair_of_row = rows.pair_of_row.data();
    std::uint32_t *round_turn = rows.round_turn.data(), *general_turn = rows.general_turn.data();
    std::uint8_t* round_mark = rows.round_mark.data();
    std::uint8_t* general_mark = rows.general_mark.data();
    double* round_depth = rows.round_depth.data();
    double* general_depth = rows.general_depth.data();
    const std::size_t idle_slot = bodies.count + list.copy_count;
    // A lane behind the last row of a group.
    const auto idle_lane = [=] SCREE_DEVICE(std::size_t i) {
        const auto lane = static_cast<std::uint32_t>(i % state::block_lanes);
        const int kind = static_cast<int>(i / state::block_lanes) % kinds;
        const std::uint32_t end =
            places->end[kind][static_cast<int>(i / state::block_lanes) / kinds];
        if (end % state::block_lanes == 0 || lane < end % state::block_lanes) {
            return;
        }
        const std::uint32_t at = end / state::block_lanes * state::block_lanes + lane;
        const auto idle = static_cast<std::uint32_t>(idle_slot + lane);
        if (kind < 2) {
            rows::store_idle_round({idle, idle}, round[at / state::round_lanes],
                                   at % state::round_lanes);
            pair_of_row[at] = candidates::no_row;
            round_turn[at] = no_turn;
            round_mark[at] = 0;
            round_depth[at] = 0;
        } else {
            rows::store_idle_general({idle, idle}, general[at / state::block_lanes], lane);
            general_turn[at] = no_turn;
            general_mark[at] = 0;
            general_depth[at] = 0;
        }
    };
    next.count.fit(list.count);
    next.first.fit(list.count + 1);
    std::uint8_t* new_count = next.count.data();
    std::uint32_t* new_first = next.first.data();
    const std::size_t n = list.count;
    const std::size_t lanes = std::size_t(kinds) * std::size_t(colours) * state::block_lanes;
    loops.for_each(n + 1 + lanes, [=] SCREE_DEVICE(std::size_t k) {
        if (places->overflow != 0) {
            return;
        }
        if (k > n) {
            idle_lane(k - (n + 1));
            return;
        }
        const candidates::RoundRows round_before = scans.round[k];
        new_first[k] = contacts_before(scans, round_before, k);
        if (k == n) {
            return;
        }
        const unsigned count = found[k] & candidates::found_count;
        new_count[k] = static_cast<std::uint8_t>(count);
        if (count > 0 && candidates::is_free(found[k])) {
            const int colour = places->begins.colour_of(static_cast<std::uint32_t>(k));
            pair_of_row[places->shift[0][colour] + candidates::free_of(round_before)] =
                static_cast<std::uint32_t>(k);
        }
    });
}

/// What is noted of a row beside the row itself. Returns the depth of penetration.
SCREE_HD double note_gap(double gap, double radius, double deep, std::uint32_t pair,
                         std::uint8_t& mark, RowCounts& numbers)
{
    const GapState<double> state = state_of_gap(gap, radius, deep);
    mark = static_cast<std::uint8_t>((state.touching ? mark_touching : 0) |
                                     (state.penetrating ? mark_penetrating : 0));
    if (state.deep) {
        exec::add(numbers.deep, 1);
        exec::least(numbers.first_deep, pair);
    }
    return state.depth;
}

/// The masses and moments of a row's bodies, or of their copies, which share them.
template <class T>
SCREE_HD void store_inert(const BodyVelocity<double>& a, const BodyVelocity<double>& b,
                          const PairFacts& facts, state::InertBlock<T>& block, std::size_t lane)
{
    block.inverse_mass[0][lane] = static_cast<T>(a.inverse_mass * facts.copies_a);
    block.inverse_mass[1][lane] = static_cast<T>(b.inverse_mass * facts.copies_b);
    block.inverse_moment[0][lane] = static_cast<T>(a.inverse_moment * facts.copies_a);
    block.inverse_moment[1][lane] = static_cast<T>(b.inverse_moment * facts.copies_b);
}

/// Makes round rows.
template <class T> struct RoundRowMaker {
    StepConstants<double> constants;
    double deep;
    const std::uint32_t* place;
    state::RoundRowsOf<T>* round;
    state::InertBlock<T>* inert;
    std::uint8_t* mark;
    double* depth;
    std::uint32_t *row_of, *feature;  ///< of contacts; no features where all rows are round
    RowCounts* numbers;
    bool alike;  ///< rows of two dynamic bodies need no masses of their own, see Alike

    /// The row of a contact of pair k, at its place. Returns its depth, and relative speed,
    /// squared.
    SCREE_HD exec::Sums<2> operator()(const state::ModelView& model, const state::BodyView& b,
                                      std::size_t k, const PairFacts& facts, state::BodyPair slot,
                                      const shapes::ContactPoint* point, const Vec3<double>& start,
                                      std::uint32_t at, std::uint32_t contact) const
    {
        RoundRow<double> row = rows::round_parts(model, b, facts, point, start);
        const BodyVelocity<double> va = rows::load(b.velocity_before[facts.pair.first]);
        const BodyVelocity<double> vb = rows::load(b.velocity_before[facts.pair.second]);
        const Prepared<double> made = rows::prepare(row, va, vb, constants);
        rows::store(row, slot, round[at / state::round_lanes], at % state::round_lanes);
        if (!alike || facts.prescribed) {
            store_inert(va, vb, facts, inert[at / state::round_lanes], at % state::round_lanes);
        }
        if (made.bounces) {
            exec::add(numbers->bouncing, 1);
        }
        depth[at] = note_gap(made.gap, made.radius, deep, place[k], mark[at], *numbers);
        row_of[contact] = at;
        if (feature != nullptr) {
            feature[contact] = 0;
        }
        return {{depth[at], made.speed2}};
    }
};

/// Makes the rows, with the impulses of the last step to start from. `next` gets the features of
/// the new contacts.
template <class Loops, class T, class Turns>
void make_rows(Loops& loops, const state::ModelView& model, const state::BodyColumns<Loops>& bodies,
               const state::ListColumns<Loops>& list, const state::StoredColumns<Loops>& stored,
               state::StoredColumns<Loops>& next, const candidates::FoundPairs<Loops>& pairs,
               RowColumns<Loops, T>& rows, bool alike, const Turns& turns, RowCounts* numbers)
{
    const state::BodyView b = bodies.view();
    const state::BodyPair* in_step = list.in_step.data();
    const state::BodyPair* slots = list.slot.size() > 0 ? list.slot.data() : list.in_step.data();
    const std::uint32_t* copies_of = list.copies_of.size() > 0 ? list.copies_of.data() : nullptr;
    const std::uint32_t* place = list.place.data();
    next.feature.fit(pairs.any_general ? rows.row_of.size() : 0);
    const bool warm = stored.count.size() == list.count;
    const std::uint8_t* old_count = stored.count.data();
    const std::uint32_t* old_first = stored.first.data();
    const Vec3<double>* old_impulse = stored.impulse.data();
    const std::uint32_t* old_feature = stored.feature.size() > 0 ? stored.feature.data() : nullptr;
    const std::uint32_t* new_first = next.first.data();
    std::uint32_t* new_feature = next.feature.size() > 0 ? next.feature.data() : nullptr;
    std::uint32_t* row_of = rows.row_of.data();
    state::RoundRowsOf<T>* round = rows.round.data();
    state::GeneralBlock* general = rows.general.data();
    const std::uint8_t* found = pairs.found.count.data();
    const candidates::RoundScan round_scan = pairs.round_scan();
    const GeneralRows* general_scan = rows.general_scan.data();
    const RowPlaces* places = rows.places.data();
    const std::uint32_t* special = pairs.special.data();
    const shapes::ContactPoint* points = pairs.found.points.data();
    const std::uint32_t *next_wall = pairs.next_wall.data(),
                        *previous_wall = pairs.previous_wall.data();
    std::uint32_t *next_on_wall = rows.next_on_wall.data(), *next_point = rows.next_point.data();
    std::uint8_t *round_mark = rows.round_mark.data(), *general_mark = rows.general_mark.data();
    std::uint32_t *round_turn = rows.round_turn.data(), *general_turn = rows.general_turn.data();
    double *round_depth = rows.round_depth.data(), *general_depth = rows.general_depth.data();
    state::InertBlock<T>* inert = rows.inert.data();
    std::uint32_t* pair_of_row = rows.pair_of_row.data();

    const double deep = model.settings.deep_penetration;
    const RoundRowMaker<T> make_round{rows::constants_of(model.settings),
                                      deep,
                                      place,
                                      round,
                                      inert,
                                      round_mark,
                                      round_depth,
                                      row_of,
                                      new_feature,
                                      numbers,
                                      alike};
    // Rows of plain pairs, one thread to each: pairs that have none would leave threads idle.
    const auto plain_row = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<2> {
        const auto at = static_cast<std::uint32_t>(i);
        if (places->overflow != 0 || at >= places->on_walls ||
            pair_of_row[at] == candidates::no_row) {
            return {};
        }
        const std::uint32_t k = pair_of_row[at];
        const state::BodyPair pair = in_step[k];
        const int colour = places->begins.colour_of(k);
        const PairFacts facts = rows::facts_of(model, b, pair, copies_of);
        const bool known = warm && old_count[k] > 0;
        const Vec3<double> start = known ? old_impulse[old_first[k]] : Vec3<double>{0, 0, 0};
        const state::BodyPair slot = slots[k];
        round_turn[at] = turns.of_free(slot, places->begins, colour);
        return make_round(model, b, k, facts, slot, nullptr, start, at, new_first[k]);
    };
    // The row of a sphere on something prescribed: the next of its chain waits for it, not for a
    // turn.
    const auto wall_pair = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<2> {
        const std::size_t k = special[i];
        if (places->overflow != 0 || (found[k] & candidates::found_count) == 0) {
            return {};
        }
        const state::BodyPair pair = in_step[k], slot = slots[k];
        const PairFacts facts = rows::facts_of(model, b, pair, copies_of);
        const bool spheres = (b.flags[pair.first] & b.flags[pair.second] & state::flag_round) != 0;
        const bool known = warm && old_count[k] > 0;
        const Vec3<double> start = known ? old_impulse[old_first[k]] : Vec3<double>{0, 0, 0};
        const auto row_at = [&](std::size_t j) {
            const int c = places->begins.colour_of(static_cast<std::uint32_t>(j));
            return places->shift[1][c] + candidates::on_wall_of(round_scan[j]);
        };
        const std::uint32_t at = row_at(k);
        pair_of_row[at] = static_cast<std::uint32_t>(k);
        const auto nearest = [&](const std::uint32_t* chain) {
            std::uint32_t j = chain[k];
            while (j != candidates::no_row && (found[j] & candidates::found_count) == 0) {
                j = chain[j];
            }
            return j;
        };
        const std::uint32_t after = nearest(next_wall);
        next_on_wall[at] = after == candidates::no_row ? candidates::no_row : row_at(after);
        const bool waits = nearest(previous_wall) != candidates::no_row;
        const int colour = places->begins.colour_of(static_cast<std::uint32_t>(k));
        round_turn[at] = waits ? no_turn : turns.on_wall(slot, places->begins, colour);
        return make_round(model, b, k, facts, slot,
                          spheres ? nullptr : points + shapes::Manifold::capacity * i, start, at,
                          new_first[k]);
    };
    const std::size_t on_wall_count = pairs.on_wall_count;
    const auto special_pair = [=] SCREE_DEVICE(std::size_t other) -> exec::Sums<2> {
        const std::size_t i = on_wall_count + other;
        const std::size_t k = special[i];
        const unsigned count = found[k] & candidates::found_count;
        if ((found[k] & candidates::found_general) == 0) {
            return wall_pair(i);
        }
        const state::BodyPair pair = in_step[k];
        if (places->overflow != 0 || count == 0) {
            return {};
        }
        const std::uint32_t contact = new_first[k];
        const shapes::ContactPoint* point = points + shapes::Manifold::capacity * i;
        const int colour = places->begins.colour_of(static_cast<std::uint32_t>(k));
        const state::BodyPair slot = slots[k];
        const PairFacts facts = rows::facts_of(model, b, pair, copies_of);
        const std::uint8_t flags = b.flags[pair.first] & b.flags[pair.second];
        const bool spheres = (flags & state::flag_round) != 0;
        const std::uint32_t first = warm ? old_first[k] : 0;
        const std::uint32_t before = warm ? old_count[k] : 0;
        exec::Sums<2> most;
        const std::uint32_t turn = turns.of_general(slot, places->begins, colour);
        for (unsigned f = 0; f < count; ++f) {
            const std::uint32_t at = places->shift[2 + f][colour] + general_scan[k].of[f];
            const shapes::ContactPoint here = spheres ? rows::point_of_spheres(b, facts) : point[f];
            Vec3<double> start{0, 0, 0};
            for (std::uint32_t o = first + before; o-- > first;) {
                if ((old_feature != nullptr ? old_feature[o] : 0) == here.feature) {
                    start = old_impulse[o];
                }
            }
            GeneralRow<double> row;
            const GeneralPrepared made = rows::prepare(model, b, facts, here, start, row);
            rows::store(row, slot, general[at / state::block_lanes], at % state::block_lanes);
            if (made.bounces) {
                exec::add(numbers->bouncing, 1);
            }
            if (made.degenerate) {
                exec::add(numbers->degenerate, 1);
                exec::least(numbers->first_degenerate, place[k]);
            }
            const double depth =
                note_gap(made.gap, made.radius, deep, place[k], general_mark[at], *numbers);
            general_depth[at] = depth;
            general_turn[at] = f == 0 ? turn : no_turn;
            row_of[contact + f] = at | state::general_bit;
            new_feature[contact + f] = here.feature;
            next_point[at] = f + 1 < count
                                 ? places->shift[3 + f][colour] + general_scan[k].of[f + 1]
                                 : candidates::no_row;
            most.of[0] = lane::larger(most.of[0], depth);
            most.of[1] = lane::larger(most.of[1], made.speed2);
        }
        return most;
    };
    double* most = &numbers->max_depth;  // and the relative speed behind it
    static_assert(offsetof(RowCounts, speeds) == offsetof(RowCounts, max_depth) + sizeof(double));
    loops.side_by_side(
        [&] {
            exec::for_largest<2>(loops, pairs.special_count - on_wall_count, most, special_pair);
        },
        [&] { exec::for_largest<2>(loops, on_wall_count, most, wall_pair); },
        [&] { exec::for_largest<2>(loops, rows.pair_of_row.size(), most, plain_row); });
}

}  // namespace scree::rows
