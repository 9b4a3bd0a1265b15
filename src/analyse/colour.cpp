// The colours declared in colour.hpp.
#include "analyse/colour.hpp"

#include "analyse/body_colours.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace scree::analyse {

namespace {

/// A colour in Oklab (B. Ottosson, 2020): lightness, green–red, blue–yellow.
struct Oklab {
    double l, a, b;
};

/// Equally spaced in t; lightness grows evenly.
constexpr Oklab sequential[] = {
    {0.25, 0.055, -0.100}, {0.36, 0.030, -0.125}, {0.47, -0.020, -0.105}, {0.58, -0.070, -0.045},
    {0.69, -0.120, 0.045}, {0.80, -0.120, 0.130}, {0.91, -0.055, 0.170}};
constexpr Oklab diverging[] = {{0.35, -0.010, -0.150},
                               {0.66, -0.040, -0.100},
                               {0.97, 0, 0},
                               {0.66, 0.120, 0.055},
                               {0.35, 0.120, 0.050}};

Pixel to_pixel(const Oklab& c)
{
    const Rgb light =
        from_oklch(c.l, std::hypot(c.a, c.b), std::atan2(c.b, c.a) * 180 / std::numbers::pi);
    return {encoded(light.r), encoded(light.g), encoded(light.b)};
}

/// Smooth through the anchors, by Catmull and Rom's cubics.
Oklab between(std::span<const Oklab> anchors, double t)
{
    const double place = t * static_cast<double>(anchors.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
    const double u = place - static_cast<double>(i);
    const Oklab &p = anchors[i], &q = anchors[i + 1];
    const auto mix = [&](double Oklab::*part) {
        const double from = i > 0 ? (q.*part - anchors[i - 1].*part) / 2 : q.*part - p.*part;
        const double to =
            i + 2 < anchors.size() ? (anchors[i + 2].*part - p.*part) / 2 : q.*part - p.*part;
        const double rest = q.*part - p.*part;
        return p.*part + u * (from + u * (3 * rest - 2 * from - to + u * (from + to - 2 * rest)));
    };
    return {mix(&Oklab::l), mix(&Oklab::a), mix(&Oklab::b)};
}

}  // namespace

Pixel colour(ColourMap map, double t)
{
    const double inside = t > 0 ? std::min(t, 1.0) : 0.0;
    if (map == ColourMap::sequential) {
        return to_pixel(between(sequential, inside));
    }
    // Each half for itself, so that the middle keeps its white point sharp.
    const std::span<const Oklab> anchors(diverging);
    return to_pixel(inside < 0.5 ? between(anchors.first(3), 2 * inside)
                                 : between(anchors.last(3), 2 * inside - 1));
}

std::string curve_colour(std::size_t n)
{
    // Okabe and Ito's palette, without its yellow, which is too light for lines.
    constexpr std::array<const char*, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#000000", "#e69f00", "#56b4e9"};
    return colours[n % colours.size()];
}

}  // namespace scree::analyse
