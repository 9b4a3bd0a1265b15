// The SVG writer declared in svg.hpp.
#include "analyse/svg.hpp"

#include "analyse/png.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace scree::analyse::svg {

namespace {

std::string stroke_attributes(const Stroke& stroke)
{
    const std::string dash = stroke.dash.empty() ? "none" : stroke.dash;
    return fmt::format(" stroke=\"{}\" stroke-width=\"{:g}\" stroke-dasharray=\"{}\"",
                       stroke.colour, stroke.width, dash);
}

std::string shape_attributes(const Shape& shape)
{
    std::string out = fmt::format(" fill=\"{}\"", shape.fill) + stroke_attributes(shape.stroke);
    if (shape.fill_opacity != 1) {
        out += fmt::format(" fill-opacity=\"{:g}\"", shape.fill_opacity);
    }
    return out;
}

/// Path data; a point that is not finite starts a new piece.
std::string path_data(const std::vector<Point>& points)
{
    std::string out;
    bool down = false;
    for (const Point& p : points) {
        if (finite(p)) {
            out += fmt::format("{}{:.2f} {:.2f}", down ? 'L' : 'M', p.x, p.y);
        }
        down = finite(p);
    }
    return out;
}

std::string escaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // U+FFFE and U+FFFF are no characters of XML.
        if (text.substr(i, 3) == "\xEF\xBF\xBE" || text.substr(i, 3) == "\xEF\xBF\xBF") {
            i += 2;
            continue;
        }
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

/// XML text with "_{…}" and "^{…}" as lowered and raised spans.
std::string marked_up(std::string_view text, double size)
{
    std::string out;
    double offset = 0;  // of the baseline after what is written so far
    const auto span = [&](std::string_view run, double shift, double run_size) {
        if (shift == 0 && offset == 0) {
            out += escaped(run);
        } else if (!run.empty()) {
            out += fmt::format("<tspan dy=\"{:.2f}\" font-size=\"{:.2f}\">{}</tspan>",
                               shift - offset, run_size, escaped(run));
            offset = shift;
        }
    };
    while (!text.empty()) {
        const std::size_t open = std::min(text.find("_{"), text.find("^{"));
        const std::size_t close = text.find('}', std::min(open, text.size()));
        if (close == std::string_view::npos) {
            span(text, 0, size);
            break;
        }
        span(text.substr(0, open), 0, size);
        span(text.substr(open + 2, close - open - 2), (text[open] == '_' ? 0.25 : -0.38) * size,
             0.75 * size);
        text.remove_prefix(close + 1);
    }
    return out;
}

}  // namespace

void Document::polyline(const std::vector<Point>& points, const Stroke& stroke)
{
    const std::string data = path_data(points);
    if (!data.empty()) {
        body_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke-linejoin=\"round\"{}/>\n", data,
                             stroke_attributes(stroke));
    }
}

void Document::polygon(const std::vector<Point>& points, const Shape& shape)
{
    if (!points.empty() && std::all_of(points.begin(), points.end(), finite)) {
        body_ += fmt::format("<path d=\"{}Z\" stroke-linejoin=\"round\"{}/>\n", path_data(points),
                             shape_attributes(shape));
    }
}

void Document::circle(const Point& centre, double radius, const Shape& shape)
{
    if (finite(centre) && std::isfinite(radius)) {
        body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"{}/>\n", centre.x,
                             centre.y, radius, shape_attributes(shape));
    }
}

void Document::rect(const Rect& rect, const Shape& shape)
{
    if (finite({rect.x, rect.y}) && finite({rect.width, rect.height})) {
        body_ +=
            fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}/>\n",
                        rect.x, rect.y, rect.width, rect.height, shape_attributes(shape));
    }
}

void Document::text(const Point& at, std::string_view text, const Font& font)
{
    if (!finite(at)) {
        return;
    }
    constexpr std::array anchors{"start", "middle", "end"};
    body_ += fmt::format("<text xml:space=\"preserve\" x=\"{:.2f}\" y=\"{:.2f}\" "
                         "font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\"",
                         at.x, at.y, font.size, font.colour,
                         anchors[static_cast<std::size_t>(font.anchor)]);
    if (font.bold) {
        body_ += " font-weight=\"bold\"";
    }
    if (font.turned != 0) {
        body_ += fmt::format(" transform=\"rotate({:g} {:.2f} {:.2f})\"", font.turned, at.x, at.y);
    }
    if (font.halo) {
        body_ += " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\"";
    }
    body_ += ">" + marked_up(text, font.size) + "</text>\n";
}

void Document::image(const Rect& rect, std::string_view png)
{
    body_ += fmt::format("<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
                         "preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                         "href=\"data:image/png;base64,{}\"/>\n",
                         rect.x, rect.y, rect.width, rect.height, base64(png));
}

void Document::begin_clip(const Rect& rect)
{
    definitions_ += fmt::format("<clipPath id=\"clip{}\"><rect x=\"{:.2f}\" y=\"{:.2f}\" "
                                "width=\"{:.2f}\" height=\"{:.2f}\"/></clipPath>\n",
                                ++ids_, rect.x, rect.y, rect.width, rect.height);
    body_ += fmt::format("<g clip-path=\"url(#clip{})\">\n", ids_);
}

std::string Document::hatch(const std::string& colour, double spacing)
{
    definitions_ += fmt::format(
        "<pattern id=\"hatch{0}\" width=\"{1:g}\" height=\"{1:g}\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"{2:g}\" height=\"{1:g}\" fill=\"{3}\"/>"
        "</pattern>\n",
        ++ids_, spacing, 0.35 * spacing, colour);
    return fmt::format("url(#hatch{})", ids_);
}

std::string Document::str() const
{
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
                       "viewBox=\"0 0 {0:g} {1:g}\" "
                       "font-family=\"DejaVu Sans, Arial, sans-serif\">\n<defs>\n{2}</defs>\n"
                       "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"white\"/>\n{3}</svg>\n",
                       width_, height_, definitions_, body_);
}

std::string number(double value, int digits)
{
    const bool plain = value == 0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e5);
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (plain && text.find('e') == std::string::npos) {
        return value < 0 ? fmt::format("−{}", text.substr(1)) : text;
    }
    if (!std::isfinite(value)) {
        return "–";
    }
    text = fmt::format("{:.{}e}", std::abs(value), digits - 1);
    const std::size_t e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    return fmt::format("{}{:g}·10^{{{}{}}}", value < 0 ? "−" : "", std::stod(text.substr(0, e)),
                       exponent < 0 ? "−" : "", std::abs(exponent));
}

double text_width(std::string_view text, double size)
{
    const auto seen = [](char c) {  // one for each character that takes room
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U &&
               std::string_view("^_{}").find(c) == std::string_view::npos;
    };
    return 0.65 * size * static_cast<double>(std::count_if(text.begin(), text.end(), seen));
}

}  // namespace scree::analyse::svg
