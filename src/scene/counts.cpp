#include "scene/counts.hpp"

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/regions.hpp"
#include "scene/sizes.hpp"
#include "scree/query.hpp"

#include <algorithm>
#include <cmath>

namespace scree::scene {

namespace {

/// What runs of a source: from its start to its stop or the end of the run [s].
double time_of(const SourceTable& source, const TimeTable& time)
{
    return std::max(0.0, std::min(source.stop, time.end) - source.start);
}

}  // namespace

double volume_of(const RegionTable& r)
{
    switch (r.kind) {
    case RegionKind::cylinder: return math::pi * r.radius * r.radius * r.length;
    case RegionKind::sphere: return 4 * math::pi / 3 * r.radius * r.radius * r.radius;
    default: break;
    }
    const Vec3<double> size = r.max - r.min;
    return size.x * size.y * size.z;
}

double mean_volume(const GrainTable& table, std::int64_t seed)
{
    if (!table.sizes) {
        return volume(table.shape.shape());
    }
    constexpr std::uint64_t draws = 100;
    double sum = 0;
    for (std::uint64_t id = 0; id < draws; ++id) {
        const double d = draw_diameter(*table.sizes, static_cast<std::uint64_t>(seed), id);
        sum += math::pi / 6 * d * d * d;
    }
    return sum / static_cast<double>(draws);
}

double places_of(const RegionTable& region, const Vec3<double>& spacing)
{
    const Box box = box_of(region);
    const Vec3<double> size = box.max - box.min;
    return std::max(1.0, size.x / spacing.x) * std::max(1.0, size.y / spacing.y) *
           std::max(1.0, size.z / spacing.z);
}

double grains_of(const FillTable& table, std::int64_t seed)
{
    if (table.kind == FillKind::grid) {
        return places_of(table.region, table.spacing);
    }
    if (table.count > 0) {
        return static_cast<double>(table.count);
    }
    const double v = mean_volume(table, seed);
    const double share = table.kind == FillKind::random ? table.fraction : 0.5;
    return v > 0 ? share * volume_of(table.region) / v : 0;
}

double layers_of(const SourceTable& piston, const TimeTable& time)
{
    return time_of(piston, time) * piston.speed / piston.distance;
}

double grains_of(const SourceTable& rain, const TimeTable& time)
{
    const double all = rain.rate * time_of(rain, time);
    return rain.count > 0 ? std::min(all, static_cast<double>(rain.count)) : all;
}

}  // namespace scree::scene
