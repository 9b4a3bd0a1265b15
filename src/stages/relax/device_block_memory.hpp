// Which velocities a block of threads keeps in its own fast memory while rows are swept. Slots are
// dealt out to blocks in runs, which are neighbours in space, and a round row belongs to the block
// of its first slot. A slot that a row of another block needs is away: its line is where all can
// read it. The memory of a whole GPU is far slower than that of a block, so few should be.
// Where blocks have no room for all lines, none has any and the rows are everybody's: threads that
// run at the same time then work on neighbours.
#pragma once

#include "exec/thread_grid.hpp"
#include "stages/relax/device_rows_view.hpp"
#include "stages/rows/device_row_places.hpp"

namespace scree::relax {

/// How slots are dealt out.
struct SlotShares {
    std::uint32_t share = 1;  ///< slots of a block
    std::uint32_t room = 0;   ///< lines that a block keeps: all of its slots', or none

    /// To a team; rows of copies may be anywhere, and those of several ranks are swept leg by leg.
    static SlotShares to(const exec::BlockTeam& team, std::size_t slots, std::size_t line_bytes,
                         bool scattered)
    {
        const auto share = static_cast<std::uint32_t>((slots + team.blocks - 1) / team.blocks);
        return {share, !scattered && share * line_bytes <= team.memory ? share : 0};
    }
    [[nodiscard]] SCREE_HD std::uint32_t block_of(std::uint32_t slot) const { return slot / share; }
};

/// The round rows of a block, in the order of a sweep: a run of each group, or all rows of a leg if
/// they are everybody's.
struct BlockRows {
    static constexpr int most_runs = 2 * neighbours::most_colours;
    std::uint32_t begin[most_runs];
    std::uint32_t before[most_runs + 1];  ///< rows of the runs before
    int runs;

    /// The row at place v, which is not before the one that `run` was found for.
    [[nodiscard]] SCREE_HD std::uint32_t row(std::uint32_t v, int& run) const
    {
        while (v >= before[run + 1]) {
            ++run;
        }
        return begin[run] + (v - before[run]);
    }
    [[nodiscard]] SCREE_HD std::uint32_t count() const { return before[runs]; }
};

/// The first pair of [from, to), in the step's order, whose first slot is at least this one; pairs
/// of a colour come by their first slots.
SCREE_HD std::uint32_t first_pair_of_slot(const state::BodyPair* slots, std::uint32_t from,
                                          std::uint32_t to, std::uint32_t slot)
{
    while (from < to) {
        const std::uint32_t middle = from + (to - from) / 2;
        if (slots[middle].first < slot) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/// Notes which rows this block's are: `cuts` says for each colour where the pairs of each block
/// begin, and where the last one's end.
template <class Grid>
SCREE_HD void find_rows(Grid& grid, const rows::RowPlaces& places,
                        const candidates::RoundScan& scan, const std::uint32_t* cuts,
                        const SlotShares& dealt, int leg, BlockRows& rows)
{
    const int colours = places.begins.colours, runs = dealt.room > 0 ? 2 * colours : 2;
    for (int k = static_cast<int>(grid.thread_of_block()); k < runs;
         k += static_cast<int>(grid.threads_of_block())) {
        const rows::RowRun all = dealt.room > 0 ? rows::RowRun{0, 0} : places.rows_of(leg, k);
        std::uint32_t from = all.begin, to = all.end;
        if (dealt.room > 0 && places.round_rows > 0) {
            const int kind = k / colours, c = k % colours;
            const std::uint32_t* cut =
                cuts + static_cast<std::size_t>(c) * (grid.blocks() + 1) + grid.block();
            const auto before = [&](std::uint32_t pair) {
                return places.shift[kind][c] + (kind == 0 ? candidates::free_of(scan[pair])
                                                          : candidates::on_wall_of(scan[pair]));
            };
            from = before(cut[0]);
            to = before(cut[1]);
        }
        rows.begin[k] = from;
        rows.before[k + 1] = to - from;
    }
    grid.sync_block();
    if (grid.thread_of_block() == 0) {
        rows.runs = runs;
        rows.before[0] = 0;
        for (int k = 0; k < runs; ++k) {
            rows.before[k + 1] += rows.before[k];
        }
    }
    grid.sync_block();
}

/// Where a block finds the line of a slot.
template <class T> struct LinePlace {
    TicketLine<T>* own;     ///< in the block's memory
    TicketLine<T>* common;  ///< of all slots
    const std::uint8_t* away;
    std::uint32_t first, room;  ///< slots [first, first + room) have room

    [[nodiscard]] SCREE_HD bool keeps(std::uint32_t slot) const
    {
        return slot - first < room && away[slot] == 0;
    }
    [[nodiscard]] SCREE_HD TicketLine<T>* operator()(std::uint32_t slot) const
    {
        return keeps(slot) ? own + (slot - first) : common + slot;
    }
};

}  // namespace scree::relax
