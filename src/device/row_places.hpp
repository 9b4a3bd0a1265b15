// Where the contacts of a pass go: rows of the round and of the general kind, group by group as on
// the host (Setup::place) with all pairs in one region. Pairs come in the step's order, that is by
// colour, so that a pair's place follows from how many rows the pairs before it need.
#pragma once

#include "collide/manifold.hpp"
#include "contact/colour_rule.hpp"
#include "device/grid.hpp"
#include "state/contact_rows.hpp"
#include "state/pairs.hpp"

#include <bit>
#include <cstring>

namespace scree::device {

using contact::most_colours;
inline constexpr std::uint32_t no_row = 0xffffffffU;

/// What the narrow phase found of a pair: how many contacts, and which rows they get; and what the
/// list says of it: that it is not two dynamic spheres with a round row.
enum Found : std::uint8_t {
    found_count = 15,
    found_special = 32,
    found_general = 64,
    found_on_wall = 128
};

SCREE_HD std::uint32_t set_bits(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popc(bits));
#else
    return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}
SCREE_HD std::uint32_t set_bits(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popcll(bits));
#else
    return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

/// Of two dynamic spheres in the lower half, of spheres on something prescribed in the upper one:
/// numbers of rows, or bits that say which pairs have one. Plain numbers are added up faster than
/// structures.
using RoundRows = std::uint64_t;
SCREE_HD std::uint32_t free_of(RoundRows rows) { return static_cast<std::uint32_t>(rows); }
SCREE_HD std::uint32_t on_wall_of(RoundRows rows) { return static_cast<std::uint32_t>(rows >> 32); }

/// How many round rows pairs have. A pair has one or none, so that a bit says it: pairs are counted
/// in chunks, and what is before one of a chunk are its bits.
struct RoundScan {
    static constexpr std::size_t chunk = 32;
    const RoundRows *before, *within;  ///< rows of all chunks before, see scan_groups
    const RoundRows* bits;             ///< of the chunk's pairs

    /// One chunk more than needed, so that the number of all pairs has a place.
    SCREE_HD static std::size_t chunks(std::size_t pairs) { return pairs / chunk + 1; }
    /// Rows of the pairs before the k-th.
    [[nodiscard]] SCREE_HD RoundRows operator[](std::size_t k) const
    {
        const std::size_t c = k / chunk;
        const RoundRows own = bits[c];
        const std::uint32_t earlier = (1U << k % chunk) - 1;
        return before[c / scan_group] + within[c] + set_bits(free_of(own) & earlier) +
               (RoundRows(set_bits(on_wall_of(own) & earlier)) << 32);
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

/// Whether contacts of the pair, if any, have rows of two dynamic spheres.
SCREE_HD bool is_free(std::uint8_t found) { return (found & (found_general | found_on_wall)) == 0; }
/// The bits of a chunk of pairs, eight at a time.
SCREE_HD RoundRows round_bits_of(const std::uint8_t* found)
{
    constexpr std::uint64_t ones = 0x0101010101010101U;
    const auto* bytes = static_cast<const std::uint8_t*>(__builtin_assume_aligned(found, 8));
    RoundRows bits = 0;
    for (int part = 0; part < 4; ++part) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, bytes + 8 * part, sizeof(eight));
        const std::uint64_t any = ((eight & found_count * ones) + found_count * ones) >> 4 & ones;
        const std::uint64_t round = any & ~(eight >> 6), on_wall = round & eight >> 7;
        // The lowest bit of each byte, side by side.
        const auto gathered = [](std::uint64_t x) { return x * 0x0102040810204080U >> 56; };
        bits |= (gathered(round ^ on_wall) | gathered(on_wall) << 32) << 8 * part;
    }
    return bits;
}
static_assert(found_count == 15 && found_general == 1 << 6 && found_on_wall == 1 << 7);
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
    int leg_end[leg_own];  ///< behind the last colour of each leg of a sweep but the last
    /// Where a leg's colours begin; behind the last leg, where they end.
    [[nodiscard]] SCREE_HD int leg_begin(int leg) const
    {
        return leg == leg_first ? 0 : leg == leg_count ? colours : leg_end[leg - 1];
    }
    [[nodiscard]] SCREE_HD int leg_of(int colour) const { return scree::leg_of(colour, leg_end); }
    [[nodiscard]] SCREE_HD int colour_of(std::uint32_t k) const
    {
        int low = 0, high = colours;  // of[low] ≤ k < of[high]
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (of[middle] <= k ? low : high) = middle;
        }
        return low;
    }
    /// Where a place of the list is in the step's order, given its colour: within one of these
    /// places of the list rise.
    [[nodiscard]] SCREE_HD std::uint32_t step_of(std::uint32_t p, int colour,
                                                 const std::uint32_t* place) const
    {
        std::uint32_t low = of[colour], high = of[colour + 1];  // place[low] ≤ p < place[high]
        while (high - low > 1) {
            const std::uint32_t middle = low + (high - low) / 2;
            (place[middle] <= p ? low : high) = middle;
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
    std::uint32_t before[group_kinds][most_colours + 1];  ///< rows of all colours before
    std::uint32_t shift[group_kinds][most_colours];
    std::uint32_t end[group_kinds][most_colours];  ///< behind the group's last row
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

/// What comes from adding up the rows that pairs need, and where it ends.
struct RowScans {
    RoundScan round;
    const GeneralRows* general;  ///< null if there are no general rows
};

/// The c-th colour's part of `before`, and that of what is behind the last.
SCREE_HD void count_before(const ColourBegins& begins, const RowScans& scans, int c, RowPlaces& out)
{
    const std::uint32_t k = begins.of[c];
    const RoundRows round = scans.round[k];
    out.before[0][c] = free_of(round);
    out.before[1][c] = on_wall_of(round);
    for (int f = 0; scans.general != nullptr && f < collide::Manifold::capacity; ++f) {
        out.before[2 + f][c] = scans.general[k].of[f];
    }
}

/// Lays out the groups, given `before`: places of those of one kind and colour, and with it of all
/// that are before. Called for each, by threads that know nothing of each other.
SCREE_HD void lay_out(const ColourBegins& begins, bool any_general, int own_kind, int own_colour,
                      std::uint32_t round_capacity, std::uint32_t general_capacity, RowPlaces& out)
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
        at = (at + n + block_lanes - 1) / block_lanes * block_lanes;
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
        for (int f = 0; f < collide::Manifold::capacity; ++f) {
            lay(2 + f, c);
        }
    }
    if (first) {
        out.begins = begins;
        out.on_walls = on_walls;
        out.round_blocks = round_rows / block_lanes;
        out.general_blocks = at / block_lanes;
        out.contacts = contacts;
        out.overflow =
            out.round_blocks > round_capacity || out.general_blocks > general_capacity ? 1 : 0;
        out.round_rows = out.overflow != 0 ? 0 : round_rows;
        out.general_rows = out.overflow != 0 ? 0 : at;
    }
}

}  // namespace scree::device
