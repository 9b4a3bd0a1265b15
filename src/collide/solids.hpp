// The polyhedra and clumps that a number of shapes point to, each once, in the order in which they
// are met: for whoever has to hand them on.
#pragma once

#include "collide/clump.hpp"

#include <unordered_map>
#include <vector>

namespace scree::collide {

class Solids {
public:
    void add(const Shape& shape)
    {
        if (shape.solid != nullptr && number_.emplace(shape.solid, polyhedra_.size()).second) {
            polyhedra_.push_back(shape.solid);
        }
        if (shape.parts != nullptr && number_.emplace(shape.parts, clumps_.size()).second) {
            clumps_.push_back(shape.parts);
            for (std::uint32_t k = 0; k < shape.parts->count; ++k) {
                add(shape.parts->parts()[k].shape);
            }
        }
    }
    [[nodiscard]] const std::vector<const Polyhedron*>& polyhedra() const { return polyhedra_; }
    [[nodiscard]] const std::vector<const Clump*>& clumps() const { return clumps_; }
    /// Where a polyhedron or clump that was added is in its list.
    [[nodiscard]] std::size_t number(const void* solid) const { return number_.at(solid); }

private:
    std::vector<const Polyhedron*> polyhedra_;
    std::vector<const Clump*> clumps_;
    std::unordered_map<const void*, std::size_t> number_;
};

}  // namespace scree::collide
