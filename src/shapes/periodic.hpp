#pragma once

#include "math/vec.hpp"
#include "shapes/ball.hpp"

namespace scree::shapes {

SCREE_HD bool is_periodic(const Periodic& box)
{
    return box.length[0] > 0 || box.length[1] > 0 || box.length[2] > 0;
}

/// A vector between two points of the box, as one between their nearest images.
template <class T> SCREE_HD Vec3<T> between_images(Vec3<T> d, const Periodic& box)
{
    using namespace lane;
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
/// The vector from b to a, of the nearest images.
SCREE_HD Vec3<double> image_difference(const Ball& a, const Ball& b, const Periodic& box)
{
    return between_images(Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z}, box);
}

}  // namespace scree::shapes
