// Where the contacts of a pass go: rows of the round and of the general kind, group by group as on
// the host (Setup::place) with all pairs in one region. Pairs come in the step's order, that is by
// colour, so that a pair's place follows from how many rows the pairs before it need.
#pragma once

#include "exec/thread_grid.hpp"
#include "shapes/manifold.hpp"
#include "stages/candidates/device_found.hpp"
#include "stages/neighbours/device_colour_begins.hpp"
#include "state/pairs.hpp"
#include "state/rows.hpp"

#include <bit>
#include <cstring>

namespace scree::rows {

/// Rows that have no turn of their own: idle lanes, and those that follow others in a chain.
inline constexpr std::uint32_t no_turn = 0xffffffffU;

/// Rows [begin, end).
struct RowRun {
    std::uint32_t begin, end;
};

/// The groups of a pass. A pair's row is the shift of its group, more by the rows of all pairs
/// before it.
struct RowPlaces {
    neighbours::ColourBegins begins;
    std::uint32_t before[candidates::group_kinds]
                        [neighbours::most_colours + 1];  ///< rows of all colours before
    std::uint32_t shift[candidates::group_kinds][neighbours::most_colours];
    std::uint32_t end[candidates::group_kinds]
                     [neighbours::most_colours];  ///< behind the group's last row
    std::uint32_t on_walls;  ///< where rows on walls begin, behind all free ones
    std::uint32_t round_blocks, general_blocks, contacts;
    std::uint32_t overflow;                  ///< there is not memory enough for them
    std::uint32_t round_rows, general_rows;  ///< with idle lanes; none if there is no memory

    /// Rows of a leg of a sweep: free ones (kind 0), on walls (1), general (2, of all kinds).
    [[nodiscard]] SCREE_HD RowRun rows_of(int leg, int kind) const
    {
        const std::uint32_t last = overflow != 0 ? 0
                                   : kind == 0   ? on_walls
                                   : kind == 1   ? round_rows
                                                 : general_rows;
        const auto begin_of = [&](int c) {
            return overflow != 0 || c == begins.colours ? last : shift[kind][c] + before[kind][c];
        };
        return {begin_of(begins.leg_begin(leg)), begin_of(begins.leg_begin(leg + 1))};
    }
};

/// General rows: pairs with more than 0, 1, … contacts.
struct GeneralRows {
    std::uint32_t of[shapes::Manifold::capacity];
    SCREE_HD friend GeneralRows operator+(const GeneralRows& a, const GeneralRows& b)
    {
        GeneralRows sum;
        for (int f = 0; f < shapes::Manifold::capacity; ++f) {
            sum.of[f] = a.of[f] + b.of[f];
        }
        return sum;
    }
};

SCREE_HD GeneralRows general_rows_of(std::uint8_t found)
{
    const int n = (found & candidates::found_general) != 0 ? found & candidates::found_count : 0;
    GeneralRows rows;
    for (int f = 0; f < shapes::Manifold::capacity; ++f) {
        rows.of[f] = f < n ? 1 : 0;
    }
    return rows;
}

/// Counts the general rows of all pairs before each.
template <class Loops>
void scan_general(Loops& loops, std::size_t pairs, const std::uint8_t* found, GeneralRows* before)
{
    loops.scan(pairs, before, [=] SCREE_DEVICE(std::size_t k) -> GeneralRows {
        return general_rows_of(found[k]);
    });
}

/// What comes from adding up the rows that pairs need, and where it ends.
struct RowScans {
    candidates::RoundScan round;
    const GeneralRows* general;  ///< null if there are no general rows
};

/// The c-th colour's part of `before`, and that of what is behind the last.
SCREE_HD void count_before(const neighbours::ColourBegins& begins, const RowScans& scans, int c,
                           RowPlaces& out)
{
    const std::uint32_t k = begins.of[c];
    const candidates::RoundRows round = scans.round[k];
    out.before[0][c] = candidates::free_of(round);
    out.before[1][c] = candidates::on_wall_of(round);
    for (int f = 0; scans.general != nullptr && f < shapes::Manifold::capacity; ++f) {
        out.before[2 + f][c] = scans.general[k].of[f];
    }
}

/// Lays out the groups, given `before`: places of those of one kind and colour, and with it of all
/// that are before. Called for each, by threads that know nothing of each other.
SCREE_HD void lay_out(const neighbours::ColourBegins& begins, bool any_general, int own_kind,
                      int own_colour, std::uint32_t round_capacity, std::uint32_t general_capacity,
                      RowPlaces& out)
{
    const bool first = own_kind == 0 && own_colour == 0;
    std::uint32_t at = 0, contacts = 0;
    const auto lay = [&](int kind, int c) {
        const std::uint32_t before = out.before[kind][c];
        const std::uint32_t n = out.before[kind][c + 1] - before;
        if (kind == own_kind && c == own_colour) {
            out.shift[kind][c] = at - before;
            out.end[kind][c] = at + n;
        }
        contacts += n;
        at = (at + n + state::block_lanes - 1) / state::block_lanes * state::block_lanes;
    };
    const int colours = begins.colours;
    for (int c = 0; c < colours; ++c) {
        lay(0, c);
    }
    const std::uint32_t on_walls = at;
    for (int c = 0; c < colours; ++c) {
        lay(1, c);
    }
    const std::uint32_t round_rows = at;
    at = 0;
    for (int c = 0; any_general && c < colours; ++c) {
        for (int f = 0; f < shapes::Manifold::capacity; ++f) {
            lay(2 + f, c);
        }
    }
    if (first) {
        out.begins = begins;
        out.on_walls = on_walls;
        out.round_blocks = round_rows / state::block_lanes;
        out.general_blocks = at / state::block_lanes;
        out.contacts = contacts;
        out.overflow =
            out.round_blocks > round_capacity || out.general_blocks > general_capacity ? 1 : 0;
        out.round_rows = out.overflow != 0 ? 0 : round_rows;
        out.general_rows = out.overflow != 0 ? 0 : at;
    }
}

}  // namespace scree::rows
