// The colour bar declared in colour_bar.hpp.
#include "analyse/colour_bar.hpp"

#include "analyse/axes.hpp"
#include "analyse/png.hpp"

#include <algorithm>
#include <vector>

namespace scree::analyse {

void draw(svg::Document& d, const ColourBar& bar)
{
    constexpr int steps = 256;
    const std::string ink = "#222222";
    const double size = bar.font_size;
    std::vector<std::uint8_t> rgb;
    for (int i = 0; i < steps; ++i) {
        const Pixel c = bar.colour(1 - (i + 0.5) / steps);
        rgb.insert(rgb.end(), c.begin(), c.end());
    }
    d.image(bar.rect, encode_png(1, steps, rgb));
    d.rect(bar.rect, {.stroke = {ink, size / 12}});
    const svg::Axis axis =
        svg::linear_axis(bar.low, bar.high, bar.quantity, bar.unit,
                         std::max(2, static_cast<int>(bar.rect.height / (3.3 * size))));
    double widest = 0;
    const double right = bar.rect.x + bar.rect.width;
    for (const svg::Tick& tick : axis.ticks) {
        const double y = bar.rect.y + bar.rect.height * (1 - axis.place(tick.value));
        d.line({right, y}, {right + size / 3, y}, {ink, size / 12});
        d.text({right + 0.67 * size, y + 0.375 * size}, tick.label, {.size = size, .halo = true});
        widest = std::max(widest, svg::text_width(tick.label, size));
    }
    d.text({right + 2.17 * size + widest, bar.rect.y + bar.rect.height / 2}, axis.label,
           {.size = 1.17 * size, .anchor = svg::Anchor::middle, .turned = -90, .halo = true});
}

}  // namespace scree::analyse
