// The loops of the host: entries are sorted by their first body, then each pair of the new list
// looks among its first body's few.
#include "stages/neighbours/warm_start_transfer.hpp"

#include <algorithm>
#include <numeric>

namespace scree::neighbours {

std::span<StoredEntry> collect_stored(const state::PairList& list,
                                      const state::StoredImpulses& stored,
                                      std::span<const std::uint32_t> place, exec::Scratch& scratch)
{
    const auto entries = scratch.take<StoredEntry>(stored.impulse.size());
    std::size_t n = 0;
    std::uint32_t contact = 0;
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const std::uint8_t count = stored.count[p];
        if (count > 0) {
            std::uint32_t a = list.pair[p].first;
            std::uint32_t b = list.pair[p].second;
            if (!place.empty()) {
                a = place[a];
                b = place[b];
            }
            if (a != removed_body && b != removed_body) {
                const PairThere there = pair_at(a, b);
                entries[n++] = {there.pair, contact, count, there.turned};
            }
        }
        contact += count;
    }
    return entries.first(n);
}

void give_stored(const state::PairList& list, std::span<const StoredEntry> entries,
                 std::size_t body_count, state::StoredImpulses& stored, exec::Scratch& scratch)
{
    const auto start = scratch.take<std::uint32_t>(body_count + 1);
    const auto sorted = scratch.take<StoredEntry>(entries.size());
    const auto impulse = scratch.take<Vec3<double>>(stored.impulse.size());
    const auto feature = scratch.take<std::uint32_t>(stored.feature.size());
    std::fill(start.begin(), start.end(), 0U);
    for (const StoredEntry& e : entries) {
        ++start[e.pair.first + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (const StoredEntry& e : entries) {
        sorted[start[e.pair.first]++] = e;
    }
    const std::size_t n = list.pair.size();
    exec::fit(stored.count, n);
    exec::fit(stored.chunk_first, (n + state::pair_chunk - 1) / state::pair_chunk);
    std::uint32_t contacts = 0;
    for (std::size_t p = 0; p < n; ++p) {
        if (p % state::pair_chunk == 0) {
            stored.chunk_first[p / state::pair_chunk] = contacts;
        }
        stored.count[p] = 0;
        // `start` has moved on by one place: it now holds the ends.
        const state::BodyPair pair = list.pair[p];
        const std::uint32_t begin = pair.first == 0 ? 0 : start[pair.first - 1];
        for (std::uint32_t k = begin; k < start[pair.first]; ++k) {
            const StoredEntry& e = sorted[k];
            if (e.pair.second == pair.second) {
                stored.count[p] = e.count;
                for (std::uint32_t c = e.contact; c < e.contact + e.count; ++c, ++contacts) {
                    impulse[contacts] = e.there().impulse(stored.impulse[c]);
                    if (!feature.empty()) {
                        feature[contacts] = stored.feature[c];
                    }
                }
                break;
            }
        }
    }
    std::copy_n(impulse.begin(), contacts, stored.impulse.begin());
    if (!feature.empty()) {
        std::copy_n(feature.begin(), contacts, stored.feature.begin());
        exec::fit(stored.feature, contacts);
    }
    exec::fit(stored.impulse, contacts);
}

}  // namespace scree::neighbours
