// The bar beside a picture that says which value has which colour.
#pragma once

#include "analyse/colour.hpp"
#include "analyse/svg.hpp"

#include <functional>

namespace scree::analyse {

struct ColourBar {
    svg::Rect rect;  ///< of the colours [pixels]
    double low, high;
    std::string quantity, unit;                 ///< the unit may be empty
    std::function<Pixel(double share)> colour;  ///< from 0 at `low` to 1 at `high`
    double font_size = 12;
};

/// Draws it with ticks and label at its right.
void draw(svg::Document& document, const ColourBar& bar);

}  // namespace scree::analyse
