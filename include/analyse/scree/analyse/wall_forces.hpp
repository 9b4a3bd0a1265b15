// Forces and torques that contacts exert on walls and obstacles.
#pragma once

#include "scree/analyse/region.hpp"

#include <vector>

namespace scree::analyse {

/// What contacts do to one prescribed body.
struct WallLoad {
    BodyId id = 0;             ///< of the body
    std::size_t contacts = 0;  ///< touching points
    Vec force{0, 0, 0};        ///< of all contacts on the body, mean over the step [N]
    Vec torque{0, 0, 0};       ///< about the body's origin [N m]
};

/// For every prescribed body, in ascending order of ids. `period` has the lengths of periodic axes
/// [m], 0 for others; levers from a bounded body's origin then go to the nearest image.
std::vector<WallLoad> wall_loads(const Frame& frame, const Vec& period = {0, 0, 0});

}  // namespace scree::analyse
