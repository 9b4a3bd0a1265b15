// Volumes: of shapes, of the part of a shape inside a region, and of what obstacles and walls leave
// free of a region. A line meets a convex body in one interval, known in closed form for every
// shape; volumes that have no closed form are sums over a grid of lines.
#pragma once

#include "analyse/ray_interval.hpp"

namespace scree::analyse {

/// Of a bounded shape [m³]; a capsule of radius 0 has none. Throws Error for walls.
double volume(const Shape& shape);

/// Where the line p + t d lies inside a bounded shape, or inside a wall's free space. d must not be
/// zero.
Interval chord(const Shape& shape, const Vec& position, const Quat<double>& orientation,
               const Vec& p, const Vec& d);

/// Volume of a bounded shape's part inside a region [m³]. Spheres: exact where no two neighbouring
/// faces cut the sphere at the same place, else to about 1e-5 of it. Other shapes that a face cuts:
/// by lines, to about 1e-3 of them.
double volume_inside(const Shape& shape, const Vec& position, const Quat<double>& orientation,
                     const Region& region);

/// Volume of a bounded region outside all prescribed bodies and walls [m³]: exact to the accuracy
/// of `volume_inside` where obstacles are apart and no wall reaches in, else to about 1e-3 of the
/// region.
double free_volume(const Frame& frame, const Region& region);

}  // namespace scree::analyse
