// The surface declared in free_surface.hpp.
#include "scree/analyse/free_surface.hpp"

#include "collide/clump.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The horizontal axis that positions do not run along.
int across(const SurfaceOptions& o) { return 3 - o.up - o.axis; }

void check(const SurfaceOptions& o)
{
    if (!std::isfinite(o.from) || !std::isfinite(o.to) || !(o.to > o.from) || o.bins < 1 ||
        o.strips < 1) {
        throw Error(
            fmt::format("surface: from {} to {} m in {} bins and {} strips; give two finite "
                        "positions, the greater one last, and at least one bin and strip",
                        o.from, o.to, o.bins, o.strips));
    }
    const auto is_axis = [](int axis) { return axis >= 0 && axis < 3; };
    if (!is_axis(o.up) || (!o.radial && (!is_axis(o.axis) || o.axis == o.up))) {
        throw Error(fmt::format("surface: vertical axis {} and horizontal axis {}; two different "
                                "ones of 0, 1, 2 (x, y, z) are needed",
                                o.up, o.axis));
    }
    if (!o.radial && o.strips > 1 &&
        !std::isfinite(along(o.region.high, across(o)) - along(o.region.low, across(o)))) {
        throw Error(fmt::format("surface: {} strips need a region with borders along {}", o.strips,
                                "xyz"[across(o)]));
    }
}

/// Position and a number 0 … 1 across, of a body's origin.
struct Place {
    double position, strip;
};

Place place_of(const SurfaceOptions& o, const Vec& p)
{
    if (o.radial) {
        const Vec d = p - o.centre;
        const double a = along(d, (o.up + 1) % 3), b = along(d, (o.up + 2) % 3);
        return {std::hypot(a, b), 0.5 + std::atan2(b, a) / (2 * std::numbers::pi)};
    }
    const double low = along(o.region.low, across(o)), high = along(o.region.high, across(o));
    return {along(p, o.axis) - along(o.centre, o.axis),
            o.strips > 1 ? (along(p, across(o)) - low) / (high - low) : 0};
}

double top_of(const Frame& frame, std::size_t i, const Vec& up)
{
    return dot(up, collide::farthest_point(frame.shapes[i],
                                           {frame.positions[i], frame.orientations[i]}, up));
}

}  // namespace

SurfaceProfile surface_profile(const Frame& frame, const SurfaceOptions& o)
{
    check(o);
    const auto bins = static_cast<std::size_t>(o.bins), strips = static_cast<std::size_t>(o.strips);
    const Vec up{o.up == 0 ? 1.0 : 0.0, o.up == 1 ? 1.0 : 0.0, o.up == 2 ? 1.0 : 0.0};
    std::vector<double> top(bins * strips, -unbounded);
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        const Place place = place_of(o, frame.positions[i]);
        if (!o.region.contains(frame.positions[i]) ||
            !(place.position >= o.from && place.position < o.to)) {
            continue;
        }
        const auto bin = std::min(bins - 1, static_cast<std::size_t>((place.position - o.from) /
                                                                     (o.to - o.from) * o.bins));
        const auto strip = std::min(strips - 1, static_cast<std::size_t>(place.strip * o.strips));
        double& highest = top[bin * strips + strip];
        highest = std::max(highest, top_of(frame, i, up));
    }
    SurfaceProfile profile;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        double count = 0, sum = 0, squares = 0;
        const auto heights = std::span(top).subspan(bin * strips, strips);
        for (const double h : heights) {
            count += std::isfinite(h) ? 1 : 0;
            sum += std::isfinite(h) ? h : 0;
        }
        const double mean = count > 0 ? sum / count : nan;
        for (const double h : heights) {
            squares += std::isfinite(h) ? (h - mean) * (h - mean) : 0;
        }
        profile.position.push_back(o.from +
                                   (o.to - o.from) * (static_cast<double>(bin) + 0.5) / o.bins);
        profile.height.push_back(mean);
        profile.deviation.push_back(count > 1 ? std::sqrt(squares / (count - 1)) : nan);
    }
    return profile;
}

Series SurfaceProfile::table() const
{
    Series t;
    t.columns = {
        {"position", "m", position}, {"height", "m", height}, {"deviation", "m", deviation}};
    return t;
}

SurfaceSlope surface_slope(const SurfaceProfile& profile, double from, double to)
{
    std::vector<double> x, y;
    for (std::size_t i = 0; i < profile.position.size(); ++i) {
        if (profile.position[i] >= from && profile.position[i] <= to) {
            x.push_back(profile.position[i]);
            y.push_back(profile.height[i]);
        }
    }
    const LinearFit line = fit_line(x, y);
    return {line, std::atan(line.slope), line.slope_error / (1 + line.slope * line.slope)};
}

double surface_front(const SurfaceProfile& profile, double least_height)
{
    const auto& [x, h, deviation] = profile;
    for (std::size_t i = x.size(); i-- > 0;) {
        if (h[i] >= least_height) {
            if (i + 1 == x.size() || std::isnan(h[i + 1])) {
                return x[i];
            }
            return x[i] + (x[i + 1] - x[i]) * (h[i] - least_height) / (h[i] - h[i + 1]);
        }
    }
    return nan;
}

}  // namespace scree::analyse
