#pragma once

#include "math/lane.hpp"

namespace scree::shapes {

/// A bounding sphere, with whatever margin the caller wants already in its radius.
struct alignas(32) Ball {
    double x, y, z, r;

    [[nodiscard]] SCREE_HD double coordinate(int axis) const
    {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
};

/// Periods along the axes; a length of 0 means that the axis is not periodic. Balls need not lie
/// inside [origin, origin + length).
struct Periodic {
    double length[3] = {0, 0, 0};
    double origin[3] = {0, 0, 0};

    /// The image of a coordinate inside the box.
    [[nodiscard]] SCREE_HD double wrapped(double x, int axis) const
    {
        const double L = length[axis];
        const double d = x - origin[axis];
        return L > 0 && (d < 0 || d >= L) ? x - L * ::floor(d / L) : x;
    }
};

/// Distance along an axis of period L (0: none) between points d apart: the nearest image's.
SCREE_HD double image_distance(double d, double L)
{
    d = lane::abs(d);
    if (L > 0) {
        if (d >= L) {
            d -= L * ::floor(d / L);
        }
        const double other = L - d;
        d = d < other ? d : other;
    }
    return d;
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
