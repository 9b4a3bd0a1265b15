// Colours of bodies: by a quantity on a perceptually uniform scale, or by a palette. Colours are
// made in OKLab, where equal steps look equally large.
#pragma once

#include "scree/world.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::analyse {

/// Linear light, 0 … 1.
struct Rgb {
    float r, g, b;
};
inline Rgb operator+(const Rgb& a, const Rgb& b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
inline Rgb operator*(const Rgb& a, const Rgb& b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
inline Rgb operator*(float s, const Rgb& a) { return {s * a.r, s * a.g, s * a.b}; }

/// From OKLab's lightness 0 … 1, chroma and hue [°]. May lie outside 0 … 1.
Rgb from_oklch(double lightness, double chroma, double hue);
/// A byte of the picture from linear light.
std::uint8_t encoded(float linear);
/// As "#rrggbb".
std::string hex(const Rgb& colour);

/// From 0, dark blue, over green to 1, light yellow, in steps that look equal.
Rgb scale_colour(double t);

enum class ColourBy : std::uint8_t {
    plain,
    speed,
    angular_speed,
    id,
    size,
    material,
    height,
    coordination
};
inline constexpr std::array<std::string_view, 8> colour_names{
    "plain", "speed", "angular-speed", "id", "size", "material", "height", "coordination"};

struct Range {
    double low, high;
};

/// A quantity that has a scale. Palettes have none: no name, no values.
struct Quantity {
    std::string name, unit;
    std::vector<double> values;  ///< of dynamic bodies, in the order of the frame
    Range range{0, 1};           ///< speeds: from 0 to what 99 of 100 are below; else all
};
Quantity quantity_of(const Frame& frame, ColourBy colour_by, const Vec3<double>& up);

/// The colour of each body of the frame, a quantity's over the given range; prescribed bodies are
/// grey.
std::vector<Rgb> body_colours(const Frame& frame, ColourBy colour_by, const Quantity& quantity,
                              const Range& range);

}  // namespace scree::analyse
