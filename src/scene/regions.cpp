#include "scene/regions.hpp"

#include "math/vec.hpp"

#include <cmath>

namespace scree::scene {

using Vec = Vec3<double>;

bool inside(const RegionTable& r, const Vec& p, double radius)
{
    switch (r.kind) {
    case RegionKind::box:
        return p.x - radius >= r.min.x && p.x + radius <= r.max.x && p.y - radius >= r.min.y &&
               p.y + radius <= r.max.y && p.z - radius >= r.min.z && p.z + radius <= r.max.z;
    case RegionKind::cylinder: {
        const Vec axis = normalised(r.axis);
        const Vec d = p - r.centre;
        const double along = dot(d, axis);
        return std::abs(along) + radius <= r.length / 2 &&
               norm(d - along * axis) + radius <= r.radius;
    }
    case RegionKind::sphere: return norm(p - r.centre) + radius <= r.radius;
    }
    return false;
}

Box box_of(const RegionTable& r)
{
    if (r.kind == RegionKind::box) {
        return {r.min, r.max};
    }
    Vec half{r.radius, r.radius, r.radius};
    if (r.kind == RegionKind::cylinder) {
        half = {r.axis.x != 0 ? r.length / 2 : r.radius, r.axis.y != 0 ? r.length / 2 : r.radius,
                r.axis.z != 0 ? r.length / 2 : r.radius};
    }
    return {r.centre - half, r.centre + half};
}

std::uint64_t grid_places(const RegionTable& region, const Vec& spacing,
                          const std::function<void(const Vec&)>& visit)
{
    const Box box = box_of(region);
    const auto count = [](double length, double step) {
        return static_cast<std::int64_t>(std::floor(length / step * (1 + 1e-12)));
    };
    const std::int64_t nx = count(box.max.x - box.min.x, spacing.x);
    const std::int64_t ny = count(box.max.y - box.min.y, spacing.y);
    const std::int64_t nz = count(box.max.z - box.min.z, spacing.z);
    const auto at = [](double from, double step, std::int64_t i) {
        return from + (static_cast<double>(i) + 0.5) * step;
    };
    std::uint64_t places = 0;
    for (std::int64_t i = 0; i < nx; ++i) {
        for (std::int64_t j = 0; j < ny; ++j) {
            for (std::int64_t k = 0; k < nz; ++k) {
                const Vec p{at(box.min.x, spacing.x, i), at(box.min.y, spacing.y, j),
                            at(box.min.z, spacing.z, k)};
                if (inside(region, p, 0)) {
                    ++places;
                    visit(p);
                }
            }
        }
    }
    return places;
}

}  // namespace scree::scene
