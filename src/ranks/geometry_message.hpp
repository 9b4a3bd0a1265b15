// Polyhedra, clumps and meshes of shapes that one rank sends to another. Shapes travel with the
// sender's addresses, which the receiver replaces by those of its own copies.
#pragma once

#include "ranks/message.hpp"
#include "shapes/hull.hpp"
#include "shapes/shared_geometry.hpp"

#include <algorithm>

namespace scree::ranks {

class Solids {
public:
    Solids() = default;
    explicit Solids(Reader& reader)
    {
        for (const Polyhedron* there : reader.get_all<const Polyhedron*>()) {
            polyhedra_.push_back({there, shapes::kept(reader.get_all<std::uint64_t>())});
        }
        for (const Clump* there : reader.get_all<const Clump*>()) {
            std::vector<Part> parts;
            for (ClumpPart& part : reader.get_all<ClumpPart>()) {
                settle(part.shape);
                parts.push_back({part.shape, part.pose.position, part.pose.orientation});
            }
            clumps_.push_back({there, Shape::clump(parts).parts});
        }
        for (const Mesh* there : reader.get_all<const Mesh*>()) {
            meshes_.push_back({there, shapes::kept_mesh(reader.get_all<std::uint64_t>())});
        }
    }

    void add(const Shape& shape) { mine_.add(shape); }
    void put(Bytes& to) const
    {
        ranks::put(to, mine_.polyhedra());
        for (const Polyhedron* solid : mine_.polyhedra()) {
            const auto* words = reinterpret_cast<const std::uint64_t*>(solid);
            ranks::put(to, shapes::PolyhedronBlock(words, words + solid->bytes / 8));
        }
        ranks::put(to, mine_.clumps());
        for (const Clump* clump : mine_.clumps()) {
            ranks::put(to, std::vector<ClumpPart>(clump->parts(), clump->parts() + clump->count));
        }
        ranks::put(to, mine_.meshes());
        for (const Mesh* mesh : mine_.meshes()) {
            const auto* words = reinterpret_cast<const std::uint64_t*>(mesh);
            ranks::put(to, std::vector<std::uint64_t>(words, words + mesh->bytes / 8));
        }
    }
    /// Gives a shape that came the addresses of the copies here.
    void settle(Shape& shape) const
    {
        const auto settle_in = [](auto& solid, const auto& copies) {
            if (solid != nullptr) {
                solid = std::find_if(copies.begin(), copies.end(), [&](const auto& c) {
                            return c.there == solid;
                        })->here;
            }
        };
        settle_in(shape.solid, polyhedra_);
        settle_in(shape.parts, clumps_);
        settle_in(shape.surface, meshes_);
    }

private:
    template <class T> struct Copy {
        const T *there, *here;
    };
    shapes::Solids mine_;
    std::vector<Copy<Polyhedron>> polyhedra_;
    std::vector<Copy<Clump>> clumps_;
    std::vector<Copy<Mesh>> meshes_;
};

}  // namespace scree::ranks
