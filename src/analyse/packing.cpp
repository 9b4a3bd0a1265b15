// The measures declared in packing.hpp.
#include "scree/analyse/packing.hpp"

#include "analyse/body_index.hpp"
#include "analyse/solid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::analyse {

namespace {

/// Which bodies touch which, each pair once.
struct Neighbours {
    std::vector<std::size_t> begin;  ///< of each body's part of `list`
    std::vector<std::size_t> list;

    Neighbours(std::vector<std::pair<std::size_t, std::size_t>> pairs, std::size_t bodies)
        : begin(bodies + 1, 0)
    {
        const std::size_t count = pairs.size();
        for (std::size_t k = 0; k < count; ++k) {
            pairs.emplace_back(pairs[k].second, pairs[k].first);
        }
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const auto& [i, j] : pairs) {
            ++begin[i + 1];
            list.push_back(j);
        }
        for (std::size_t i = 0; i < bodies; ++i) {
            begin[i + 1] += begin[i];
        }
    }
    [[nodiscard]] std::span<const std::size_t> of(std::size_t i) const
    {
        return std::span(list).subspan(begin[i], begin[i + 1] - begin[i]);
    }
};

/// How many neighbours each body keeps when dynamic ones with fewer than `least` are taken away
/// until none is left; 0 for those taken away.
std::vector<std::size_t> core_degrees(const Neighbours& neighbours, std::size_t dynamic,
                                      std::size_t bodies, std::size_t least)
{
    std::vector<std::size_t> degree(bodies);
    std::vector<char> taken(bodies, 0);
    std::vector<std::size_t> doomed;
    for (std::size_t i = 0; i < bodies; ++i) {
        degree[i] = neighbours.of(i).size();
        if (i < dynamic && degree[i] < least) {
            taken[i] = 1;
            doomed.push_back(i);
        }
    }
    while (!doomed.empty()) {
        const std::size_t i = doomed.back();
        doomed.pop_back();
        degree[i] = 0;
        for (const std::size_t j : neighbours.of(i)) {
            if (taken[j] == 0 && --degree[j] < least && j < dynamic) {
                taken[j] = 1;
                doomed.push_back(j);
            }
        }
    }
    return degree;
}

double ratio(double a, std::size_t b) { return a / static_cast<double>(b); }

}  // namespace

Packing packing(const Frame& frame, const Region& region, std::size_t rattlers_below)
{
    Packing p;
    const std::size_t bodies = frame.ids.size(), dynamic = frame.dynamic_count;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    Tensor fabric{};
    for_each_contact(frame, [&](const Contact& c, std::size_t i, std::size_t j) {
        if (!c.touching) {
            return;
        }
        pairs.emplace_back(i, j);
        if (!region.contains(c.point)) {
            return;
        }
        if (i < dynamic && j < dynamic) {
            ++p.contacts;
            fabric = fabric + dyad(c.normal, c.normal);
        } else {
            ++p.wall_contacts;
        }
        p.loaded += is_zero(c.impulse) ? 0U : 1U;
        if (-c.gap > p.deepest.depth) {
            p.deepest = {-c.gap, c.point, c.first, c.second};
        }
    });
    p.fabric = (1 / static_cast<double>(p.contacts)) * fabric;
    p.fabric_principal = principal(p.fabric);

    const Neighbours neighbours(std::move(pairs), bodies);
    const std::vector<std::size_t> kept = core_degrees(neighbours, dynamic, bodies, rattlers_below);
    double touched = 0, touched_particles = 0, touched_kept = 0;
    for (std::size_t i = 0; i < dynamic; ++i) {
        if (!region.contains(frame.positions[i])) {
            continue;
        }
        ++p.particles;
        const auto around = neighbours.of(i);
        touched += static_cast<double>(around.size());
        touched_particles += static_cast<double>(std::count_if(
            around.begin(), around.end(), [&](std::size_t j) { return j < dynamic; }));
        touched_kept += static_cast<double>(kept[i]);
        // Whoever keeps fewer than asked for was taken away.
        p.rattlers += kept[i] < rattlers_below ? 1U : 0U;
        p.histogram.resize(std::max(p.histogram.size(), around.size() + 1), 0);
        ++p.histogram[around.size()];
    }
    p.contacts_per_particle =
        ratio(2 * static_cast<double>(p.contacts + p.wall_contacts), p.particles);
    p.coordination = ratio(touched, p.particles);
    p.coordination_between_particles = ratio(touched_particles, p.particles);
    p.coordination_without_rattlers = ratio(touched_kept, p.particles - p.rattlers);
    return p;
}

SolidFraction solid_fraction(const Frame& frame, const Region& region)
{
    SolidFraction f{};
    f.space = free_volume(frame, region);
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        const Shape& shape = frame.shapes[i];
        f.particles += volume_inside(shape, frame.positions[i], frame.orientations[i], region);
        f.particles_by_centre += region.contains(frame.positions[i]) ? volume(shape) : 0;
    }
    f.fraction = f.particles / f.space;
    f.fraction_by_centre = f.particles_by_centre / f.space;
    return f;
}

Vec axis_of(const Shape& shape)
{
    const Region box = bounds_of(shape, {0, 0, 0}, {1, 0, 0, 0});
    const Vec size = box.high - box.low;
    std::array<int, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return along(size, i) > along(size, j); });
    const double long_one = along(size, order[0]), middle = along(size, order[1]),
                 short_one = along(size, order[2]);
    const double equal = 1e-9 * long_one;
    if (long_one - short_one <= equal) {
        return {0, 0, 0};
    }
    const int axis = long_one - middle > equal ? order[0] : order[2];
    return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

OrientationOrder orientation_order(const Frame& frame, const Region& region)
{
    OrientationOrder o;
    Tensor sum{};
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        const Vec axis = axis_of(frame.shapes[i]);
        if (!is_zero(axis) && region.contains(frame.positions[i])) {
            const Vec u = rotate(frame.orientations[i], axis);
            sum = sum + dyad(u, u);
            ++o.particles;
        }
    }
    const Tensor mean = (1.5 / static_cast<double>(o.particles)) * sum;
    o.nematic = mean + Tensor{-0.5, 0, 0, -0.5, 0, -0.5};
    o.principal = principal(o.nematic);
    o.order = o.principal.values[0];
    o.director = o.principal.directions[0];
    return o;
}

}  // namespace scree::analyse
