#include "collide/broad_phase.hpp"

#include "collide/support.hpp"
#include "exec/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace scree::collide {

namespace {

constexpr int rebuilds_between_orders = 32;
/// How many steps ahead a moving body's allowance looks.
constexpr double steps_ahead = 10;

Vec drift_of(const Drift& d) { return {d.x, d.y, d.z}; }

/// Whether a turning wall's surface moves under bodies; one that turns about its own axis stays.
bool sweeps_space(const Bodies& bodies, std::size_t i, ShapeKind kind)
{
    const Vec w = rotate_back(bodies.orientation[i], bodies.velocity[i].w);
    switch (kind) {
    case ShapeKind::half_space: return w.x != 0 || w.y != 0;
    case ShapeKind::cylinder_wall: return w.y != 0 || w.z != 0;
    default: return false;
    }
}

}  // namespace

bool BroadPhase::stale(const Model& model, const Bodies& bodies, double margin) const
{
    const double h = model.settings.time_step;
    const double fall = margin * h * h * norm(model.settings.gravity);
    return exec::largest(bodies.count(), model.threads, 0, [&](std::size_t i) {
               const Drift& d = bodies.drift[i];
               const auto allowance = static_cast<double>(d.allowance);
               const Vec way = h * bodies.velocity[i].v;
               const Vec end = drift_of(d) + way;
               const double end2 = dot(end, end);
               if (4 * end2 + 4 * margin * margin * dot(way, way) + 4 * fall * fall <=
                   allowance * allowance / 3) {
                   return 0.0;  // far from it, without a root
               }
               return lane::sqrt(end2) + margin * norm(way) + fall > allowance ? 1.0 : 0.0;
           }) > 0;
}

bool BroadPhase::rebuild(const Model& model, Bodies& bodies, PairList& list, StoredImpulses& stored,
                         bool changed)
{
    const bool reorder = changed || ++rebuilds_ >= rebuilds_between_orders;
    if (reorder) {
        rebuilds_ = 0;
    }
    const std::size_t old_count = bodies.count();
    arrange(model, bodies, reorder);
    collect(list, stored, bodies);
    allow(model, bodies);
    list_pairs(model, bodies, list);
    distribute(list, stored, std::max(old_count, bodies.count()));
    colouring_.colour(list, bodies.id, bodies.dynamic_count, bodies.count(),
                      model.settings.contacts_per_copy);

    // Copies, and idle lines for lanes without a contact.
    const VelocityLine idle{{0, 0, 0}, {0, 0, 0}, 1, 1};
    const std::size_t lines = bodies.count() + list.copy_count + 8;
    bodies.velocity.resize(bodies.count());
    bodies.velocity.resize(lines, idle);
    bodies.velocity_before.resize(bodies.count());
    bodies.velocity_before.resize(lines, idle);
    if (!bodies.inertia.empty()) {
        bodies.inertia.resize(bodies.count());
        bodies.inertia.resize(lines, InertiaLine{{1, 0, 0, 1, 0, 1}, {0, 0}});
    }
    return moved_;
}

/// Puts bodies in order: dynamic, prescribed, walls; dynamic ones in spatial order.
void BroadPhase::arrange(const Model& model, Bodies& bodies, bool reorder)
{
    const std::size_t n = bodies.count();
    moved_ = reorder;
    if (!reorder) {
        return;
    }
    balls_.clear();
    order_.clear();
    std::vector<std::uint32_t>& dynamic = place_;
    dynamic.clear();
    for (std::uint32_t i = 0; i < n; ++i) {
        if ((bodies.flags[i] & (flag_alive | flag_prescribed)) == flag_alive) {
            balls_.push_back(bodies.ball[i]);
            dynamic.push_back(i);
        }
    }
    grid_.spatial_order(balls_, model.box, order_, model.threads);
    for (std::uint32_t& k : order_) {
        k = dynamic[k];
    }
    bodies.dynamic_count = order_.size();
    for (const std::uint8_t kind : {std::uint8_t(flag_alive | flag_prescribed),
                                    std::uint8_t(flag_alive | flag_prescribed | flag_wall)}) {
        bodies.bounded_count = (kind & flag_wall) != 0 ? order_.size() : 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            if ((bodies.flags[i] & (flag_alive | flag_prescribed | flag_wall)) == kind) {
                order_.push_back(i);
            }
        }
    }
    place_.assign(n, std::uint32_t(-1));
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
        place_[order_[k]] = k;
    }
    bodies.velocity.resize(n);
    bodies.velocity_before.resize(n);
    if (!bodies.inertia.empty()) {
        bodies.inertia.resize(n);
    }
    const std::size_t kept = order_.size();
    bodies.for_each_column([&](auto& column) {
        using Value = typename std::remove_reference_t<decltype(column)>::value_type;
        scratch_.resize((kept * sizeof(Value) + sizeof(VelocityLine) - 1) / sizeof(VelocityLine));
        auto* to = reinterpret_cast<std::byte*>(scratch_.data());
        exec::for_each(kept, model.threads, [&](std::size_t k) {
            std::memcpy(to + k * sizeof(Value), &column[order_[k]], sizeof(Value));
        });
        column.resize(kept);
        std::memcpy(static_cast<void*>(column.data()), to, kept * sizeof(Value));
    });
}

/// How far each body may move until the list is made again: a part of its size, and more the
/// faster it is.
void BroadPhase::allow(const Model& model, Bodies& bodies) const
{
    const double h = model.settings.time_step;
    const double fall = 3 * h * h * norm(model.settings.gravity);
    double radius_sum = 0;
    for (std::size_t i = 0; i < bodies.dynamic_count; ++i) {
        radius_sum += bodies.ball[i].r;
    }
    const double mean =
        bodies.dynamic_count > 0 ? radius_sum / static_cast<double>(bodies.dynamic_count) : 0;
    exec::for_each(bodies.count(), model.threads, [&](std::size_t i) {
        const double r = i < bodies.bounded_count ? bodies.ball[i].r : mean;
        const double way = h * norm(bodies.velocity[i].v);
        const double most = std::max(0.5 * r, 3 * way);
        const double s = model.settings.skin * r + fall + std::min(steps_ahead * way, most);
        bodies.drift[i] = {0, 0, 0, static_cast<float>(s)};
    });
}

void BroadPhase::list_pairs(const Model& model, const Bodies& bodies, PairList& list)
{
    // Slightly more than the allowance, which is a float, for its rounding and that of the drift.
    balls_.resize(bodies.bounded_count);
    exec::for_each(bodies.bounded_count, model.threads, [&](std::size_t i) {
        const Ball& b = bodies.ball[i];
        balls_[i] = {b.x, b.y, b.z, b.r + 1.001 * static_cast<double>(bodies.drift[i].allowance)};
    });
    const std::size_t walls = bodies.count() - bodies.bounded_count;
    std::vector<BodyPair>& found = walls == 0 ? list.pair : bounded_pairs_;
    grid_.find_pairs(balls_, bodies.dynamic_count, model.box, found, model.threads);
    if (walls == 0) {
        return;
    }
    list.pair.clear();
    auto next = bounded_pairs_.begin();
    for (std::uint32_t i = 0; i < bodies.dynamic_count; ++i) {
        for (; next != bounded_pairs_.end() && next->first == i; ++next) {
            list.pair.push_back(*next);
        }
        for (std::size_t k = bodies.bounded_count; k < bodies.count(); ++k) {
            const Prototype& wall = model.prototypes[bodies.prototype[k]];
            const double allowance = 1.001 * static_cast<double>(bodies.drift[k].allowance);
            const Ball& b = balls_[i];
            if (sweeps_space(bodies, k, wall.shape.kind) ||
                wall_distance(wall.shape, bodies.pose(k, wall), {b.x, b.y, b.z}) - b.r <=
                    allowance) {
                list.pair.push_back({i, static_cast<std::uint32_t>(k)});
            }
        }
    }
}

/// The stored impulses, named by the new places of their bodies.
void BroadPhase::collect(const PairList& list, const StoredImpulses& stored, const Bodies&)
{
    entries_.clear();
    std::uint32_t contact = 0;
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const std::uint32_t count = stored.count[p];
        if (count > 0) {
            std::uint32_t a = list.pair[p].first;
            std::uint32_t b = list.pair[p].second;
            if (moved_) {
                a = place_[a];
                b = place_[b];
            }
            if (a != std::uint32_t(-1) && b != std::uint32_t(-1)) {
                entries_.push_back({std::min(a, b), std::max(a, b), contact, count, a > b});
            }
        }
        contact += count;
    }
}

void BroadPhase::distribute(const PairList& list, StoredImpulses& stored, std::size_t body_count)
{
    // Entries by first body, then each new pair looks among its first body's few.
    entry_start_.assign(body_count + 1, 0);
    for (const StoredEntry& e : entries_) {
        ++entry_start_[e.first + 1];
    }
    std::partial_sum(entry_start_.begin(), entry_start_.end(), entry_start_.begin());
    sorted_.resize(entries_.size());
    for (const StoredEntry& e : entries_) {
        sorted_[entry_start_[e.first]++] = e;
    }
    carried_.count.assign(list.pair.size(), 0);
    carried_.impulse.clear();
    carried_.feature.clear();
    carried_.chunk_first.clear();
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        if (p % pair_chunk == 0) {
            carried_.chunk_first.push_back(static_cast<std::uint32_t>(carried_.impulse.size()));
        }
        // entry_start_ has moved on by one place: it now holds the ends.
        const BodyPair pair = list.pair[p];
        const std::uint32_t begin = pair.first == 0 ? 0 : entry_start_[pair.first - 1];
        for (std::uint32_t k = begin; k < entry_start_[pair.first]; ++k) {
            const StoredEntry& e = sorted_[k];
            if (e.second == pair.second) {
                carried_.count[p] = static_cast<std::uint8_t>(e.count);
                for (std::uint32_t c = 0; c < e.count; ++c) {
                    const Vec x = stored.impulse[e.contact + c];
                    carried_.impulse.push_back(e.flipped ? -x : x);
                    carried_.feature.push_back(stored.feature[e.contact + c]);
                }
                break;
            }
        }
    }
    std::swap(stored, carried_);
}

std::size_t BroadPhase::bytes() const
{
    const auto held = [](const auto& v) {
        return v.capacity() * sizeof(typename std::remove_reference_t<decltype(v)>::value_type);
    };
    return grid_.bytes() + colouring_.bytes() + held(balls_) + held(bounded_pairs_) + held(order_) +
           held(place_) + held(scratch_) + held(entries_) + held(sorted_) + held(entry_start_) +
           held(carried_.count) + held(carried_.impulse) + held(carried_.feature) +
           held(carried_.chunk_first);
}

}  // namespace scree::collide
