// The order in which the contacts of one slot are relaxed, as far as a row has to know it: at which
// counts of its two slots its turn has come.
#pragma once

#include "device/row_places.hpp"

#include <bit>

namespace scree::device {

/// When it is a row's turn: at which of the contacts of its slots, and how many these have in a
/// sweep. A slot that no impulse moves has none.
struct Turn {
    std::uint32_t rank_a, all_a, rank_b, all_b;
    [[nodiscard]] SCREE_HD std::uint32_t packed() const
    {
        return rank_a | all_a << 8 | rank_b << 16 | all_b << 24;
    }
    SCREE_HD static Turn of(std::uint32_t packed)
    {
        return {packed & 255U, packed >> 8 & 255U, packed >> 16 & 255U, packed >> 24};
    }
};
/// Rows that have no turn of their own: idle lanes, and those that follow others in a chain.
inline constexpr std::uint32_t no_turn = 0xffffffffU;

/// Which contacts a slot has, in the order of a sweep: free ones by colour, those on walls, general
/// ones by colour.
struct SlotOrder {
    std::uint64_t free, general;
    std::uint64_t on_wall;  ///< 0 or 1

    [[nodiscard]] SCREE_HD std::uint32_t all() const
    {
        return count(free) + static_cast<std::uint32_t>(on_wall) + count(general);
    }
    [[nodiscard]] SCREE_HD std::uint32_t rank_of_free(std::uint32_t colour) const
    {
        return count(free & below(colour));
    }
    [[nodiscard]] SCREE_HD std::uint32_t rank_on_wall() const { return count(free); }
    [[nodiscard]] SCREE_HD std::uint32_t rank_of_general(std::uint32_t colour) const
    {
        return count(free) + static_cast<std::uint32_t>(on_wall) + count(general & below(colour));
    }
    SCREE_HD static std::uint64_t below(std::uint32_t colour)
    {
        return (std::uint64_t(1) << colour) - 1;
    }
    SCREE_HD static std::uint32_t count(std::uint64_t bits)
    {
#if defined(__CUDA_ARCH__)
        return static_cast<std::uint32_t>(__popcll(bits));
#else
        return static_cast<std::uint32_t>(std::popcount(bits));
#endif
    }
};

/// The turn of a row of these slots, if `rank` says which of a slot's contacts it is. No impulse
/// moves fixed slots.
template <class Rank>
SCREE_HD std::uint32_t turn_of(collide::BodyPair slot, const SlotOrder* order, const RowRun& fixed,
                               const Rank& rank)
{
    const SlotOrder &a = order[slot.first], &b = order[slot.second];
    const bool both = slot.second < fixed.begin || slot.second >= fixed.end;
    return Turn{rank(a), a.all(), both ? rank(b) : 0, both ? b.all() : 0}.packed();
}

}  // namespace scree::device
