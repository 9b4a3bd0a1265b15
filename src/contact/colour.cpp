#include "contact/colour.hpp"

#include "contact/colour_rule.hpp"

#include <algorithm>
#include <array>

namespace scree::contact {

namespace {

constexpr std::uint32_t whole = 0xffffffffU;

/// Splits bodies with more pairs than a copy may have, and those that are shared with other ranks.
void split(PairList& list, std::size_t body_count, std::size_t dynamic_count,
           std::size_t first_copy, int contacts_per_copy, Scratch& scratch)
{
    list.slot.clear();
    list.copies_of.clear();
    list.splits.clear();
    list.copy_count = 0;
    const auto degree = scratch.take<std::uint32_t>(dynamic_count);
    std::fill(degree.begin(), degree.end(), 0U);
    std::uint32_t most = 0;
    for (const collide::BodyPair& p : list.pair) {
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
    for (Shared& s : list.shared) {
        s.first_copy = first_of[s.body] = next;
        list.copies_of[s.body] = s.total;
        next += s.copies;
    }
    for (std::uint32_t i = 0; i < dynamic_count; ++i) {
        if (degree[i] > limit && first_of[i] == whole) {
            const std::uint32_t copies = copies_for(degree[i], limit);
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
    for (collide::BodyPair& s : list.slot) {
        s.first = copy_for(s.first);
        if (s.second < dynamic_count) {
            s.second = copy_for(s.second);
        }
    }
}

/// How many parts there are follows from the list alone, so that bits do not depend on threads: a
/// multiple of four, of which most teams of threads get as many each.
void cut_into_parts(PairList& list, std::size_t region_pairs)
{
    constexpr std::size_t even = 4, most = 16;
    const std::size_t n = list.pair.size(), chunks = (n + pair_chunk - 1) / pair_chunk;
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
    return 8 * bodies + 4 * pairs + 8 * (bodies + copies) + 1024;
}

void colour(PairList& list, std::span<const BodyId> ids, std::size_t dynamic_count,
            std::size_t first_copy, int contacts_per_copy, int most, std::size_t region_pairs,
            Scratch scratch)
{
    cut_into_parts(list, region_pairs);
    split(list, ids.size(), dynamic_count, first_copy, contacts_per_copy, scratch);
    const std::size_t n = list.pair.size();
    const std::vector<collide::BodyPair>& slot = list.slot.empty() ? list.pair : list.slot;

    // Counting sort by turns; the place in the list decides among equals.
    std::array<std::uint32_t, turns + 1> start{};
    fit(list.colour, n);
    for (std::size_t i = 0; i < n; ++i) {
        list.colour[i] = turn_of(ids[list.pair[i].first], ids[list.pair[i].second]);
        ++start[list.colour[i] + 1U];
    }
    for (std::size_t k = 0; k < turns; ++k) {
        start[k + 1] += start[k];
    }
    const auto order = scratch.take<std::uint32_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        order[start[list.colour[i]]++] = static_cast<std::uint32_t>(i);
    }

    const auto taken = scratch.take<std::uint64_t>(first_copy + list.copy_count);
    std::fill(taken.begin(), taken.end(), std::uint64_t(0));
    const auto take = [&](std::uint32_t i) {
        const collide::BodyPair s = slot[i];
        return take_colour(taken[s.first], slot_moves(s.second, dynamic_count, first_copy)
                                               ? &taken[s.second]
                                               : nullptr);
    };
    // Colours from `first` on for the pairs that are chosen.
    const auto give = [&](int first, const auto& chosen) {
        std::fill(taken.begin(), taken.end(), std::uint64_t(0));
        for (const std::uint32_t i : order) {
            if (chosen(i)) {
                const int colour = first + take(i);
                list.colour[i] = static_cast<std::uint8_t>(colour);
                list.colours = std::max(list.colours, colour + 1);
            }
        }
    };
    const auto on_border = [&](std::uint32_t i) {
        const Shared& last = list.shared.back();
        const auto shared = [&](std::uint32_t s) {
            return s >= first_copy && s < last.first_copy + last.copies;
        };
        return shared(slot[i].first) || shared(slot[i].second);
    };
    // A body belongs to the part of the pairs in which it is the first.
    const std::size_t part_size = list.part_chunks * pair_chunk;
    const auto between_parts = [&](std::uint32_t i) {
        const std::size_t next = (i / part_size + 1) * part_size;
        const std::size_t end = next < n ? list.pair[next].first : dynamic_count;
        const auto out = [&](std::uint32_t s) {
            return s >= end && slot_moves(s, dynamic_count, first_copy);
        };
        return list.parts > 1 && (out(slot[i].first) || out(slot[i].second));
    };
    const auto give_all = [&](bool border) {
        const auto elsewhere = [&](std::uint32_t i) { return border && on_border(i); };
        list.colours = 0;
        if (border) {
            give(0, on_border);
        }
        list.border_colours = list.colours;
        give(list.border_colours,
             [&](std::uint32_t i) { return !elsewhere(i) && !between_parts(i); });
        list.own_colours = list.colours;
        if (list.parts > 1) {
            give(list.own_colours,
                 [&](std::uint32_t i) { return !elsewhere(i) && between_parts(i); });
        }
    };
    give_all(!list.shared.empty());
    if (list.border_colours > 0 && list.own_colours > most) {
        give_all(false);
    }
}

}  // namespace scree::contact
