// What a world shows of itself: frames for observers, its size.
#include "exec/sweep.hpp"
#include "world/state.hpp"

#include <algorithm>

namespace scree {

Frame World::State::make_frame() const
{
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
        make_contacts(f.contacts);
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

void World::State::make_contacts(std::vector<Contact>& out) const
{
    std::size_t contact = 0;
    const double h = model.settings.time_step;
    const collide::ContactPoint* point = nullptr;
    for (std::size_t p = 0; p < candidates.count.size(); ++p) {
        if (p % pair_chunk == 0) {
            point = candidates.chunks[p / pair_chunk].points.data();
        }
        const collide::BodyPair pair = list.pair[p];
        const bool spheres =
            (bodies.flags[pair.first] & bodies.flags[pair.second] & flag_round) != 0;
        for (int f = 0; f < candidates.count[p]; ++f, ++contact) {
            Contact c{};
            c.first = bodies.id[pair.first];
            c.second = bodies.id[pair.second];
            c.impulse = stored.impulse[contact];
            if (spheres) {
                // The centre has moved on since.
                const Ball& ball = bodies.ball[pair.first];
                const Vec3<double> x =
                    Vec3<double>{ball.x, ball.y, ball.z} - h * bodies.velocity[pair.first].v;
                const auto [normal, lever] = row_normal(contact);
                c.normal = normal;
                c.point = x - lever * normal;
                c.gap = 2 * (lever - ball.r);
            } else {
                c.point = point->point;
                c.normal = point->normal;
                c.gap = point->gap;
                ++point;
            }
            const double r_b = bodies.ball[pair.second].r;
            const double r_a = bodies.ball[pair.first].r;
            c.touching = c.gap <= exec::touching_gap * (r_b > 0 ? std::min(r_a, r_b) : r_a);
            out.push_back(c);
        }
    }
}

/// Normal and first lever of two spheres' contact.
std::pair<Vec3<double>, double> World::State::row_normal(std::size_t contact) const
{
    const std::uint32_t row = setup.row_of()[contact];
    const std::uint32_t at = row & ~general_bit;
    const std::uint32_t lane = at % block_lanes;
    if (row == at) {
        const RoundBlock& c = rows.round[at / block_lanes];
        return {{c.n[0][lane], c.n[1][lane], c.n[2][lane]}, c.lever[0][lane]};
    }
    const GeneralBlock& c = rows.general[at / block_lanes];
    const Vec3<double> n{c.n[0][lane], c.n[1][lane], c.n[2][lane]};
    return {n, -dot(n, Vec3<double>{c.lever[0][lane], c.lever[1][lane], c.lever[2][lane]})};
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
    std::size_t bytes = 0;
    for (const auto& chunk : s.candidates.chunks) {
        bytes += sizeof chunk + held(chunk.points);
    }
    s.bodies.for_each_column([&](const auto& column) { bytes += held(column); });
    return bytes + held(s.list.pair) + held(s.list.colour) + held(s.list.slot) +
           held(s.list.copies_of) + held(s.list.splits) + held(s.stored.count) +
           held(s.stored.chunk_first) + held(s.stored.impulse) + held(s.stored.feature) +
           held(s.candidates.count) + held(s.candidates.group_count) + held(s.rows.round) +
           held(s.rows.general) + held(s.rows.groups) + held(s.body_sums) + held(s.by_id) +
           held(s.model.prototypes) + s.broad_phase.bytes() + s.setup.bytes() +
           s.relaxation.bytes();
}

}  // namespace scree
