// A convex polyhedron as one block of memory without pointers, so that it can be copied to a device
// as it is: a header, and behind it corners, faces and edges. Coordinates are in the frame they
// were given in, for a scale of 1. Faces are polygons; their planes touch the farthest corner, so
// that corners may lie below a face's plane by what their coordinates were rounded by, and never
// above it by more than doubles are.
#pragma once

#include "math/vec.hpp"

#include <cstdint>

namespace scree {

struct Polyhedron {
    /// A face's plane is n·(x − centre) = offset.
    struct Plane {
        Vec3<double> normal;  ///< outward unit normal
        double offset;        ///< > 0
    };
    /// Of an edge: its two corners, and the faces on its left and right seen from outside.
    struct Edge {
        Vec3<double> direction;  ///< unit
        std::uint16_t from, to, left, right;
    };
    /// Of a face, for each corner counter-clockwise seen from outside: its number, and that of the
    /// edge to the next.
    struct Corner {
        std::uint16_t vertex, edge;
    };

    std::uint32_t bytes;  ///< of the whole block
    std::uint16_t vertex_count, edge_count, face_count, corner_count;
    double radius;         ///< greatest distance of a corner from the centre
    double half_width;     ///< half the least distance of two parallel planes, one of a face
    double inner_radius;   ///< of a ball about the centre inside of all faces
    double outer_radius;   ///< greatest distance of a corner from the origin
    double volume;         ///< [m³]
    Vec3<double> centre;   ///< of volume
    Sym3<double> moments;  ///< ∫ x xᵀ dV about the centre [m⁵]

    [[nodiscard]] SCREE_HD const Vec3<double>* vertices() const
    {
        return reinterpret_cast<const Vec3<double>*>(this + 1);
    }
    [[nodiscard]] SCREE_HD const Plane* planes() const
    {
        return reinterpret_cast<const Plane*>(vertices() + vertex_count);
    }
    [[nodiscard]] SCREE_HD const Edge* edges() const
    {
        return reinterpret_cast<const Edge*>(planes() + face_count);
    }
    [[nodiscard]] SCREE_HD const Corner* corners() const
    {
        return reinterpret_cast<const Corner*>(edges() + edge_count);
    }
    /// Where the corners of each face begin, and behind the last where they end.
    [[nodiscard]] SCREE_HD const std::uint16_t* face_begin() const
    {
        return reinterpret_cast<const std::uint16_t*>(corners() + corner_count);
    }
    /// The corner farthest along m.
    [[nodiscard]] SCREE_HD int farthest(const Vec3<double>& m) const
    {
        const Vec3<double>* v = vertices();
        int best = 0;
        double height = dot(m, v[0]);
        for (int i = 1; i < vertex_count; ++i) {
            const double h = dot(m, v[i]);
            if (h > height) {
                height = h;
                best = i;
            }
        }
        return best;
    }
};

/// What polyhedra may have: names of features have 14 bits, and polygons that are clipped a fixed
/// capacity.
inline constexpr int most_polyhedron_vertices = 1024, most_face_corners = 16;

}  // namespace scree
