// What a world shows of itself: frames for observers, its size.
#include "exec/sweep.hpp"
#include "world/state.hpp"

#include <algorithm>

namespace scree {

Frame World::State::make_frame() const
{
    engine->fetch(false);
    FrameColumns& f = frame;
    const Bodies& b = bodies;
    f.ids.clear();
    f.positions.clear();
    f.orientations.clear();
    f.velocities.clear();
    f.angular_velocities.clear();
    f.masses.clear();
    f.shapes.clear();
    f.materials.clear();
    f.contacts.clear();
    const auto show = [&](std::size_t i) {
        const Prototype& kind = model.prototypes[b.prototype[i]];
        f.ids.push_back(b.id[i]);
        f.positions.push_back(b.pose(i, kind).position);
        f.orientations.push_back(b.orientation[i]);
        f.velocities.push_back(b.velocity[i].v);
        f.angular_velocities.push_back(b.velocity[i].w);
        f.masses.push_back(kind.mass);
        f.shapes.push_back(kind.shape);
        f.materials.push_back(kind.material);
    };
    for (const std::uint8_t kind :
         {std::uint8_t(flag_alive), std::uint8_t(flag_alive | flag_prescribed)}) {
        for (std::size_t i = 0; i < b.count(); ++i) {
            if ((b.flags[i] & (flag_alive | flag_prescribed)) == kind) {
                show(i);
            }
        }
    }
    if (stepped) {
        engine->contacts(f.contacts);
    }
    Frame shown;
    shown.step = steps;
    shown.time = time;
    shown.time_step = model.settings.time_step;
    shown.dynamic_count = alive_dynamic;
    shown.ids = f.ids;
    shown.positions = f.positions;
    shown.orientations = f.orientations;
    shown.velocities = f.velocities;
    shown.angular_velocities = f.angular_velocities;
    shown.masses = f.masses;
    shown.shapes = f.shapes;
    shown.materials = f.materials;
    shown.contacts = f.contacts;
    return shown;
}

void World::State::observe()
{
    for (std::size_t k = 0; k < observers.size(); ++k) {  // one may add another
        const Observer o = observers[k];
        if (steps % o.interval == 0) {
            o.call(make_frame());
        }
    }
}

std::size_t World::bytes() const
{
    State& s = *state_;
    const auto held = [](const auto& v) {
        return v.capacity() * sizeof(typename std::remove_reference_t<decltype(v)>::value_type);
    };
    std::size_t bytes = s.engine->bytes();
    s.bodies.for_each_column([&](const auto& column) { bytes += held(column); });
    return bytes + held(s.list.pair) + held(s.list.colour) + held(s.list.slot) +
           held(s.list.copies_of) + held(s.list.splits) + held(s.stored.count) +
           held(s.stored.chunk_first) + held(s.stored.impulse) + held(s.stored.feature) +
           held(s.by_id) + held(s.model.prototypes);
}

}  // namespace scree
