// The pictures declared in picture.hpp.
#include "scree/analyse/picture.hpp"

#include "analyse/body_colours.hpp"
#include "analyse/colour_bar.hpp"
#include "scree/analyse/png.hpp"

#include <fmt/format.h>

namespace scree::analyse {
namespace {

/// Letters grow with the picture.
double font_size(int height) { return std::max(9.0, 0.021 * height); }

}  // namespace

int legend_width(int height) { return static_cast<int>(7.5 * font_size(height)); }

std::string picture_svg(const Image& image, const Caption& caption)
{
    const double width = image.width, height = image.height, size = font_size(image.height);
    svg::Document d(width, height);
    d.image({0, 0, width, height}, encode_png(image.width, image.height, image.rgb));
    if (!caption.quantity.empty()) {
        const double length = std::min(0.6 * height, 22 * size);
        draw(d, {.rect = {width - legend_width(image.height) + 0.5 * size, (height - length) / 2,
                          size, length},
                 .low = caption.range.low,
                 .high = caption.range.high,
                 .quantity = caption.quantity,
                 .unit = caption.unit,
                 .colour = [](double share) { return to_pixel(scale_colour(share)); },
                 .font_size = size});
    }
    if (!caption.title.empty()) {
        d.text({1.5 * size, 2.3 * size}, caption.title, {.size = 1.3 * size, .halo = true});
    }
    if (caption.time) {
        d.text({1.5 * size, height - 1.5 * size},
               fmt::format("t = {} s", svg::number(*caption.time)), {.size = size, .halo = true});
    }
    return d.str();
}

}  // namespace scree::analyse
