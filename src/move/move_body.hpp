// The verbs of integration on one body, for host and device alike: its velocity from forces, its
// pose from its velocity.
#pragma once

#include "move/body_energy.hpp"
#include "state/views.hpp"

namespace scree::move {

SCREE_HD Vec3<double> spin_to_velocity(const Prototype& kind, const Quat<double>& q,
                                       const Vec3<double>& L)
{
    return rotate(q, kind.inverse_inertia * rotate_back(q, L));
}

/// The velocity of a dynamic body at the end of the step without contacts, from that at its
/// beginning. Returns by how much its surface's changed, where that is more than a fall.
SCREE_HD double push(const ModelView& model, const BodyView& bodies, std::size_t i)
{
    using Vec = Vec3<double>;
    const double h = model.settings.time_step;
    const Vec fall = h * model.settings.gravity;
    VelocityLine line = bodies.velocity_before[i];
    const bool round = (bodies.flags[i] & flag_round) != 0;
    const bool forced = bodies.force != nullptr;
    if (round && !forced) {
        line.v = line.inverse_mass > 0 ? line.v + fall : line.v;
        bodies.velocity[i] = line;
        return 0;
    }
    Vec change = line.inverse_mass > 0 ? fall : Vec{0, 0, 0};
    Vec turn{0, 0, 0};
    if (forced) {
        const Force& f = bodies.force[i];
        change = change + line.inverse_mass * (h * f.force + f.impulse);
        turn = h * f.torque + f.angular_impulse;
    }
    Vec dw{0, 0, 0};
    if (round) {
        dw = line.inverse_moment * turn;
    } else {
        const Prototype& kind = model.prototypes[bodies.prototype[i]];
        if (model.settings.rotation == Rotation::semi_implicit_euler) {
            turn = turn - h * cross(line.w, spin(kind, bodies.orientation[i], line.w));
        }
        dw = bodies.inertia[i].inverse * turn;
    }
    line.v = line.v + change;
    line.w = line.w + dw;
    bodies.velocity[i] = line;
    return norm(change) + bodies.ball[i].r * norm(dw);
}

SCREE_HD void update_inertia(const ModelView& model, const BodyView& bodies, std::size_t i)
{
    const Prototype& kind = model.prototypes[bodies.prototype[i]];
    bodies.inertia[i] = {rotated(bodies.orientation[i], kind.inverse_inertia), {0, 0}};
}

/// A centre of mass at the end of a step.
template <class T> SCREE_HD Vec3<T> moved(const Vec3<T>& x, const Vec3<T>& v, const T& h)
{
    return x + h * v;
}
/// Its way in the step, seen from the frame that moves with the list.
template <class T>
SCREE_HD Vec3<T> way_in_list(const Vec3<T>& v, const Vec3<T>& drift_velocity, const T& h)
{
    return h * (v - drift_velocity);
}
SCREE_HD void add_way(Drift& drift, double x, double y, double z)
{
    drift.x += static_cast<float>(x);
    drift.y += static_cast<float>(y);
    drift.z += static_cast<float>(z);
}

/// What moving a body did to the energy beside gravity's work, and whether it is still finite.
struct Moved {
    double rotation_error = 0, wrap = 0;
    bool finite = true;
};

/// The pose at the end of the step, with what hangs on it. `line` is the body's.
SCREE_HD Moved move(const ModelView& model, const BodyView& bodies, std::size_t i,
                    VelocityLine& line)
{
    using Vec = Vec3<double>;
    const double h = model.settings.time_step;
    Moved out;
    if ((bodies.flags[i] & flag_alive) == 0) {
        return out;
    }
    Quat<double> q = bodies.orientation[i];
    const Ball from = bodies.ball[i];
    Vec x = moved(Vec{from.x, from.y, from.z}, line.v, h);
    const Vec way = way_in_list(line.v, bodies.drift_velocity, h);
    add_way(bodies.drift[i], way.x, way.y, way.z);
    const bool moves = i < bodies.dynamic_count;
    if ((bodies.flags[i] & flag_round) != 0 || !moves) {
        q = turned(q, line.w, h);
    } else {
        const Prototype& kind = model.prototypes[bodies.prototype[i]];
        const Vec L = spin(kind, q, line.w);
        const double energy = 0.5 * dot(line.w, L);
        if (model.settings.rotation == Rotation::momentum) {
            const Quat<double> middle = turned(q, line.w, 0.5 * h);
            q = turned(q, spin_to_velocity(kind, middle, L), h);
            line.w = spin_to_velocity(kind, q, L);
            bodies.velocity[i].w = line.w;
            out.rotation_error = 0.5 * dot(line.w, L) - energy;
        } else {
            q = turned(q, line.w, h);
            out.rotation_error = 0.5 * dot(line.w, spin(kind, q, line.w)) - energy;
        }
    }
    bodies.orientation[i] = q;
    if (bodies.inertia != nullptr && moves) {
        update_inertia(model, bodies, i);
    }
    if (is_periodic(model.box) && i < bodies.bounded_count) {
        const auto wrap = [&](double& at, int axis, double g) {
            const double image = model.box.wrapped(at, axis);
            if (image != at && lane::finite(at)) {
                if (moves && line.inverse_mass > 0) {
                    out.wrap -= g * (image - at) / line.inverse_mass;
                }
                at = image;
            }
        };
        const Vec& g = model.settings.gravity;
        wrap(x.x, 0, g.x);
        wrap(x.y, 1, g.y);
        wrap(x.z, 2, g.z);
    }
    bodies.ball[i] = {x.x, x.y, x.z, from.r};
    out.finite = is_finite(x, line.w);
    return out;
}

}  // namespace scree::move
