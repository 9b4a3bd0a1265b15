#include "scene/grain_sizes.hpp"

#include "math/elementary.hpp"
#include "math/random.hpp"

#include <algorithm>
#include <cmath>

namespace scree::scene {

namespace {

constexpr std::uint64_t size_draws = 1000;  ///< first number of the draws for sizes

/// A point in the unit disc, by rejection.
struct DiscPoint {
    double x, y, square;
};
DiscPoint draw_in_disc(std::uint64_t seed, std::uint64_t id, std::uint64_t& draw)
{
    for (;;) {
        const double x = math::uniform(seed, id, draw++, -1, 1);
        const double y = math::uniform(seed, id, draw++, -1, 1);
        const double square = x * x + y * y;
        if (square < 1 && square > 0) {
            return {x, y, square};
        }
    }
}

/// By number, from a curve by mass: within each class mass is spread evenly over diameters, so that
/// numbers go as d⁻³.
double draw_sieve(const SizeTable& s, std::uint64_t seed, std::uint64_t id)
{
    const auto weight = [&](std::size_t i) {
        const double a = s.curve[i][0], b = s.curve[i + 1][0];
        return (s.curve[i + 1][1] - s.curve[i][1]) / (b - a) * (1 / (a * a) - 1 / (b * b)) / 2;
    };
    double sum = 0;
    for (std::size_t i = 0; i + 1 < s.curve.size(); ++i) {
        sum += weight(i);
    }
    double left = sum * math::uniform(seed, id, size_draws);
    std::size_t i = 0;
    while (i + 2 < s.curve.size() && left >= weight(i)) {
        left -= weight(i++);
    }
    const double a = s.curve[i][0], b = s.curve[i + 1][0];
    const double u = math::uniform(seed, id, size_draws + 1);
    return 1 / std::sqrt(1 / (a * a) - u * (1 / (a * a) - 1 / (b * b)));
}

}  // namespace

double draw_normal(std::uint64_t seed, std::uint64_t id, std::uint64_t draw)
{
    const DiscPoint p = draw_in_disc(seed, id, draw);
    return p.x * std::sqrt(-2 * math::logarithm(p.square) / p.square);
}

Quat<double> draw_orientation(std::uint64_t seed, std::uint64_t id, std::uint64_t draw)
{
    const DiscPoint a = draw_in_disc(seed, id, draw);
    const DiscPoint b = draw_in_disc(seed, id, draw);
    const double s = std::sqrt((1 - a.square) / b.square);
    return {a.x, a.y, b.x * s, b.y * s};
}

double draw_diameter(const SizeTable& s, std::uint64_t seed, std::uint64_t id)
{
    switch (s.kind) {
    case SizeKind::monodisperse: return s.diameter;
    case SizeKind::uniform: return math::uniform(seed, id, size_draws, s.min, s.max);
    case SizeKind::sieve: return draw_sieve(s, seed, id);
    default: break;
    }
    // Mean μ and deviation σ of the diameter give those of its logarithm.
    const double ratio = s.deviation / s.mean;
    const double log_variance = math::logarithm(1 + ratio * ratio);
    double last = s.mean;
    for (std::uint64_t attempt = 0; attempt < 1000; ++attempt) {
        const double x = draw_normal(seed, id, size_draws + 1000 * attempt);
        last = s.kind == SizeKind::normal
                   ? s.mean + s.deviation * x
                   : s.mean * math::exponential(std::sqrt(log_variance) * x - log_variance / 2);
        if (last >= s.min && last <= s.max && last > 0) {
            return last;
        }
    }
    return std::min(std::max({last, s.min, 1e-3 * s.mean}), s.max);
}

}  // namespace scree::scene
