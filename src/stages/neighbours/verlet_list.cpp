#include "stages/neighbours/verlet_list.hpp"

#include "ranks/halo_exchange.hpp"
#include "scree/device.hpp"
#include "stages/neighbours/colour_rule.hpp"
#include "stages/neighbours/skin.hpp"
#include "stages/neighbours/spatial_order.hpp"
#include "stages/neighbours/warm_start_transfer.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace scree::neighbours {

bool VerletList::stale(const state::Model& model, state::Bodies& bodies, double margin) const
{
    const LeavesSkin strays(model.settings, bodies.drift_velocity, margin);
    const state::BodyView b = state::view(bodies);
    return exec::largest(bodies.count(), model.threads, 0,
                         [&](std::size_t i) { return strays(b, i) ? 1.0 : 0.0; }) > 0;
}

std::span<std::byte> VerletList::spare(std::size_t size)
{
    exec::fit(spare_, size + 64);
    const auto misfit = reinterpret_cast<std::uintptr_t>(spare_.data()) % 64;
    return std::span<std::byte>(spare_).subspan(64 - misfit);
}

bool VerletList::rebuild(const state::Model& model, state::Bodies& bodies, state::PairList& list,
                         state::StoredImpulses& stored, bool changed, bool relaxed,
                         std::span<std::byte> lent, ranks::Domain* domain)
{
    const bool reorder = schedule_.reorders(changed);
    const std::size_t old_count = bodies.count();
    const std::size_t contacts = stored.impulse.size();
    const std::size_t need =
        2048 + std::max(116 * old_count,
                        4 * old_count + bytes_to_collect * contacts +
                            std::max(36 * old_count, bytes_to_give * contacts + 4 * old_count));
    const bool enough = lent.size() >= need;
    exec::Scratch scratch(enough ? lent : spare(need));
    std::span<std::uint32_t> place;
    if (reorder) {
        place = arrange(model, bodies, scratch, domain);
    }
    const std::span<StoredEntry> entries = collect_stored(list, stored, place, scratch);
    const std::size_t used = scratch.used();
    allow(model, bodies, relaxed, scratch, domain);
    scratch.rewind(used);
    list_pairs(model, bodies, list, scratch);
    const int limit = model.settings.contacts_per_copy;
    if (domain != nullptr) {
        domain->share_out(bodies, list, place, static_cast<std::uint32_t>(limit));
    }
    scratch.rewind(used);
    give_stored(list, entries, std::max(old_count, bodies.count()), stored, scratch);
    const std::size_t colour_need =
        neighbours::colour_scratch(list.pair.size(), bodies.count() + list.shared.size(), limit);
    const bool colour_enough = lent.size() >= colour_need;
    neighbours::colour(list, bodies.id, bodies.dynamic_count, bodies.count(), limit,
                       state::region_pairs(model.settings),
                       exec::Scratch(colour_enough ? lent : spare(colour_need)));
    // Large memory is given back: mostly it was the first list, before there were rows to lend any.
    if ((enough && colour_enough) || spare_.size() > (1U << 20U)) {
        std::vector<std::byte>().swap(spare_);
    }

    bodies.fit_lines(list.copy_count, list.parts);
    return reorder;
}

/// Puts bodies in order: dynamic, prescribed, walls; dynamic ones in spatial order. Returns where
/// each body has gone.
std::span<std::uint32_t> VerletList::arrange(const state::Model& model, state::Bodies& bodies,
                                             exec::Scratch& scratch, ranks::Domain* domain)
{
    const std::size_t n = bodies.count();
    const auto place = scratch.take<std::uint32_t>(n);
    const std::size_t used = scratch.used();
    const auto order = scratch.take<std::uint32_t>(n);
    {
        const auto balls = scratch.take<shapes::Ball>(n);
        std::size_t dynamic = 0;
        const auto take = [&](std::uint32_t i) {
            balls[dynamic] = bodies.ball[i];
            place[dynamic++] = i;
        };
        if (domain != nullptr) {
            // By their ids, so that the order does not hang on where bodies came from.
            std::for_each(domain->by_id.begin(), domain->by_id.end(), take);
        } else {
            for (std::uint32_t i = 0; i < n; ++i) {
                if (state::is_dynamic(bodies.flags[i])) {
                    take(i);
                }
            }
        }
        spatial_order(balls.first(dynamic), model.box, order_, model.threads);
        for (std::size_t k = 0; k < dynamic; ++k) {
            order[k] = place[order_[k]];
        }
        std::vector<std::uint32_t>().swap(order_);
        bodies.dynamic_count = dynamic;
    }
    std::size_t kept = bodies.dynamic_count;
    for (const state::BodyClass wanted : {state::BodyClass::prescribed, state::BodyClass::wall}) {
        bodies.bounded_count = kept;
        for (std::uint32_t i = 0; i < n; ++i) {
            if (state::body_class(bodies.flags[i]) == wanted) {
                order[kept++] = i;
            }
        }
    }
    std::fill(place.begin(), place.end(), removed_body);
    for (std::uint32_t k = 0; k < kept; ++k) {
        place[order[k]] = k;
    }
    scratch.rewind(used);
    (void)scratch.take<std::uint32_t>(n);  // order
    const auto lines = scratch.take<state::VelocityLine>(n);
    bodies.velocity.resize(n);
    bodies.velocity_before.resize(n);
    if (!bodies.inertia.empty()) {
        bodies.inertia.resize(n);
    }
    bodies.for_each_column([&](auto& column) {
        using Value = typename std::remove_reference_t<decltype(column)>::value_type;
        static_assert(sizeof(Value) <= 2 * sizeof(state::VelocityLine));
        // In two halves where values are wider than lines.
        auto* to = reinterpret_cast<std::byte*>(lines.data());
        constexpr std::size_t piece =
            sizeof(Value) > sizeof(state::VelocityLine) ? sizeof(Value) / 2 : sizeof(Value);
        std::vector<Value>& from = column;
        for (std::size_t at = 0; at < sizeof(Value); at += piece) {
            auto* bytes = reinterpret_cast<std::byte*>(from.data());
            exec::for_each(kept, model.threads, [&](std::size_t k) {
                std::memcpy(to + k * piece, bytes + order[k] * sizeof(Value) + at, piece);
            });
            if constexpr (piece == sizeof(Value)) {
                exec::fit(column, kept);
                if (kept > 0) {  // memcpy is not for null pointers
                    std::memcpy(static_cast<void*>(column.data()), to, kept * piece);
                }
            } else {
                exec::for_each(kept, model.threads, [&](std::size_t k) {
                    std::memcpy(bytes + k * sizeof(Value) + at, to + k * piece, piece);
                });
            }
        }
        exec::fit(column, kept);
    });
    scratch.rewind(used);
    return place;
}

/// How far each body may move until the list is made again. Where there are ranks, dynamic bodies
/// know already.
void VerletList::allow(const state::Model& model, state::Bodies& bodies, bool relaxed,
                       exec::Scratch& scratch, ranks::Domain* domain)
{
    const bool known = domain != nullptr;
    const state::BodyView b = state::view(bodies);
    const MotionSums sums = known
                                ? domain->motion
                                : exec::tree_sum<6>(bodies.dynamic_count, model.threads, sums_,
                                                    [&](std::size_t i) { return motion_of(b, i); });
    bodies.drift_velocity = means_of(sums).velocity;
    const auto table =
        scratch.take<std::uint32_t>(known ? 1 : NearbySpeed::entries(bodies.dynamic_count));
    std::fill(table.begin(), table.end(), 0U);
    const SkinRule allowing(model.settings, relaxed, NearbySpeed(table.data(), table.size()));
    const std::size_t first = known ? bodies.dynamic_count : 0;
    exec::for_each(bodies.dynamic_count - first, model.threads,
                   [&](std::size_t i) { allowing.note(b, i, sums); });
    exec::for_each(bodies.count() - first, model.threads, [&](std::size_t k) {
        bodies.drift[first + k] = allowing.drift(b, first + k, sums);
    });
}

void VerletList::list_pairs(const state::Model& model, state::Bodies& bodies, state::PairList& list,
                            exec::Scratch& scratch)
{
    const auto balls = scratch.take<shapes::Ball>(bodies.bounded_count);
    exec::for_each(bodies.bounded_count, model.threads,
                   [&](std::size_t i) { balls[i] = with_margin(bodies.ball[i], bodies.drift[i]); });
    grid_.find_pairs(balls, bodies.dynamic_count, model.box, list.pair, model.threads);
    const std::size_t walls = bodies.count() - bodies.bounded_count;
    if (walls == 0) {
        exec::fit(list.pair, list.pair.size());
        return;
    }
    // Pairs with walls go behind those of their first body: counted, then moved in from the back.
    const state::BodyView b = state::view(bodies);
    const auto near = [&](std::size_t i, std::size_t k) {
        return near_wall(b, model.prototypes.data(), balls[i], k);
    };
    const auto near_walls = scratch.take<std::uint32_t>(bodies.dynamic_count);
    exec::for_each(bodies.dynamic_count, model.threads, [&](std::size_t i) {
        near_walls[i] = 0;
        for (std::size_t k = bodies.bounded_count; k < bodies.count(); ++k) {
            near_walls[i] += near(i, k) ? 1U : 0U;
        }
    });
    const std::size_t found = std::accumulate(near_walls.begin(), near_walls.end(), std::size_t(0));
    std::size_t from = list.pair.size();
    exec::fit(list.pair, from + found);
    std::size_t to = list.pair.size();
    for (std::size_t i = bodies.dynamic_count; i-- > 0;) {
        for (std::size_t k = bodies.count(); near_walls[i] > 0 && k-- > bodies.bounded_count;) {
            if (near(i, k)) {
                list.pair[--to] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k)};
            }
        }
        while (from > 0 && list.pair[from - 1].first == i) {
            list.pair[--to] = list.pair[--from];
        }
    }
}

}  // namespace scree::neighbours
