#include "world/saved_share.hpp"

#include "ranks/body_message.hpp"
#include "stages/neighbours/warm_start_transfer.hpp"
#include "world/world_state.hpp"

#include <algorithm>

namespace scree {

namespace {

constexpr std::uint32_t none = neighbours::removed_body;

}  // namespace

world::SavedShare World::State::own_share() const
{
    world::SavedShare share;
    std::vector<bool> touched(bodies.count());
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        if (stored.count[p] > 0) {
            touched[list.pair[p].first] = touched[list.pair[p].second] = true;
        }
    }
    const auto add = [&](state::BodyClass wanted) {
        for (std::uint32_t i = 0; i < bodies.count(); ++i) {
            if (state::body_class(bodies.flags[i]) == wanted &&
                (counts(i) || touched[i] || is_everywhere(i))) {
                share.bodies.push_back(i);
            }
        }
        return share.bodies.size();
    };
    share.bodies.reserve(bodies.count());
    share.dynamic_count = add(state::BodyClass::dynamic);
    std::sort(share.bodies.begin(), share.bodies.end(),
              [&](std::uint32_t a, std::uint32_t b) { return bodies.id[a] < bodies.id[b]; });
    share.bounded_count = add(state::BodyClass::prescribed);
    add(state::BodyClass::wall);

    std::vector<std::uint32_t> place(bodies.count(), none);
    std::vector<std::uint32_t> kind(model.prototypes.size(), none);
    share.kind_of.reserve(share.bodies.size());
    for (std::uint32_t k = 0; k < share.bodies.size(); ++k) {
        const std::uint32_t i = share.bodies[k];
        place[i] = k;
        std::uint32_t& number = kind[bodies.prototype[i]];
        if (number == none) {
            number = static_cast<std::uint32_t>(share.kinds.size());
            share.kinds.push_back(model.prototypes[bodies.prototype[i]]);
        }
        share.kind_of.push_back(number);
        share.has_inertia = share.has_inertia || needs_inertia(i);
    }

    std::vector<std::byte> memory(neighbours::bytes_to_collect * stored.impulse.size() + 64);
    exec::Scratch scratch(memory);
    const auto entries = neighbours::collect_stored(list, stored, place, scratch);
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.pair < b.pair; });
    ranks::PendingWarmStart carried;
    std::vector<ranks::StoredContact> contacts;
    for (const neighbours::StoredEntry& e : entries) {
        contacts.clear();
        for (std::uint32_t c = e.contact; c < e.contact + e.count; ++c) {
            contacts.push_back({e.there().impulse(stored.impulse[c]),
                                stored.feature.empty() ? 0 : stored.feature[c]});
        }
        carried.add(e.pair, contacts);
    }
    carried.give(share.list, share.stored, false);
    return share;
}

}  // namespace scree
