// This stage on a device: places of all candidates, and their rows.
#pragma once

#include "stages/rows/contact_rule.hpp"
#include "stages/rows/device_row_columns.hpp"
#include "stages/rows/row_access.hpp"
#include "stages/rows/warm_start.hpp"

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

/// A lane behind the last row of a group.
template <class T> struct IdleLanes {
    const RowPlaces* places;
    int kinds;  ///< of groups
    RoundRowsView<T> round;
    GeneralRowsView general;
    std::size_t slot;  ///< the first that is idle

    SCREE_HD void operator()(std::size_t i) const
    {
        const auto lane = static_cast<std::uint32_t>(i % state::block_lanes);
        const int group = static_cast<int>(i / state::block_lanes);
        const int kind = group % kinds;
        const std::uint32_t end = places->end[kind][group / kinds];
        if (end % state::block_lanes == 0 || lane < end % state::block_lanes) {
            return;
        }
        const std::uint32_t at = end / state::block_lanes * state::block_lanes + lane;
        const auto idle = static_cast<std::uint32_t>(slot + lane);
        if (kind < 2) {
            rows::store_idle_round({idle, idle}, round.row[at / state::round_lanes],
                                   at % state::round_lanes);
            round.pair[at] = candidates::no_row;
            round.turn[at] = no_turn;
            round.mark[at] = 0;
            round.depth[at] = 0;
        } else {
            rows::store_idle_general({idle, idle}, general.row[at / state::block_lanes], lane);
            general.turn[at] = no_turn;
            general.mark[at] = 0;
            general.depth[at] = 0;
        }
    }
};

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
    std::uint32_t* pair_of_row = rows.pair_of_row.data();
    const IdleLanes<T> idle_lane{places, kinds, round_view(rows), general_view(rows),
                                 bodies.count + list.copy_count};
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

/// The pairs of a list in the step's order, with what was found of them.
struct PairsView {
    const state::BodyPair *in_step, *slot;  ///< bodies; bodies or their copies
    const std::uint32_t* copies_of;         ///< of bodies; null: none has copies
    const std::uint32_t* place;             ///< in the list
    const std::uint8_t* found;
    const std::uint32_t* special;        ///< pairs that are not two dynamic spheres
    const shapes::ContactPoint* points;  ///< of special ones
    const std::uint32_t *next_wall, *previous_wall;
    RowScans before;  ///< rows of all pairs before
};

/// What these pairs had in the last step.
struct OldOfPairs {
    bool warm;  ///< there is something
    const std::uint8_t* count;
    const std::uint32_t* first;
    OldImpulses old;

    [[nodiscard]] SCREE_HD Vec3<double> of_only(std::size_t k) const
    {
        return warm && count[k] > 0 ? old.of_only(first[k], 1) : Vec3<double>{0, 0, 0};
    }
    [[nodiscard]] SCREE_HD Vec3<double> of_feature(std::size_t k, std::uint32_t feature) const
    {
        return warm ? old.of_feature(first[k], count[k], feature) : Vec3<double>{0, 0, 0};
    }
};

/// The contacts of this step.
struct NewContacts {
    const std::uint32_t* first;  ///< of each pair
    std::uint32_t* row_of;
    std::uint32_t* feature;  ///< null where all rows are round
};

/// Makes rows of pairs, one thread to a pair or a row. Each returns the largest depth of its rows,
/// and relative speed, squared.
template <class T, class Turns> struct RowMaker {
    state::ModelView model;
    state::BodyView bodies;
    StepConstants<double> constants;
    PairsView pairs;
    OldOfPairs old;
    NewContacts contacts;
    const RowPlaces* places;
    RoundRowsView<T> round;
    GeneralRowsView general;
    Turns turns;
    RowCounts* numbers;
    bool alike;  ///< rows of two dynamic bodies need no masses of their own, see Alike

    [[nodiscard]] SCREE_HD int colour_of(std::size_t k) const
    {
        return places->begins.colour_of(static_cast<std::uint32_t>(k));
    }
    [[nodiscard]] SCREE_HD bool is_found(std::size_t k) const
    {
        return (pairs.found[k] & candidates::found_count) != 0;
    }
    [[nodiscard]] SCREE_HD bool are_spheres(state::BodyPair pair) const
    {
        return (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_round) != 0;
    }

    /// The round row of pair k, at its place; `point` is null for two spheres.
    SCREE_HD exec::Sums<2> make_round(std::size_t k, const shapes::ContactPoint* point,
                                      std::uint32_t at) const
    {
        const PairFacts facts = rows::facts_of(model, bodies, pairs.in_step[k], pairs.copies_of);
        RoundRow<double> row = rows::round_parts(model, bodies, facts, point, old.of_only(k));
        const BodyVelocity<double> va = rows::load(bodies.velocity_before[facts.pair.first]);
        const BodyVelocity<double> vb = rows::load(bodies.velocity_before[facts.pair.second]);
        const Prepared<double> made = rows::prepare(row, va, vb, constants);
        const std::uint32_t block = at / state::round_lanes, lane = at % state::round_lanes;
        rows::store(row, pairs.slot[k], round.row[block], lane);
        if (!alike || facts.prescribed) {
            store_inert(va, vb, facts, round.inert[block], lane);
        }
        if (made.bounces) {
            exec::add(numbers->bouncing, 1);
        }
        round.depth[at] = note_gap(made.gap, made.radius, constants.deep, pairs.place[k],
                                   round.mark[at], *numbers);
        const std::uint32_t contact = contacts.first[k];
        contacts.row_of[contact] = at;
        if (contacts.feature != nullptr) {
            contacts.feature[contact] = 0;
        }
        return {{round.depth[at], made.speed2}};
    }

    /// Rows of plain pairs, one thread to each: pairs that have none would leave threads idle.
    SCREE_HD exec::Sums<2> plain_row(std::size_t i) const
    {
        const auto at = static_cast<std::uint32_t>(i);
        if (places->overflow != 0 || at >= places->on_walls ||
            round.pair[at] == candidates::no_row) {
            return {};
        }
        const std::uint32_t k = round.pair[at];
        round.turn[at] = turns.of_free(pairs.slot[k], places->begins, colour_of(k));
        return make_round(k, nullptr, at);
    }

    [[nodiscard]] SCREE_HD std::uint32_t row_on_wall(std::size_t k) const
    {
        return places->shift[1][colour_of(k)] + candidates::on_wall_of(pairs.before.round[k]);
    }
    /// The next pair of a chain that has a row.
    [[nodiscard]] SCREE_HD std::uint32_t nearest(const std::uint32_t* chain, std::size_t k) const
    {
        std::uint32_t j = chain[k];
        while (j != candidates::no_row && !is_found(j)) {
            j = chain[j];
        }
        return j;
    }
    /// The row of a sphere on something prescribed: the next of its chain waits for it, not for a
    /// turn.
    SCREE_HD exec::Sums<2> wall_pair(std::size_t i) const
    {
        const std::size_t k = pairs.special[i];
        if (places->overflow != 0 || !is_found(k)) {
            return {};
        }
        const std::uint32_t at = row_on_wall(k);
        round.pair[at] = static_cast<std::uint32_t>(k);
        const std::uint32_t after = nearest(pairs.next_wall, k);
        round.next_on_wall[at] =
            after == candidates::no_row ? candidates::no_row : row_on_wall(after);
        const bool waits = nearest(pairs.previous_wall, k) != candidates::no_row;
        round.turn[at] =
            waits ? no_turn : turns.on_wall(pairs.slot[k], places->begins, colour_of(k));
        return make_round(
            k,
            are_spheres(pairs.in_step[k]) ? nullptr : pairs.points + shapes::Manifold::capacity * i,
            at);
    }

    [[nodiscard]] SCREE_HD std::uint32_t general_row(std::size_t k, int colour, unsigned f) const
    {
        return places->shift[2 + f][colour] + pairs.before.general[k].of[f];
    }
    /// The general row of a pair's f-th contact.
    SCREE_HD exec::Sums<2> make_general(std::size_t k, const PairFacts& facts,
                                        const shapes::ContactPoint& point, unsigned f,
                                        std::uint32_t at) const
    {
        GeneralRow<double> row;
        const GeneralPrepared made =
            rows::prepare(model, bodies, facts, point, old.of_feature(k, point.feature), row);
        rows::store(row, pairs.slot[k], general.row[at / state::block_lanes],
                    at % state::block_lanes);
        if (made.bounces) {
            exec::add(numbers->bouncing, 1);
        }
        if (made.degenerate) {
            exec::add(numbers->degenerate, 1);
            exec::least(numbers->first_degenerate, pairs.place[k]);
        }
        general.depth[at] = note_gap(made.gap, made.radius, constants.deep, pairs.place[k],
                                     general.mark[at], *numbers);
        const std::uint32_t contact = contacts.first[k] + f;
        contacts.row_of[contact] = at | state::general_bit;
        contacts.feature[contact] = point.feature;
        return {{general.depth[at], made.speed2}};
    }
    /// All rows of the i-th special pair.
    SCREE_HD exec::Sums<2> special_pair(std::size_t i) const
    {
        const std::size_t k = pairs.special[i];
        if ((pairs.found[k] & candidates::found_general) == 0) {
            return wall_pair(i);
        }
        const unsigned count = pairs.found[k] & candidates::found_count;
        if (places->overflow != 0 || count == 0) {
            return {};
        }
        const int colour = colour_of(k);
        const PairFacts facts = rows::facts_of(model, bodies, pairs.in_step[k], pairs.copies_of);
        const bool spheres = are_spheres(facts.pair);
        const std::uint32_t turn = turns.of_general(pairs.slot[k], places->begins, colour);
        exec::Sums<2> most;
        for (unsigned f = 0; f < count; ++f) {
            const std::uint32_t at = general_row(k, colour, f);
            const shapes::ContactPoint point =
                spheres ? rows::point_of_spheres(bodies, facts)
                        : pairs.points[shapes::Manifold::capacity * i + f];
            const exec::Sums<2> made = make_general(k, facts, point, f, at);
            general.turn[at] = f == 0 ? turn : no_turn;
            general.next_point[at] =
                f + 1 < count ? general_row(k, colour, f + 1) : candidates::no_row;
            most.of[0] = math::larger(most.of[0], made.of[0]);
            most.of[1] = math::larger(most.of[1], made.of[1]);
        }
        return most;
    }
};

/// What RowMaker reads of pairs.
template <class Loops, class T>
PairsView pairs_view(const state::ListColumns<Loops>& list,
                     const candidates::FoundPairs<Loops>& pairs, const RowColumns<Loops, T>& rows)
{
    return {.in_step = list.in_step.data(),
            .slot = list.slot.size() > 0 ? list.slot.data() : list.in_step.data(),
            .copies_of = list.copies_of.size() > 0 ? list.copies_of.data() : nullptr,
            .place = list.place.data(),
            .found = pairs.found.count.data(),
            .special = pairs.special.data(),
            .points = pairs.found.points.data(),
            .next_wall = pairs.next_wall.data(),
            .previous_wall = pairs.previous_wall.data(),
            .before = scans_of(pairs, rows)};
}

/// Makes the rows, with the impulses of the last step to start from. `next` gets the features of
/// the new contacts.
template <class Loops, class T, class Turns>
void make_rows(Loops& loops, const state::ModelView& model, const state::BodyColumns<Loops>& bodies,
               const state::ListColumns<Loops>& list, const state::StoredColumns<Loops>& stored,
               state::StoredColumns<Loops>& next, const candidates::FoundPairs<Loops>& pairs,
               RowColumns<Loops, T>& rows, bool alike, const Turns& turns, RowCounts* numbers)
{
    next.feature.fit(pairs.any_general ? rows.row_of.size() : 0);
    const RowMaker<T, Turns> maker{
        .model = model,
        .bodies = bodies.view(),
        .constants = rows::constants_of(model.settings),
        .pairs = pairs_view(list, pairs, rows),
        .old = {.warm = stored.count.size() == list.count,
                .count = stored.count.data(),
                .first = stored.first.data(),
                .old = {stored.impulse.data(),
                        stored.feature.size() > 0 ? stored.feature.data() : nullptr}},
        .contacts = {next.first.data(), rows.row_of.data(),
                     next.feature.size() > 0 ? next.feature.data() : nullptr},
        .places = rows.places.data(),
        .round = round_view(rows),
        .general = general_view(rows),
        .turns = turns,
        .numbers = numbers,
        .alike = alike};
    const std::size_t on_wall_count = pairs.on_wall_count;
    const auto special_pair = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<2> {
        return maker.special_pair(on_wall_count + i);
    };
    const auto wall_pair = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<2> {
        return maker.wall_pair(i);
    };
    const auto plain_row = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<2> {
        return maker.plain_row(i);
    };
    double* most = numbers->speeds.of_contacts;
    loops.side_by_side(
        [&] { for_largest<2>(loops, pairs.special_count - on_wall_count, most, special_pair); },
        [&] { for_largest<2>(loops, on_wall_count, most, wall_pair); },
        [&] { for_largest<2>(loops, rows.pair_of_row.size(), most, plain_row); });
}

}  // namespace scree::rows
