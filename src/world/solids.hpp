// Polyhedra of shapes that one rank sends to another. Shapes travel with the sender's addresses,
// which the receiver replaces by those of its own copies.
#pragma once

#include "collide/hull.hpp"
#include "domain/wire.hpp"
#include "scree/shape.hpp"

#include <algorithm>

namespace scree::world {

class Solids {
public:
    Solids() = default;
    explicit Solids(domain::Reader& reader) : there_(reader.get_all<const Polyhedron*>())
    {
        for (std::size_t i = 0; i < there_.size(); ++i) {
            here_.push_back(collide::kept(reader.get_all<std::uint64_t>()));
        }
    }

    void add(const Shape& shape)
    {
        if (shape.solid != nullptr &&
            std::find(there_.begin(), there_.end(), shape.solid) == there_.end()) {
            there_.push_back(shape.solid);
        }
    }
    void put(domain::Bytes& to) const
    {
        domain::put(to, there_);
        for (const Polyhedron* solid : there_) {
            const auto* words = reinterpret_cast<const std::uint64_t*>(solid);
            domain::put(to, collide::PolyhedronBlock(words, words + solid->bytes / 8));
        }
    }
    /// Gives a shape that came the address of the copy here.
    void settle(Shape& shape) const
    {
        if (shape.solid != nullptr) {
            const auto at = std::find(there_.begin(), there_.end(), shape.solid);
            shape.solid = here_.at(static_cast<std::size_t>(at - there_.begin()));
        }
    }

private:
    std::vector<const Polyhedron*> there_, here_;
};

}  // namespace scree::world
