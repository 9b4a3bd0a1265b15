// A world of several ranks: how it becomes one, what its ranks agree on after a step, and how the
// shares that ranks have saved are joined.
#include "ranks/body_message.hpp"
#include "scree/error.hpp"
#include "stages/neighbours/warm_start_transfer.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace scree {

namespace {

void require_all(std::size_t found, std::uint64_t wanted)
{
    if (found != wanted) {
        throw Error("the ranks' shares have " + std::to_string(found) +
                    " dynamic bodies, and the world that was saved " + std::to_string(wanted));
    }
}

}  // namespace

void World::distribute(std::shared_ptr<Ranks> ranks, const Partition& partition)
{
    State& s = *state_;
    if (s.domain) {
        throw Error("the world is spread over ranks already");
    }
    s.engine->fetch(engine::Fetch::all_to_change);
    s.domain = std::make_unique<ranks::Domain>(std::move(ranks), partition);
    const std::vector<double> kept = std::exchange(s.partition, {});
    // Of as many ranks, and cut in the same way.
    if (kept.size() > 5 && kept[0] == s.domain->size() &&
        std::equal(partition.boxes.begin(), partition.boxes.end(), kept.begin() + 2)) {
        s.domain->waiting.lost = kept[1];
        s.domain->cuts.restore(std::span(kept).subspan(2), s.domain->size(), s.model.box);
    }
    s.choose_threads();
    s.changed = true;
    s.stepped = false;
    if (const std::optional<std::uint64_t> whole = std::exchange(s.share_of, std::nullopt)) {
        s.alive = s.alive_dynamic = 0;
        for (std::size_t i = 0; i < s.bodies.count(); ++i) {
            const std::uint8_t flags = s.bodies.flags[i];
            s.alive += s.is_everywhere(i) && state::is_alive(flags) ? 1 : 0;
            s.alive_dynamic += state::is_own(flags) ? 1 : 0;
        }
        auto dynamic = static_cast<double>(s.alive_dynamic);
        s.domain->ranks().sum(std::span<double>(&dynamic, 1));
        s.alive_dynamic = static_cast<std::size_t>(dynamic);
        require_all(s.alive_dynamic, *whole);
        s.alive += s.alive_dynamic;
    } else if (s.domain->rank() > 0) {
        s.leave_all();  // the first rank has everything until the next list is made
    }
}

/// Everything is another rank's.
void World::State::leave_all()
{
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        if ((bodies.flags[i] & state::flag_prescribed) != 0) {
            bodies.flags[i] |= state::flag_ghost;
        } else if ((bodies.flags[i] & state::flag_alive) != 0) {
            drop(i);
        }
    }
    list = {};
    stored = {};
    inserted = 0;
    removed = 0;
    by_id_valid = false;
}

/// Sums and maxima of all ranks in place of this one's. Returns whether any has met a condition.
bool World::State::agree(engine::EndReport& end)
{
    relax::ContactWork& w = end.work;
    double active = static_cast<double>(w.active);
    double touching = static_cast<double>(end.touching);
    double penetrating = static_cast<double>(end.penetrating);
    double pairs = static_cast<double>(report.pairs);
    double candidates = static_cast<double>(report.candidates);
    double copies = report.split_copies;
    double shared = report.bodies_on_several_ranks;
    double* const terms[]{&w.normal,    &w.friction,          &w.wall,   &w.correction,
                          &w.gap,       &w.restitution,       &active,   &touching,
                          &penetrating, &end.penetration_sum, &inserted, &removed,
                          &pairs,       &candidates,          &copies,   &shared};
    constexpr std::size_t n = std::size(terms);
    double values[n + finish::body_sum_count];
    for (std::size_t k = 0; k < n; ++k) {
        values[k] = *terms[k];
    }
    std::copy_n(end.sums.of, finish::body_sum_count, values + n);
    double largest[]{report.max_penetration, static_cast<double>(report.colours), candidates,
                     report.residual, report.good() ? 0.0 : 1.0};
    domain->ranks().combine(domain->ranks().all(), values, largest);
    for (std::size_t k = 0; k < n; ++k) {
        *terms[k] = values[k];
    }
    std::copy_n(values + n, finish::body_sum_count, end.sums.of);
    w.active = static_cast<std::size_t>(active);
    end.touching = static_cast<std::size_t>(touching);
    end.penetrating = static_cast<std::size_t>(penetrating);
    report.pairs = static_cast<std::size_t>(pairs);
    report.candidates = static_cast<std::size_t>(candidates);
    report.split_copies = static_cast<int>(copies);
    report.bodies_on_several_ranks = static_cast<int>(shared);
    report.max_penetration = largest[0];
    report.colours = static_cast<int>(largest[1]);
    report.load_imbalance = candidates > 0 ? largest[2] * domain->size() / candidates : 1;
    domain->waiting.add(largest[2], candidates / domain->size(), report.sweeps);
    report.residual = largest[3];
    return largest[4] > 0;
}

/// Conditions that concern bodies are counted by the ranks that have these; the first rank that met
/// one says where.
void World::State::agree_on_conditions()
{
    constexpr std::size_t n = condition_count;
    constexpr double nowhere = -std::numeric_limits<double>::infinity();
    double located[n], largest[2 * n];  // counts; counts of the whole step, and − the rank
    for (std::size_t c = 0; c < n; ++c) {
        const ConditionCount& here = report.conditions[c];
        const auto count = static_cast<double>(here.count);
        located[c] = here.located ? count : 0;
        largest[c] = here.located ? 0 : count;
        largest[n + c] = here.located ? -domain->rank() : nowhere;
    }
    domain->ranks().combine(domain->ranks().all(), located, largest);
    double ids[4 * n];  // in halves, which doubles have room for
    for (std::size_t c = 0; c < n; ++c) {
        const ConditionCount& here = report.conditions[c];
        const bool says = here.located && largest[n + c] == -domain->rank();
        for (std::size_t half = 0; half < 2; ++half) {
            constexpr BodyId most = 0xffffffffU;
            ids[4 * c + half] = says ? static_cast<double>((here.first >> (32 * half)) & most) : 0;
            ids[4 * c + 2 + half] =
                says ? static_cast<double>((here.second >> (32 * half)) & most) : 0;
        }
    }
    domain->ranks().sum(ids);
    const auto id = [&](const double* halves) {
        return static_cast<BodyId>(halves[1]) << 32U | static_cast<BodyId>(halves[0]);
    };
    for (std::size_t c = 0; c < n; ++c) {
        const bool somewhere = largest[n + c] > nowhere;
        const double count = std::max(located[c], largest[c]);
        report.conditions[c] = {static_cast<std::uint64_t>(count), somewhere, 0, 0};
        if (somewhere) {
            report.conditions[c].first = id(&ids[4 * c]);
            report.conditions[c].second = id(&ids[4 * c + 2]);
        }
    }
}

/// All of a share that was saved.
ranks::BodyMessage World::State::parcel() const
{
    ranks::BodyMessage parcel;
    parcel.bodies.reserve(bodies.count());
    parcel.pairs.reserve(list.pair.size());
    parcel.contacts.reserve(stored.impulse.size());
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        parcel.add(model, bodies, i);
    }
    std::size_t contact = 0;
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const state::BodyPair pair = list.pair[p];
        const std::size_t begin = contact;
        contact += stored.count[p];
        parcel.pairs.push_back({bodies.id[pair.first], bodies.id[pair.second], stored.count[p]});
        for (std::size_t c = begin; c < contact; ++c) {
            parcel.contacts.push_back(
                {stored.impulse[c], stored.feature.empty() ? 0 : stored.feature[c]});
        }
    }
    return parcel;
}

/// A world of these bodies, and else like this one.
World World::State::made_of(const std::vector<ranks::BodyMessage>& parcels) const
{
    World world(model.settings);
    State& s = *world.state_;
    s.model.surfaces = model.surfaces;
    s.model.materials = model.materials;
    s.collect_bodies(parcels);
    s.collect_pairs(parcels);
    s.spare_speed = spare_speed;
    s.totals = totals;
    s.time = time;
    s.steps = steps;
    s.next_id = next_id;
    s.used_ids = used_ids;
    s.partition = partition;
    return world;
}

/// Takes the bodies of all parcels, each of them once: where its owner's is not among them, as that
/// of another rank. All parcels have the same prescribed bodies.
void World::State::collect_bodies(const std::vector<ranks::BodyMessage>& parcels)
{
    // In the order dynamic, prescribed, walls; dynamic ones by their ids.
    struct Place {
        state::BodyClass kind;
        BodyId id;
        bool elsewhere;
        std::size_t parcel, body;
    };
    std::vector<Place> order;
    for (std::size_t p = 0; p < parcels.size(); ++p) {
        for (std::size_t k = 0; k < parcels[p].bodies.size(); ++k) {
            const ranks::BodyRecord& body = parcels[p].bodies[k];
            const state::BodyClass kind = state::body_class(body.flags);
            const bool dynamic = kind == state::BodyClass::dynamic;
            if (dynamic || p == 0) {
                order.push_back(
                    {kind, dynamic ? body.id : 0, (body.flags & state::flag_ghost) != 0, p, k});
            }
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
        return std::tie(a.kind, a.id, a.elsewhere) < std::tie(b.kind, b.id, b.elsewhere);
    });
    std::array<std::size_t, 4> number{};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Place& place = order[k];
        if (place.kind == state::BodyClass::dynamic && k > 0 && order[k - 1].id == place.id) {
            if (!place.elsewhere) {
                throw Error("body " + std::to_string(place.id) + " is in two ranks' shares");
            }
            continue;
        }
        const ranks::BodyMessage& from = parcels[place.parcel];
        ranks::BodyMessage one;
        one.bodies.push_back(from.bodies[place.body]);
        one.kinds.push_back(from.kinds[one.bodies[0].kind]);
        one.bodies[0].kind = 0;
        one.bodies[0].flags &= static_cast<std::uint8_t>(~state::flag_margin_exceeded);
        unpack(one, 0);
        ++number[static_cast<std::size_t>(place.kind)];
    }
    bodies.dynamic_count = number[0];
    bodies.bounded_count = number[0] + number[1];
    alive = bodies.count();
    alive_dynamic = number[0];
}

void World::State::collect_pairs(const std::vector<ranks::BodyMessage>& parcels)
{
    struct Entry {
        neighbours::PairThere at;
        std::span<const ranks::StoredContact> contacts;
    };
    std::vector<Entry> entries;
    for (const ranks::BodyMessage& parcel : parcels) {
        std::size_t contact = 0;
        for (const ranks::PairRecord& r : parcel.pairs) {
            const auto first = static_cast<std::uint32_t>(index_of(r.first));
            const auto second = static_cast<std::uint32_t>(index_of(r.second));
            entries.push_back({neighbours::pair_at(first, second),
                               std::span(parcel.contacts).subspan(contact, r.count)});
            contact += r.count;
        }
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.at.pair < b.at.pair; });
    ranks::PendingWarmStart carried;
    std::vector<ranks::StoredContact> contacts;
    for (const Entry& e : entries) {
        contacts.assign(e.contacts.begin(), e.contacts.end());
        for (ranks::StoredContact& c : contacts) {
            c.impulse = e.at.impulse(c.impulse);
        }
        carried.add(e.at.pair, contacts);
    }
    carried.give(list, stored, false);
}

World World::join_shares(std::size_t shares, const std::function<World(std::size_t)>& share,
                         int rank, int ranks)
{
    const auto mine = static_cast<std::size_t>(rank);
    const auto get = [&](std::size_t k) {
        World world = share(k);
        if (!world.state_->share_of) {
            throw Error("share " + std::to_string(k) + " of " + std::to_string(shares) +
                        " is no rank's share of a world");
        }
        return world;
    };
    World first = get(mine < shares ? mine : 0);
    State& s = *first.state_;
    if (mine >= shares) {
        s.leave_all();
        return first;
    }
    if (mine + static_cast<std::size_t>(ranks) >= shares && ranks > 1) {
        return first;
    }
    std::vector<ranks::BodyMessage> parcels{s.parcel()};
    double inserted = s.inserted, removed = s.removed;
    for (std::size_t k = mine + static_cast<std::size_t>(ranks); k < shares;
         k += static_cast<std::size_t>(ranks)) {
        const World next = get(k);
        parcels.push_back(next.state_->parcel());
        inserted += next.state_->inserted;
        removed += next.state_->removed;
    }
    World world = s.made_of(parcels);
    State& all = *world.state_;
    all.inserted = inserted;
    all.removed = removed;
    if (ranks > 1) {
        all.share_of = s.share_of;
        return world;
    }
    for (std::size_t i = 0; i < all.bodies.count(); ++i) {
        if (!all.counts(i)) {
            throw Error("body " + std::to_string(all.bodies.id[i]) +
                        " is in no rank's share of the world, but has contacts there");
        }
    }
    require_all(all.alive_dynamic, *s.share_of);
    return world;
}

}  // namespace scree
