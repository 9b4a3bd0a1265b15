// The stages integrate_velocity and integrate_pose: semi-implicit Euler as in the paper, v and ω
// from the old pose, then x and q from the new velocities; beside it the update that carries
// angular momentum.
#pragma once

#include "state/model.hpp"

namespace scree::move {

/// velocity = velocity_before + what gravity, forces, impulses and the gyroscopic term add. Returns
/// the largest change of a velocity.
double integrate_velocity(const Model& model, Bodies& bodies);

/// What moving did to the energy, beside potential energy itself.
struct PoseReport {
    double rotation_error = 0;  ///< [J]
    double wrap = 0;            ///< [J]
    std::size_t not_finite = 0;
    std::size_t first_not_finite = 0;
};

/// Moves and turns all bodies with their velocities for one step; `scratch` keeps its memory.
PoseReport integrate_pose(const Model& model, Bodies& bodies, std::vector<PoseReport>& scratch);

/// Recomputes a body's inertia in the world from its orientation.
void update_inertia(const Model& model, Bodies& bodies, std::size_t i);

}  // namespace scree::move
