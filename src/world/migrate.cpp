// Before ranks make their lists: bodies go to the rank in whose piece of space they are, with what
// is stored of their contacts, and ghosts are made anew. What comes out is a function of all bodies
// and stored impulses alone, not of which rank had them: worlds that are restored go on to the bits
// of those that were saved.
#include "exec/threads.hpp"
#include "exec/tree_sum.hpp"
#include "ranks/body_message.hpp"
#include "ranks/footprint.hpp"
#include "stages/neighbours/skin.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <utility>

namespace scree {

namespace {

/// Making cuts and moving bodies costs about as much as this many rows in one sweep, for each body;
/// so does a new list.
constexpr double cost_of_cuts = 50, cost_of_list = 50;
/// A contact in some ten sweeps is as much work as several bodies.
constexpr std::uint32_t work_of_body = 1, work_of_contact = 4;

using IdAndPlace = std::pair<BodyId, std::uint32_t>;

std::vector<IdAndPlace> sorted_by_id(const state::Bodies& bodies, std::size_t from, bool dynamic)
{
    std::vector<IdAndPlace> sorted;
    for (std::size_t i = from; i < bodies.count(); ++i) {
        if (state::is_alive(bodies.flags[i]) && state::is_dynamic(bodies.flags[i]) == dynamic) {
            sorted.emplace_back(bodies.id[i], static_cast<std::uint32_t>(i));
        }
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

}  // namespace

void World::State::drop(std::size_t i)
{
    release(bodies.prototype[i]);
    state::make_gap(state::view(bodies), i);
}

void World::State::drop_unused_ghosts()
{
    for (const std::uint32_t i : domain->unused) {
        drop(i);
    }
    by_id_valid = false;
}

/// Takes what another rank sent; `flags` are added to those of the bodies.
void World::State::unpack(const ranks::BodyMessage& parcel, std::uint8_t more_flags)
{
    std::vector<std::uint32_t> kinds;
    for (const state::Prototype& kind : parcel.kinds) {
        kinds.push_back(acquire(kind));
    }
    state::Bodies& b = bodies;
    const std::size_t count = b.count();
    for (auto* column : {&b.velocity, &b.velocity_before}) {
        column->resize(count);  // lines of copies and idle lanes come with the list
    }
    for (const ranks::BodyRecord& r : parcel.bodies) {
        exec::append(b.id, r.id);
        exec::append(b.ball, r.ball);
        exec::append(b.orientation, r.orientation);
        exec::append(b.velocity, r.velocity);
        exec::append(b.velocity_before, r.before);
        exec::append(b.drift, {0, 0, 0, r.allowance});
        exec::append(b.prototype, kinds[r.kind]);
        ++model.prototypes[kinds[r.kind]].users;
        exec::append(b.flags, static_cast<std::uint8_t>(r.flags | more_flags));
        exec::append(b.reach, r.reach);
        const state::Force& f = r.force;
        const bool forced =
            norm(f.force) + norm(f.torque) + norm(f.impulse) + norm(f.angular_impulse) > 0;
        if (!b.force.empty() || forced) {
            b.force.resize(b.count());
            b.force.back() = f;
        }
    }
    bool inertia = !b.inertia.empty();
    for (std::size_t i = count; i < b.count(); ++i) {
        inertia = inertia || needs_inertia(i);
    }
    if (inertia) {
        const std::size_t from = b.inertia.empty() ? 0 : count;
        b.inertia.resize(b.count());
        for (std::size_t i = from; i < b.count(); ++i) {
            finish::update_inertia(state::view(model), state::view(b), i);
        }
    }
    for (const std::uint32_t kind : kinds) {
        release(kind);
    }
    by_id_valid = false;
}

/// What this rank has to do: its bodies, and the contacts of the last step.
std::vector<ranks::Work> World::State::work() const
{
    std::vector<ranks::Work> work;
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        if (state::is_own(bodies.flags[i])) {
            work.push_back({{bodies.ball[i], bodies.ball[i]}, 1, work_of_body});
        }
    }
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const state::BodyPair pair = list.pair[p];
        const shapes::Ball& first = bodies.ball[pair.first];
        const std::uint32_t weight = stored.count[p] * work_of_contact;
        if (weight > 0 && state::is_dynamic(bodies.flags[pair.first])) {
            const bool two = state::is_dynamic(bodies.flags[pair.second]);
            work.push_back({{first, two ? bodies.ball[pair.second] : first}, two ? 2 : 1, weight});
        }
    }
    return work;
}

/// Whether waiting has cost more than so much for each body.
bool World::State::waited_for(double cost) const
{
    return domain->waiting.lost > cost * static_cast<double>(alive_dynamic) / domain->size();
}

/// Whether new cuts are worth a new list, which nothing else asks for.
bool World::State::wants_cuts() const
{
    return domain->partition().boxes[0] == 0 && domain->waiting.grew() &&
           waited_for(cost_of_cuts + cost_of_list);
}

/// Makes cuts if there are none yet, or waiting has cost more than they do.
void World::State::make_cuts()
{
    ranks::Domain& d = *domain;
    const bool even = d.partition().boxes[0] > 0;
    if (d.cuts.made() && !even && !waited_for(cost_of_cuts)) {
        return;
    }
    d.waiting.begin(d.any(std::ranges::any_of(stored.count, [](auto n) { return n > 0; })));
    d.cuts.make(d.ranks(), d.partition(), model.box, work());
}

/// Sends bodies and stored impulses to where they belong. What stays is left in `carried`, what
/// came is returned.
std::vector<ranks::BodyMessage> World::State::send_home(ranks::PendingWarmStart& carried)
{
    ranks::Domain& d = *domain;
    const int me = d.rank();
    std::map<int, ranks::BodyMessage> parcels;
    std::vector<int> owner(bodies.count(), -1);
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        if (state::is_dynamic(bodies.flags[i])) {
            owner[i] = d.cuts.owner_of(bodies.ball[i]);
        }
    }
    const auto stays = [&](std::uint32_t i) {
        return !state::is_dynamic(bodies.flags[i]) ||
               (state::is_own(bodies.flags[i]) && owner[i] == me);
    };
    std::vector<ranks::StoredContact> contacts;
    std::size_t contact = 0;
    for (std::size_t p = 0; p < stored.count.size(); ++p) {
        const state::BodyPair pair = list.pair[p];
        const std::size_t begin = contact;
        contact += stored.count[p];
        if (stored.count[p] == 0 ||
            (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_alive) == 0) {
            continue;
        }
        contacts.clear();
        for (std::size_t c = begin; c < contact; ++c) {
            contacts.push_back({stored.impulse[c], stored.feature.empty() ? 0 : stored.feature[c]});
        }
        if (stays(pair.first) && stays(pair.second)) {
            carried.add(pair, contacts);
            continue;
        }
        const int other = owner[pair.second];
        const int home = other < 0 ? owner[pair.first] : std::min(owner[pair.first], other);
        ranks::BodyMessage& parcel = parcels[home];
        parcel.pairs.push_back({bodies.id[pair.first], bodies.id[pair.second], stored.count[p]});
        parcel.contacts.insert(parcel.contacts.end(), contacts.begin(), contacts.end());
    }
    for (std::size_t i = 0; i < owner.size(); ++i) {
        if (owner[i] < 0 || stays(static_cast<std::uint32_t>(i))) {
            continue;
        }
        if (counts(i)) {
            parcels[owner[i]].add(model, bodies, i);
        }
        drop(i);
    }
    std::vector<ranks::BodyMessage> came;
    for (auto& [rank, bytes] : d.ranks().exchange(pack(std::move(parcels)))) {
        came.emplace_back(std::exchange(bytes, {}));
        unpack(came.back(), 0);
        came.back().bodies = {};
    }
    return came;
}

/// Sends own bodies to lower ranks whose bodies they may touch. Allowances are known.
void World::State::send_ghosts(std::span<const IdAndPlace> own)
{
    ranks::Domain& d = *domain;
    const int me = d.rank();
    ranks::Footprint mine;
    std::vector<shapes::Ball> balls(own.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
        const std::uint32_t i = own[k].second;
        balls[k] = neighbours::with_margin(bodies.ball[i], bodies.drift[i]);
        mine.add(balls[k]);
    }
    // Higher ranks that are near learn more.
    const std::vector<ranks::Box> whole = d.everywhere(std::vector{mine.whole()});
    Ranks::Messages out;
    for (int r = me + 1; r < d.size(); ++r) {
        if (ranks::near(mine.whole(), whole[static_cast<std::size_t>(r)], model.box)) {
            ranks::put(out[r], mine.boxes());
        }
    }
    std::map<int, ranks::BodyMessage> parcels;
    d.sent.clear();
    for (const auto& [r, bytes] : d.ranks().exchange(out)) {
        ranks::Footprint theirs(ranks::Reader(bytes).get_all<ranks::SizeBox>());
        theirs.keep_near(mine, model.box);
        for (std::size_t k = 0; k < own.size() && !theirs.boxes().empty(); ++k) {
            if (theirs.touches(balls[k], model.box)) {
                parcels[r].add(model, bodies, own[k].second);
                d.sent.push_back({r, own[k].second});
            }
        }
    }
    d.received.clear();
    for (const auto& [rank, bytes] : d.ranks().exchange(pack(std::move(parcels)))) {
        const std::size_t from = bodies.count();
        unpack(ranks::BodyMessage(bytes), state::flag_ghost);
        for (std::size_t i = from; i < bodies.count(); ++i) {
            d.received.push_back({rank, static_cast<std::uint32_t>(i)});
        }
    }
}

void World::State::migrate(bool relaxed)
{
    ranks::Domain& d = *domain;
    engine->fetch(engine::Fetch::all_to_change);
    make_cuts();
    ranks::PendingWarmStart carried;
    const bool features = !stored.feature.empty();
    const std::vector<ranks::BodyMessage> came = send_home(carried);

    std::vector<IdAndPlace> dynamic = sorted_by_id(bodies, 0, true);
    state::BodyView b = state::view(bodies);
    b.bounded_count = b.count;
    std::vector<neighbours::MotionSums> chunks;
    d.motion = exec::tree_sum<6>(dynamic.size(), model.threads, chunks, [&](std::size_t k) {
        return neighbours::motion_of(b, dynamic[k].second);
    });
    d.ranks().sum(d.motion.of);
    std::vector<std::uint32_t> table(neighbours::NearbySpeed::entries(dynamic.size()));
    const neighbours::SkinRule allowing(model.settings, relaxed, {table.data(), table.size()});
    // As they lie in memory, where neighbours are neighbours.
    const auto for_dynamic = [&](auto f) {
        exec::for_each(bodies.count(), model.threads, [&](std::size_t i) {
            if (state::is_dynamic(bodies.flags[i])) {
                f(i);
            }
        });
    };
    for_dynamic([&](std::size_t i) { allowing.note(b, i, d.motion); });
    for_dynamic([&](std::size_t i) { b.drift[i] = allowing.drift(b, i, d.motion); });

    const std::size_t ghosts = bodies.count();
    send_ghosts(dynamic);
    const std::vector<IdAndPlace> more = sorted_by_id(bodies, ghosts, true);
    const auto middle = static_cast<std::ptrdiff_t>(dynamic.size());
    dynamic.insert(dynamic.end(), more.begin(), more.end());
    std::inplace_merge(dynamic.begin(), dynamic.begin() + middle, dynamic.end());
    d.by_id.clear();
    for (const auto& [id, i] : dynamic) {
        d.by_id.push_back(i);
    }

    const std::vector<IdAndPlace> prescribed = sorted_by_id(bodies, 0, false);
    const auto place_of = [&](BodyId id) {
        const auto in = [&](const std::vector<IdAndPlace>& some) {
            const auto at = std::lower_bound(some.begin(), some.end(), IdAndPlace{id, 0});
            return at != some.end() && at->first == id ? std::size_t(at->second) : SIZE_MAX;
        };
        return std::min(in(dynamic), in(prescribed));
    };
    for (const ranks::BodyMessage& parcel : came) {
        std::size_t contact = 0;
        for (const ranks::PairRecord& r : parcel.pairs) {
            const std::size_t first = place_of(r.first), second = place_of(r.second);
            if (first != SIZE_MAX && second != SIZE_MAX) {
                carried.add({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)},
                            std::span(parcel.contacts).subspan(contact, r.count));
            }
            contact += r.count;
        }
    }
    carried.give(list, stored, features);
}

}  // namespace scree
