// What a body's velocity after relaxation says of the pass: whether the list may miss a pair of it,
// and whether it changed by more than was allowed for.
#pragma once

#include "stages/candidates/missed_pairs.hpp"
#include "stages/neighbours/skin.hpp"

namespace scree::candidates {

struct LookAtBodies {
    state::ModelView model;
    state::BodyView bodies;
    neighbours::LeavesSkin strays;
    double spare;
    const std::uint32_t* overflow;  ///< there was no room for all rows: velocities say nothing
    std::uint32_t *stale, *surprised;

    SCREE_HD void operator()(std::size_t i) const
    {
        if (*overflow != 0) {
            return;
        }
        if (strays(bodies, i)) {
            *stale = 1;
        }
        if (i < bodies.dynamic_count && candidates::surprise(model, bodies, i, spare)) {
            *surprised = 1;
        }
    }
};

}  // namespace scree::candidates
