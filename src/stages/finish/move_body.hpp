#pragma once

#include "stages/finish/body_energy.hpp"
#include "stages/velocities/free_velocity.hpp"

namespace scree::finish {

SCREE_HD void update_inertia(const state::ModelView& model, const state::BodyView& bodies,
                             std::size_t i)
{
    const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
    bodies.inertia[i] = {rotated(bodies.orientation[i], kind.inverse_inertia), {0, 0}};
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
    shapes::Ball x = bodies.ball[i];
    Quat<double> q = bodies.orientation[i];
    const Vec way = h * line.v;
    x.x += way.x;
    x.y += way.y;
    x.z += way.z;
    state::Drift drift = bodies.drift[i];
    const Vec strayed = h * (line.v - bodies.drift_velocity);
    drift.x += static_cast<float>(strayed.x);
    drift.y += static_cast<float>(strayed.y);
    drift.z += static_cast<float>(strayed.z);
    bodies.drift[i] = drift;
    const bool moves = i < bodies.dynamic_count;
    if ((bodies.flags[i] & state::flag_round) != 0 || !moves) {
        q = turned(q, line.w, h);
    } else {
        const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
        const Vec L = velocities::spin(kind, q, line.w);
        const double energy = 0.5 * dot(line.w, L);
        if (model.settings.rotation == Rotation::momentum) {
            const Quat<double> middle = turned(q, line.w, 0.5 * h);
            q = turned(q, velocities::spin_to_velocity(kind, middle, L), h);
            line.w = velocities::spin_to_velocity(kind, q, L);
            bodies.velocity[i].w = line.w;
            out.rotation_error = 0.5 * dot(line.w, L) - energy;
        } else {
            q = turned(q, line.w, h);
            out.rotation_error = 0.5 * dot(line.w, velocities::spin(kind, q, line.w)) - energy;
        }
    }
    bodies.orientation[i] = q;
    if (bodies.inertia != nullptr && moves) {
        update_inertia(model, bodies, i);
    }
    if (shapes::is_periodic(model.box) && i < bodies.bounded_count) {
        const auto wrap = [&](double& at, int axis, double g) {
            const double length = model.box.length[axis];
            const double inside = at - model.box.origin[axis];
            // Mostly no turn, which needs no division to see.
            if (length > 0 && !(inside >= 0 && inside < length) && lane::finite(at)) {
                const double before = at;
                const double turns = ::floor(inside / length);
                if (turns != 0) {
                    at -= turns * length;
                    if (moves && line.inverse_mass > 0) {
                        out.wrap -= g * (at - before) / line.inverse_mass;
                    }
                }
            }
        };
        const Vec& g = model.settings.gravity;
        wrap(x.x, 0, g.x);
        wrap(x.y, 1, g.y);
        wrap(x.z, 2, g.z);
    }
    bodies.ball[i] = x;
    out.finite = is_finite(Vec{x.x, x.y, x.z}, line.w);
    return out;
}

}  // namespace scree::finish
