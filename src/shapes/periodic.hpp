// A box that repeats itself: where the image of a point inside it is, and the nearest images of two
// points.
#pragma once

#include "math/vec.hpp"

namespace scree::shapes {

/// Periods along the axes; a length of 0 means that the axis is not periodic. Balls need not lie
/// inside [origin, origin + length).
struct Periodic {
    double length[3] = {0, 0, 0};
    double origin[3] = {0, 0, 0};

    /// Whether a coordinate is inside the box; for periodic axes.
    template <class T> [[nodiscard]] SCREE_HD math::mask_of<T> inside(const T& x, int axis) const
    {
        const T d = x - T(origin[axis]);
        return d >= T(0) && d < T(length[axis]);
    }
    /// The image of a coordinate inside the box. Most are inside, which needs no division to see.
    [[nodiscard]] SCREE_HD double wrapped(double x, int axis) const
    {
        const double L = length[axis];
        return L > 0 && !inside(x, axis) ? x - L * ::floor((x - origin[axis]) / L) : x;
    }
};

SCREE_HD bool is_periodic(const Periodic& box)
{
    return box.length[0] > 0 || box.length[1] > 0 || box.length[2] > 0;
}

/// Distance along an axis of period L (0: none) between points d apart: the nearest image's.
SCREE_HD double image_distance(double d, double L)
{
    d = math::abs(d);
    if (L > 0) {
        if (d >= L) {
            d -= L * ::floor(d / L);
        }
        const double other = L - d;
        d = d < other ? d : other;
    }
    return d;
}

/// A vector between two points of the box, as one between their nearest images. Points inside the
/// box are less than a period apart, which makes this quicker than image_distance.
template <class T> SCREE_HD Vec3<T> between_images(Vec3<T> d, const Periodic& box)
{
    using namespace math;
    // An axis that is not periodic is tested first, since the sign of a difference is a coin's
    // toss.
    const auto nearest = [](T& x, double length) {
        if (length > 0) {
            const T whole(length), half(0.5 * length);
            x = select(x > half, x - whole, select(x < minus(half), x + whole, x));
        }
    };
    nearest(d.x, box.length[0]);
    nearest(d.y, box.length[1]);
    nearest(d.z, box.length[2]);
    return d;
}

}  // namespace scree::shapes
