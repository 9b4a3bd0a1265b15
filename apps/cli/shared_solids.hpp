// Polyhedra and clumps of all ranks' bodies. Pieces of a frame number them alike, since programs
// that join pieces keep the fields of one: each rank has to know which ones the others have.
#pragma once

#include "scree/ranks.hpp"
#include "scree/world.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace scree::cli {

class SharedSolids {
public:
    /// What the bodies need that ranks write, each once, as shapes: all ranks' polyhedra and clumps
    /// in the order of ranks and of their bodies, and the meshes, which every rank has. A function
    /// of the frame alone. All ranks call it, each with its frame.
    std::vector<Shape> of(const Frame& frame, Ranks& ranks);

private:
    void tell(const std::vector<Shape>& unknown, Ranks& ranks);

    std::vector<Shape> shapes_;  ///< known to all ranks, in the same order
    std::unordered_map<const void*, std::size_t> places_;
};

}  // namespace scree::cli
