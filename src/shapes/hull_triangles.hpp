// The convex hull of points as triangles, by quickhull with exact arithmetic: coordinates are
// rounded to integers of 39 bits, for which the side of a plane that a point is on is known without
// error, so that the result is a closed surface whatever the points are.
#pragma once

#include "math/vec.hpp"

#include <array>
#include <span>
#include <vector>

namespace scree::shapes {

using Triangle = std::array<int, 3>;  ///< counter-clockwise seen from outside

/// Empty if all points lie in a plane. The points are finite.
std::vector<Triangle> hull_triangles(std::span<const Vec3<double>> points);

}  // namespace scree::shapes
