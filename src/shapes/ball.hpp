// Balls about bodies: a centre and a radius.
#pragma once

#include "shapes/periodic.hpp"

namespace scree::shapes {

/// A bounding sphere, with whatever margin the caller wants already in its radius.
struct alignas(32) Ball {
    double x, y, z, r;

    [[nodiscard]] SCREE_HD double coordinate(int axis) const
    {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
};

/// The vector from b to a, of the nearest images.
SCREE_HD Vec3<double> image_difference(const Ball& a, const Ball& b, const Periodic& box)
{
    return between_images(Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z}, box);
}

/// |x_a − x_b| ≤ r_a + r_b, of the nearest images. The same for (b, a).
SCREE_HD bool overlap(const Ball& a, const Ball& b, const Periodic& box)
{
    const double dx = image_distance(a.x - b.x, box.length[0]);
    const double dy = image_distance(a.y - b.y, box.length[1]);
    const double dz = image_distance(a.z - b.z, box.length[2]);
    const double reach = a.r + b.r;
    return dx * dx + dy * dy + dz * dz <= reach * reach;
}

}  // namespace scree::shapes
