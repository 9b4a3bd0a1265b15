// Where the contacts of a pass go: rows of the round and of the general kind, group by group as on
// the host (Setup::place) with all pairs in one region. Pairs come in the step's order, that is by
// colour, so that a pair's place follows from how many rows the pairs before it need.
#pragma once

#include "collide/manifold.hpp"
#include "contact/colour_rule.hpp"
#include "device/grid.hpp"
#include "state/contact_rows.hpp"

namespace scree::device {

using contact::most_colours;
inline constexpr std::uint32_t no_row = 0xffffffffU;

/// What the narrow phase found of a pair: how many contacts, and which rows they get.
enum Found : std::uint8_t { found_count = 15, found_general = 64, found_on_wall = 128 };

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

/// Kinds of groups: free, on walls, general ones by the number of the contact in its pair.
inline constexpr int group_kinds = 2 + collide::Manifold::capacity;

/// The groups of a pass. A pair's row is the shift of its group, more by the rows of all pairs
/// before it.
struct RowPlaces {
    ColourBegins begins;
    std::uint32_t before[group_kinds][most_colours];  ///< rows of all pairs before the colour
    std::uint32_t count[group_kinds][most_colours];   ///< rows of the colour
    std::uint32_t shift[group_kinds][most_colours];
    std::uint32_t end[group_kinds][most_colours];  ///< behind the group's last row
    RowRun on_wall;                                ///< all colours, with idle lanes between them
    std::uint32_t round_blocks, general_blocks, contacts;
    std::uint32_t overflow;                  ///< there is not memory enough for them
    std::uint32_t round_rows, general_rows;  ///< with idle lanes; none if there is no memory
};

/// What comes from adding up the rows that pairs need, and where it ends.
struct RowScans {
    const RoundRows* round;
    const GeneralRows* general;  ///< null if there are no general rows
};

/// How many rows a group has. One thread per colour and kind.
SCREE_HD void count_group(const ColourBegins& begins, const RowScans& scans, int kind, int c,
                          RowPlaces& out)
{
    const auto rows_before = [&](std::uint32_t k) {
        return kind == 0   ? scans.round[k].free
               : kind == 1 ? scans.round[k].on_wall
                           : (scans.general != nullptr ? scans.general[k].of[kind - 2] : 0);
    };
    const std::uint32_t from = begins.of[c], to = begins.of[c + 1];
    out.before[kind][c] = rows_before(from);
    out.count[kind][c] = rows_before(to) - out.before[kind][c];
    out.begins.of[c] = from;
    out.begins.of[c + 1] = to;
    out.begins.colours = begins.colours;
}

/// Lays out the groups, which are counted. One thread.
SCREE_HD void lay_out(int colours, std::uint32_t round_capacity, std::uint32_t general_capacity,
                      RowPlaces& out)
{
    out.begins.colours = colours;  // also where there are none to count
    std::uint32_t at = 0;
    std::uint32_t contacts = 0;
    const auto lay = [&](int kind, int c) {
        const std::uint32_t n = out.count[kind][c];
        out.shift[kind][c] = at - out.before[kind][c];
        out.end[kind][c] = at + n;
        contacts += n;
        at = (at + n + block_lanes - 1) / block_lanes * block_lanes;
    };
    for (int c = 0; c < colours; ++c) {
        lay(0, c);
    }
    out.on_wall.begin = at;
    for (int c = 0; c < colours; ++c) {
        lay(1, c);
    }
    out.on_wall.end = at;
    out.round_blocks = at / block_lanes;
    at = 0;
    for (int c = 0; c < colours; ++c) {
        for (int f = 0; f < collide::Manifold::capacity; ++f) {
            lay(2 + f, c);
        }
    }
    out.general_blocks = at / block_lanes;
    out.contacts = contacts;
    out.overflow =
        out.round_blocks > round_capacity || out.general_blocks > general_capacity ? 1 : 0;
    out.round_rows = out.overflow != 0 ? 0 : out.round_blocks * block_lanes;
    out.general_rows = out.overflow != 0 ? 0 : out.general_blocks * block_lanes;
}

}  // namespace scree::device
