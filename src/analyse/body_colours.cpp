// The colours declared in body_colours.hpp.
#include "analyse/body_colours.hpp"

#include "analyse/body_index.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

/// From lightness, chroma and hue [°].
Oklab from_polar(double lightness, double chroma, double hue)
{
    const double h = hue * std::numbers::pi / 180;
    return {lightness, chroma * std::cos(h), chroma * std::sin(h)};
}

/// Lightness, chroma and hue of the scale at equal steps of lightness.
constexpr double scale_points[][3] = {{0.43, 0.130, 283},
                                      {0.555, 0.120, 254},
                                      {0.68, 0.100, 207},
                                      {0.805, 0.130, 150},
                                      {0.93, 0.150, 103}};

/// The curve through the points, its parameter not yet evened out.
Oklab scale_curve(double t)
{
    constexpr std::size_t last = std::size(scale_points) - 1;
    const double place = std::clamp(t, 0.0, 1.0) * last;
    const auto i = std::min(static_cast<std::size_t>(place), last - 1);
    const double u = place - static_cast<double>(i);
    const double* p = scale_points[i];
    const double* q = scale_points[i + 1];
    const auto between = [&](std::size_t k) { return p[k] + u * (q[k] - p[k]); };
    return from_polar(between(0), between(1), between(2));
}

constexpr std::size_t scale_steps = 256;

/// Colours at equal distances along the curve in Oklab.
std::array<Light, scale_steps + 1> even_scale()
{
    constexpr std::size_t fine = 16 * scale_steps;
    std::array<double, fine + 1> length{};
    Oklab before = scale_curve(0);
    for (std::size_t i = 1; i <= fine; ++i) {
        const Oklab c = scale_curve(static_cast<double>(i) / fine);
        const double l = c.l - before.l, a = c.a - before.a, b = c.b - before.b;
        length[i] = length[i - 1] + std::sqrt(l * l + a * a + b * b);
        before = c;
    }
    std::array<Light, scale_steps + 1> colours{};
    std::size_t i = 0;
    for (std::size_t k = 0; k <= scale_steps; ++k) {
        const double wanted = length[fine] * static_cast<double>(k) / scale_steps;
        while (i < fine && length[i] < wanted) {
            ++i;
        }
        colours[k] = to_light(scale_curve(static_cast<double>(i) / fine));
    }
    return colours;
}

/// Golden steps around the hues: neighbours in number differ, and no two are alike.
Light palette_colour(std::uint64_t number)
{
    const double turns = 0.58 + static_cast<double>(number) * 0.6180339887498949;
    return to_light(from_polar(0.72, 0.12, 360 * (turns - std::floor(turns))));
}

/// From a hash of the id: hues all round, lightness and chroma a little different.
Light id_colour(BodyId id)
{
    const auto draw = [&](std::uint64_t k) { return math::uniform(7, id, k); };
    return to_light(from_polar(0.66 + 0.16 * draw(0), 0.10 + 0.03 * draw(1), 360 * draw(2)));
}

/// Diameter of the ball of the same volume; of the ball around a thin rod.
double equivalent_diameter(const Shape& shape)
{
    if (shape.kind == ShapeKind::capsule && shape.size.x == 0) {
        return 2 * shape.size.y;
    }
    return std::cbrt(6 / std::numbers::pi * mass_properties(shape, 1).mass);
}

/// Touching contact points of each body.
std::vector<double> coordination(const Frame& frame)
{
    std::vector<double> counts(frame.ids.size(), 0);
    for_each_contact(frame, [&](const Contact& contact, std::size_t first, std::size_t second) {
        if (contact.touching) {
            counts[first] += 1;
            counts[second] += 1;
        }
    });
    return counts;
}

}  // namespace

Light scale_colour(double t)
{
    static const auto colours = even_scale();
    const double place = std::clamp(t, 0.0, 1.0) * scale_steps;
    const auto i = std::min(static_cast<std::size_t>(place), scale_steps - 1);
    const auto u = static_cast<float>(place - static_cast<double>(i));
    return (1 - u) * colours[i] + u * colours[i + 1];
}

Quantity quantity_of(const Frame& frame, ColourBy colour_by, const Vec3<double>& up)
{
    const std::size_t n = frame.dynamic_count;
    Quantity q;
    const auto fill = [&](const char* name, const char* unit, std::size_t count,
                          const auto& value) {
        q.name = name;
        q.unit = unit;
        q.values.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            q.values[i] = value(i);
        }
    };
    switch (colour_by) {
    case ColourBy::speed:
        fill("speed", "m/s", n, [&](std::size_t i) { return norm(frame.velocities[i]); });
        break;
    case ColourBy::angular_speed:
        fill("angular speed", "rad/s", n,
             [&](std::size_t i) { return norm(frame.angular_velocities[i]); });
        break;
    case ColourBy::size:
        fill("diameter", "m", n,
             [&](std::size_t i) { return equivalent_diameter(frame.shapes[i]); });
        break;
    case ColourBy::height:
        fill("height", "m", n, [&](std::size_t i) { return dot(frame.positions[i], up); });
        break;
    case ColourBy::coordination: {
        const std::vector<double> counts = coordination(frame);
        fill("contacts of a body", "", n, [&](std::size_t i) { return counts[i]; });
        break;
    }
    case ColourBy::force:
        fill("contact force", "N", frame.contacts.size(),
             [&](std::size_t i) { return norm(frame.contacts[i].impulse) / frame.time_step; });
        break;
    default: return q;
    }
    std::vector<double> sorted;
    std::copy_if(q.values.begin(), q.values.end(), std::back_inserter(sorted),
                 [](double x) { return std::isfinite(x); });
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty()) {
        const bool uneven = colour_by == ColourBy::speed || colour_by == ColourBy::angular_speed ||
                            colour_by == ColourBy::force;
        const bool from_zero = uneven || colour_by == ColourBy::coordination;
        q.range = {from_zero ? 0 : sorted.front(),
                   uneven ? sorted[(sorted.size() - 1) * 99 / 100] : sorted.back()};
    }
    return q;
}

std::vector<Light> body_colours(const Frame& frame, ColourBy colour_by, const Quantity& quantity,
                                const Range& range)
{
    std::vector<Light> colours(frame.ids.size(), to_light(from_polar(0.76, 0.008, 260)));
    const double extent = range.high > range.low ? range.high - range.low : 1;
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        switch (colour_by) {
        case ColourBy::force: break;
        case ColourBy::plain: colours[i] = to_light(from_polar(0.80, 0.055, 75)); break;
        case ColourBy::id: colours[i] = id_colour(frame.ids[i]); break;
        case ColourBy::material: colours[i] = palette_colour(frame.materials[i]); break;
        default: colours[i] = scale_colour((quantity.values[i] - range.low) / extent);
        }
    }
    return colours;
}

}  // namespace scree::analyse
