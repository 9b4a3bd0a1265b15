// Where the contacts of a pass go: rows of the round and of the general kind, group by group as on
// the host (Setup::place) with all pairs in one region. Pairs come in the step's order, that is by
// colour, so that a pair's place follows from how many rows the pairs before it need.
#pragma once

#include "collide/manifold.hpp"
#include "device/grid.hpp"
#include "state/contact_rows.hpp"

namespace scree::device {

inline constexpr int most_colours = 64;
inline constexpr std::uint32_t no_row = 0xffffffffU;

/// What the narrow phase found of a pair: how many contacts, and which rows they get.
enum Found : std::uint8_t { found_count = 7, found_general = 64, found_on_wall = 128 };

/// Rows that pairs need: of two dynamic spheres, of spheres on something prescribed.
struct RoundRows {
    std::uint32_t free, on_wall;
    SCREE_HD friend RoundRows operator+(const RoundRows& a, const RoundRows& b)
    {
        return {a.free + b.free, a.on_wall + b.on_wall};
    }
};
/// General rows: pairs with more than 0, 1, … contacts.
struct GeneralRows {
    std::uint32_t of[collide::Manifold::capacity];
    SCREE_HD friend GeneralRows operator+(const GeneralRows& a, const GeneralRows& b)
    {
        GeneralRows sum;
        for (int f = 0; f < collide::Manifold::capacity; ++f) {
            sum.of[f] = a.of[f] + b.of[f];
        }
        return sum;
    }
};

SCREE_HD RoundRows round_rows_of(std::uint8_t found)
{
    const std::uint32_t n = (found & found_general) == 0 ? found & found_count : 0;
    return (found & found_on_wall) != 0 ? RoundRows{0, n} : RoundRows{n, 0};
}
SCREE_HD GeneralRows general_rows_of(std::uint8_t found)
{
    const int n = (found & found_general) != 0 ? found & found_count : 0;
    GeneralRows rows;
    for (int f = 0; f < collide::Manifold::capacity; ++f) {
        rows.of[f] = f < n ? 1 : 0;
    }
    return rows;
}

/// Rows [begin, end).
struct RowRun {
    std::uint32_t begin, end;
};

/// The groups of a pass. A pair's row is what it says here for the pair's colour, more by the rows
/// of all pairs before it.
struct RowPlaces {
    RowRun free[most_colours];
    RowRun on_wall;                ///< all colours, with idle lanes between them
    RowRun general[most_colours];  ///< of the first contact of each pair
    std::uint32_t free_shift[most_colours], on_wall_shift[most_colours];
    std::uint32_t general_shift[most_colours][collide::Manifold::capacity];
    std::uint32_t round_blocks, general_blocks, contacts;
    std::uint32_t overflow;  ///< there is not memory enough for them: no run has any rows
};

/// Where colours begin in the step's order.
struct ColourBegins {
    std::uint32_t of[most_colours + 1];
    int colours;
    [[nodiscard]] SCREE_HD int colour_of(std::uint32_t k) const
    {
        int low = 0, high = colours;  // of[low] ≤ k < of[high]
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (of[middle] <= k ? low : high) = middle;
        }
        return low;
    }
};

/// What comes from adding up the rows that pairs need, and where it ends.
struct RowScans {
    const RoundRows* round;
    const GeneralRows* general;  ///< null if there are no general rows
};

/// Lays out the groups. One thread.
SCREE_LONG void lay_out(const ColourBegins& colours, const RowScans& scans,
                        std::uint32_t round_capacity, std::uint32_t general_capacity,
                        RowPlaces& out)
{
    constexpr int capacity = collide::Manifold::capacity;
    const auto up = [](std::uint32_t row) {
        return (row + block_lanes - 1) / block_lanes * block_lanes;
    };
    std::uint32_t at = 0;
    for (int c = 0; c < colours.colours; ++c) {
        const std::uint32_t before = scans.round[colours.of[c]].free;
        const std::uint32_t n = scans.round[colours.of[c + 1]].free - before;
        out.free[c] = {at, at + n};
        out.free_shift[c] = at - before;
        at = up(at + n);
    }
    out.on_wall.begin = at;
    for (int c = 0; c < colours.colours; ++c) {
        const std::uint32_t before = scans.round[colours.of[c]].on_wall;
        const std::uint32_t n = scans.round[colours.of[c + 1]].on_wall - before;
        out.on_wall_shift[c] = at - before;
        at = up(at + n);
    }
    out.on_wall.end = at;
    out.round_blocks = at / block_lanes;
    const RoundRows all = scans.round[colours.of[colours.colours]];
    out.contacts = all.free + all.on_wall;
    at = 0;
    for (int c = 0; c < colours.colours; ++c) {
        out.general[c] = {at, at};
        for (int f = 0; scans.general != nullptr && f < capacity; ++f) {
            const std::uint32_t before = scans.general[colours.of[c]].of[f];
            const std::uint32_t n = scans.general[colours.of[c + 1]].of[f] - before;
            if (f == 0) {
                out.general[c] = {at, at + n};
            }
            out.general_shift[c][f] = at - before;
            out.contacts += n;
            at = up(at + n);
        }
    }
    out.general_blocks = at / block_lanes;
    out.overflow =
        out.round_blocks > round_capacity || out.general_blocks > general_capacity ? 1 : 0;
    if (out.overflow != 0) {
        for (int c = 0; c < colours.colours; ++c) {
            out.free[c] = out.general[c] = {0, 0};
        }
        out.on_wall = {0, 0};
    }
}

}  // namespace scree::device
