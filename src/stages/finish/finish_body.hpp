// The end of a step for one body, for host and device alike: the work that forces did on it, its
// new pose, its energies then. Sums over all bodies are made by the caller, in one tree.
#pragma once

#include "exec/tree_sum.hpp"
#include "stages/finish/move_body.hpp"

namespace scree::finish {

using BodyEnergy = Energy<double>;

/// Of one dynamic body, with the given velocities.
SCREE_HD BodyEnergy energy_of(const state::ModelView& model, const state::BodyView& bodies,
                              std::size_t i, const state::VelocityLine& line)
{
    const shapes::Ball& x = bodies.ball[i];
    BodyEnergy e = finish::energy_of_centre(model.settings.gravity, Vec3<double>{x.x, x.y, x.z},
                                            line.v, line.inverse_mass);
    e.kinetic += velocities::energy_of_turning(model, bodies, i, line.w, line.inverse_moment);
    return e;
}

/// What is summed up over all bodies; `not_finite` counts.
enum BodySum : std::uint8_t {
    gravity_work,
    gravity_error,
    force_work,
    gyroscopic_work,
    rotation_error,
    wrapped,
    kinetic,
    potential,
    not_finite,
    body_sum_count
};
using BodySums = exec::Sums<body_sum_count>;

/// Work of gravity, forces and the gyroscopic term on a dynamic body between velocity_before and
/// the velocity after relaxation, both at the old pose.
SCREE_HD void work_of_forces(const state::ModelView& model, const state::BodyView& bodies,
                             std::size_t i, const state::VelocityLine& after, BodySums& sums)
{
    using Vec = Vec3<double>;
    const double h = model.settings.time_step;
    const state::VelocityLine& before = bodies.velocity_before[i];
    const FallWork<double> fall =
        finish::work_of_gravity(h, model.settings.gravity, after.inverse_mass, before.v, after.v);
    sums.of[gravity_work] = fall.work;
    sums.of[gravity_error] = fall.error;
    const Vec mean_w = 0.5 * (before.w + after.w);
    if (bodies.force != nullptr) {
        const state::Force& f = bodies.force[i];
        if (after.inverse_mass > 0) {
            sums.of[force_work] = 0.5 * dot(h * f.force + f.impulse, before.v + after.v);
        }
        sums.of[force_work] += dot(h * f.torque + f.angular_impulse, mean_w);
    }
    if (model.settings.rotation == Rotation::semi_implicit_euler &&
        (bodies.flags[i] & state::flag_round) == 0) {
        const state::Prototype& kind = model.prototypes[bodies.prototype[i]];
        const Vec L = velocities::angular_momentum(kind, bodies.orientation[i], before.w);
        sums.of[gyroscopic_work] = -(h * dot(cross(before.w, L), mean_w));
    }
}

SCREE_HD BodySums finish_body(const state::ModelView& model, const state::BodyView& bodies,
                              std::size_t i)
{
    BodySums sums;
    state::VelocityLine line = bodies.velocity[i];
    const bool counts = i < bodies.dynamic_count && (bodies.flags[i] & state::flag_alive) != 0;
    if (counts) {
        work_of_forces(model, bodies, i, line, sums);
        bodies.flags[i] &= static_cast<std::uint8_t>(~state::flag_margin_exceeded);
    }
    if (bodies.inertia != nullptr) {
        // Velocities as relaxation left them, for the true residual: the pose changes some.
        bodies.velocity_before[i] = line;
    }
    const Moved moved = finish::move(model, bodies, i, line);
    sums.of[rotation_error] = moved.rotation_error;
    sums.of[wrapped] = moved.wrap;
    sums.of[not_finite] = moved.finite ? 0 : 1;
    if (counts) {
        const BodyEnergy now = energy_of(model, bodies, i, line);
        sums.of[kinetic] = now.kinetic;
        sums.of[potential] = now.potential;
    }
    if (bodies.force != nullptr) {
        // Impulses act once.
        bodies.force[i].impulse = {0, 0, 0};
        bodies.force[i].angular_impulse = {0, 0, 0};
    }
    return (bodies.flags[i] & state::flag_ghost) != 0 ? BodySums{} : sums;
}

}  // namespace scree::finish
