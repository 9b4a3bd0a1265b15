// Frames as text dumps of LAMMPS, which OVITO opens. docs/results.md lists the columns.
#pragma once

#include "scree/world.hpp"

#include <string>

namespace scree::io {

/// One frame of a dump, dynamic bodies only, by id; those of several may follow each other in one
/// file. The box is what the bodies' bounding balls take.
std::string lammps_frame(const Frame& frame);

/// The atom type of bodies of a shape and material: 1 to 6 are material 0's sphere, box, capsule,
/// cylinder, ellipsoid and profile, 7 to 12 material 1's, and so on.
int lammps_type(ShapeKind kind, MaterialId material);

}  // namespace scree::io
