// The pairs of a neighbour list on a device, sorted by (first, second): the hierarchical grid of
// grid_levels.hpp, in which each ball looks for its partners by itself; and the walls near
// each ball.
#pragma once

#include "exec/arena.hpp"
#include "exec/atomic.hpp"
#include "exec/serial_loops.hpp"
#include "scree/error.hpp"
#include "stages/neighbours/colour_rule.hpp"
#include "stages/neighbours/grid_levels.hpp"
#include "stages/neighbours/skin.hpp"
#include "state/device_columns.hpp"

namespace scree::neighbours {

/// Balls with their margins in the order of the grid's cells.
struct SortedBalls {
    const LevelGrid* grid;
    const std::uint32_t* table;  ///< where each cell begins
    const shapes::Ball* ball;
    const std::uint32_t* body;  ///< whose ball it is
    std::size_t movable;        ///< bodies
    state::BodyView bodies;
    const state::Prototype* prototypes;

    /// f(body) for all that the ball at place p touches and answers for: of two of a level the one
    /// at the earlier place does, of others the smaller one; and the walls that it may touch.
    template <class F> SCREE_HD void for_partners(std::size_t p, const F& f) const
    {
        for_balls(p, f);
        for (std::size_t k = bodies.bounded_count; k < bodies.count && body[p] < movable; ++k) {
            if (neighbours::near_wall(bodies, prototypes, ball[p], k)) {
                f(static_cast<std::uint32_t>(k));
            }
        }
    }
    template <class F> SCREE_HD void for_balls(std::size_t p, const F& f) const
    {
        const shapes::Ball a = ball[p];
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
            const Level& level = grid->level[l];
            Stretch stretch[3];
            for (int axis = 0; axis < 3; ++axis) {
                stretch[axis] = neighbours::stretch_around(x[axis], x[axis], a.r, level, axis);
            }
            const std::uint32_t first = l == own ? static_cast<std::uint32_t>(p) + 1 : 0;
            const std::uint32_t entry =
                l == own
                    ? level.entry(level.cell(x[0], 0), level.cell(x[1], 1), level.cell(x[2], 2))
                    : 0;
            neighbours::for_ranges(
                level, stretch, table, entry,
                [&](std::uint32_t from, std::uint32_t to, const CellRow& row) {
                    for (std::uint32_t q = from > first ? from : first; q < to; ++q) {
                        if (shapes::overlap(a, ball[q], grid->box) &&
                            (moves || body[q] < movable) && is_in(level, row, ball[q])) {
                            f(body[q]);
                        }
                    }
                });
        }
    }
    /// Rows of cells of a hashed level may share entries of the table: then their balls are seen
    /// twice.
    SCREE_HD bool is_in(const Level& level, const CellRow& row, const shapes::Ball& b) const
    {
        if (level.dense) {
            return true;
        }
        const Cell x = level.cell(grid->wrapped(b, 0), 0);
        return row.from <= x && x <= row.to && level.cell(grid->wrapped(b, 1), 1) == row.y &&
               level.cell(grid->wrapped(b, 2), 2) == row.z;
    }
};

/// Partners that the search found, so that it is made once: as many as there is room for, those of
/// neighbouring balls beside each other.
struct Partners {
    std::uint32_t* body;
    std::uint32_t* count;  ///< of each ball, more than there is room for if they are not all here
    std::size_t balls;
    std::uint32_t room;
    SCREE_HD std::uint32_t& at(std::size_t p, std::uint32_t k) const { return body[k * balls + p]; }
    /// f(partner) of those of the ball at place p, searched for again if they are not all here.
    template <class F>
    SCREE_HD std::uint32_t for_each(const SortedBalls& sorted, std::size_t p, const F& f) const
    {
        if (count[p] > room) {
            sorted.for_partners(p, f);
        } else {
            for (std::uint32_t k = 0; k < count[p]; ++k) {
                f(at(p, k));
            }
        }
        return count[p];
    }
};

/// Both places in one number, to sort by.
struct PairKey {
    int bits;  ///< of a place
    SCREE_HD state::BodyPair packed(const state::BodyPair& p) const
    {
        return std::bit_cast<state::BodyPair>(std::uint64_t(p.first) << bits | p.second);
    }
    SCREE_HD state::BodyPair unpacked(const state::BodyPair& packed) const
    {
        const auto key = std::bit_cast<std::uint64_t>(packed);
        return {static_cast<std::uint32_t>(key >> bits),
                static_cast<std::uint32_t>(key & ((std::uint64_t(1) << bits) - 1))};
    }
};

/// Memory of the search, lent by an arena.
struct PairWork {
    shapes::Ball* ball;                   ///< in the order of the cells, with margins
    std::uint32_t* body;                  ///< whose ball it is
    std::uint32_t *entry, *rank;          ///< cell of each body, and its place there
    std::uint32_t* table;                 ///< where each cell begins
    std::uint32_t *as_first, *as_second;  ///< how many pairs a body has
    std::uint64_t* start;                 ///< where those begin in which a body is first
    std::size_t counters;                 ///< length of table, as_first and as_second together
};

template <class Loops>
PairWork open_pair_work(exec::Arena<Loops>& work, std::size_t balls, std::size_t movable,
                        std::size_t entries)
{
    const std::size_t counters = entries + 1 + 2 * movable;
    exec::Scratch scratch =
        work.open(exec::room<shapes::Ball>(balls) + 3 * exec::room<std::uint32_t>(balls) +
                  exec::room<std::uint32_t>(counters) + exec::room<std::uint64_t>(movable + 2));
    PairWork w{};
    w.ball = scratch.take<shapes::Ball>(balls).data();
    w.body = scratch.take<std::uint32_t>(balls).data();
    w.entry = scratch.take<std::uint32_t>(balls).data();
    w.rank = scratch.take<std::uint32_t>(balls).data();
    w.table = scratch.take<std::uint32_t>(counters).data();
    w.as_first = w.table + entries + 1;
    w.as_second = w.as_first + movable;
    w.start = scratch.take<std::uint64_t>(movable + 2).data();
    w.counters = counters;
    return w;
}

/// Balls into cells, within a cell in any order.
template <class Loops>
void sort_into_cells(Loops& loops, const state::BodyView& bodies, const LevelGrid* cells,
                     std::size_t entries, const PairWork& w)
{
    const std::size_t n = bodies.bounded_count;
    loops.fill_bytes(w.table, 0, w.counters);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        w.entry[i] = cells->entry_of(neighbours::with_margin(bodies.ball[i], bodies.drift[i]));
        w.rank[i] = exec::add(w.table[w.entry[i]], 1);
    });
    loops.scan(entries, w.table,
               [=] SCREE_DEVICE(std::size_t e) -> std::uint32_t { return w.table[e]; });
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const std::uint32_t p = w.table[w.entry[i]] + w.rank[i];
        w.ball[p] = neighbours::with_margin(bodies.ball[i], bodies.drift[i]);
        w.body[p] = static_cast<std::uint32_t>(i);
    });
}

/// Finds the partners of each ball. The search only notes what it finds: threads beside each other
/// find at different times.
template <class Loops>
void find_partners(Loops& loops, const SortedBalls& sorted, const Partners& partners)
{
    loops.for_each(
        partners.balls,
        [=] SCREE_DEVICE(std::size_t p) {
            std::uint32_t count = 0;
            sorted.for_partners(p, [&](std::uint32_t j) {
                if (count < partners.room) {
                    partners.at(p, count) = j;
                }
                ++count;
            });
            partners.count[p] = count;
        },
        exec::AtOnce<3>{});
}

/// How many pairs there are, and whether a body has more than the limit.
struct PairCount {
    std::uint64_t pairs, too_many_of_a_body;
};

/// Counts pairs by first and by second body, and finds where those of each first one start.
template <class Loops>
PairCount count_pairs(Loops& loops, const SortedBalls& sorted, const Partners& partners,
                      std::uint32_t limit, const PairWork& w)
{
    const std::size_t movable = sorted.movable;
    loops.for_each(
        partners.balls,
        [=] SCREE_DEVICE(std::size_t p) {
            const std::uint32_t i = w.body[p];
            std::uint32_t second = 0;
            const std::uint32_t count = partners.for_each(sorted, p, [&](std::uint32_t j) {
                if (i < j) {
                    if (j < movable) {
                        exec::add(w.as_second[j], 1);
                    }
                } else {
                    ++second;
                    exec::add(w.as_first[j], 1);
                }
            });
            if (i < movable) {
                if (count > second) {
                    exec::add(w.as_first[i], count - second);
                }
                if (second > 0) {
                    exec::add(w.as_second[i], second);
                }
            }
        },
        exec::AtOnce<4>{});
    // Behind the starts comes whether a body has too many.
    loops.fill_bytes(w.start + movable + 1, 0, 1);
    loops.scan(movable, w.start, [=] SCREE_DEVICE(std::size_t i) -> std::uint64_t {
        if (w.as_first[i] + w.as_second[i] > limit) {
            w.start[movable + 1] = 1;
        }
        return w.as_first[i];
    });
    std::uint64_t known[2];
    loops.download(w.start + movable, known, 2);
    return {known[0], known[1]};
}

/// Writes the pairs, those of a first body beside each other in any order.
template <class Loops>
void write_pairs(Loops& loops, const SortedBalls& sorted, const Partners& partners,
                 const PairWork& w, state::BodyPair* found)
{
    loops.for_each(
        partners.balls,
        [=] SCREE_DEVICE(std::size_t p) {
            const std::uint32_t i = w.body[p];
            const auto put = [&](const state::BodyPair& pair) {
                found[w.start[pair.first] + exec::add(w.as_first[pair.first], ~0U) - 1] = pair;
            };
            partners.for_each(sorted, p, [&](std::uint32_t j) {
                put(i < j ? state::BodyPair{i, j} : state::BodyPair{j, i});
            });
        },
        exec::AtOnce<4>{});
}

/// Those of a first body in the order of the second, into list.pair: few are compared with each
/// other, many are sorted.
template <class Loops>
void order_pairs(Loops& loops, const state::BodyView& bodies, bool many, const std::uint64_t* start,
                 state::BodyPair* found, state::ListColumns<Loops>& list)
{
    list.pair.fit(list.count);
    state::BodyPair* pair = list.pair.data();
    std::uint8_t* turn = list.colour.data();
    const BodyId* id = bodies.id;
    if (!many) {
        loops.for_each(list.count, [=] SCREE_DEVICE(std::size_t k) {
            const state::BodyPair p = found[k];
            std::uint64_t to = start[p.first];
            for (std::uint64_t other = start[p.first], end = start[p.first + 1]; other < end;
                 ++other) {
                to += found[other].second < p.second ? 1 : 0;
            }
            pair[to] = p;
            turn[to] = neighbours::turn_of(id[p.first], id[p.second]);
        });
        return;
    }
    const PairKey key{static_cast<int>(std::bit_width(bodies.count))};
    loops.for_each(list.count,
                   [=] SCREE_DEVICE(std::size_t k) { found[k] = key.packed(found[k]); });
    loops.sort(found, pair, list.count, 2 * key.bits);
    loops.for_each(list.count, [=] SCREE_DEVICE(std::size_t k) {
        pair[k] = key.unpacked(pair[k]);
        turn[k] = neighbours::turn_of(id[pair[k].first], id[pair[k].second]);
    });
}

/// Fills list.pair, and list.colour with the pairs' turns to be coloured; writes over list.in_step.
/// Returns whether a body has more pairs than the limit. Throws Error for absurdly many pairs.
template <class Loops>
bool find_pairs(Loops& loops, const state::ModelView& model, const state::BodyView& bodies,
                const Census& census, state::ListColumns<Loops>& list,
                typename Loops::template Buffer<LevelGrid>& grid, exec::Arena<Loops>& work)
{
    const std::size_t n = bodies.bounded_count, movable = bodies.dynamic_count;
    if (n > 0x7fffffff) {
        throw Error(neighbours::too_many_balls);
    }
    LevelGrid made;
    made.make(census, model.box);
    grid.fit(1);
    loops.upload(&made, grid.data(), 1);

    const PairWork w = open_pair_work(work, n, movable, made.entries);
    sort_into_cells(loops, bodies, grid.data(), made.entries, w);

    // The ranks are not needed any more when partners are counted, the old pairs neither. More
    // than so many partners are rare; one ball with more keeps its whole warp searching again.
    constexpr std::size_t usual_partners = 16;
    list.pair.fit(usual_partners * n * sizeof(std::uint32_t) / sizeof(state::BodyPair) + 1);
    const Partners partners{
        reinterpret_cast<std::uint32_t*>(list.pair.data()), w.rank, n,
        static_cast<std::uint32_t>(list.pair.bytes() / sizeof(std::uint32_t) / (n + 1))};
    const SortedBalls sorted{grid.data(), w.table, w.ball,          w.body,
                             movable,     bodies,  model.prototypes};
    find_partners(loops, sorted, partners);
    const PairCount known = count_pairs(
        loops, sorted, partners, static_cast<std::uint32_t>(model.settings.contacts_per_copy), w);
    if (known.pairs > neighbours::absurd_pairs_per_ball * n + 100'000) {
        throw Error(neighbours::absurd_pairs);
    }
    if (known.pairs > 0x7fffffff) {  // so that rows can be numbered
        throw Error(neighbours::too_many_pairs_of_a_device);
    }
    list.count = known.pairs;
    list.colour.fit(list.count);
    list.in_step.fit(list.count);
    state::BodyPair* const found = list.in_step.data();
    write_pairs(loops, sorted, partners, w, found);
    const bool many = known.too_many_of_a_body != 0;
    order_pairs(loops, bodies, many, w.start, found, list);
    return many;
}

}  // namespace scree::neighbours
