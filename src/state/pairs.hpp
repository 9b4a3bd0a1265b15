// The neighbour list: pairs of bodies that may touch before the list is made again, with a colour
// each such that pairs of one colour share no body that moves; and the impulses that the last step
// left at each pair's contacts, in the order of the list.
#pragma once

#include "math/lane.hpp"
#include "scree/space.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace scree::state {
/// Indices of two balls, first < second.
struct alignas(8) BodyPair {
    std::uint32_t first, second;
    friend bool operator==(const BodyPair&, const BodyPair&) = default;
    friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};
/// Pairs are worked on in chunks of this many.
inline constexpr std::size_t pair_chunk = 1024;

/// How many copies a body with this many pairs gets.
SCREE_HD std::uint32_t copies_for(std::uint32_t pairs, std::uint32_t limit)
{
    return (pairs + limit - 1) / limit;
}

/// A body with many neighbours, as copies that share its contacts.
struct SplitBody {
    std::uint32_t body, first_copy, copies;
};

/// A body with many neighbours on several ranks: as many of all its copies as are here.
struct RankSplitBody {
    std::uint32_t body, first_copy, copies, total;
};

/// A sweep has legs, one after the other. Any other body with contacts on several ranks goes from
/// one of them to the next, and its pairs are relaxed where it is: those on bodies whose way begins
/// here, or that have copies on other ranks; those that have to wait for bodies from elsewhere and
/// be done before others go on; those on bodies whose way ends here; and the pairs that no other
/// rank has to do with.
enum SweepPart : std::uint8_t {
    part_upstream,
    part_relay,
    part_downstream,
    part_local,
    sweep_part_count
};

/// The leg of a pair of this colour, given where the colours of all legs but the last end.
SCREE_HD int part_of(int colour, const int* leg_end)
{
    int leg = part_upstream;
    while (leg < part_local && colour >= leg_end[leg]) {
        ++leg;
    }
    return leg;
}

/// Where on such a body's way this rank is: at its beginning, its end or between.
struct RelayedBody {
    std::uint32_t body;
    SweepPart place;
};

struct PairList {
    std::vector<BodyPair> pair;
    std::vector<std::uint8_t> colour;
    int colours = 0;
    /// Behind the last colour of each leg but the last.
    std::array<int, part_local> leg_end{};
    /// Runs of so many chunks of pairs are parts. Pairs between two of them have the colours from
    /// `own_colours` on; all others touch none but their part's bodies, and prescribed ones.
    std::size_t parts = 1, part_chunks = 1;
    int own_colours = 0;
    // Only where bodies are split or shared:
    std::vector<BodyPair> slot;            ///< whose velocity a pair's contacts change
    std::vector<std::uint32_t> copies_of;  ///< number of copies of each body, on all ranks
    std::vector<SplitBody> splits;
    std::vector<RankSplitBody> shared;  ///< with other ranks
    std::uint32_t copy_count = 0;
    std::vector<RelayedBody> relayed;  ///< only on several ranks
};

/// The impulses of a set of contacts, by pair.
struct StoredImpulses {
    std::vector<std::uint8_t> count;         ///< contacts of each pair
    std::vector<std::uint32_t> chunk_first;  ///< the first contact of each chunk of pairs
    std::vector<Vec3<double>> impulse;       ///< world frame, on the pair's first body
    std::vector<std::uint32_t> feature;      ///< empty: all zero, one contact to a pair
};

}  // namespace scree::state
