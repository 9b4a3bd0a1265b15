// The stage integrate_velocity: velocities at the end of the step without contacts, as in the
// paper.
#pragma once

#include "state/model.hpp"

namespace scree::velocities {

/// velocity = velocity_before + what gravity, forces, impulses and the gyroscopic term add. Returns
/// the largest change of a velocity.
double integrate_velocity(const state::Model& model, state::Bodies& bodies);

}  // namespace scree::velocities
