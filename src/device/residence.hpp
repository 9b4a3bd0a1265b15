// Which velocities a block of threads keeps in its own fast memory while rows are swept. Slots are
// dealt out to blocks in runs, which are neighbours in space, and a round row belongs to the block
// of its first slot. A slot that a row of another block needs is away: its line is where all can
// read it. The memory of a whole GPU is far slower than that of a block, so few should be.
// Where blocks have no room for all lines, none has any and the rows are everybody's: threads that
// run at the same time then work on neighbours.
#pragma once

#include "device/row_places.hpp"
#include "device/rows_view.hpp"

namespace scree::device {

/// How slots are dealt out.
struct Dealt {
    std::uint32_t share = 1;  ///< slots of a block
    std::uint32_t room = 0;   ///< lines that a block keeps: all of its slots', or none
};

/// The round rows of a block, in the order of a sweep: a run of each group, or all rows there are
/// if they are everybody's.
struct BlockRows {
    static constexpr int most_runs = 2 * most_colours;
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

/// The first row of [from, to) whose first slot is at least this one; rows of a group come by their
/// first slots.
template <class T>
SCREE_HD std::uint32_t row_from_slot(const RoundRowsOf<T>* round, std::uint32_t from,
                                     std::uint32_t to, std::uint32_t slot)
{
    while (from < to) {
        const std::uint32_t middle = from + (to - from) / 2;
        const RoundPlace place(middle);
        if (round[place.block].slot[0][place.lane] < slot) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/// Notes which rows this block's are.
template <class T, class Grid>
SCREE_HD void find_rows(Grid& grid, const RoundRowsOf<T>* round, const RowPlaces& places,
                        const Dealt& dealt, BlockRows& rows)
{
    const int colours = places.begins.colours, runs = dealt.room > 0 ? 2 * colours : 1;
    const std::uint32_t block = grid.block(), blocks = grid.blocks();
    for (int k = static_cast<int>(grid.thread_of_block()); k < runs;
         k += static_cast<int>(grid.threads_of_block())) {
        std::uint32_t from = 0, to = places.round_rows;
        if (dealt.room > 0) {
            const int kind = k / colours, c = k % colours;
            const std::uint32_t n = to > 0 ? places.count[kind][c] : 0;
            const std::uint32_t end = places.end[kind][c], begin = end - n;
            const auto cut = [&](std::uint32_t b) {
                return row_from_slot(round, begin, end, b * dealt.share);
            };
            from = n > 0 ? cut(block) : 0;
            to = n == 0 ? 0 : block + 1 < blocks ? cut(block + 1) : end;
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
template <class T> struct Residence {
    TurnLine<T>* own;     ///< in the block's memory
    TurnLine<T>* common;  ///< of all slots
    const std::uint8_t* away;
    std::uint32_t first, room;  ///< slots [first, first + room) have room

    [[nodiscard]] SCREE_HD bool keeps(std::uint32_t slot) const
    {
        return slot - first < room && away[slot] == 0;
    }
    [[nodiscard]] SCREE_HD TurnLine<T>* operator()(std::uint32_t slot) const
    {
        return keeps(slot) ? own + (slot - first) : common + slot;
    }
};

}  // namespace scree::device
