// The function declared in radial_distribution.hpp. Particles are sorted into cells at least r_max
// wide, so that partners are found in neighbouring cells.
#include "analyse/radial_distribution.hpp"

#include "analyse/solid.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

/// Points by cell, cells along x first.
class Cells {
public:
    Cells(const std::vector<Vec>& points, const Region& box, double least_width) : low_(box.low)
    {
        // Not many more cells than points.
        const double width =
            std::max(least_width, std::cbrt(box.volume() / static_cast<double>(points.size() + 1)));
        for (int axis = 0; axis < 3; ++axis) {
            const double length = along(box.high, axis) - along(box.low, axis);
            const auto i = static_cast<std::size_t>(axis);
            count_[i] = std::max(1, static_cast<int>(length / width));
            scale_[i] = count_[i] / length;
        }
        begin_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                              static_cast<std::size_t>(count_[2]) +
                          1,
                      0);
        for (const Vec& p : points) {
            ++begin_[cell_of(p) + 1];
        }
        for (std::size_t c = 1; c < begin_.size(); ++c) {
            begin_[c] += begin_[c - 1];
        }
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        sorted_.resize(points.size());
        for (const Vec& p : points) {
            sorted_[next[cell_of(p)]++] = p;
        }
    }

    /// Calls visit(a, b) once for each pair of points in the same or neighbouring cells.
    template <class Visit> void for_each_pair(const Visit& visit) const
    {
        for (int z = 0; z < count_[2]; ++z) {
            for (int y = 0; y < count_[1]; ++y) {
                for (int x = 0; x < count_[0]; ++x) {
                    const std::span<const Vec> here = cell(x, y, z);
                    for (std::size_t i = 0; i < here.size(); ++i) {
                        for (std::size_t j = 0; j < i; ++j) {
                            visit(here[i], here[j]);
                        }
                    }
                    for (int n = 14; n < 27; ++n) {  // the half of the neighbours that comes later
                        for (const Vec& other :
                             cell(x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1)) {
                            for (const Vec& p : here) {
                                visit(p, other);
                            }
                        }
                    }
                }
            }
        }
    }

private:
    [[nodiscard]] std::size_t number(int x, int y, int z) const
    {
        return static_cast<std::size_t>(x) +
               static_cast<std::size_t>(count_[0]) *
                   (static_cast<std::size_t>(y) +
                    static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(z));
    }
    [[nodiscard]] std::size_t cell_of(const Vec& p) const
    {
        const Vec d = p - low_;
        return number(std::min(count_[0] - 1, static_cast<int>(d.x * scale_[0])),
                      std::min(count_[1] - 1, static_cast<int>(d.y * scale_[1])),
                      std::min(count_[2] - 1, static_cast<int>(d.z * scale_[2])));
    }
    [[nodiscard]] std::span<const Vec> cell(int x, int y, int z) const
    {
        if (x < 0 || y < 0 || z < 0 || x >= count_[0] || y >= count_[1] || z >= count_[2]) {
            return {};
        }
        const std::size_t c = number(x, y, z);
        return std::span(sorted_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
    }

    Vec low_;
    std::array<int, 3> count_{};
    std::array<double, 3> scale_{};
    std::vector<std::size_t> begin_;
    std::vector<Vec> sorted_;
};

void check(const RadialOptions& o)
{
    if (!(o.r_max > 0 && std::isfinite(o.r_max)) || o.bins < 1 ||
        !(o.diameter >= 0 && std::isfinite(o.diameter))) {
        throw Error(
            fmt::format("radial distribution: r_max = {} diameters, {} bins, diameter {} m; "
                        "r_max must be positive, there must be a bin, and the diameter is "
                        "positive or 0 for the mean one",
                        o.r_max, o.bins, o.diameter));
    }
}

struct Particles {
    std::vector<Vec> points;
    double diameters = 0;  ///< of all together [m]
};
Particles particles_in(const Region& region, const Frame& frame)
{
    Particles inside;
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (region.contains(frame.positions[i])) {
            inside.points.push_back(frame.positions[i]);
            inside.diameters += std::cbrt(6 / std::numbers::pi * volume(frame.shapes[i]));
        }
    }
    return inside;
}

/// Pairs of points by their distance, and the sums of what each counts for in a region of which a
/// border cuts off others.
struct PairBins {
    std::vector<double> pairs, weights;
};
PairBins pair_bins(const std::vector<Vec>& points, const Region& region, double r_max,
                   std::size_t bins)
{
    const double width = r_max / static_cast<double>(bins);
    const Vec edge = region.high - region.low;
    PairBins all{std::vector<double>(bins, 0), std::vector<double>(bins, 0)};
    Cells(points, region, r_max).for_each_pair([&](const Vec& a, const Vec& b) {
        const Vec d = a - b;
        const double r2 = dot(d, d);
        if (r2 < r_max * r_max) {
            const std::size_t bin =
                std::min(bins - 1, static_cast<std::size_t>(std::sqrt(r2) / width));
            all.pairs[bin] += 1;
            all.weights[bin] += 1 / ((edge.x - std::abs(d.x)) * (edge.y - std::abs(d.y)) *
                                     (edge.z - std::abs(d.z)));
        }
    });
    return all;
}

}  // namespace

RadialDistribution radial_distribution(const Frame& frame, const Region& region,
                                       const RadialOptions& options)
{
    require_bounded(region, "radial distribution");
    check(options);
    RadialDistribution g;
    const auto [points, diameters] = particles_in(region, frame);
    const auto n = static_cast<double>(points.size());
    g.particles = points.size();
    g.diameter = options.diameter > 0 ? options.diameter : diameters / n;
    g.density = n / region.volume();
    if (points.size() < 2) {
        throw Error(fmt::format("radial distribution: {} particles in the region; at least 2 are "
                                "needed. Choose a larger region",
                                points.size()));
    }

    const auto bins = static_cast<std::size_t>(options.bins);
    const double r_max = options.r_max * g.diameter, width = r_max / options.bins;
    const Vec edge = region.high - region.low;
    const auto [pairs, weights] = pair_bins(points, region, r_max, bins);
    const double least_edge = std::min({edge.x, edge.y, edge.z});
    double neighbours = 0;
    for (std::size_t k = 0; k < bins; ++k) {
        const double inner = width * static_cast<double>(k);
        const double outer = width * static_cast<double>(k + 1);
        const double shell =
            4 * std::numbers::pi / 3 * (outer * outer * outer - inner * inner * inner);
        const bool fits = outer <= least_edge;
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        // Each pair counts for both of its particles.
        neighbours += 2 * weights[k] / g.density;
        g.r.push_back((static_cast<double>(k) + 0.5) * options.r_max / options.bins);
        g.paper.push_back(2 * pairs[k] / n / (g.density * shell));
        const double squared_density = n * (n - 1) / (region.volume() * region.volume());
        const double corrected = 2 * weights[k] / (squared_density * shell);
        g.corrected.push_back(fits ? corrected : nan);
        g.error.push_back(fits ? (pairs[k] > 0 ? corrected / std::sqrt(pairs[k]) : 0) : nan);
        g.neighbours.push_back(fits ? neighbours : nan);
    }
    return g;
}

Series RadialDistribution::table() const
{
    Series t;
    t.columns = {{"r / diameter", "", r},
                 {"g", "", paper},
                 {"g corrected", "", corrected},
                 {"error", "", error},
                 {"neighbours", "", neighbours}};
    return t;
}

}  // namespace scree::analyse
