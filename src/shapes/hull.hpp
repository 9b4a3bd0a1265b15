// Convex hulls of points as polyhedra with polygons for faces.
#pragma once

#include "shapes/polyhedron.hpp"

#include <span>
#include <vector>

namespace scree::shapes {

/// Memory that begins with a Polyhedron, see there.
using PolyhedronBlock = std::vector<std::uint64_t>;

/// The convex hull. Points that are within 1e-6 of the largest extent of a face's plane belong to
/// the face, so that coordinates rounded to single precision give whole faces and not slivers. Of
/// the points those that are corners stay, in their order and to the bit; given these alone, the
/// result is the same. Throws Error for points that are too few, too many, not finite or in a
/// plane.
PolyhedronBlock convex_hull(std::span<const Vec3<double>> points);

inline const Polyhedron& polyhedron_in(const PolyhedronBlock& block)
{
    return *reinterpret_cast<const Polyhedron*>(block.data());
}

/// The one copy of a polyhedron. None is ever given up, so that shapes are plain values: a program
/// makes few polyhedra, and grains of different sizes share one.
const Polyhedron* kept(PolyhedronBlock&& block);

}  // namespace scree::shapes
