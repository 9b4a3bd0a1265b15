// A rendered image with words: a colour bar at its right, a title above, the time below, as an SVG
// that holds the image.
#pragma once

#include "scree/analyse/render.hpp"

#include <string>

namespace scree::analyse {

/// The words about a picture.
struct Caption {
    std::string title{};             ///< may be empty
    std::optional<double> time{};    ///< [s]
    std::string quantity{}, unit{};  ///< of the colour bar; none without a quantity
    Range range{0, 1};               ///< of the colour bar

    /// There is nothing to say.
    [[nodiscard]] bool empty() const { return title.empty() && !time && quantity.empty(); }
};

/// How many pixels at the right the colour bar of such a picture needs; RenderOptions::legend.
int legend_width(int height);

/// The whole SVG document.
std::string picture_svg(const Image& image, const Caption& caption);

}  // namespace scree::analyse
