// The rule by which one pair gets its colour: when its turn comes, the lowest that neither of its
// slots has yet.
#pragma once

#include "math/bits.hpp"
#include "math/hash.hpp"
#include "scree/body.hpp"
#include "state/pairs.hpp"

namespace scree::neighbours {

inline constexpr std::size_t turns = 64;
/// As many colours as pairs that are coloured together can take.
inline constexpr int most_colours = 64;
/// As many as may be used to keep the legs of a sweep apart: parts may take as many more as one set
/// does, of 255. With one region of all pairs sweeps are those of devices, which have room for one
/// set, less one for walls in each leg.
SCREE_HD int most_colours_of_legs(std::size_t region_pairs)
{
    return region_pairs > 0 ? 3 * most_colours : most_colours - state::sweep_part_count;
}

/// When a pair of bodies with these ids is coloured, 0 … turns − 1: a hash. Among equals the place
/// in the list decides.
SCREE_HD std::uint8_t turn_of(BodyId a, BodyId b)
{
    return static_cast<std::uint8_t>(math::hash(a < b ? a : b, a < b ? b : a) >> 58);
}

/// Slots are dynamic bodies, prescribed ones, and copies from `first_copy` on.
SCREE_HD bool slot_moves(std::uint32_t slot, std::size_t dynamic_count, std::size_t first_copy)
{
    return slot < dynamic_count || slot >= first_copy;
}

/// Colours a pair, given the colours taken at its slots; the second is null where it does not move.
SCREE_HD std::uint8_t take_colour(std::uint64_t& first, std::uint64_t* second)
{
    // With at most 32 pairs on a slot a pair has at most 62 neighbours: a bit is free.
    const int c = math::lowest_free(second != nullptr ? first | *second : first);
    const std::uint64_t bit = std::uint64_t(1) << c;
    first |= bit;
    if (second != nullptr) {
        *second |= bit;
    }
    return static_cast<std::uint8_t>(c);
}

}  // namespace scree::neighbours
