// The neighbour list: pairs of bodies that may touch before the list is made again, with a colour
// each such that pairs of one colour share no body that moves; and the impulses that the last step
// left at each pair's contacts, in the order of the list.
#pragma once

#include "collide/hierarchical_grid.hpp"
#include "scree/space.hpp"

#include <cstdint>
#include <vector>

namespace scree {

/// Pairs are worked on in chunks of this many.
inline constexpr std::size_t pair_chunk = 1024;

/// A body with many neighbours, as copies that share its contacts.
struct Split {
    std::uint32_t body, first_copy, copies;
};

/// A body with contacts on several ranks: as many of all its copies as are here.
struct Shared {
    std::uint32_t body, first_copy, copies, total;
};

struct PairList {
    std::vector<collide::BodyPair> pair;
    std::vector<std::uint8_t> colour;
    int colours = 0;
    int border_colours = 0;  ///< the first ones are of pairs on bodies shared with other ranks
    /// Runs of so many chunks of pairs are parts. Pairs between two of them have the colours from
    /// `own_colours` on; all others touch none but their part's bodies, and prescribed ones.
    std::size_t parts = 1, part_chunks = 1;
    int own_colours = 0;
    // Only where bodies are split or shared:
    std::vector<collide::BodyPair> slot;   ///< whose velocity a pair's contacts change
    std::vector<std::uint32_t> copies_of;  ///< number of copies of each body, on all ranks
    std::vector<Split> splits;
    std::vector<Shared> shared;  ///< with other ranks
    std::uint32_t copy_count = 0;
};

/// The impulses of a set of contacts, by pair.
struct StoredImpulses {
    std::vector<std::uint8_t> count;         ///< contacts of each pair
    std::vector<std::uint32_t> chunk_first;  ///< the first contact of each chunk of pairs
    std::vector<Vec3<double>> impulse;       ///< world frame, on the pair's first body
    std::vector<std::uint32_t> feature;      ///< empty: all zero, one contact to a pair
};

}  // namespace scree
