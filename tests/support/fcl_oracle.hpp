// What another library says of two convex shapes: FCL, with libccd behind it. It is made for robots
// and right to some 1e-6 for most pairs; where it differs from the narrow phase, the bounds of
// convex_bounds.hpp decide.
#pragma once

#include "unit/shapes/collide_oracle.hpp"

namespace scree::test {

struct FclAnswer {
    bool known = false;       ///< whether it has an answer for these kinds
    bool failed = false;      ///< whether it threw
    bool has_normal = false;  ///< from the second towards the first
    double gap = 0;           ///< negative in penetration
    Vec3<double> normal{0, 0, 1};
};

/// Whether FCL has a shape of this kind.
bool fcl_has(ShapeKind kind);

/// Signed distance and normal; against a half-space only in penetration.
FclAnswer ask_fcl(const Solid& a, const Solid& b);

}  // namespace scree::test
