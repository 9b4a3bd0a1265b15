// Force chains: each contact as rods from its point to the bodies' origins, thicker for larger
// forces.
#pragma once

#include "analyse/body_tree.hpp"
#include "scree/world.hpp"

#include <vector>

namespace scree::analyse {

struct ForceRod {
    PlacedShape shape;
    double force;  ///< of the contact [N]
};

/// Rods as thick as 0.4 of the smaller body where the force [N] is `largest` or more, of a cross-
/// section in proportion below; none for less than a thousandth of it, and none to prescribed
/// bodies, nor to bodies at the far side of a periodic box.
std::vector<ForceRod> force_rods(const Frame& frame, double largest);

}  // namespace scree::analyse
