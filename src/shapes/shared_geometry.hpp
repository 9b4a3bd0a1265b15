// The polyhedra, clumps and meshes that a number of shapes point to, each once, in the order in
// which they are met: for whoever has to hand them on.
#pragma once

#include "shapes/clump.hpp"

#include <unordered_map>
#include <vector>

namespace scree::shapes {

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
        if (shape.surface != nullptr && number_.emplace(shape.surface, meshes_.size()).second) {
            meshes_.push_back(shape.surface);
        }
    }
    [[nodiscard]] const std::vector<const Polyhedron*>& polyhedra() const { return polyhedra_; }
    [[nodiscard]] const std::vector<const Clump*>& clumps() const { return clumps_; }
    [[nodiscard]] const std::vector<const Mesh*>& meshes() const { return meshes_; }
    /// Where a polyhedron, clump or mesh that was added is in its list.
    [[nodiscard]] std::size_t number(const void* solid) const { return number_.at(solid); }

private:
    std::vector<const Polyhedron*> polyhedra_;
    std::vector<const Clump*> clumps_;
    std::vector<const Mesh*> meshes_;
    std::unordered_map<const void*, std::size_t> number_;
};

}  // namespace scree::shapes
