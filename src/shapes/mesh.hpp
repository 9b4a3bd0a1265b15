// A surface of triangles as one block of memory without pointers, so that it can be copied to a
// device as it is: a header, and behind it the nodes of a tree of boxes, triangles, points, and
// what is around each edge and point. Coordinates are in the frame they were given in, for a scale
// of 1. A surface has no inside: both of its sides touch, whichever way its triangles are turned.
#pragma once

#include "math/vec.hpp"

#include <cstdint>
#include <vector>

namespace scree {

struct Mesh {
    /// A box with the triangles [first, first + count) or, without any, with two nodes: the next
    /// one and `first`.
    struct Node {
        Vec3<double> low, high;
        std::uint32_t first, count;
    };
    /// Corners, the edges from each to the next, and the flat piece of surface it belongs to.
    struct Triangle {
        std::uint32_t corner[3], edge[3], facet, unused;
    };

    std::uint64_t bytes;  ///< of the whole block
    std::uint32_t node_count, triangle_count, point_count, edge_count;
    std::uint32_t wing_count, spoke_count;
    double outer_radius;  ///< greatest distance of a point from the origin

    [[nodiscard]] SCREE_HD const Node* nodes() const
    {
        return reinterpret_cast<const Node*>(this + 1);
    }
    [[nodiscard]] SCREE_HD const Vec3<double>* points() const
    {
        return reinterpret_cast<const Vec3<double>*>(nodes() + node_count);
    }
    [[nodiscard]] SCREE_HD const Triangle* triangles() const
    {
        return reinterpret_cast<const Triangle*>(points() + point_count);
    }
    /// Where the wings of each edge begin, and behind the last where they end.
    [[nodiscard]] SCREE_HD const std::uint32_t* wing_begin() const
    {
        return reinterpret_cast<const std::uint32_t*>(triangles() + triangle_count);
    }
    /// Of an edge: the third corner of each of its triangles.
    [[nodiscard]] SCREE_HD const std::uint32_t* wings() const
    {
        return wing_begin() + edge_count + 1;
    }
    /// The same for points: the other ends of their edges.
    [[nodiscard]] SCREE_HD const std::uint32_t* spoke_begin() const { return wings() + wing_count; }
    [[nodiscard]] SCREE_HD const std::uint32_t* spokes() const
    {
        return spoke_begin() + point_count + 1;
    }
    /// 1 for edges that two triangles of one facet share, and behind them 1 for points all of whose
    /// edges are such: no features of the surface.
    [[nodiscard]] SCREE_HD const std::uint8_t* flat_edge() const
    {
        return reinterpret_cast<const std::uint8_t*>(spokes() + spoke_count);
    }
    [[nodiscard]] SCREE_HD const std::uint8_t* flat_point() const
    {
        return flat_edge() + edge_count;
    }
};

/// Leaves have at most this many triangles; halves are equal, so that the tree is no deeper than
/// the stack of a search.
inline constexpr std::uint32_t mesh_leaf = 4;
inline constexpr int mesh_depth = 32;
inline constexpr std::uint32_t most_mesh_triangles = 1U << 28;
/// The sine of an angle up to which triangles are level and directions are allowed.
inline constexpr double mesh_level = 1e-6;

namespace shapes {

/// The one copy of a mesh, given as a block. None is ever given up, as with polyhedra.
const Mesh* kept_mesh(std::vector<std::uint64_t>&& block);

/// Squared distance of a point from a node's box.
SCREE_HD double box_distance2(const Mesh::Node& box, const Vec3<double>& p)
{
    const auto off = [](double x, double low, double high) {
        return x < low ? low - x : (x > high ? x - high : 0.0);
    };
    const double x = off(p.x, box.low.x, box.high.x), y = off(p.y, box.low.y, box.high.y),
                 z = off(p.z, box.low.z, box.high.z);
    return x * x + y * y + z * z;
}

/// visit(triangle) for all triangles whose leaf's box comes within `radius` of p, in the frame of
/// the points, until it returns true; says whether it did.
template <class F>
SCREE_HD bool for_triangles_near(const Mesh& mesh, const Vec3<double>& p, double radius, F&& visit)
{
    std::uint32_t stack[mesh_depth];
    int waiting = 0;
    const double far2 = radius * radius;
    for (std::uint32_t at = 0;;) {
        const Mesh::Node& node = mesh.nodes()[at];
        if (box_distance2(node, p) <= far2) {
            if (node.count == 0) {
                stack[waiting++] = node.first;
                ++at;
                continue;
            }
            for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
                if (visit(t)) {
                    return true;
                }
            }
        }
        if (waiting == 0) {
            return false;
        }
        at = stack[--waiting];
    }
}

/// The point of a triangle that is nearest to p, and what it lies on: 0, 1, 2 its corners, 3, 4, 5
/// the edges from them, 6 its face.
struct NearestOnTriangle {
    Vec3<double> point;
    int on;
};

SCREE_HD NearestOnTriangle nearest_on_triangle(const Vec3<double>& a, const Vec3<double>& b,
                                               const Vec3<double>& c, const Vec3<double>& p)
{
    // By the signs of the barycentric coordinates and of projections onto the edges.
    const Vec3<double> ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) {
        return {a, 0};
    }
    const Vec3<double> bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) {
        return {b, 1};
    }
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        return {a + (d1 / (d1 - d3)) * ab, 3};
    }
    const Vec3<double> cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) {
        return {c, 2};
    }
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        return {a + (d2 / (d2 - d6)) * ac, 5};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 4};
    }
    const double whole = va + vb + vc;
    return {a + (vb / whole) * ab + (vc / whole) * ac, 6};
}

/// Whether some triangle comes within `radius` of p, in the frame of the points.
SCREE_LONG bool is_near(const Mesh& mesh, const Vec3<double>& p, double radius)
{
    return for_triangles_near(mesh, p, radius, [&](std::uint32_t t) {
        const std::uint32_t* corner = mesh.triangles()[t].corner;
        const Vec3<double>* x = mesh.points();
        const Vec3<double> d =
            p - nearest_on_triangle(x[corner[0]], x[corner[1]], x[corner[2]], p).point;
        return dot(d, d) <= radius * radius;
    });
}

}  // namespace shapes

}  // namespace scree
