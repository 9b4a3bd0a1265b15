// A world into columns. What can be computed again to the same bits is not among them: colours and
// copies, inertia, masses and radii of bodies, rows; nor are zero forces and impulses.
// docs/world.md names the columns.
#include "math/hash.hpp"
#include "scree/error.hpp"
#include "shapes/shared_geometry.hpp"
#include "world/body_kinds.hpp"
#include "world/saved_names.hpp"
#include "world/saved_share.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace scree {

namespace {

/// Makes columns and hands them on.
class Writer {
public:
    explicit Writer(const ColumnSink& put) : put_(put) {}

    /// fill(i, row) writes row i, which is zero before.
    template <class T, class F>
    void rows(const char* name, std::size_t count, std::size_t width, F&& fill) const
    {
        Column column{name, column_type<T>(), width, {}};
        column.bytes.resize(count * width * sizeof(T));
        for (std::size_t i = 0; i < count; ++i) {
            T row[widest] = {};
            fill(i, row);
            std::memcpy(&column.bytes[i * width * sizeof(T)], row, width * sizeof(T));
        }
        put_(std::move(column));
    }
    template <class T>
    void all(const char* name, const std::vector<T>& values, std::size_t width = 1) const
    {
        put_(column_of<T>(name, values, width));
    }
    void operator()(const char* name, double value) const { put_(column_of<double>(name, value)); }
    void operator()(const char* name, const Vec3<double>& v) const
    {
        put_(column_of<double>(name, std::vector<double>{v.x, v.y, v.z}, 3));
    }
    void operator()(const char* name, int value) const
    {
        put_(column_of<std::uint32_t>(name, static_cast<std::uint32_t>(value)));
    }
    void operator()(const char* name, std::uint64_t value) const
    {
        put_(column_of<std::uint64_t>(name, value));
    }
    /// Truth values and the enumerations of settings.
    template <class E>
    requires(std::is_enum_v<E> || std::is_same_v<E, bool>) void operator()(const char* name,
                                                                           E value) const
    {
        put_(column_of<std::uint8_t>(name, static_cast<std::uint8_t>(value)));
    }

private:
    static constexpr std::size_t widest = 12;
    const ColumnSink& put_;
};

template <class T> bool is_zero(const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

void write(double* to, const Vec3<double>& v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/// Polyhedra, clumps and meshes, each once, and which kinds have them; nothing if there are none.
void save_solids(const std::vector<state::Prototype>& kinds, const Writer& put)
{
    shapes::Solids solids;
    for (const state::Prototype& kind : kinds) {
        solids.add(kind.shape);
    }
    const auto number = [&](const void* solid) {
        return solid != nullptr ? static_cast<std::uint32_t>(solids.number(solid)) + 1 : 0;
    };
    const auto one = [](const char* name, std::size_t n, const Writer& to, auto&& value) {
        to.rows<std::uint32_t>(name, n, 1,
                               [&](std::size_t i, std::uint32_t* at) { *at = value(i); });
    };
    if (!solids.polyhedra().empty()) {
        std::vector<double> corner;
        for (const Polyhedron* p : solids.polyhedra()) {
            for (int k = 0; k < p->vertex_count; ++k) {
                const Vec3<double>& v = p->vertices()[k];
                corner.insert(corner.end(), {v.x, v.y, v.z});
            }
        }
        one("kinds/polyhedron", kinds.size(), put,
            [&](std::size_t i) { return number(kinds[i].shape.solid); });
        one("polyhedra/corners", solids.polyhedra().size(), put,
            [&](std::size_t i) { return std::uint32_t(solids.polyhedra()[i]->vertex_count); });
        put.all("polyhedra/corner", corner, 3);
    }
    if (!solids.clumps().empty()) {
        std::vector<ClumpPart> parts;
        for (const Clump* c : solids.clumps()) {
            parts.insert(parts.end(), c->parts(), c->parts() + c->count);
        }
        const std::size_t n = parts.size();
        one("kinds/clump", kinds.size(), put,
            [&](std::size_t i) { return number(kinds[i].shape.parts); });
        one("clumps/parts", solids.clumps().size(), put,
            [&](std::size_t i) { return solids.clumps()[i]->count; });
        put.rows<std::uint8_t>("parts/shape", n, 1, [&](std::size_t i, std::uint8_t* to) {
            *to = static_cast<std::uint8_t>(parts[i].shape.kind);
        });
        put.rows<double>("parts/size", n, 3,
                         [&](std::size_t i, double* to) { write(to, parts[i].shape.size); });
        put.rows<double>("parts/position", n, 3,
                         [&](std::size_t i, double* to) { write(to, parts[i].pose.position); });
        put.rows<double>("parts/orientation", n, 4, [&](std::size_t i, double* to) {
            const Quat<double>& q = parts[i].pose.orientation;
            to[0] = q.w;
            write(to + 1, {q.x, q.y, q.z});
        });
        one("parts/polyhedron", n, put,
            [&](std::size_t i) { return number(parts[i].shape.solid); });
    }
    if (!solids.meshes().empty()) {
        const std::vector<const Mesh*>& meshes = solids.meshes();
        std::vector<double> point;
        std::vector<std::uint32_t> corner;
        for (const Mesh* m : meshes) {
            for (std::uint32_t k = 0; k < m->point_count; ++k) {
                const Vec3<double>& v = m->points()[k];
                point.insert(point.end(), {v.x, v.y, v.z});
            }
            for (std::uint32_t k = 0; k < m->triangle_count; ++k) {
                const std::uint32_t* c = m->triangles()[k].corner;
                corner.insert(corner.end(), {c[0], c[1], c[2]});
            }
        }
        one("kinds/mesh", kinds.size(), put,
            [&](std::size_t i) { return number(kinds[i].shape.surface); });
        one("meshes/points", meshes.size(), put,
            [&](std::size_t i) { return meshes[i]->point_count; });
        one("meshes/triangles", meshes.size(), put,
            [&](std::size_t i) { return meshes[i]->triangle_count; });
        put.all("meshes/point", point, 3);
        put.all("meshes/corner", corner, 3);
    }
}

void save_model(const state::Model& model, const std::vector<state::Prototype>& kinds,
                const std::vector<std::uint32_t>& free_kinds, const Writer& put)
{
    world::for_each_setting(model.settings, put);
    if (model.settings.slack > 0) {
        put("settings/slack", model.settings.slack);
    }
    put.rows<double>("surfaces", model.surfaces.size(), 2, [&](std::size_t i, double* to) {
        to[0] = model.surfaces[i].friction;
        to[1] = model.surfaces[i].restitution;
    });
    const std::size_t n = kinds.size();
    put.rows<std::uint8_t>("kinds/shape", n, 1, [&](std::size_t i, std::uint8_t* to) {
        *to = static_cast<std::uint8_t>(kinds[i].shape.kind);
    });
    put.rows<double>("kinds/size", n, 3,
                     [&](std::size_t i, double* to) { write(to, kinds[i].shape.size); });
    put.rows<std::uint16_t>("kinds/material", n, 1,
                            [&](std::size_t i, std::uint16_t* to) { *to = kinds[i].material; });
    put.rows<std::uint32_t>("kinds/group", n, 1,
                            [&](std::size_t i, std::uint32_t* to) { *to = kinds[i].group; });
    put.rows<double>("kinds/mass", n, 10, [&](std::size_t i, double* to) {
        const MassProperties m = world::mass_of(kinds[i]);
        const Sym3<double>& I = m.inertia;
        to[0] = m.mass;
        write(to + 1, m.centre);
        write(to + 4, {I.xx, I.xy, I.xz});
        write(to + 7, {I.yy, I.yz, I.zz});
    });
    put.all("kinds/free", free_kinds);
    save_solids(kinds, put);
}

/// Which bodies are saved, in which order: all as they lie, or those of a share.
class Places {
public:
    explicit Places(std::size_t count) : count_(count) {}
    explicit Places(const std::vector<std::uint32_t>& some) : count_(some.size()), some_(&some) {}
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t operator[](std::size_t k) const
    {
        return some_ != nullptr ? (*some_)[k] : k;
    }

private:
    std::size_t count_;
    const std::vector<std::uint32_t>* some_ = nullptr;
};

/// `listed`: the list is saved with them, and what they have drifted since. Returns how many have
/// forces.
std::size_t save_bodies(const state::Bodies& b, const Places& places,
                        const std::vector<std::uint32_t>& kind_of, bool listed, const Writer& put)
{
    const std::size_t n = places.count();
    std::vector<std::uint32_t> gaps;
    for (std::uint32_t k = 0; k < n; ++k) {
        if ((b.flags[places[k]] & state::flag_alive) == 0) {
            gaps.push_back(k);
        }
    }
    put.rows<std::uint64_t>("bodies/id", n, 1,
                            [&](std::size_t k, std::uint64_t* to) { *to = b.id[places[k]]; });
    put.all("bodies/kind", kind_of);
    put.rows<double>("bodies/position", n, 3, [&](std::size_t k, double* to) {
        const std::size_t i = places[k];
        if ((b.flags[i] & state::flag_alive) != 0) {
            write(to, {b.ball[i].x, b.ball[i].y, b.ball[i].z});
        }
    });
    put.rows<double>("bodies/orientation", n, 4, [&](std::size_t k, double* to) {
        const Quat<double>& q = b.orientation[places[k]];
        to[0] = q.w;
        write(to + 1, {q.x, q.y, q.z});
    });
    put.rows<double>("bodies/velocity", n, 3,
                     [&](std::size_t k, double* to) { write(to, b.velocity[places[k]].v); });
    put.rows<double>("bodies/angular_velocity", n, 3,
                     [&](std::size_t k, double* to) { write(to, b.velocity[places[k]].w); });
    put.rows<float>("bodies/drift", n, 4, [&](std::size_t k, float* to) {
        if (listed) {
            const state::Displacement& d = b.drift[places[k]];
            to[0] = d.x;
            to[1] = d.y;
            to[2] = d.z;
            to[3] = d.allowance;
        }
    });
    put("bodies/drift_velocity", listed ? b.drift_velocity : Vec3<double>{0, 0, 0});
    put.all("gaps/place", gaps);
    put.rows<double>("gaps/radius", gaps.size(), 1,
                     [&](std::size_t k, double* to) { *to = b.ball[places[gaps[k]]].r; });

    std::vector<std::uint32_t> forced;
    for (std::uint32_t k = 0; k < n; ++k) {
        if (places[k] < b.force.size() && !is_zero(b.force[places[k]])) {
            forced.push_back(k);
        }
    }
    put.all("forces/place", forced);
    put.rows<double>("forces/value", forced.size(), 12, [&](std::size_t k, double* to) {
        const state::Force& f = b.force[places[forced[k]]];
        write(to, f.force);
        write(to + 3, f.torque);
        write(to + 6, f.impulse);
        write(to + 9, f.angular_impulse);
    });
    return forced.size();
}

void save_pairs(const state::PairList& list, const state::StoredImpulses& stored,
                std::size_t dynamic_count, const Writer& put)
{
    const std::size_t n = list.pair.size();
    std::vector<std::uint32_t> number(dynamic_count);
    for (const state::BodyPair& pair : list.pair) {
        ++number[pair.first];
    }
    put.all("pairs/number", number);
    put.rows<std::uint32_t>("pairs/second", n, 1,
                            [&](std::size_t i, std::uint32_t* to) { *to = list.pair[i].second; });
    put.all("pairs/contacts", stored.count);
    std::vector<double> impulses;
    impulses.reserve(3 * stored.impulse.size());
    std::size_t contact = 0;
    put.rows<std::uint8_t>("pairs/active", n, 1, [&](std::size_t i, std::uint8_t* to) {
        for (unsigned k = 0; k < stored.count[i]; ++k, ++contact) {
            const Vec3<double>& x = stored.impulse[contact];
            if (!is_zero(x)) {
                *to |= static_cast<std::uint8_t>(1U << k);
                impulses.insert(impulses.end(), {x.x, x.y, x.z});
            }
        }
    });
    put.all("pairs/impulse", impulses, 3);
    // Whether features that are all zero are stored depends on which machine stepped the world.
    const bool none = std::all_of(stored.feature.begin(), stored.feature.end(),
                                  [](std::uint32_t f) { return f == 0; });
    put.all("pairs/feature", none ? std::vector<std::uint32_t>{} : stored.feature);
}

/// What one rank's share has beside its bodies: which of them other ranks count, and all ids.
void save_ownership(const state::Bodies& b, const Places& places, const world::IdRuns& ids,
                    const Writer& put)
{
    std::vector<std::uint32_t> elsewhere;
    for (std::uint32_t k = 0; k < places.count(); ++k) {
        if ((b.flags[places[k]] & state::flag_ghost) != 0) {
            elsewhere.push_back(k);
        }
    }
    put.all("ranks/elsewhere", elsewhere);
    std::vector<std::uint64_t> runs;
    for (const auto& [first, end] : ids.runs()) {
        runs.insert(runs.end(), {first, end});
    }
    put.all("ranks/ids", runs, 2);
}

}  // namespace

void World::State::save(const ColumnSink& sink) const
{
    engine->fetch(engine::Fetch::all);
    const Writer put(sink);
    const std::optional<world::SavedShare> share =
        domain ? std::optional(own_share()) : std::nullopt;
    const Places places = share ? Places(share->bodies) : Places(bodies.count());
    const std::size_t dynamic = share ? share->dynamic_count : bodies.dynamic_count;
    save_model(model, share ? share->kinds : model.prototypes,
               share ? std::vector<std::uint32_t>{} : free_prototypes, put);
    const std::size_t forced =
        save_bodies(bodies, places, share ? share->kind_of : bodies.prototype, !share, put);
    save_pairs(share ? share->list : list, share ? share->stored : stored, dynamic, put);
    world::for_each_total(totals, put);
    put("world/steps", steps);
    put("world/time", time);
    put("world/next_id", next_id);
    put("world/inserted", inserted);
    put("world/removed", removed);
    put("world/spare_speed", spare_speed);
    put("world/changed", share || changed);
    put("world/gaps", std::uint64_t(share ? 0 : gaps));
    put("world/lists_since_order", std::uint64_t(share ? 0 : engine->rebuilds()));
    put("world/dynamic_places", std::uint64_t(dynamic));
    put("world/bounded_places", std::uint64_t(share ? share->bounded_count : bodies.bounded_count));
    put("world/has_forces", share ? forced > 0 : !bodies.force.empty());
    put("world/has_inertia", share ? share->has_inertia : !bodies.inertia.empty());
    const std::vector<double> cuts = share ? current_partition() : partition;
    if (!cuts.empty()) {
        put.all("ranks/partition", cuts);
    }
    if (share || share_of) {
        put("ranks/bodies", share ? std::uint64_t(alive_dynamic) : *share_of);
        save_ownership(bodies, places, used_ids, put);
    }
}

std::vector<double> World::State::current_partition() const
{
    std::vector<double> values;
    if (domain->cuts.made()) {
        values = domain->cuts.saved();
        values.insert(values.begin(), {static_cast<double>(domain->size()), domain->waiting.lost});
    }
    return values;
}

void World::save(const ColumnSink& put) const
{
    if (state_->domain) {
        state_->changed = true;
        state_->domain->waiting.forget_first();
    }
    state_->save([&](Column&& column) {
        try {
            world::require_finite(column.name, column);
        } catch (const Error& error) {
            throw Error(std::string("the world cannot be saved: ") + error.what() +
                        "; go back to an earlier checkpoint and lower time_step");
        }
        put(std::move(column));
    });
}

namespace {

void add_to(math::Digest& digest, const Column& column)
{
    // Which ids were once in use decides nothing but how fast a new one is known to be new.
    if (column.name != "settings/threads" && column.name != "ranks/ids") {
        digest.add(std::as_bytes(std::span(column.name)));
        digest.add(static_cast<std::uint64_t>(column.bytes.size()));
        digest.add(column.bytes);
    }
}

}  // namespace

std::uint64_t World::state_hash() const
{
    math::Digest digest;
    state_->save([&](Column&& column) { add_to(digest, column); });
    if (const State& s = *state_; s.domain) {
        return state_hash_of(s.domain->everywhere(std::vector<std::uint64_t>{digest.value()}));
    }
    return digest.value();
}

std::uint64_t state_hash_of(std::span<const Column> columns)
{
    math::Digest digest;
    for (const Column& column : columns) {
        add_to(digest, column);
    }
    return digest.value();
}

std::uint64_t state_hash_of(std::span<const std::uint64_t> shares)
{
    math::Digest digest;
    for (const std::uint64_t hash : shares) {
        digest.add(hash);
    }
    return digest.value();
}

}  // namespace scree
