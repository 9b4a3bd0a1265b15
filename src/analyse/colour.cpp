// The colours declared in colour.hpp.
#include "analyse/colour.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

/// Equally spaced in t; lightness grows evenly.
constexpr Oklab sequential[] = {
    {0.25, 0.055, -0.100}, {0.36, 0.030, -0.125}, {0.47, -0.020, -0.105}, {0.58, -0.070, -0.045},
    {0.69, -0.120, 0.045}, {0.80, -0.120, 0.130}, {0.91, -0.055, 0.170}};
constexpr Oklab diverging[] = {{0.35, -0.010, -0.150},
                               {0.66, -0.040, -0.100},
                               {0.97, 0, 0},
                               {0.66, 0.120, 0.055},
                               {0.35, 0.120, 0.050}};

std::uint8_t channel(float linear)
{
    const double c = std::clamp(static_cast<double>(linear), 0.0, 1.0);
    const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * encoded));
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

Light to_light(const Oklab& c)
{
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b);
    const double m = cube(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b);
    const double s = cube(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b);
    return {static_cast<float>(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            static_cast<float>(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            static_cast<float>(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Pixel to_pixel(const Light& light)
{
    return {channel(light.r), channel(light.g), channel(light.b)};
}

Pixel colour(ColourMap map, double t)
{
    const double inside = t > 0 ? std::min(t, 1.0) : 0.0;
    if (map == ColourMap::sequential) {
        return to_pixel(to_light(between(sequential, inside)));
    }
    // Each half for itself, so that the middle keeps its white point sharp.
    const std::span<const Oklab> anchors(diverging);
    return to_pixel(to_light(inside < 0.5 ? between(anchors.first(3), 2 * inside)
                                          : between(anchors.last(3), 2 * inside - 1)));
}

std::string hex(const Pixel& pixel)
{
    return fmt::format("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]);
}

std::string curve_colour(std::size_t n)
{
    // Okabe and Ito's palette, without its yellow, which is too light for lines.
    constexpr std::array<const char*, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#000000", "#e69f00", "#56b4e9"};
    return colours[n % colours.size()];
}

}  // namespace scree::analyse
