// The energy ledger: where energy went in a step, body by body. Every term is computed for itself;
// that they add up is the test.
#pragma once

#include "scree/report.hpp"
#include "state/model.hpp"

namespace scree::world {

struct BodyEnergy {
    double kinetic = 0, potential = 0;
};
/// Of one dynamic body, with the given velocities.
BodyEnergy energy_of(const Model& model, const Bodies& bodies, std::size_t i,
                     const VelocityLine& line);

using EnergyScratch = std::vector<EnergyLedger>;

/// Work of gravity, forces and the gyroscopic term between velocity_before and velocity, both at
/// the old pose. To be called before the pose is integrated.
void account_forces(const Model& model, const Bodies& bodies, EnergyScratch& scratch,
                    EnergyLedger& ledger);

/// Kinetic and potential energy of all dynamic bodies.
BodyEnergy total_energy(const Model& model, const Bodies& bodies, EnergyScratch& scratch);

}  // namespace scree::world
