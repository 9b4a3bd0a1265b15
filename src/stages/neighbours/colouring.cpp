#include "stages/neighbours/colouring.hpp"

#include "stages/neighbours/colour_rule.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace scree::neighbours {

namespace {

constexpr std::uint32_t whole = 0xffffffffU;

/// Splits bodies with more pairs than a copy may have, and those that are shared with other ranks.
void split(state::PairList& list, std::size_t body_count, std::size_t dynamic_count,
           std::size_t first_copy, int contacts_per_copy, exec::Scratch& scratch)
{
    list.slot.clear();
    list.copies_of.clear();
    list.splits.clear();
    list.copy_count = 0;
    const auto degree = scratch.take<std::uint32_t>(dynamic_count);
    std::fill(degree.begin(), degree.end(), 0U);
    std::uint32_t most = 0;
    for (const state::BodyPair& p : list.pair) {
        most = std::max(most, ++degree[p.first]);
        if (p.second < dynamic_count) {
            most = std::max(most, ++degree[p.second]);
        }
    }
    const auto limit = static_cast<std::uint32_t>(contacts_per_copy);
    if (most <= limit && list.shared.empty()) {
        return;
    }
    list.copies_of.assign(body_count, 1);
    const auto first_of = scratch.take<std::uint32_t>(dynamic_count);
    std::fill(first_of.begin(), first_of.end(), whole);
    auto next = static_cast<std::uint32_t>(first_copy);
    for (state::RankSplitBody& s : list.shared) {
        s.first_copy = first_of[s.body] = next;
        list.copies_of[s.body] = s.total;
        next += s.copies;
    }
    for (std::uint32_t i = 0; i < dynamic_count; ++i) {
        if (degree[i] > limit && first_of[i] == whole) {
            const std::uint32_t copies = state::copies_for(degree[i], limit);
            list.splits.push_back({i, next, copies});
            list.copies_of[i] = copies;
            first_of[i] = next;
            next += copies;
        }
    }
    list.copy_count = next - static_cast<std::uint32_t>(first_copy);
    // From here on degree counts the pairs that have a copy already.
    std::fill(degree.begin(), degree.end(), 0U);
    list.slot = list.pair;
    const auto copy_for = [&](std::uint32_t body) {
        return first_of[body] == whole ? body : first_of[body] + degree[body]++ / limit;
    };
    for (state::BodyPair& s : list.slot) {
        s.first = copy_for(s.first);
        if (s.second < dynamic_count) {
            s.second = copy_for(s.second);
        }
    }
}

/// Which leg of a sweep each pair belongs to.
void find_legs(const state::PairList& list, std::size_t dynamic_count, std::size_t first_copy,
               std::span<state::SweepPart> leg, exec::Scratch& scratch)
{
    const std::size_t slots = first_copy + list.copy_count;
    const auto place =
        scratch.take<state::SweepPart>(slots);  // on the way of each slot; own: it has none
    const auto waits = scratch.take<bool>(slots);
    std::fill(place.begin(), place.end(), state::part_local);
    std::fill(waits.begin(), waits.end(), false);
    for (const state::RelayedBody& r : list.relayed) {
        place[r.body] = r.place;
    }
    // What copies changed by is known before others go on.
    for (const state::RankSplitBody& s : list.shared) {
        std::fill_n(place.begin() + s.first_copy, s.copies, state::part_upstream);
    }
    const std::vector<state::BodyPair>& slot = list.slot.empty() ? list.pair : list.slot;
    for (std::size_t i = 0; i < slot.size(); ++i) {
        const bool both = slot_moves(slot[i].second, dynamic_count, first_copy);
        const state::SweepPart a = place[slot[i].first],
                               b = both ? place[slot[i].second] : state::part_local;
        leg[i] = a == state::part_local || a == b ? b
                 : b == state::part_local         ? a
                                                  : state::part_relay;
        if (leg[i] == state::part_relay) {
            waits[slot[i].first] = true;
            waits[slot[i].second] = true;
        }
    }
    // Contacts with what is prescribed come when all others of their body here have been, so that
    // all of a body are in one leg.
    for (std::size_t i = 0; i < slot.size(); ++i) {
        if (leg[i] == state::part_upstream && waits[slot[i].first] &&
            !slot_moves(slot[i].second, dynamic_count, first_copy)) {
            leg[i] = state::part_relay;
        }
    }
}

/// How many parts there are follows from the list alone, so that bits do not depend on threads: a
/// multiple of four, of which most teams of threads get as many each.
void cut_into_parts(state::PairList& list, std::size_t region_pairs)
{
    constexpr std::size_t even = 4, most = 16;
    const std::size_t n = list.pair.size(),
                      chunks = (n + state::pair_chunk - 1) / state::pair_chunk;
    const std::size_t several = even * region_pairs;
    const std::size_t parts = region_pairs > 0 && n > region_pairs
                                  ? std::min(most, (n + several - 1) / several * even)
                                  : 1;
    list.part_chunks = std::max<std::size_t>(1, (chunks + parts - 1) / parts);
    list.parts = std::max<std::size_t>(1, (chunks + list.part_chunks - 1) / list.part_chunks);
}

}  // namespace

std::size_t colour_scratch(std::size_t pairs, std::size_t bodies, int contacts_per_copy)
{
    // A body with more pairs than the limit has at most twice as many copies as would do.
    const std::size_t copies = 4 * pairs / static_cast<std::size_t>(contacts_per_copy);
    return 8 * bodies + 7 * pairs + 10 * (bodies + copies) + 1024;
}

void colour(state::PairList& list, std::span<const BodyId> ids, std::size_t dynamic_count,
            std::size_t first_copy, int contacts_per_copy, std::size_t region_pairs,
            exec::Scratch scratch)
{
    cut_into_parts(list, region_pairs);
    split(list, ids.size(), dynamic_count, first_copy, contacts_per_copy, scratch);
    const std::size_t n = list.pair.size();
    const std::vector<state::BodyPair>& slot = list.slot.empty() ? list.pair : list.slot;

    // A body belongs to the part of the pairs in which it is the first.
    const std::size_t part_size = list.part_chunks * state::pair_chunk;
    const auto between_parts = [&](std::size_t i) {
        const std::size_t next = (i / part_size + 1) * part_size;
        const std::size_t end = next < n ? list.pair[next].first : dynamic_count;
        const auto out = [&](std::uint32_t s) {
            return s >= end && slot_moves(s, dynamic_count, first_copy);
        };
        return list.parts > 1 && (out(slot[i].first) || out(slot[i].second));
    };
    const bool several = !list.shared.empty() || !list.relayed.empty();
    const auto leg = scratch.take<state::SweepPart>(several ? n : 0);
    if (several) {
        find_legs(list, dynamic_count, first_copy, leg, scratch);
    }

    // Sets of pairs have colours of their own, one set after the other: the legs, and of the last
    // one first what is within parts.
    constexpr std::size_t sets = state::sweep_part_count + 1;
    const auto key = scratch.take<std::uint16_t>(n);
    const auto order = scratch.take<std::uint32_t>(n);
    const auto taken = scratch.take<std::uint64_t>(first_copy + list.copy_count);
    exec::fit(list.colour, n);
    // Legs that take too many colours by themselves are taken together with the middle one, which
    // waits for others and is done before them: `together` is the first that is not.
    const auto give_all = [&](state::SweepPart together) {
        const auto set_of = [&](std::size_t i) -> std::size_t {
            const state::SweepPart of = !several            ? state::part_local
                                        : leg[i] < together ? state::part_relay
                                                            : leg[i];
            return of == state::part_local && between_parts(i) ? state::sweep_part_count : of;
        };
        // Counting sort by sets, and by turns in each; the place in the list decides among equals.
        std::array<std::uint32_t, sets * turns + 1> start{};
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint8_t turn = turn_of(ids[list.pair[i].first], ids[list.pair[i].second]);
            key[i] = static_cast<std::uint16_t>(set_of(i) * turns + turn);
            ++start[key[i] + 1U];
        }
        std::partial_sum(start.begin(), start.end(), start.begin());
        for (std::size_t i = 0; i < n; ++i) {
            order[start[key[i]]++] = static_cast<std::uint32_t>(i);
        }
        list.colours = 0;
        std::size_t begin = 0;
        for (std::size_t set = 0; set < sets; ++set) {
            const int first = list.colours;
            const std::size_t end = start[(set + 1) * turns - 1];
            if (end > begin) {
                std::fill(taken.begin(), taken.end(), std::uint64_t(0));
            }
            for (; begin < end; ++begin) {
                const std::uint32_t i = order[begin];
                const state::BodyPair s = slot[i];
                const bool both = slot_moves(s.second, dynamic_count, first_copy);
                const int colour =
                    first + take_colour(taken[s.first], both ? &taken[s.second] : nullptr);
                list.colour[i] = static_cast<std::uint8_t>(colour);
                list.colours = std::max(list.colours, colour + 1);
            }
            if (set < state::part_local) {
                list.leg_end[set] = list.colours;
            } else if (set == state::part_local) {
                list.own_colours = list.colours;
            }
        }
        return list.own_colours <= most_colours_of_legs(region_pairs);
    };
    if (!give_all(state::part_upstream) && several && !give_all(state::part_local)) {
        give_all(state::sweep_part_count);
    }
}

}  // namespace scree::neighbours
