// Contact problems as files: each given as matrix and vector, as two bodies, or as a sweep of the
// paradox rod.
#pragma once

#include "scree/two_bodies.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::scene {

/// A problem of a file.
struct ContactCase {
    std::string name;                         ///< as the file calls it
    ContactProblem<double> problem;           ///< what is to be solved
    std::optional<TwoBodies> bodies;          ///< if it was given by bodies
    std::optional<double> critical_friction;  ///< μ* of a rod
    bool open = false;                        ///< gap > 0: no impulse whatever the problem says
};

/// Throws scree::Error with every complaint about the file.
std::vector<ContactCase> read_contact_file(const std::string& file);

}  // namespace scree::scene
