// Colours of bodies: by a quantity on a perceptually uniform scale, or by a palette. Colours are
// made in Oklab, where equal steps look equally large.
#pragma once

#include "analyse/colour.hpp"
#include "scree/analyse/render.hpp"

#include <string>
#include <vector>

namespace scree::analyse {

inline Light operator+(const Light& a, const Light& b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
inline Light operator*(const Light& a, const Light& b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
inline Light operator*(float s, const Light& a) { return {s * a.r, s * a.g, s * a.b}; }

/// From 0, blue, over green to 1, light yellow, in steps that look equal. Lighter than the scale of
/// maps, since surfaces lie in the shade too.
Light scale_colour(double t);

/// A quantity that has a scale. Palettes have none: no name, no values.
struct Quantity {
    std::string name, unit;
    std::vector<double> values;  ///< of dynamic bodies, or contacts, in the order of the frame
    Range range{0, 1};           ///< speeds, forces: from 0 to what 99 of 100 are below; else all
};
Quantity quantity_of(const Frame& frame, ColourBy colour_by, const Vec3<double>& up);

/// The colour of each body of the frame, a quantity's over the given range. Prescribed bodies are
/// grey, and all are if colours are for forces.
std::vector<Light> body_colours(const Frame& frame, ColourBy colour_by, const Quantity& quantity,
                                const Range& range);

}  // namespace scree::analyse
