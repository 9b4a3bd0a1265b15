// Stored impulses from one list to the next: a pair keeps its impulses as long as it is in the
// list, wherever its bodies go. They act on its first body, so they are turned round if the pair
// is. The loops of a device are in device_warm_start.hpp.
#pragma once

#include "exec/memory.hpp"
#include "math/vec.hpp"
#include "state/pairs.hpp"

#include <span>

namespace scree::neighbours {

/// A pair by the places of its bodies in another list.
struct PairThere {
    state::BodyPair pair;
    bool turned;  ///< its first body here is the second there
    [[nodiscard]] SCREE_HD Vec3<double> impulse(const Vec3<double>& here) const
    {
        return turned ? -here : here;
    }
};
/// Of the pair whose first body is at a there, and its second at b.
SCREE_HD PairThere pair_at(std::uint32_t a, std::uint32_t b)
{
    return a < b ? PairThere{{a, b}, false} : PairThere{{b, a}, true};
}

/// The place of a body that is in the new list no more.
inline constexpr std::uint32_t removed_body = 0xffffffffU;

/// A pair with contacts, by the places of its bodies in the new list, and the first of these.
struct StoredEntry {
    state::BodyPair pair;
    std::uint32_t contact;
    std::uint8_t count;
    bool turned;
    [[nodiscard]] PairThere there() const { return {pair, turned}; }
};
/// How much memory each contact takes, at most, to be collected and to be given.
inline constexpr std::size_t bytes_to_collect = sizeof(StoredEntry);
inline constexpr std::size_t bytes_to_give =
    sizeof(StoredEntry) + sizeof(Vec3<double>) + sizeof(std::uint32_t);

/// All of them, given the new places of bodies (`place` empty: none has moved).
std::span<StoredEntry> collect_stored(const state::PairList& list,
                                      const state::StoredImpulses& stored,
                                      std::span<const std::uint32_t> place, exec::Scratch& scratch);
/// Gives the pairs of the new list the impulses that they had in the old one.
void give_stored(const state::PairList& list, std::span<const StoredEntry> entries,
                 std::size_t body_count, state::StoredImpulses& stored, exec::Scratch& scratch);

}  // namespace scree::neighbours
