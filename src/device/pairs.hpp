// The pairs of a neighbour list on a device, sorted by (first, second): the hierarchical grid of
// collide/level_grid.hpp, in which each ball looks for its partners by itself; and the walls near
// each ball.
#pragma once

#include "collide/allowance.hpp"
#include "collide/level_grid.hpp"
#include "device/arena.hpp"
#include "device/atomic.hpp"
#include "device/columns.hpp"
#include "device/host_loops.hpp"

#include <stdexcept>

namespace scree::device {

using collide::BodyPair;

/// Balls with their margins in the order of the grid's cells.
struct SortedBalls {
    const collide::LevelGrid* grid;
    const std::uint32_t* table;  ///< where each cell begins
    const Ball* ball;
    const std::uint32_t* body;  ///< whose ball it is
    std::size_t movable;        ///< bodies

    /// f(body) for all that the ball at place p touches and answers for: of two of a level the one
    /// at the earlier place does, of others the smaller one.
    template <class F> SCREE_LONG void for_partners(std::size_t p, const F& f) const
    {
        const Ball a = ball[p];
        const bool moves = body[p] < movable;
        double x[3];
        for (int axis = 0; axis < 3; ++axis) {
            x[axis] = grid->wrapped(a, axis);
            if (!(x[axis] == x[axis])) {
                return;  // removed balls are nowhere
            }
        }
        const int own = grid->level_of(a);
        for (int l = 0; l <= own; ++l) {
            const collide::Level& level = grid->level[l];
            collide::Stretch stretch[3];
            for (int axis = 0; axis < 3; ++axis) {
                stretch[axis] = collide::stretch_around(x[axis], x[axis], a.r, level, axis);
            }
            const std::uint32_t first = l == own ? static_cast<std::uint32_t>(p) + 1 : 0;
            collide::for_ranges(
                level, stretch, table,
                [&](std::uint32_t from, std::uint32_t to, const collide::CellRow& row) {
                    for (std::uint32_t q = from > first ? from : first; q < to; ++q) {
                        if (collide::overlap(a, ball[q], grid->box) &&
                            (moves || body[q] < movable) && is_in(level, row, ball[q])) {
                            f(body[q]);
                        }
                    }
                });
        }
    }
    /// Rows of cells of a hashed level may share entries of the table: then their balls are seen
    /// twice.
    SCREE_HD bool is_in(const collide::Level& level, const collide::CellRow& row,
                        const Ball& b) const
    {
        if (level.dense) {
            return true;
        }
        const collide::Cell x = level.cell(grid->wrapped(b, 0), 0);
        return row.from <= x && x <= row.to && level.cell(grid->wrapped(b, 1), 1) == row.y &&
               level.cell(grid->wrapped(b, 2), 2) == row.z;
    }
};

/// Both places in one number, which a pair's memory holds until the list is sorted.
struct PairKey {
    int bits;  ///< of a place
    SCREE_HD BodyPair packed(std::uint32_t a, std::uint32_t b) const
    {
        const std::uint64_t low = a < b ? a : b;
        return std::bit_cast<BodyPair>(low << bits | (a < b ? b : a));
    }
    SCREE_HD BodyPair unpacked(const BodyPair& packed) const
    {
        const auto key = std::bit_cast<std::uint64_t>(packed);
        return {static_cast<std::uint32_t>(key >> bits),
                static_cast<std::uint32_t>(key & ((std::uint64_t(1) << bits) - 1))};
    }
};

/// Fills list.pair, and writes over list.in_step. Returns whether a body has more pairs than the
/// limit. Throws std::length_error for absurdly many pairs.
template <class Loops>
bool find_pairs(Loops& loops, const ModelView& model, const BodyView& bodies,
                const collide::Census& census, ListColumns<Loops>& list,
                typename Loops::template Buffer<collide::LevelGrid>& grid, Arena<Loops>& work)
{
    const std::size_t n = bodies.bounded_count;
    if (n > 0x7fffffff) {
        throw std::length_error(collide::too_many_balls);
    }
    collide::LevelGrid made;
    made.make(census, model.box);
    grid.fit(1);
    loops.upload(&made, grid.data(), 1);

    Scratch scratch = work.open(room<Ball>(n) + 4 * room<std::uint32_t>(n) +
                                room<std::uint32_t>(made.entries + 1) + room<std::uint64_t>(n + 2) +
                                room<std::uint32_t>(bodies.dynamic_count));
    const collide::LevelGrid* const cells = grid.data();
    Ball* ball = scratch.take<Ball>(n).data();
    std::uint32_t* body = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* entry = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* rank = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* found = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* table = scratch.take<std::uint32_t>(made.entries + 1).data();
    std::uint64_t* start = scratch.take<std::uint64_t>(n + 2).data();
    std::uint32_t* degree = scratch.take<std::uint32_t>(bodies.dynamic_count).data();

    // Into cells, within a cell in any order.
    loops.fill_bytes(table, 0, made.entries);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        entry[i] = cells->entry_of(collide::with_margin(bodies.ball[i], bodies.drift[i]));
        rank[i] = add(table[entry[i]], 1);
    });
    loops.scan(made.entries, table,
               [=] SCREE_DEVICE(std::size_t e) -> std::uint32_t { return table[e]; });
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const std::uint32_t p = table[entry[i]] + rank[i];
        ball[p] = collide::with_margin(bodies.ball[i], bodies.drift[i]);
        body[p] = static_cast<std::uint32_t>(i);
    });

    // Counted, then written. Behind the starts comes whether a body has more than the limit.
    const SortedBalls sorted{cells, table, ball, body, bodies.dynamic_count};
    const std::size_t movable = bodies.dynamic_count;
    const Prototype* prototypes = model.prototypes;
    const auto limit = static_cast<std::uint32_t>(model.settings.contacts_per_copy);
    loops.fill_bytes(degree, 0, movable);
    loops.fill_bytes(start + n + 1, 0, 1);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t p) {
        const std::uint32_t i = body[p];
        std::uint32_t own = 0;
        sorted.for_partners(p, [&](std::uint32_t j) {
            ++own;
            if (j < movable && add(degree[j], 1) >= limit) {
                start[n + 1] = 1;
            }
        });
        if (i < movable) {
            for (std::size_t k = n; k < bodies.count; ++k) {
                own += collide::near_wall(bodies, prototypes, ball[p], k) ? 1U : 0U;
            }
            if (own > 0 && add(degree[i], own) + own > limit) {
                start[n + 1] = 1;
            }
        }
        found[p] = own;
    });
    loops.scan(n, start, [=] SCREE_DEVICE(std::size_t p) -> std::uint64_t { return found[p]; });
    std::uint64_t known[2];
    loops.download(start + n, known, 2);
    if (known[0] > collide::absurd_pairs_per_ball * n + 100'000) {
        throw std::length_error(collide::absurd_pairs);
    }
    if (known[0] > 0xffffffff) {
        throw std::length_error(collide::too_many_pairs);
    }
    list.count = known[0];
    list.pair.fit(list.count);
    list.in_step.fit(list.count);
    const PairKey key{static_cast<int>(std::bit_width(bodies.count))};
    BodyPair* packed = list.in_step.data();
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t p) {
        const std::uint32_t i = body[p];
        std::uint64_t at = start[p];
        sorted.for_partners(p, [&](std::uint32_t j) { packed[at++] = key.packed(i, j); });
        for (std::size_t k = n; at < start[p + 1]; ++k) {
            if (collide::near_wall(bodies, prototypes, ball[p], k)) {
                packed[at++] = key.packed(i, static_cast<std::uint32_t>(k));
            }
        }
    });
    BodyPair* pair = list.pair.data();
    loops.sort(packed, pair, list.count, 2 * key.bits);
    loops.for_each(list.count,
                   [=] SCREE_DEVICE(std::size_t i) { pair[i] = key.unpacked(pair[i]); });
    return known[1] != 0;
}

}  // namespace scree::device
