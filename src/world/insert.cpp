// Bodies come into a world: one, or very many at once. Checks and columns are made by all threads;
// kinds and ids are given in order, so that the world is the same as if they had come one by one.
#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "math/tensor.hpp"
#include "scree/error.hpp"
#include "world/body_kinds.hpp"
#include "world/checks.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace scree {

namespace {

constexpr std::uint32_t no_kind = 0xffffffffU;
/// Of bodies that do not choose; nobody may choose it.
constexpr BodyId next_free = std::numeric_limits<BodyId>::max();
/// Bodies that a thread takes at once.
constexpr std::size_t share = 4096;

/// The body's kind, if nothing is wrong with the body.
state::Prototype checked_kind(const Body& body, const state::Model& model)
{
    world::check(body, model);
    const state::Prototype kind = world::prototype_of(body);
    world::check_velocity(body.velocity, body.angular_velocity, body.orientation, kind);
    world::check_fits(kind, model.settings.period);
    if (body.id == next_free) {
        throw Error("a body's id must be less than " + std::to_string(next_free));
    }
    return kind;
}

}  // namespace

/// A kind that there is already.
std::uint32_t World::State::known_kind(const state::Prototype& p) const
{
    const auto [begin, end] = prototype_by_hash.equal_range(world::hash_of(p));
    for (auto it = begin; it != end; ++it) {
        if (world::same_kind(model.prototypes[it->second], p)) {
            return it->second;
        }
    }
    return no_kind;
}

std::uint32_t World::State::acquire(const state::Prototype& p)
{
    std::uint32_t at = known_kind(p);
    if (at == no_kind) {
        if (free_prototypes.empty()) {
            at = static_cast<std::uint32_t>(model.prototypes.size());
            model.prototypes.push_back(p);
        } else {
            at = free_prototypes.back();
            free_prototypes.pop_back();
            model.prototypes[at] = p;
        }
        model.prototypes[at].users = 0;
        prototype_by_hash.emplace(world::hash_of(p), at);
    }
    ++model.prototypes[at].users;
    return at;
}

BodyId World::add(const Body& body)
{
    State& s = *state_;
    const state::Prototype kind = checked_kind(body, s.model);
    std::vector<BodyId> ids{body.id.value_or(next_free)};
    s.give_ids(ids);
    const bool prescribed = (kind.flags & state::flag_prescribed) != 0;
    if (s.domain && !prescribed && !s.domain->keeps(ids.front())) {
        ++s.alive;
        ++s.alive_dynamic;
        s.used_ids.add(ids.front(), ids.front() + 1);
        s.next_id = std::max(s.next_id, ids.front() + 1);
        s.changed = true;
        s.stepped = false;
        return ids.front();
    }
    s.append_bodies(
        ids, [&] { return s.acquire(kind); }, [&](std::size_t) -> const Body& { return body; });
    if (s.domain && prescribed && s.domain->rank() > 0) {
        s.bodies.flags.back() |= state::flag_ghost;
    }
    return ids.front();
}

std::vector<BodyId> World::add_all(std::size_t n, const std::function<Body(std::size_t)>& body)
{
    State& s = *state_;
    if (s.domain) {
        std::vector<BodyId> given;
        for (std::size_t i = 0; i < n; ++i) {
            given.push_back(add(body(i)));
        }
        return given;
    }
    // Nothing is changed before all are known to be good. Kinds that are there already are those of
    // most bodies, and found by all threads.
    std::vector<std::uint32_t> kinds(n);
    std::vector<BodyId> ids(n);
    std::vector<std::string> refused(exec::chunk_count(n, share));
    exec::for_chunks(
        n, share, s.model.threads, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                try {
                    const Body b = body(i);
                    kinds[i] = s.known_kind(checked_kind(b, s.model));
                    ids[i] = b.id.value_or(next_free);
                } catch (const std::exception& error) {
                    refused[chunk] = "number " + std::to_string(i) + ", " + error.what();
                    return;
                }
            }
        });
    for (const std::string& problems_with : refused) {
        if (!problems_with.empty()) {
            throw Error(problems_with);
        }
    }
    s.give_ids(ids);
    std::size_t next = 0;
    s.append_bodies(
        ids,
        [&] {
            const std::size_t i = next++;
            if (kinds[i] == no_kind) {
                return s.acquire(world::prototype_of(body(i)));
            }
            ++s.model.prototypes[kinds[i]].users;
            return kinds[i];
        },
        body);
    return ids;
}

/// Gives the next numbers to bodies that have not chosen one, and checks the others. Runs of ids
/// are looked at as a whole.
void World::State::give_ids(std::vector<BodyId>& ids) const
{
    world::IdRuns coming;
    BodyId next = next_id, first = 0, end = 0;
    for (BodyId& id : ids) {
        if (id == next_free) {
            id = next;
        } else if ((id >= first && id < end) || coming.contains(id) ||
                   (used_ids.contains(id) && exists(id))) {
            throw Error("a body with id " + std::to_string(id) + " exists already");
        }
        next = std::max(next, id + 1);
        if (id != end) {
            if (end > first) {
                coming.add(first, end);
            }
            first = id;
        }
        end = id + 1;
    }
}

namespace {

/// Columns get room for bodies up to `count`.
void grow_columns(state::Bodies& b, std::size_t count)
{
    const std::size_t from = b.count();
    exec::grow(b.id, count);
    exec::grow(b.ball, count);
    exec::grow(b.orientation, count);
    for (auto* column : {&b.velocity, &b.velocity_before}) {
        column->resize(from);
        exec::grow(*column, count);
    }
    exec::grow(b.drift, count);
    exec::grow(b.prototype, count);
    exec::grow(b.flags, count);
    exec::grow(b.reach, count);
    if (!b.force.empty()) {
        exec::grow(b.force, count);
    }
}

}  // namespace

/// Appends bodies that are known to be good. `next_kind()` is asked for each in order, body(k) by
/// all threads.
template <class Kind, class Make>
void World::State::append_bodies(const std::vector<BodyId>& ids, const Kind& next_kind,
                                 const Make& body)
{
    state::Bodies& b = bodies;
    const std::size_t n = ids.size();
    const std::size_t from = b.count();
    constexpr std::size_t most = (std::size_t(1) << 31) - 1;
    if (n > most || from > most - n) {
        throw Error("a world has at most 2^31 - 1 bodies; there are " + std::to_string(from) +
                    " and " + std::to_string(n) + " more were to come");
    }
    grow_columns(b, from + n);
    for (std::size_t i = from; i < from + n; ++i) {
        b.prototype[i] = next_kind();
    }
    std::vector<double> energy(n);
    exec::for_chunks(n, share, model.threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::size_t i = from + k;
            const Body& one = body(k);
            const state::Prototype& kind = model.prototypes[b.prototype[i]];
            const Quat<double> q = normalised(one.orientation);
            const Vec3<double> x = one.position - rotate(q, kind.offset);
            b.id[i] = ids[k];
            b.ball[i] = {x.x, x.y, x.z, kind.radius};
            b.orientation[i] = q;
            b.velocity[i] = b.velocity_before[i] =
                state::line_of(kind, one.velocity, one.angular_velocity);
            b.flags[i] = state::flags_of(kind, one.angular_velocity);
            energy[k] = energy_of(i);
        }
    });
    bool inertia = !b.inertia.empty();
    for (std::size_t i = from; i < from + n && !inertia; ++i) {
        inertia = needs_inertia(i);
        if (inertia) {
            engine->fetch(engine::Fetch::all_to_change);
        }
    }
    if (inertia) {
        need_inertia(from);
    }
    for (std::size_t k = 0; k < n; ++k) {
        alive_dynamic += (b.flags[from + k] & state::flag_prescribed) != 0 ? 0 : 1;
        inserted += energy[k];
    }
    alive += n;
    note_ids(ids, from);
    if (n > 0) {
        changed = true;
        stepped = false;
    }
}

/// Notes the ids of bodies at places from `from` on, in runs of consecutive ones.
void World::State::note_ids(const std::vector<BodyId>& ids, std::size_t from)
{
    const std::size_t n = ids.size();
    for (std::size_t k = 0; k < n;) {
        std::size_t end = k + 1;
        while (end < n && ids[end] == ids[end - 1] + 1) {
            ++end;
        }
        const BodyId last = ids[end - 1];
        used_ids.add(ids[k], last + 1);
        next_id = std::max(next_id, last + 1);
        by_id_valid = by_id_valid && (by_id.empty() || bodies.id[by_id.back()] < ids[k]);
        for (; k < end; ++k) {
            if (by_id_valid) {
                exec::append(by_id, static_cast<std::uint32_t>(from + k));
            }
        }
    }
}

/// Whether contacts of a body ask for tensors.
bool World::State::needs_inertia(std::size_t i) const
{
    const std::uint8_t flags = bodies.flags[i];
    const bool rests =
        (flags & (state::flag_prescribed | state::flag_turning)) == state::flag_prescribed;
    return ((flags & state::flag_round) == 0 && !rests) || model.settings.law == Law::projected;
}

/// From here on all bodies have an inertia tensor in the world; those before `from` may have one.
void World::State::need_inertia(std::size_t from)
{
    const std::size_t n = bodies.count();
    from = bodies.inertia.empty() ? 0 : from;
    exec::grow(bodies.inertia, n);  // lines of copies and idle lanes come with the list
    exec::for_each(n - from, model.threads, [&](std::size_t k) {
        finish::update_inertia(state::view(model), state::view(bodies), from + k);
    });
}

}  // namespace scree
