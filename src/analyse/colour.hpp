// Colours for numbers in flat pictures. Both maps run through anchors in Oklab, a colour space in
// which equal steps look equally different: the sequential one climbs from dark violet over blue,
// teal and green to yellow with lightness growing evenly, so that it reads in grey and for every
// kind of colour vision; the diverging one goes from blue over white to red for quantities with a
// sign.
#pragma once

#include "scree/analyse/colour_map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scree::analyse {

/// Red, green and blue of a picture.
using Pixel = std::array<std::uint8_t, 3>;

/// Red, green and blue as amounts of light, 0 … 1, which may be added and scaled.
struct Light {
    float r, g, b;
};

/// A colour in Oklab (B. Ottosson, 2020): lightness 0 … 1, green–red, blue–yellow.
struct Oklab {
    double l, a, b;
};
Light to_light(const Oklab& colour);  ///< may lie outside 0 … 1
Pixel to_pixel(const Light& light);   ///< in sRGB; what lies outside is cut off
/// "#rrggbb"
std::string hex(const Pixel& pixel);

/// The colour of t, 0 … 1; what lies outside takes the end's colour.
Pixel colour(ColourMap map, double t);

/// The n-th of seven colours for curves that can be told apart with every kind of colour vision,
/// then again from the first.
std::string curve_colour(std::size_t n);

}  // namespace scree::analyse
