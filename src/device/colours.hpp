// Colours for the pairs of a list on a device: the same as contact/colour.cpp gives. There pairs
// take their colours one by one in an order; a pair may take its colour as well as soon as all that
// come before it at its two slots have theirs. So rounds are made, and in each of them all pairs
// that are the first ones left at both slots take their colours.
#pragma once

#include "contact/colour_rule.hpp"
#include "device/arena.hpp"
#include "device/atomic.hpp"
#include "device/columns.hpp"
#include "device/host_loops.hpp"

namespace scree::device {

using collide::BodyPair;

/// Where the colours begin in the step's order; colours that are not there are not set.
struct ColourRuns {
    std::uint32_t colours;
    std::uint32_t begin[contact::turns];
};

/// Numbers of split bodies and of their copies.
struct Splitting {
    std::uint32_t bodies = 0, copies = 0;
    SCREE_HD friend Splitting operator+(const Splitting& a, const Splitting& b)
    {
        return {a.bodies + b.bodies, a.copies + b.copies};
    }
};

/// Splits bodies that have more pairs than a copy may: fills splits and copies_of, and slot in the
/// order of the list.
template <class Loops>
void split(Loops& loops, const BodyView& bodies, std::uint32_t limit, ListColumns<Loops>& list,
           Arena<Loops>& work)
{
    const std::size_t n = list.count, moving = bodies.dynamic_count;
    Scratch scratch = work.open(3 * room<std::uint32_t>(moving) + room<Splitting>(moving + 1) +
                                5 * room<std::uint32_t>(n + 1));
    std::uint32_t* degree = scratch.take<std::uint32_t>(moving).data();
    std::uint32_t* as_second = scratch.take<std::uint32_t>(moving).data();
    std::uint32_t* begin = scratch.take<std::uint32_t>(moving).data();
    Splitting* before = scratch.take<Splitting>(moving + 1).data();
    std::uint32_t* seconds_before = scratch.take<std::uint32_t>(n + 1).data();
    std::uint32_t* second = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* pair_of = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* sorted = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* sorted_pair = scratch.take<std::uint32_t>(n).data();
    const BodyPair* pair = list.pair.data();
    loops.fill_bytes(degree, 0, moving);
    loops.fill_bytes(as_second, 0, moving);
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const BodyPair p = pair[i];
        add(degree[p.first], 1);
        if (p.second < moving) {
            add(degree[p.second], 1);
            add(as_second[p.second], 1);
        }
        if (i == 0 || pair[i - 1].first != p.first) {
            begin[p.first] = static_cast<std::uint32_t>(i);
        }
    });
    loops.scan(moving, before, [=] SCREE_DEVICE(std::size_t i) -> Splitting {
        return degree[i] > limit ? Splitting{1, contact::copies_for(degree[i], limit)}
                                 : Splitting{};
    });
    loops.scan(n, seconds_before, [=] SCREE_DEVICE(std::size_t i) -> std::uint32_t {
        return pair[i].second < moving && degree[pair[i].second] > limit ? 1 : 0;
    });
    Splitting all;
    std::uint32_t seconds = 0;
    loops.download(before + moving, &all, 1);
    loops.download(seconds_before + n, &seconds, 1);
    list.copy_count = all.copies;
    list.splits.fit(all.bodies);
    list.copies_of.fit(bodies.count);
    list.slot.fit(n);
    const auto first_copy = static_cast<std::uint32_t>(bodies.count);
    std::uint32_t* copies_of = list.copies_of.data();
    Split* splits = list.splits.data();
    loops.for_each(bodies.count, [=] SCREE_DEVICE(std::size_t i) {
        copies_of[i] = 1;
        if (i < moving && degree[i] > limit) {
            copies_of[i] = contact::copies_for(degree[i], limit);
            splits[before[i].bodies] = {static_cast<std::uint32_t>(i),
                                        first_copy + before[i].copies, copies_of[i]};
        }
    });
    // A copy takes the next pairs of its body in the order of the list: first those in which the
    // body is second, since then the other one has the earlier place.
    BodyPair* slot = list.slot.data();
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        BodyPair s = pair[i];
        if (s.second < moving && degree[s.second] > limit) {
            second[seconds_before[i]] = s.second;
            pair_of[seconds_before[i]] = static_cast<std::uint32_t>(i);
        }
        if (degree[s.first] > limit) {
            const std::uint32_t turn =
                as_second[s.first] + static_cast<std::uint32_t>(i) - begin[s.first];
            s.first = first_copy + before[s.first].copies + turn / limit;
        }
        slot[i] = s;
    });
    loops.sort(second, sorted, pair_of, sorted_pair, seconds,
               static_cast<int>(std::bit_width(moving)));
    loops.for_each(seconds, [=] SCREE_DEVICE(std::size_t k) {
        if (k == 0 || sorted[k - 1] != sorted[k]) {
            begin[sorted[k]] = static_cast<std::uint32_t>(k);
        }
    });
    loops.for_each(seconds, [=] SCREE_DEVICE(std::size_t k) {
        const std::uint32_t body = sorted[k];
        const std::uint32_t turn = static_cast<std::uint32_t>(k) - begin[body];
        slot[sorted_pair[k]].second = first_copy + before[body].copies + turn / limit;
    });
}

/// Turns the turns in list.colour into colours, fills list.place and list.in_step, and brings
/// list.slot into the step's order.
template <class Loops>
void colour(Loops& loops, const BodyView& bodies, ListColumns<Loops>& list, ColourRuns* runs,
            Arena<Loops>& work)
{
    const std::size_t n = list.count, moving = bodies.dynamic_count, first_copy = bodies.count;
    const std::size_t slots = first_copy + list.copy_count;
    const bool any_split = list.slot.size() > 0;
    Scratch scratch = work.open(room<std::uint64_t>(4 * slots) + room<std::uint32_t>(n) +
                                room<std::uint8_t>(n) + room<BodyPair>(any_split ? n : 0));
    std::uint64_t* taken = scratch.take<std::uint64_t>(4 * slots).data();
    std::uint64_t* claims = taken + slots;
    std::uint32_t* in_list = scratch.take<std::uint32_t>(n).data();
    std::uint8_t* sorted = scratch.take<std::uint8_t>(n).data();
    BodyPair* by_list = scratch.take<BodyPair>(any_split ? n : 0).data();
    list.place.fit(n);
    std::uint8_t* colour = list.colour.data();
    const BodyPair* pair = list.pair.data();
    const BodyPair* slot = any_split ? list.slot.data() : pair;

    // In each round a pair that has no colour yet claims its slots for the next one; the first in
    // the order gets them. Three claims in turn: one is asked, one is made, one is taken back.
    constexpr std::uint8_t done = 0x80;
    loops.fill_bytes(taken, 0, 4 * slots);
    loops.rounds(n, [=] SCREE_DEVICE(std::uint32_t round, std::size_t i) -> bool {
        const std::uint8_t turn = colour[i];
        if (round == 0) {
            in_list[i] = static_cast<std::uint32_t>(i);
        } else if ((turn & done) != 0) {
            return false;
        }
        const std::uint64_t claim = ~(std::uint64_t(turn) << 32 | i);
        const std::uint64_t* asked = claims + round % 3 * slots;
        std::uint64_t* made = claims + (round + 1) % 3 * slots;
        std::uint64_t* taken_back = claims + (round + 2) % 3 * slots;
        const BodyPair s = slot[i];
        const bool both = contact::slot_moves(s.second, moving, first_copy);
        if (asked[s.first] == claim && (!both || asked[s.second] == claim)) {
            colour[i] =
                done | contact::take_colour(taken[s.first], both ? &taken[s.second] : nullptr);
            return false;
        }
        taken_back[s.first] = 0;
        if (claim > made[s.first]) {
            largest(made[s.first], claim);
        }
        if (both) {
            taken_back[s.second] = 0;
            if (claim > made[s.second]) {
                largest(made[s.second], claim);
            }
        }
        return true;
    });

    std::uint32_t* place = list.place.data();
    loops.sort(colour, sorted, in_list, place, n, 6);
    if (any_split) {
        loops.copy(slot, by_list, n);
    }
    // The sort looks at the lower bits alone; here the mark is taken off.
    BodyPair* in_step = list.in_step.data();
    BodyPair* slot_in_step = any_split ? list.slot.data() : nullptr;
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
        in_step[k] = pair[place[k]];
        colour[k] &= static_cast<std::uint8_t>(~done);
        if (slot_in_step != nullptr) {
            slot_in_step[k] = by_list[place[k]];
        }
        if (k == 0 || sorted[k - 1] != sorted[k]) {
            runs->begin[sorted[k] & ~done] = static_cast<std::uint32_t>(k);
        }
        if (k == n - 1) {
            runs->colours = (sorted[k] & ~done) + 1U;
        }
    });
}

}  // namespace scree::device
