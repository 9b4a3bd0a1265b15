// What a world shows of itself: frames for observers, its size.
#include "exec/threads.hpp"
#include "world/world_state.hpp"

#include <algorithm>

namespace scree {

Frame World::State::make_frame(bool with_contacts) const
{
    engine->fetch(engine::Fetch::bodies);
    FrameColumns& f = frame;
    const state::Bodies& b = bodies;
    std::vector<std::uint32_t> places;
    places.reserve(alive);
    std::size_t dynamic_count = 0;
    for (const bool dynamic : {true, false}) {
        dynamic_count = places.size();
        for (std::size_t i = 0; i < b.count(); ++i) {
            if (state::is_alive(b.flags[i]) && state::is_dynamic(b.flags[i]) == dynamic &&
                (counts(i) || is_everywhere(i))) {
                places.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
    const std::size_t n = places.size();
    f.ids.resize(n);
    f.positions.resize(n);
    f.orientations.resize(n);
    f.velocities.resize(n);
    f.angular_velocities.resize(n);
    f.masses.resize(n);
    f.shapes.resize(n);
    f.materials.resize(n);
    f.contacts.clear();
    exec::for_each(n, model.threads, [&](std::size_t k) {
        const std::uint32_t i = places[k];
        const state::Prototype& kind = model.prototypes[b.prototype[i]];
        f.ids[k] = b.id[i];
        f.positions[k] = b.pose(i, kind).position;
        f.orientations[k] = b.orientation[i];
        f.velocities[k] = b.velocity[i].v;
        f.angular_velocities[k] = b.velocity[i].w;
        f.masses[k] = kind.mass;
        f.shapes[k] = kind.shape;
        f.materials[k] = kind.material;
    });
    if (stepped && with_contacts) {
        engine->contacts(f.contacts);
    }
    find_guests();
    Frame shown;
    shown.step = steps;
    shown.time = time;
    shown.time_step = model.settings.time_step;
    shown.dynamic_count = dynamic_count;
    shown.ids = f.ids;
    shown.positions = f.positions;
    shown.orientations = f.orientations;
    shown.velocities = f.velocities;
    shown.angular_velocities = f.angular_velocities;
    shown.masses = f.masses;
    shown.shapes = f.shapes;
    shown.materials = f.materials;
    shown.contacts = f.contacts;
    shown.ghosts = f.ghosts;
    return shown;
}

/// Bodies of other ranks in the frame's contacts.
void World::State::find_guests() const
{
    std::vector<Ghost>& ghosts = frame.ghosts;
    ghosts.clear();
    if (!domain) {
        return;
    }
    std::vector<BodyId> ids;
    for (const Contact& c : frame.contacts) {
        ids.insert(ids.end(), {c.first, c.second});
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const BodyId id : ids) {
        const std::size_t i = index_of(id);
        if (i != SIZE_MAX && !counts(i) && !is_everywhere(i)) {
            const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
            ghosts.push_back({id, bodies.pose(i, kind).position, bodies.velocity[i].v,
                              bodies.velocity[i].w, kind.shape});
        }
    }
}

void World::State::observe()
{
    for (std::size_t k = 0; k < observers.size(); ++k) {  // one may add another
        const Observer o = observers[k];
        if (steps % o.interval == 0) {
            o.call(make_frame(true));
        }
    }
}

World::Memory World::memory() const
{
    State& s = *state_;
    const engine::EngineMemory engine = s.engine->memory();
    std::size_t bytes = engine.host;
    s.bodies.for_each_column([&](const auto& column) { bytes += exec::bytes_of(column); });
    bytes += exec::bytes_of(s.list.pair) + exec::bytes_of(s.list.colour) +
             exec::bytes_of(s.list.slot) + exec::bytes_of(s.list.copies_of) +
             exec::bytes_of(s.list.splits) + exec::bytes_of(s.stored.count) +
             exec::bytes_of(s.stored.chunk_first) + exec::bytes_of(s.stored.impulse) +
             exec::bytes_of(s.stored.feature) + exec::bytes_of(s.by_id) +
             exec::bytes_of(s.model.prototypes);
    const State::FrameColumns& f = s.frame;
    bytes += exec::bytes_of(f.ids) + exec::bytes_of(f.positions) + exec::bytes_of(f.velocities) +
             exec::bytes_of(f.angular_velocities) + exec::bytes_of(f.orientations) +
             exec::bytes_of(f.masses) + exec::bytes_of(f.shapes) + exec::bytes_of(f.materials) +
             exec::bytes_of(f.contacts) + exec::bytes_of(f.ghosts);
    return {bytes - engine.forgotten, engine.device};
}

std::size_t World::bytes() const
{
    const Memory held = memory();
    return held.host + held.device;
}

}  // namespace scree
