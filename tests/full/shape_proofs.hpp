// What is proved of the narrow phase's answer for one pair of shapes, as errors relative to the
// size of the larger shape. See support/convex_bounds.hpp for the bounds.
#pragma once

#include "full/shape_draws.hpp"
#include "support/convex_bounds.hpp"

#include <string>

namespace scree::test {

struct Proof {
    double gap = 0;            ///< that was answered [m]
    double gap_error = 0;      ///< at most
    double point_error = 0;    ///< witness points of the deepest contact outside of their shapes
    double normal_error = -1;  ///< angle at most; < 0: not asked
    bool missed = false;
    bool undecided = false;  ///< the bounds did not meet
    bool skipped = false;    ///< parts that are deep in each other, or out of reach
    bool fcl_known = false, fcl_failed = false;
    double fcl_error = 0;
    std::string note;
};

/// Whether FCL was there when this was compiled.
bool fcl_is_here();

Proof prove(const DrawnPair& pair);

}  // namespace scree::test
