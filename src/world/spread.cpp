// A world of several ranks: how it becomes one, what its ranks agree on after a step, and how it is
// brought together for frames and checkpoints.
#include "scree/error.hpp"
#include "world/parcel.hpp"
#include "world/state.hpp"

#include <algorithm>
#include <utility>

namespace scree {

void World::spread(std::shared_ptr<Ranks> ranks, const Partition& partition)
{
    State& s = *state_;
    if (s.domain) {
        throw Error("the world is spread over ranks already");
    }
    s.engine->fetch(world::Need::all_to_change);
    s.domain = std::make_unique<domain::Domain>(std::move(ranks), partition);
    const std::vector<double> kept = std::exchange(s.partition, {});
    if (kept.size() > 2 && kept[0] == s.domain->size()) {
        s.domain->waited = kept[1];
        s.domain->cuts.restore(std::span(kept).subspan(2), s.domain->size(), s.model.box);
    }
    s.model.domain = s.domain.get();
    s.changed = true;
    s.stepped = false;
    if (s.domain->rank() == 0) {
        return;
    }
    // The first rank has everything until the next list is made.
    for (std::size_t i = 0; i < s.bodies.count(); ++i) {
        if ((s.bodies.flags[i] & flag_prescribed) != 0) {
            s.bodies.flags[i] |= flag_elsewhere;
        } else if ((s.bodies.flags[i] & flag_alive) != 0) {
            s.drop(i);
        }
    }
    s.list = {};
    s.stored = {};
    s.inserted = 0;
    s.removed = 0;
    s.by_id_valid = false;
}

/// Sums and maxima of all ranks in place of this one's. Returns whether any has met a condition.
bool World::State::agree(world::EndReport& end)
{
    sweeps::ContactWork& w = end.work;
    double active = static_cast<double>(w.active);
    double touching = static_cast<double>(end.touching);
    double penetrating = static_cast<double>(end.penetrating);
    double pairs = static_cast<double>(report.pairs);
    double candidates = static_cast<double>(report.candidates);
    double copies = report.copies;
    double* const terms[]{&w.normal,    &w.friction,          &w.wall,   &w.correction,
                          &w.gap,       &w.restitution,       &active,   &touching,
                          &penetrating, &end.penetration_sum, &inserted, &removed,
                          &pairs,       &candidates,          &copies};
    constexpr std::size_t n = std::size(terms);
    double values[n + world::body_sum_count];
    for (std::size_t k = 0; k < n; ++k) {
        values[k] = *terms[k];
    }
    std::copy_n(end.sums.of, world::body_sum_count, values + n);
    double largest[]{report.max_penetration, static_cast<double>(report.colours), candidates,
                     report.residual, report.good() ? 0.0 : 1.0};
    domain->ranks().combine(domain->ranks().all(), values, largest);
    for (std::size_t k = 0; k < n; ++k) {
        *terms[k] = values[k];
    }
    std::copy_n(values + n, world::body_sum_count, end.sums.of);
    w.active = static_cast<std::size_t>(active);
    end.touching = static_cast<std::size_t>(touching);
    end.penetrating = static_cast<std::size_t>(penetrating);
    report.pairs = static_cast<std::size_t>(pairs);
    report.candidates = static_cast<std::size_t>(candidates);
    report.copies = static_cast<int>(copies);
    report.max_penetration = largest[0];
    report.colours = static_cast<int>(largest[1]);
    report.imbalance = candidates > 0 ? largest[2] * domain->size() / candidates : 1;
    domain->waited += (largest[2] - candidates / domain->size()) * report.sweeps;
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

/// The whole world on the first rank, as one process would have it; an empty one on the others.
/// Bodies are in the order of their ids.
World World::State::gather() const
{
    engine->fetch(world::Need::all);
    std::map<int, world::Parcel> parcels;
    world::Parcel& mine = parcels[0];
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        if ((bodies.flags[i] & flag_alive) != 0 && counts(i)) {
            mine.add(model, bodies, i);
        }
    }
    std::size_t contact = 0;
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const collide::BodyPair pair = list.pair[p];
        const std::size_t begin = contact;
        contact += stored.count[p];
        if (stored.count[p] > 0 &&
            (bodies.flags[pair.first] & bodies.flags[pair.second] & flag_alive) != 0) {
            mine.pairs.push_back({bodies.id[pair.first], bodies.id[pair.second], stored.count[p]});
            for (std::size_t c = begin; c < contact; ++c) {
                mine.contacts.push_back(
                    {stored.impulse[c], stored.feature.empty() ? 0 : stored.feature[c]});
            }
        }
    }
    double energies[]{inserted, removed};
    domain->ranks().sum(energies);
    const Ranks::Letters in = domain->ranks().exchange(pack(std::move(parcels)));
    World world(model.settings);
    if (domain->rank() > 0) {
        return world;
    }
    State& whole = *world.state_;
    whole.model.surfaces = model.surfaces;
    whole.model.materials = model.materials;
    whole.collect(in);
    whole.spare_speed = spare_speed;
    whole.totals = totals;
    whole.inserted = energies[0];
    whole.removed = energies[1];
    whole.time = time;
    whole.steps = steps;
    whole.next_id = next_id;
    whole.used_ids = used_ids;
    whole.alive = alive;
    whole.alive_dynamic = alive_dynamic;
    if (domain->cuts.made()) {
        whole.partition = domain->cuts.saved();
        whole.partition.insert(whole.partition.begin(),
                               {static_cast<double>(domain->size()), domain->waited});
    }
    return world;
}

/// Makes a world of what all ranks have sent.
void World::State::collect(const Ranks::Letters& parts)
{
    // Bodies in the order dynamic, prescribed, walls; dynamic ones by their ids.
    struct Place {
        int kind;
        BodyId id;
        std::size_t part, body;
    };
    std::vector<world::Parcel> parcels;
    for (const auto& [rank, bytes] : parts) {
        parcels.emplace_back(bytes);
    }
    std::vector<Place> order;
    for (std::size_t r = 0; r < parcels.size(); ++r) {
        for (std::size_t k = 0; k < parcels[r].bodies.size(); ++k) {
            const world::BodyRecord& body = parcels[r].bodies[k];
            const int kind = (body.flags & flag_prescribed) == 0 ? 0
                             : (body.flags & flag_wall) == 0     ? 1
                                                                 : 2;
            order.push_back({kind, kind == 0 ? body.id : 0, r, k});
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.id < b.id;
    });
    std::array<std::size_t, 3> number{};
    for (const Place& place : order) {
        const world::Parcel& from = parcels[place.part];
        world::Parcel one;
        one.bodies.push_back(from.bodies[place.body]);
        one.kinds.push_back(from.kinds[one.bodies[0].kind]);
        one.bodies[0].kind = 0;
        one.bodies[0].flags &= static_cast<std::uint8_t>(~flag_surprised);
        unpack(one, 0);
        ++number[static_cast<std::size_t>(place.kind)];
    }
    bodies.dynamic_count = number[0];
    bodies.bounded_count = number[0] + number[1];

    struct Entry {
        collide::BodyPair pair;
        std::span<const world::StoredContact> contacts;
    };
    std::vector<Entry> entries;
    for (const world::Parcel& part : parcels) {
        std::size_t contact = 0;
        for (const world::PairRecord& r : part.pairs) {
            const auto first = static_cast<std::uint32_t>(index_of(r.first));
            const auto second = static_cast<std::uint32_t>(index_of(r.second));
            entries.push_back(
                {{first, second}, std::span(part.contacts).subspan(contact, r.count)});
            contact += r.count;
        }
    }
    const auto sorted = [](const collide::BodyPair& p) {
        return std::pair(std::min(p.first, p.second), std::max(p.first, p.second));
    };
    std::sort(entries.begin(), entries.end(),
              [&](const Entry& a, const Entry& b) { return sorted(a.pair) < sorted(b.pair); });
    world::Carried carried;
    std::vector<world::StoredContact> contacts;
    for (const Entry& e : entries) {
        contacts.assign(e.contacts.begin(), e.contacts.end());
        if (e.pair.first > e.pair.second) {
            for (world::StoredContact& c : contacts) {
                c.impulse = -c.impulse;
            }
        }
        const auto [first, second] = sorted(e.pair);
        carried.add({first, second}, contacts);
    }
    carried.give(list, stored, false);
}

World World::gathered() const
{
    State& s = *state_;
    if (!s.domain) {
        throw Error("the world is not spread over ranks: there is nothing to gather");
    }
    World whole = s.gather();
    // Whoever goes on from a saved world makes lists first; so do we, to the same bits.
    s.changed = true;
    return whole;
}

}  // namespace scree
