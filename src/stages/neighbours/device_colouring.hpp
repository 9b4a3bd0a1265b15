// Colours for the pairs of a list on a device: the same as colouring.cpp gives. There pairs
// take their colours one by one in an order; a pair may take its colour as well as soon as all that
// come before it at its two slots have theirs. So each slot counts its pairs that have a colour,
// and a pair waits until both of its slots have come to it, as rows do in a sweep.
#pragma once

#include "exec/arena.hpp"
#include "exec/atomic.hpp"
#include "exec/thread_grid.hpp"
#include "stages/neighbours/colour_rule.hpp"
#include "state/device_columns.hpp"

namespace scree::neighbours {

/// Where the colours begin in the step's order; colours that are not there are not set.
struct ColourRuns {
    std::uint32_t colours;
    std::uint32_t begin[neighbours::turns];
};

/// Numbers of split bodies and of their copies.
struct Splitting {
    std::uint32_t bodies = 0, copies = 0;
    SCREE_HD friend Splitting operator+(const Splitting& a, const Splitting& b)
    {
        return {a.bodies + b.bodies, a.copies + b.copies};
    }
};

/// The pairs of each dynamic body: those with more than a copy may have are split.
struct Degrees {
    std::size_t moving;                 ///< bodies
    std::uint32_t first_copy, limit;    ///< slot of the first copy; pairs of a copy
    std::uint32_t *degree, *as_second;  ///< pairs of a body, and those in which it is second
    std::uint32_t* begin;               ///< where a body's pairs begin
    Splitting* before;                  ///< what is split before each body

    [[nodiscard]] SCREE_HD bool is_split(std::size_t body) const
    {
        return body < moving && degree[body] > limit;
    }
    [[nodiscard]] SCREE_HD std::uint32_t copies(std::size_t body) const
    {
        return state::copies_for(degree[body], limit);
    }
    /// The copy that takes a split body's pair of this number.
    [[nodiscard]] SCREE_HD std::uint32_t copy(std::size_t body, std::uint32_t number) const
    {
        return first_copy + before[body].copies + number / limit;
    }
};

/// Counts the pairs of bodies, and finds where those begin in which they are first.
template <class Loops>
void count_degrees(Loops& loops, const state::ListColumns<Loops>& list, const Degrees& of)
{
    const state::BodyPair* pair = list.pair.data();
    loops.fill_bytes(of.degree, 0, of.moving);
    loops.fill_bytes(of.as_second, 0, of.moving);
    loops.for_each(list.count, [=] SCREE_DEVICE(std::size_t i) {
        const state::BodyPair p = pair[i];
        exec::add(of.degree[p.first], 1);
        if (p.second < of.moving) {
            exec::add(of.degree[p.second], 1);
            exec::add(of.as_second[p.second], 1);
        }
        if (i == 0 || pair[i - 1].first != p.first) {
            of.begin[p.first] = static_cast<std::uint32_t>(i);
        }
    });
}

/// Numbers split bodies and their copies: fills splits and copies_of.
template <class Loops>
void make_splits(Loops& loops, const state::BodyView& bodies, const Degrees& of,
                 state::ListColumns<Loops>& list)
{
    loops.scan(of.moving, of.before, [=] SCREE_DEVICE(std::size_t i) -> Splitting {
        return of.is_split(i) ? Splitting{1, of.copies(i)} : Splitting{};
    });
    Splitting all;
    loops.download(of.before + of.moving, &all, 1);
    list.copy_count = all.copies;
    list.splits.fit(all.bodies);
    list.copies_of.fit(bodies.count);
    std::uint32_t* copies_of = list.copies_of.data();
    state::SplitBody* splits = list.splits.data();
    loops.for_each(bodies.count, [=] SCREE_DEVICE(std::size_t i) {
        copies_of[i] = 1;
        if (of.is_split(i)) {
            copies_of[i] = of.copies(i);
            splits[of.before[i].bodies] = {static_cast<std::uint32_t>(i), of.copy(i, 0),
                                           copies_of[i]};
        }
    });
}

/// Pairs that have a split body as second, as they come and sorted by it.
struct SplitSeconds {
    std::uint32_t* before;  ///< how many come before each pair
    std::uint32_t *body, *pair, *sorted, *sorted_pair;
};

/// Fills slot: a copy takes the next pairs of its body in the order of the list, first those in
/// which the body is second, since then the other one has the earlier place.
template <class Loops>
void deal_pairs(Loops& loops, const Degrees& of, const SplitSeconds& seconds,
                state::ListColumns<Loops>& list)
{
    const std::size_t n = list.count;
    const state::BodyPair* pair = list.pair.data();
    list.slot.fit(n);
    state::BodyPair* slot = list.slot.data();
    loops.scan(n, seconds.before, [=] SCREE_DEVICE(std::size_t i) -> std::uint32_t {
        return of.is_split(pair[i].second) ? 1 : 0;
    });
    std::uint32_t count = 0;
    loops.download(seconds.before + n, &count, 1);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        state::BodyPair s = pair[i];
        if (of.is_split(s.second)) {
            seconds.body[seconds.before[i]] = s.second;
            seconds.pair[seconds.before[i]] = static_cast<std::uint32_t>(i);
        }
        if (of.is_split(s.first)) {
            s.first = of.copy(s.first, of.as_second[s.first] + static_cast<std::uint32_t>(i) -
                                           of.begin[s.first]);
        }
        slot[i] = s;
    });
    loops.sort(seconds.body, seconds.sorted, seconds.pair, seconds.sorted_pair, count,
               static_cast<int>(std::bit_width(of.moving)));
    loops.for_each(count, [=] SCREE_DEVICE(std::size_t k) {
        if (k == 0 || seconds.sorted[k - 1] != seconds.sorted[k]) {
            of.begin[seconds.sorted[k]] = static_cast<std::uint32_t>(k);
        }
    });
    loops.for_each(count, [=] SCREE_DEVICE(std::size_t k) {
        const std::uint32_t body = seconds.sorted[k];
        slot[seconds.sorted_pair[k]].second =
            of.copy(body, static_cast<std::uint32_t>(k) - of.begin[body]);
    });
}

/// Splits bodies that have more pairs than a copy may: fills splits and copies_of, and slot in the
/// order of the list.
template <class Loops>
void split(Loops& loops, const state::BodyView& bodies, std::uint32_t limit,
           state::ListColumns<Loops>& list, exec::Arena<Loops>& work)
{
    const std::size_t n = list.count, moving = bodies.dynamic_count;
    exec::Scratch scratch =
        work.open(3 * exec::room<std::uint32_t>(moving) + exec::room<Splitting>(moving + 1) +
                  5 * exec::room<std::uint32_t>(n + 1));
    const auto numbers = [&](std::size_t count) {
        return scratch.take<std::uint32_t>(count).data();
    };
    const Degrees of{moving,
                     static_cast<std::uint32_t>(bodies.count),
                     limit,
                     numbers(moving),
                     numbers(moving),
                     numbers(moving),
                     scratch.take<Splitting>(moving + 1).data()};
    const SplitSeconds seconds{numbers(n + 1), numbers(n), numbers(n), numbers(n), numbers(n)};
    count_degrees(loops, list, of);
    make_splits(loops, bodies, of, list);
    deal_pairs(loops, of, seconds, list);
}

/// Which colours a slot's pairs have taken, 64 bits, and how many have.
using Taken = exec::WordLine<1>;

/// The pairs of each slot, and their turns: those in which it is first follow each other, the
/// others come by their numbers in any order.
struct PairsOfSlots {
    std::size_t count;
    const state::BodyPair* slot;
    const std::uint8_t* turn;
    const std::uint32_t *first, *second;  ///< where those of each slot begin
    const std::uint32_t* as_second;

    /// How many pairs of the slot come before this one.
    [[nodiscard]] SCREE_HD std::uint32_t rank(std::uint32_t s, std::size_t own) const
    {
        const auto before = [&](std::size_t k) {
            return turn[k] < turn[own] || (turn[k] == turn[own] && k < own) ? 1U : 0U;
        };
        std::uint32_t ones = 0;
        for (std::size_t k = first[s]; k < count && slot[k].first == s; ++k) {
            ones += before(k);
        }
        for (std::uint32_t k = second[s]; k < second[s + 1]; ++k) {
            ones += before(as_second[k]);
        }
        return ones;
    }
};

/// How many pairs come before one at its two slots.
struct PairRanks {
    std::uint8_t a, b;
};

/// Pairs take their colours, in the order of their turns.
struct ColourTask {
    static constexpr int threads = 512, blocks_each = 2;
    std::size_t count;
    const state::BodyPair* slot;
    const std::uint32_t* in_turn;  ///< pairs in the order of their turns
    const PairRanks* ranks;
    Taken* taken;
    std::uint8_t* colour;
    std::size_t moving, first_copy;

    static std::size_t memory() { return 0; }

    template <class Grid> SCREE_HD void operator()(Grid grid) const
    {
        for (std::size_t from = grid.warp_thread(); from < count; from += grid.threads()) {
            const std::size_t at = from + grid.lane();
            const bool work = at < count;
            const std::uint32_t i = in_turn[work ? at : from];
            const state::BodyPair s = slot[i];
            const bool both = neighbours::slot_moves(s.second, moving, first_copy);
            const std::uint32_t rank_a = ranks[i].a, rank_b = ranks[i].b;
            bool waits = work;
            do {
                Taken a = grid.read(taken + s.first, waits, false);
                Taken b = grid.read(taken + s.second, waits && both, false);
                const bool now = waits && a.is_of(rank_a) && (!both || b.is_of(rank_b));
                if (now) {
                    std::uint64_t colours_a = colours(a.word[0]), colours_b = colours(b.word[0]);
                    colour[i] = neighbours::take_colour(colours_a, both ? &colours_b : nullptr);
                    a.word[0] = word(colours_a, rank_a + 1);
                    b.word[0] = word(colours_b, rank_b + 1);
                }
                grid.write(taken + s.first, now, a, false);
                grid.write(taken + s.second, now && both, b, false);
                waits = waits && !now;
            } while (grid.again(waits));
        }
    }
    SCREE_HD static std::uint64_t colours(const exec::Word& w)
    {
        return std::uint64_t(w.part[1]) << 32 | w.part[0];
    }
    SCREE_HD static exec::Word word(std::uint64_t colours, std::uint32_t count)
    {
        return {{static_cast<std::uint32_t>(colours), static_cast<std::uint32_t>(colours >> 32), 0},
                count};
    }
};

/// Turns the turns in list.colour into colours, fills list.place and list.in_step, and brings
/// list.slot into the step's order.
template <class Loops>
void colour(Loops& loops, const state::BodyView& bodies, state::ListColumns<Loops>& list,
            ColourRuns* runs, exec::Arena<Loops>& work)
{
    const std::size_t n = list.count, moving = bodies.dynamic_count, first_copy = bodies.count;
    const std::size_t slots = first_copy + list.copy_count;
    const bool any_split = list.slot.size() > 0;
    exec::Scratch scratch =
        work.open(exec::room<Taken>(slots) + 3 * exec::room<std::uint32_t>(slots + 1) +
                  2 * exec::room<std::uint8_t>(n) + exec::room<PairRanks>(n) +
                  exec::room<state::BodyPair>(any_split ? n : 0));
    Taken* taken = scratch.take<Taken>(slots).data();
    std::uint32_t* first = scratch.take<std::uint32_t>(slots + 1).data();
    std::uint32_t* second = scratch.take<std::uint32_t>(slots + 1).data();
    std::uint32_t* used = scratch.take<std::uint32_t>(slots + 1).data();
    // The step's order comes last: until then its memory is lent.
    std::uint32_t* in_list = reinterpret_cast<std::uint32_t*>(list.in_step.data());
    std::uint32_t* as_second = in_list + n;
    std::uint8_t* turn = scratch.take<std::uint8_t>(n).data();
    std::uint8_t* sorted = scratch.take<std::uint8_t>(n).data();
    PairRanks* ranks = scratch.take<PairRanks>(n).data();
    state::BodyPair* by_list = scratch.take<state::BodyPair>(any_split ? n : 0).data();
    list.place.fit(n);
    std::uint32_t* place = list.place.data();
    std::uint8_t* colour = list.colour.data();
    const state::BodyPair* pair = list.pair.data();
    const state::BodyPair* slot = any_split ? list.slot.data() : pair;

    // Each slot's pairs. Where it is never first, none begins.
    loops.fill_bytes(first, 0xff, slots);
    loops.fill_bytes(used, 0, slots);
    loops.fill_bytes(taken, 0, slots);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        in_list[i] = static_cast<std::uint32_t>(i);
        turn[i] = colour[i];
        if (i == 0 || slot[i - 1].first != slot[i].first) {
            first[slot[i].first] = static_cast<std::uint32_t>(i);
        }
        if (neighbours::slot_moves(slot[i].second, moving, first_copy)) {
            exec::add(used[slot[i].second], 1);
        }
    });
    loops.scan(slots, second, [=] SCREE_DEVICE(std::size_t s) -> std::uint32_t { return used[s]; });
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const std::uint32_t s = slot[i].second;
        if (neighbours::slot_moves(s, moving, first_copy)) {
            as_second[second[s] + exec::add(used[s], ~0U) - 1] = static_cast<std::uint32_t>(i);
        }
    });
    const PairsOfSlots of_slots{n, slot, turn, first, second, as_second};
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const bool both = neighbours::slot_moves(slot[i].second, moving, first_copy);
        ranks[i] = {static_cast<std::uint8_t>(of_slots.rank(slot[i].first, i)),
                    static_cast<std::uint8_t>(both ? of_slots.rank(slot[i].second, i) : 0)};
    });
    loops.sort(turn, sorted, in_list, place, n, 6);
    cooperate(loops, team_for<ColourTask>(loops, n),
              ColourTask{n, slot, place, ranks, taken, colour, moving, first_copy});

    loops.sort(colour, sorted, in_list, place, n, 6);
    if (any_split) {
        loops.copy(slot, by_list, n);
    }
    state::BodyPair* in_step = list.in_step.data();
    state::BodyPair* slot_in_step = any_split ? list.slot.data() : nullptr;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        in_step[k] = pair[place[k]];
        if (slot_in_step != nullptr) {
            slot_in_step[k] = by_list[place[k]];
        }
        if (k == 0 || sorted[k - 1] != sorted[k]) {
            runs->begin[sorted[k]] = static_cast<std::uint32_t>(k);
        }
        if (k == n - 1) {
            runs->colours = sorted[k] + 1U;
        }
    });
}

}  // namespace scree::neighbours
