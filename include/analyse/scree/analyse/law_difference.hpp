// What two friction laws make of the same contacts: maximum dissipation and Coulomb on the problems
// that contacts posed in a step. They differ only where a contact slides and its Delassus block
// couples normal and tangential directions, or these with each other.
#pragma once

#include "scree/world.hpp"

#include <span>

namespace scree::analyse {

/// How two friction laws differ on the same contacts.
struct LawDifference {
    std::size_t contacts = 0;   ///< with an impulse
    std::size_t sliding = 0;    ///< under maximum dissipation
    std::size_t differing = 0;  ///< sliding ones where the impulses differ by more than 1e-6
    double mean = 0;            ///< |x_M − x_C| / |x_M|, over sliding ones
    double largest = 0;         ///< of the same
    double angle = 0;           ///< between the two frictions, mean over sliding ones [rad]
    /// What maximum dissipation dissipates more than Coulomb, relative to its own, sums over all.
    double energy = 0;
};

/// Solves each contact under both laws.
LawDifference law_difference(std::span<const StepContact> contacts);

}  // namespace scree::analyse
