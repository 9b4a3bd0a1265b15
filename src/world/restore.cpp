// Columns back into a world. Nothing is believed: every column is checked before what follows
// relies on it, so that a damaged one is refused and never leads outside of memory. What was not
// saved is computed as it was when the world was made.

#include "math/tensor.hpp"
#include "scree/error.hpp"
#include "stages/neighbours/colour_rule.hpp"
#include "stages/neighbours/colouring.hpp"
#include "stages/neighbours/verlet_list.hpp"
#include "world/body_kinds.hpp"
#include "world/checks.hpp"
#include "world/saved_names.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace scree {

namespace {

using Vec = Vec3<double>;
using world::Loader;
using world::refuse;

Vec vec_of(const std::vector<double>& values, std::size_t at)
{
    return {values[at], values[at + 1], values[at + 2]};
}

bool same_bits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Places of bodies: each below the limit and above the one before.
std::vector<std::uint32_t> ascending(const Loader& load, std::string_view name, std::size_t limit)
{
    std::vector<std::uint32_t> places = load.read<std::uint32_t>(name, 1);
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (places[k] >= limit || (k > 0 && places[k] <= places[k - 1])) {
            refuse(name, k,
                   "is " + std::to_string(places[k]) + ", must be above the one before and below " +
                       std::to_string(limit));
        }
    }
    return places;
}

void load_surfaces(const Loader& load, state::Model& model)
{
    const std::vector<double> values = load.read<double>("surfaces", 2);
    std::size_t n = 1;
    while (n < 256 && 2 * n * n < values.size()) {
        ++n;
    }
    if (2 * n * n != values.size()) {
        throw Error("surfaces: has " + std::to_string(values.size() / 2) +
                    " rows, must be the square of a number of materials from 1 to 256");
    }
    model.materials = n;
    model.surfaces.resize(n * n);
    for (std::size_t i = 0; i < n * n; ++i) {
        const ContactMaterial surface{values[2 * i], values[2 * i + 1]};
        const std::size_t mirrored = i % n * n + i / n;
        try {
            world::check(surface, 0, 0, n);
        } catch (const Error& error) {
            refuse("surfaces", i, std::string("is refused: ") + error.what());
        }
        if (!same_bits(surface.friction, values[2 * mirrored]) ||
            !same_bits(surface.restitution, values[2 * mirrored + 1])) {
            refuse("surfaces", i, "differs from that of the same materials in the other order");
        }
        model.surfaces[i] = surface;
    }
}

/// Splits rows into lists as the column of their lengths says: f(list, first row, last row + 1).
template <class F>
void for_each_list(const Loader& load, std::string_view lengths, std::string_view rows,
                   std::size_t count, F&& f)
{
    const auto length = load.read<std::uint32_t>(lengths, 1);
    std::size_t at = 0;
    for (std::size_t i = 0; i < length.size(); ++i) {
        if (length[i] > count - at) {
            refuse(lengths, i, "is larger than what is left of " + std::string(rows));
        }
        try {
            f(i, at, at + length[i]);
        } catch (const Error& error) {
            refuse(lengths, i, std::string("is refused: ") + error.what());
        }
        at += length[i];
    }
    if (at != count) {
        throw Error(std::string(rows) + ": has " + std::to_string(count) + " rows, " +
                    std::string(lengths) + " asks for " + std::to_string(at));
    }
}

/// From numbers that count from 1 to what they stand for; 0 is nothing.
template <class T>
std::vector<const T*> chosen(std::string_view name, const std::vector<std::uint32_t>& number,
                             const std::vector<const T*>& known)
{
    std::vector<const T*> result(number.size(), nullptr);
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] > known.size()) {
            refuse(name, i,
                   "is " + std::to_string(number[i]) + ", there are " +
                       std::to_string(known.size()));
        }
        result[i] = number[i] > 0 ? known[number[i] - 1] : nullptr;
    }
    return result;
}

/// What shapes of kinds point to.
struct KindSolids {
    std::vector<const Polyhedron*> polyhedron;
    std::vector<const Clump*> clump;
    std::vector<const Mesh*> mesh;
};

KindSolids load_solids(const Loader& load, const std::vector<std::uint8_t>& shape)
{
    const std::size_t kinds = shape.size();
    KindSolids of{std::vector<const Polyhedron*>(kinds), std::vector<const Clump*>(kinds),
                  std::vector<const Mesh*>(kinds)};
    const auto any = [](const std::vector<std::uint8_t>& shapes, ShapeKind kind) {
        return std::find(shapes.begin(), shapes.end(), static_cast<std::uint8_t>(kind)) !=
               shapes.end();
    };
    const bool clumps = any(shape, ShapeKind::clump);
    const auto parts =
        clumps ? load.read<std::uint8_t>("parts/shape", 1) : std::vector<std::uint8_t>{};
    std::vector<const Polyhedron*> polyhedra;
    if (any(shape, ShapeKind::polyhedron) || any(parts, ShapeKind::polyhedron)) {
        const auto corner = load.read<double>("polyhedra/corner", 3);
        for_each_list(load, "polyhedra/corners", "polyhedra/corner", corner.size() / 3,
                      [&](std::size_t, std::size_t from, std::size_t to) {
                          std::vector<Vec> points;
                          for (; from < to; ++from) {
                              points.push_back(vec_of(corner, 3 * from));
                          }
                          polyhedra.push_back(Shape::polyhedron(points).solid);
                      });
        of.polyhedron = chosen("kinds/polyhedron",
                               load.read<std::uint32_t>("kinds/polyhedron", 1, kinds), polyhedra);
    }
    if (clumps) {
        const std::size_t n = parts.size();
        const auto size = load.read<double>("parts/size", 3, n);
        const auto position = load.read<double>("parts/position", 3, n);
        const auto q = load.read<double>("parts/orientation", 4, n);
        const auto solid = chosen("parts/polyhedron",
                                  load.read<std::uint32_t>("parts/polyhedron", 1, n), polyhedra);
        std::vector<const Clump*> known;
        for_each_list(
            load, "clumps/parts", "parts/shape", n,
            [&](std::size_t, std::size_t from, std::size_t to) {
                std::vector<Part> list;
                for (; from < to; ++from) {
                    list.push_back(
                        {{static_cast<ShapeKind>(parts[from]), vec_of(size, 3 * from), solid[from]},
                         vec_of(position, 3 * from),
                         {q[4 * from], q[4 * from + 1], q[4 * from + 2], q[4 * from + 3]}});
                }
                known.push_back(Shape::clump(list).parts);
            });
        of.clump = chosen("kinds/clump", load.read<std::uint32_t>("kinds/clump", 1, kinds), known);
    }
    if (any(shape, ShapeKind::mesh)) {
        const auto point = load.read<double>("meshes/point", 3);
        const auto corner = load.read<std::uint32_t>("meshes/corner", 3);
        std::vector<std::vector<Vec>> points;
        for_each_list(load, "meshes/points", "meshes/point", point.size() / 3,
                      [&](std::size_t, std::size_t from, std::size_t to) {
                          points.emplace_back();
                          for (; from < to; ++from) {
                              points.back().push_back(vec_of(point, 3 * from));
                          }
                      });
        std::vector<const Mesh*> known;
        for_each_list(load, "meshes/triangles", "meshes/corner", corner.size() / 3,
                      [&](std::size_t i, std::size_t from, std::size_t to) {
                          if (i >= points.size()) {
                              throw Error("there are points of " + std::to_string(points.size()) +
                                          " meshes");
                          }
                          std::vector<std::array<std::uint32_t, 3>> triangles;
                          for (; from < to; ++from) {
                              triangles.push_back(
                                  {corner[3 * from], corner[3 * from + 1], corner[3 * from + 2]});
                          }
                          known.push_back(Shape::mesh(points[i], triangles).surface);
                      });
        if (known.size() != points.size()) {
            throw Error("meshes/points: has " + std::to_string(points.size()) +
                        " rows, meshes/triangles has " + std::to_string(known.size()));
        }
        of.mesh = chosen("kinds/mesh", load.read<std::uint32_t>("kinds/mesh", 1, kinds), known);
    }
    return of;
}

void load_kinds(const Loader& load, state::Model& model)
{
    const std::vector<std::uint8_t> shape = load.read<std::uint8_t>("kinds/shape", 1);
    const std::size_t n = shape.size();
    const std::vector<double> size = load.read<double>("kinds/size", 3, n);
    const std::vector<std::uint16_t> material = load.read<std::uint16_t>("kinds/material", 1, n);
    const std::vector<std::uint32_t> group = load.read<std::uint32_t>("kinds/group", 1, n);
    const std::vector<double> mass = load.read<double>("kinds/mass", 10, n);
    const KindSolids solids = load_solids(load, shape);
    for (std::size_t i = 0; i < n; ++i) {
        Body body;
        body.shape = {static_cast<ShapeKind>(shape[i]), vec_of(size, 3 * i), solids.polyhedron[i],
                      solids.clump[i], solids.mesh[i]};
        body.material = material[i];
        body.group = group[i];
        body.motion = group[i] != 0 ? Motion::prescribed : Motion::dynamic;
        const double* m = &mass[10 * i];
        body.mass = MassProperties{m[0], {m[1], m[2], m[3]}, {m[4], m[5], m[6], m[7], m[8], m[9]}};
        try {
            world::check(body, model);
        } catch (const Error& error) {
            refuse("kinds", i, std::string("is refused: ") + error.what());
        }
        model.prototypes.push_back(world::prototype_of(body));
    }
}

/// Users of each kind, and that those without are the free ones.
void count_users(const state::Bodies& bodies, std::vector<state::Prototype>& kinds,
                 const std::vector<std::uint32_t>& free_kinds)
{
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        kinds[bodies.prototype[i]].users += (bodies.flags[i] & state::flag_alive) != 0 ? 1 : 0;
    }
    std::vector<bool> free(kinds.size());
    for (std::size_t k = 0; k < free_kinds.size(); ++k) {
        const std::uint32_t kind = free_kinds[k];
        if (kind >= kinds.size() || kinds[kind].users > 0 || free[kind]) {
            refuse("kinds/free", k, "is " + std::to_string(kind) + ", which is no free kind");
        }
        free[kind] = true;
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k].users == 0 && !free[k]) {
            refuse("kinds", k, "is of no body, and not in kinds/free either");
        }
    }
}

/// Kinds of bodies, as places in `kinds`.
void load_kinds_of_bodies(const Loader& load, const std::vector<state::Prototype>& kinds,
                          state::Bodies& b)
{
    b.prototype = load.read<std::uint32_t>("bodies/kind", 1, b.count());
    for (std::size_t i = 0; i < b.count(); ++i) {
        if (b.prototype[i] >= kinds.size()) {
            refuse("bodies/kind", i,
                   "is " + std::to_string(b.prototype[i]) + ", there are " +
                       std::to_string(kinds.size()) + " kinds");
        }
    }
}

void load_poses(const Loader& load, const std::vector<state::Prototype>& kinds, state::Bodies& b)
{
    const std::size_t n = b.count();
    const std::vector<double> x = load.read<double>("bodies/position", 3, n);
    b.ball.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        b.ball[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2], kinds[b.prototype[i]].radius};
    }
    const std::vector<double> q = load.read<double>("bodies/orientation", 4, n);
    b.orientation.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        b.orientation[i] = {q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]};
        if (!is_unit(b.orientation[i])) {
            refuse("bodies/orientation", i, "is not a unit quaternion");
        }
    }
}

/// Velocities and the flags that follow from them, and drifts.
void load_motion(const Loader& load, const std::vector<state::Prototype>& kinds, state::Bodies& b)
{
    const std::size_t n = b.count();
    const std::vector<double> v = load.read<double>("bodies/velocity", 3, n);
    const std::vector<double> w = load.read<double>("bodies/angular_velocity", 3, n);
    b.velocity.resize(n);
    b.flags.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const state::Prototype& kind = kinds[b.prototype[i]];
        b.velocity[i] = state::line_of(kind, vec_of(v, 3 * i), vec_of(w, 3 * i));
        b.flags[i] = state::flags_of(kind, b.velocity[i].w);
    }
    const std::vector<float> d = load.read<float>("bodies/drift", 4, n);
    b.drift.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        b.drift[i] = {d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]};
    }
    b.drift_velocity = vec_of(load.read<double>("bodies/drift_velocity", 3, 1), 0);
}

/// Places of bodies that were removed.
void load_gaps(const Loader& load, state::Bodies& b)
{
    const std::vector<std::uint32_t> gap = ascending(load, "gaps/place", b.count());
    const std::vector<double> radius = load.read<double>("gaps/radius", 1, gap.size());
    for (std::size_t k = 0; k < gap.size(); ++k) {
        if (!(radius[k] >= 0)) {
            refuse("gaps/radius", k, "is negative");
        }
        b.ball[gap[k]].r = radius[k];
        state::make_gap(state::view(b), gap[k]);
    }
}

void load_forces(const Loader& load, state::Bodies& b)
{
    if (load.below<std::uint8_t>("world/has_forces", 2) != 0) {
        b.force.resize(b.count());
    }
    const std::vector<std::uint32_t> forced = ascending(load, "forces/place", b.force.size());
    const std::vector<double> force = load.read<double>("forces/value", 12, forced.size());
    for (std::size_t k = 0; k < forced.size(); ++k) {
        const std::uint32_t i = forced[k];
        if (!state::is_dynamic(b.flags[i])) {
            refuse("forces/place", k, "is the place of a body that no force moves");
        }
        b.force[i] = {vec_of(force, 12 * k), vec_of(force, 12 * k + 3), vec_of(force, 12 * k + 6),
                      vec_of(force, 12 * k + 9)};
    }
}

/// That a body fits into the periodic box and has an id that was given.
void check_alive(const state::Model& model, const state::Bodies& b, std::size_t i, BodyId next_id)
{
    try {
        world::check_fits(model.prototypes[b.prototype[i]], model.settings.period);
    } catch (const Error& error) {
        refuse("bodies", i, std::string("is refused: ") + error.what());
    }
    if (b.id[i] >= next_id) {
        refuse("bodies/id", i,
               "is " + std::to_string(b.id[i]) +
                   ", must be below world/next_id = " + std::to_string(next_id));
    }
}

/// No id twice, of places sorted by id.
void check_ids(const std::vector<BodyId>& id, const std::vector<std::uint32_t>& by_id)
{
    for (std::size_t k = 1; k < by_id.size(); ++k) {
        if (id[by_id[k]] == id[by_id[k - 1]]) {
            refuse("bodies/id", by_id[k],
                   "is " + std::to_string(id[by_id[k]]) + " like that of row " +
                       std::to_string(by_id[k - 1]));
        }
    }
}

}  // namespace

void World::State::load_bodies(const Loader& load)
{
    state::Bodies& b = bodies;
    b.id = load.read<std::uint64_t>("bodies/id", 1);
    const std::size_t n = b.count();
    if (n >= (std::uint64_t(1) << 31U)) {
        throw Error("bodies/id: has " + std::to_string(n) + " rows, must be fewer than 2^31");
    }
    load_kinds_of_bodies(load, model.prototypes, b);
    load_poses(load, model.prototypes, b);
    load_motion(load, model.prototypes, b);
    b.reach.resize(n);
    load_gaps(load, b);
    load_forces(load, b);
    b.dynamic_count = load.below<std::uint64_t>("world/dynamic_places", n + 1);
    b.bounded_count = load.below<std::uint64_t>("world/bounded_places", n + 1);

    for (std::size_t i = 0; i < n; ++i) {
        if ((b.flags[i] & state::flag_alive) != 0) {
            ++alive;
            alive_dynamic += (b.flags[i] & state::flag_prescribed) == 0 ? 1 : 0;
            check_alive(model, b, i, next_id);
        }
    }
    (void)index_of(0);  // sorts places by id
    check_ids(b.id, by_id);
    for (std::size_t k = 0, first = 0; k < by_id.size(); ++k) {
        // Consecutive ids are one run.
        const BodyId id = b.id[by_id[k]];
        if (k + 1 == by_id.size() || b.id[by_id[k + 1]] != id + 1) {
            used_ids.add(b.id[by_id[first]], id + 1);
            first = k + 1;
        }
    }
}

namespace {

/// Bodies of a world that is not changed are in order: dynamic, prescribed, walls.
void check_order(const state::Bodies& bodies)
{
    if (bodies.dynamic_count > bodies.bounded_count) {
        throw Error("world/dynamic_places: must be at most world/bounded_places");
    }
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        const state::BodyClass here = i < bodies.dynamic_count   ? state::BodyClass::dynamic
                                      : i < bodies.bounded_count ? state::BodyClass::prescribed
                                                                 : state::BodyClass::wall;
        if (state::is_alive(bodies.flags[i]) && state::body_class(bodies.flags[i]) != here) {
            refuse("bodies/kind", i, "is out of the order dynamic, prescribed, walls");
        }
    }
}

}  // namespace

void World::State::load_pairs(const Loader& load)
{
    const std::size_t n = bodies.count();
    const std::vector<std::uint32_t> number =
        load.read<std::uint32_t>("pairs/number", 1, bodies.dynamic_count);
    const std::vector<std::uint32_t> second = load.read<std::uint32_t>("pairs/second", 1);
    list.pair.reserve(second.size());
    for (std::uint32_t i = 0; i < number.size(); ++i) {
        if (number[i] > second.size() - list.pair.size()) {
            refuse("pairs/number", i, "is larger than what is left of pairs/second");
        }
        std::uint32_t before = i;
        for (std::uint32_t k = 0; k < number[i]; ++k) {
            const std::size_t p = list.pair.size();
            if (second[p] <= before || second[p] >= n) {
                refuse("pairs/second", p,
                       "is " + std::to_string(second[p]) + ", must be above " +
                           std::to_string(before) + " and below " + std::to_string(n));
            }
            before = second[p];
            list.pair.push_back({i, before});
        }
    }
    if (list.pair.size() != second.size()) {
        throw Error("pairs/second: has " + std::to_string(second.size()) +
                    " rows, pairs/number asks for " + std::to_string(list.pair.size()));
    }

    const std::size_t pairs = list.pair.size();
    stored.count = load.read<std::uint8_t>("pairs/contacts", 1, pairs);
    const std::vector<std::uint8_t> active = load.read<std::uint8_t>("pairs/active", 1, pairs);
    std::size_t contacts = 0;
    std::size_t impulses = 0;
    for (std::size_t p = 0; p < pairs; ++p) {
        if (stored.count[p] > shapes::Manifold::capacity || active[p] >= (1U << stored.count[p])) {
            refuse("pairs/contacts", p,
                   "is " + std::to_string(stored.count[p]) + ", must be at most " +
                       std::to_string(shapes::Manifold::capacity) +
                       " and not less than pairs/active says");
        }
        if (p % state::pair_chunk == 0) {
            stored.chunk_first.push_back(static_cast<std::uint32_t>(contacts));
        }
        contacts += stored.count[p];
        impulses += static_cast<std::size_t>(std::popcount(active[p]));
    }
    if (contacts > std::numeric_limits<std::uint32_t>::max()) {
        throw Error("pairs/contacts: are more than 2^32 in all");
    }
    const std::vector<double> impulse = load.read<double>("pairs/impulse", 3, impulses);
    stored.impulse.reserve(contacts);
    impulses = 0;
    for (std::size_t p = 0; p < pairs; ++p) {
        for (unsigned k = 0; k < stored.count[p]; ++k) {
            const bool acts = (active[p] & 1U << k) != 0;
            stored.impulse.push_back(acts ? vec_of(impulse, 3 * impulses++) : Vec{0, 0, 0});
        }
    }
    stored.feature = load.read<std::uint32_t>("pairs/feature", 1);
    if (!stored.feature.empty() && stored.feature.size() != contacts) {
        throw Error("pairs/feature: has " + std::to_string(stored.feature.size()) +
                    " rows, must be none or " + std::to_string(contacts));
    }
}

void World::State::load_share(const Loader& load)
{
    share_of = load.one<std::uint64_t>("ranks/bodies");
    if (!changed) {
        throw Error("ranks/elsewhere: goes with world/changed alone");
    }
    for (const std::uint32_t i : ascending(load, "ranks/elsewhere", bodies.count())) {
        bodies.flags[i] |= state::flag_ghost;
    }
    const std::vector<std::uint64_t> runs = load.read<std::uint64_t>("ranks/ids", 2);
    for (std::size_t k = 0; k < runs.size(); k += 2) {
        if (runs[k] >= runs[k + 1] || runs[k + 1] > next_id) {
            refuse("ranks/ids", k / 2, "is no run of ids below world/next_id");
        }
        used_ids.add(runs[k], runs[k + 1]);
    }
}

void World::State::load(const Loader& load)
{
    load_surfaces(load, model);
    load_kinds(load, model);
    world::for_each_total(totals,
                          [&](const char* name, double& term) { term = load.one<double>(name); });
    steps = load.one<std::uint64_t>("world/steps");
    time = load.one<double>("world/time");
    if (!std::isfinite(time)) {
        throw Error("world/time: is not finite");
    }
    next_id = load.one<std::uint64_t>("world/next_id");
    inserted = load.one<double>("world/inserted");
    removed = load.one<double>("world/removed");
    spare_speed = load.one<double>("world/spare_speed");
    if (!(spare_speed >= 0) || !std::isfinite(spare_speed)) {
        throw Error("world/spare_speed: must be a finite number, at least 0");
    }
    changed = load.below<std::uint8_t>("world/changed", 2) != 0;
    gaps = load.one<std::uint64_t>("world/gaps");
    engine->set_rebuilds(static_cast<std::uint32_t>(load.below<std::uint64_t>(
        "world/lists_since_order", neighbours::OrderSchedule::lists_between)));
    load_bodies(load);
    load_pairs(load);
    free_prototypes = load.read<std::uint32_t>("kinds/free", 1);
    count_users(bodies, model.prototypes, free_prototypes);
    for (std::uint32_t k = 0; k < model.prototypes.size(); ++k) {
        if (model.prototypes[k].users > 0) {
            prototype_by_hash.emplace(world::hash_of(model.prototypes[k]), k);
        }
    }
    if (!changed) {
        check_order(bodies);
        const int limit = model.settings.contacts_per_copy;
        std::vector<std::byte> scratch(
            neighbours::colour_scratch(list.pair.size(), bodies.count(), limit));
        neighbours::colour(list, bodies.id, bodies.dynamic_count, bodies.count(), limit,
                           state::region_pairs(model.settings), exec::Scratch(scratch));
    }
    if (load.has("ranks/partition")) {
        partition = load.read<double>("ranks/partition", 1);
    }
    if (load.has("ranks/elsewhere")) {
        load_share(load);
    }
    bodies.velocity_before = bodies.velocity;
    bool inertia = load.below<std::uint8_t>("world/has_inertia", 2) != 0;
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        inertia = inertia || needs_inertia(i);
    }
    if (inertia) {
        need_inertia(0);
    }
    if (!changed) {
        bodies.fit_lines(list.copy_count, list.parts);
    }
}

World World::restore(const ColumnSource& find)
{
    try {
        const Loader load(find);
        World world(load.settings());
        world.state_->load(load);
        return world;
    } catch (const Error& error) {
        throw Error(std::string("checkpoint: ") + error.what());
    }
}

}  // namespace scree
