// Bounding boxes and checks declared in region.hpp.
#include "scree/analyse/region.hpp"

#include "collide/clump.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace scree::analyse {

Region bounds_of(const Shape& shape, const Vec& position, const Quat<double>& orientation)
{
    const auto reach = [&](const Vec& m) {
        return dot(m, collide::farthest_point(shape, {position, orientation}, m));
    };
    return {{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})},
            {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})}};
}

Region bounds_of(const Frame& frame)
{
    if (frame.dynamic_count == 0) {
        return everywhere;
    }
    Region all{everywhere.high, everywhere.low};
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        const Region one = bounds_of(frame.shapes[i], frame.positions[i], frame.orientations[i]);
        all.low = {std::min(all.low.x, one.low.x), std::min(all.low.y, one.low.y),
                   std::min(all.low.z, one.low.z)};
        all.high = {std::max(all.high.x, one.high.x), std::max(all.high.y, one.high.y),
                    std::max(all.high.z, one.high.z)};
    }
    return all;
}

void require_bounded(const Region& region, const char* what)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double low = along(region.low, axis), high = along(region.high, axis);
        if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) {
            throw Error(fmt::format("{}: the region reaches from {} to {} m along {}; give two "
                                    "finite numbers, the greater one last",
                                    what, low, high, "xyz"[axis]));
        }
    }
}

}  // namespace scree::analyse
