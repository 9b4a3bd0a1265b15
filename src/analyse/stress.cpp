// The averages declared in stress.hpp.
#include "scree/analyse/stress.hpp"

#include "analyse/body_index.hpp"
#include "math/vec.hpp"

#include <algorithm>
#include <cmath>

namespace scree::analyse {

namespace {

/// Part of the way from a to b that lies in the region.
double part_inside(const Vec& a, const Vec& b, const Region& region)
{
    double enter = 0, leave = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double from = along(a, axis), way = along(b, axis) - from;
        const double low = along(region.low, axis) - from, high = along(region.high, axis) - from;
        if (way == 0) {
            if (low > 0 || high <= 0) {
                return 0;
            }
            continue;
        }
        enter = std::max(enter, std::min(low / way, high / way));
        leave = std::min(leave, std::max(low / way, high / way));
    }
    return std::max(0.0, leave - enter);
}

void add_particles(const Frame& frame, const Region& region, Stress& s)
{
    const auto taken = [&](std::size_t i) {
        return region.contains(frame.positions[i]) && std::isfinite(frame.masses[i]);
    };
    Vec momentum{0, 0, 0};
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (taken(i)) {
            ++s.particles;
            s.mass += frame.masses[i];
            momentum = momentum + frame.masses[i] * frame.velocities[i];
        }
    }
    s.velocity = (1 / s.mass) * momentum;
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (taken(i)) {
            const Vec v = frame.velocities[i] - s.velocity;
            s.kinetic = s.kinetic + frame.masses[i] * dyad(v, v);
        }
    }
    s.temperature = trace(s.kinetic) / (3 * s.mass);
}

void add_contacts(const Frame& frame, const Region& region, const Vec& period, Stress& s)
{
    // Contact points are of the beginning of the step; so must be the centres.
    const auto lever = [&](std::size_t i, const Vec& point) -> Vec {
        if (i >= frame.dynamic_count) {
            return {0, 0, 0};
        }
        const Vec offset = mass_properties(frame.shapes[i], 1).centre;
        const Vec centre = frame.positions[i] + rotate(frame.orientations[i], offset) -
                           frame.time_step * frame.velocities[i];
        return nearest_image(centre - point, period);
    };
    for_each_contact(frame, [&](const Contact& c, std::size_t i, std::size_t j) {
        const Vec first = lever(i, c.point), second = lever(j, c.point);
        const double part = part_inside(c.point + first, c.point + second, region);
        if (part > 0) {
            const Vec force = (1 / frame.time_step) * c.impulse;
            s.contact = s.contact + part * dyad(force, first - second);
        }
    });
}

}  // namespace

Vec nearest_image(const Vec& difference, const Vec& period)
{
    const auto nearest = [](double d, double length) {
        return length > 0 ? d - length * std::round(d / length) : d;
    };
    return {nearest(difference.x, period.x), nearest(difference.y, period.y),
            nearest(difference.z, period.z)};
}

Stress stress(const Frame& frame, const Region& region, const Vec& period)
{
    require_bounded(region, "stress");
    Stress s;
    add_particles(frame, region, s);
    add_contacts(frame, region, period, s);
    s.kinetic = (1 / region.volume()) * s.kinetic;
    s.contact = (1 / region.volume()) * s.contact;
    s.total = s.kinetic + s.contact;
    s.principal = principal(s.total);
    s.pressure = trace(s.total) / 3;
    s.deviator = deviator(s.total);
    return s;
}

}  // namespace scree::analyse
