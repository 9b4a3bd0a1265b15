// The order in which the contacts of one slot are relaxed, as far as a row has to know it: at which
// counts of its two slots its turn has come.
#pragma once

#include "math/bits.hpp"
#include "stages/rows/device_row_places.hpp"

namespace scree::relax {

/// When it is a row's turn: at which of the contacts that its slots have in its leg of a sweep, and
/// how many these have in all of it. A slot that no impulse moves has none. One launch makes
/// several sweeps only where there is one leg.
struct RowTicket {
    std::uint32_t rank_a, all_a, rank_b, all_b;
    [[nodiscard]] SCREE_HD std::uint32_t packed() const
    {
        return rank_a | all_a << 8 | rank_b << 16 | all_b << 24;
    }
    SCREE_HD static RowTicket of(std::uint32_t packed)
    {
        return {packed & 255U, packed >> 8 & 255U, packed >> 16 & 255U, packed >> 24};
    }
};

/// Which contacts a slot has, in the order of a leg of a sweep: free ones by colour, those on
/// walls, general ones by colour. The last bits of round ones are no colour's but say that there
/// are walls, all of a slot in one leg (colouring.cpp): a bit for each leg, or the last one
/// where there is one leg alone, which may take all other bits; a pair has at most 62 neighbours.
struct alignas(16) SlotContacts {
    std::uint64_t round, general;

    /// What a row of this colour sets.
    SCREE_HD static std::uint64_t bit(int colour) { return std::uint64_t(1) << colour; }
    SCREE_HD static std::uint64_t walls(const neighbours::ColourBegins& begins, int leg)
    {
        const bool alone =
            begins.leg_begin(leg) == 0 && begins.leg_begin(leg + 1) == begins.colours;
        return bit(alone ? neighbours::most_colours - 1
                         : neighbours::most_colours - state::sweep_part_count + leg);
    }
    /// Those of the colours of a leg.
    SCREE_HD static std::uint64_t bits_of(const neighbours::ColourBegins& begins, int leg)
    {
        return bit(begins.leg_begin(leg + 1)) - bit(begins.leg_begin(leg));
    }

    [[nodiscard]] SCREE_HD std::uint32_t all() const
    {
        return math::set_bits(round) + math::set_bits(general);
    }
    // Which of its slot's contacts in its leg a row of this colour is.
    [[nodiscard]] SCREE_HD std::uint32_t rank_of_free(const neighbours::ColourBegins& begins,
                                                      int colour) const
    {
        return math::set_bits(round & bits_of(begins, begins.part_of(colour)) & (bit(colour) - 1));
    }
    [[nodiscard]] SCREE_HD std::uint32_t rank_on_wall(const neighbours::ColourBegins& begins,
                                                      int colour) const
    {
        return math::set_bits(round & bits_of(begins, begins.part_of(colour)));
    }
    [[nodiscard]] SCREE_HD std::uint32_t rank_of_general(const neighbours::ColourBegins& begins,
                                                         int colour) const
    {
        const int leg = begins.part_of(colour);
        const std::uint64_t bits = bits_of(begins, leg);
        return math::set_bits(round & (bits | walls(begins, leg))) +
               math::set_bits(general & bits & (bit(colour) - 1));
    }
};

/// The turn of a row of these slots, if `rank` says which of a slot's contacts it is. No impulse
/// moves fixed slots.
template <class Rank>
SCREE_HD std::uint32_t turn_of(state::BodyPair slot, const SlotContacts* order,
                               const rows::RowRun& fixed, const Rank& rank)
{
    const SlotContacts &a = order[slot.first], &b = order[slot.second];
    const bool both = slot.second < fixed.begin || slot.second >= fixed.end;
    return RowTicket{rank(a), a.all(), both ? rank(b) : 0, both ? b.all() : 0}.packed();
}

/// When the turns of new rows come.
struct RowTurns {
    const SlotContacts* order;
    rows::RowRun fixed;
    [[nodiscard]] SCREE_HD std::uint32_t
    of_free(state::BodyPair slot, const neighbours::ColourBegins& begins, int colour) const
    {
        return turn_of(slot, order, fixed,
                       [&](const SlotContacts& o) { return o.rank_of_free(begins, colour); });
    }
    [[nodiscard]] SCREE_HD std::uint32_t
    on_wall(state::BodyPair slot, const neighbours::ColourBegins& begins, int colour) const
    {
        return turn_of(slot, order, fixed,
                       [&](const SlotContacts& o) { return o.rank_on_wall(begins, colour); });
    }
    [[nodiscard]] SCREE_HD std::uint32_t
    of_general(state::BodyPair slot, const neighbours::ColourBegins& begins, int colour) const
    {
        return turn_of(slot, order, fixed,
                       [&](const SlotContacts& o) { return o.rank_of_general(begins, colour); });
    }
};

}  // namespace scree::relax
