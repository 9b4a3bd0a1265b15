// The velocity of a body at the end of a step without contacts, for host and device alike.
#pragma once

#include "stages/velocities/body_energy.hpp"
#include "state/views.hpp"

namespace scree::velocities {

SCREE_HD Vec3<double> angular_velocity_of(const state::Prototype& kind, const Quat<double>& q,
                                          const Vec3<double>& L)
{
    return rotate(q, kind.inverse_inertia * rotate_back(q, L));
}

/// The velocity of a dynamic body at the end of the step without contacts, from that at its
/// beginning. Returns by how much its surface's changed, where that is more than a fall.
SCREE_HD double free_velocity(const state::ModelView& model, const state::BodyView& bodies,
                              std::size_t i)
{
    using Vec = Vec3<double>;
    const double h = model.settings.time_step;
    const Vec fall = h * model.settings.gravity;
    state::VelocityLine line = bodies.velocity_before[i];
    const bool round = (bodies.flags[i] & state::flag_round) != 0;
    const bool forced = bodies.force != nullptr;
    if (round && !forced) {
        line.v = line.inverse_mass > 0 ? line.v + fall : line.v;
        bodies.velocity[i] = line;
        return 0;
    }
    Vec change = line.inverse_mass > 0 ? fall : Vec{0, 0, 0};
    Vec turn{0, 0, 0};
    if (forced) {
        const state::Force& f = bodies.force[i];
        change = change + line.inverse_mass * (h * f.force + f.impulse);
        turn = h * f.torque + f.angular_impulse;
    }
    Vec dw{0, 0, 0};
    if (round) {
        dw = line.inverse_moment * turn;
    } else {
        const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
        if (model.settings.rotation == Rotation::semi_implicit_euler) {
            turn = turn - h * cross(line.w, angular_momentum(kind, bodies.orientation[i], line.w));
        }
        dw = bodies.inertia[i].inverse * turn;
    }
    line.v = line.v + change;
    line.w = line.w + dw;
    bodies.velocity[i] = line;
    return norm(change) + bodies.ball[i].r * norm(dw);
}

}  // namespace scree::velocities
