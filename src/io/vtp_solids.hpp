// What shapes point to, as arrays of a frame: polyhedra, clumps and meshes, each once, and their
// numbers with the bodies.
#pragma once

#include "collide/solids.hpp"
#include "io/vtp_document.hpp"

#include <span>
#include <vector>

namespace scree::io::vtp {

/// Polyhedra, clumps and, if wanted, meshes, as fields.
void add_solids(const collide::Solids& solids, bool meshes, NewDocument& document);

/// The shapes of bodies, with the numbers of what they point to.
void add_shapes(std::span<const Shape> shapes, const collide::Solids& solids,
                NewDocument& document);

/// The shapes of so many bodies, with what they point to.
std::vector<Shape> read_shapes(const StoredDocument& file, std::size_t count);

}  // namespace scree::io::vtp
