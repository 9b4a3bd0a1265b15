// The pose of one body at the end of a step, for host and device alike.
#pragma once

#include "stages/finish/ball_rule.hpp"
#include "stages/velocities/free_velocity.hpp"

namespace scree::finish {

SCREE_HD void update_inertia(const state::ModelView& model, const state::BodyView& bodies,
                             std::size_t i)
{
    const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
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
SCREE_HD void add_way(state::Displacement& drift, double x, double y, double z)
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
SCREE_HD Moved move(const state::ModelView& model, const state::BodyView& bodies, std::size_t i,
                    state::VelocityLine& line)
{
    using Vec = Vec3<double>;
    const double h = model.settings.time_step;
    Moved out;
    if ((bodies.flags[i] & state::flag_alive) == 0) {
        return out;
    }
    Quat<double> q = bodies.orientation[i];
    const shapes::Ball from = bodies.ball[i];
    Vec x = moved(Vec{from.x, from.y, from.z}, line.v, h);
    const Vec way = way_in_list(line.v, bodies.drift_velocity, h);
    add_way(bodies.drift[i], way.x, way.y, way.z);
    const bool moves = i < bodies.dynamic_count;
    if ((bodies.flags[i] & state::flag_round) != 0 || !moves) {
        q = turned(q, line.w, h);
    } else {
        const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
        const Vec L = velocities::angular_momentum(kind, q, line.w);
        const double energy = 0.5 * dot(line.w, L);
        if (model.settings.rotation == Rotation::momentum) {
            const Quat<double> middle = turned(q, line.w, 0.5 * h);
            q = turned(q, velocities::angular_velocity_of(kind, middle, L), h);
            line.w = velocities::angular_velocity_of(kind, q, L);
            bodies.velocity[i].w = line.w;
            out.rotation_error = 0.5 * dot(line.w, L) - energy;
        } else {
            q = turned(q, line.w, h);
            out.rotation_error =
                0.5 * dot(line.w, velocities::angular_momentum(kind, q, line.w)) - energy;
        }
    }
    bodies.orientation[i] = q;
    if (bodies.inertia != nullptr && moves) {
        update_inertia(model, bodies, i);
    }
    if (is_periodic(model.box) && i < bodies.bounded_count) {
        const auto wrap = [&](double& at, int axis, double g) {
            const double image = model.box.wrapped(at, axis);
            if (image != at && math::finite(at)) {
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

}  // namespace scree::finish
