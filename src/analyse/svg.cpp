// The SVG writer declared in svg.hpp.
#include "analyse/svg.hpp"

#include "scree/analyse/png.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace scree::analyse::svg {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool finite(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

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

/// Cuts the segment a–b to its part inside the rectangle (Liang–Barsky); false if there is none.
bool clip_segment(Point& a, Point& b, const Rect& box)
{
    const Point d{b.x - a.x, b.y - a.y};
    const std::array<double, 4> rate{-d.x, d.x, -d.y, d.y};
    const std::array<double, 4> room{a.x - box.x, box.x + box.width - a.x, a.y - box.y,
                                     box.y + box.height - a.y};
    double enter = 0;
    double leave = 1;
    for (std::size_t side = 0; side < 4; ++side) {
        if (rate[side] < 0) {
            enter = std::max(enter, room[side] / rate[side]);
        } else if (rate[side] > 0) {
            leave = std::min(leave, room[side] / rate[side]);
        } else if (room[side] < 0) {
            return false;
        }
    }
    if (leave < 1) {
        b = {a.x + leave * d.x, a.y + leave * d.y};
    }
    if (enter > 0) {
        a = {a.x + enter * d.x, a.y + enter * d.y};
    }
    return enter <= leave;
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

std::vector<double> nice_ticks(double low, double high, int most)
{
    if (!std::isfinite(high - low) || !(high > low) || most < 1) {
        return {};
    }
    const double least = (high - low) / most;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    const double ratio = least / power;
    const double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    const double first = std::ceil(low / step - 1e-9);
    std::vector<double> ticks;
    for (int i = 0; i <= most && (first + i) * step <= high + 1e-9 * step; ++i) {
        ticks.push_back((first + i) * step);
    }
    return ticks;
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

double Axis::place(double value) const
{
    return logarithmic ? std::log(value / low) / std::log(high / low)
                       : (value - low) / (high - low);
}

Axis linear_axis(double low, double high, const std::string& name, const std::string& unit,
                 int most_ticks)
{
    Axis axis{low, high, unit.empty() ? name : fmt::format("{} [{}]", name, unit), {}};
    const std::vector<double> ticks = nice_ticks(low, high, most_ticks);
    // What changes in its last digits alone has no ticks.
    if (ticks.size() < 2 ||
        std::adjacent_find(ticks.begin(), ticks.end(), std::greater_equal<>()) != ticks.end()) {
        return axis;
    }
    // A power of ten that is a multiple of three joins the unit if the labels would be long.
    const double largest = std::max(std::abs(ticks.front()), std::abs(ticks.back()));
    const double step = ticks[1] - ticks[0];
    int exponent = 0;
    if (largest >= 1e4 || step < 1e-3 * (1 - 1e-9)) {
        exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
    }
    if (exponent != 0) {
        axis.label = fmt::format("{} [10^{{{}{}}}{}{}]", name, exponent < 0 ? "−" : "",
                                 std::abs(exponent), unit.empty() ? "" : " ", unit);
    }
    const double unit_size = std::pow(10.0, exponent);
    const double digit = std::floor(std::log10(step / unit_size) + 1e-9);
    const int decimals = std::max(0, -static_cast<int>(digit));
    for (const double value : ticks) {
        const std::string digits = fmt::format("{:.{}f}", std::abs(value / unit_size), decimals);
        axis.ticks.push_back({value, (value < 0 ? "−" : "") + digits});
    }
    return axis;
}

Axis log_axis(double low, double high, const std::string& name, const std::string& unit)
{
    Axis axis{low, high, unit.empty() ? name : fmt::format("{} [{}]", name, unit), {}, true};
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    const int step = 1 + (last - first) / 9;  // decades between labels
    const bool few = high / low < 30;         // so that 2 and 5 are labelled as well
    for (int exponent = first; exponent <= last; ++exponent) {
        for (int digit = 1; digit < 10; ++digit) {
            const double value = digit * std::pow(10.0, exponent);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9) || (step > 1 && digit > 1)) {
                continue;
            }
            std::string label;
            if (few && (digit == 1 || digit == 2 || digit == 5)) {
                label = number(value);
            } else if (digit == 1 && exponent % step == 0) {
                label = exponent == 0 ? "1"
                                      : fmt::format("10^{{{}{}}}", exponent < 0 ? "−" : "",
                                                    std::abs(exponent));
            }
            axis.ticks.push_back({value, label});
        }
    }
    return axis;
}

Point Axes::operator()(double x_value, double y_value) const
{
    return {frame.x + x.place(x_value) * frame.width,
            frame.y + (1 - y.place(y_value)) * frame.height};
}

void Axes::draw(Document& document) const
{
    const double bottom = frame.y + frame.height;
    double widest = 0;
    const auto size = [](const Axis& axis, const Tick& tick) {
        return axis.logarithmic && tick.label.empty() ? 3.0 : 5.0;
    };
    for (const Tick& tick : x.ticks) {
        const Point p{(*this)(tick.value, y.low).x, bottom};
        document.line(p, {p.x, p.y - size(x, tick)}, {"#222222"});
        document.text({p.x, p.y + 18}, tick.label, {.size = 12, .anchor = Anchor::middle});
    }
    for (const Tick& tick : y.ticks) {
        const Point p{frame.x, (*this)(x.low, tick.value).y};
        document.line(p, {p.x + size(y, tick), p.y}, {"#222222"});
        document.text({p.x - 7, p.y + 4.5}, tick.label, {.size = 12, .anchor = Anchor::end});
        widest = std::max(widest, text_width(tick.label, 12));
    }
    document.rect(frame, {.stroke = {"#222222"}});
    document.text({frame.x + frame.width / 2, bottom + 42}, x.label, {14, Anchor::middle});
    document.text({frame.x - 20 - widest, frame.y + frame.height / 2}, y.label,
                  {.size = 14, .anchor = Anchor::middle, .turned = -90});
}

void Axes::curve(Document& document, const std::vector<Point>& points, const Stroke& stroke) const
{
    std::vector<Point> clipped;
    for (std::size_t i = 1; i < points.size(); ++i) {
        Point a = (*this)(points[i - 1].x, points[i - 1].y);
        Point b = (*this)(points[i].x, points[i].y);
        if (!finite(a) || !finite(b) || !clip_segment(a, b, frame)) {
            continue;
        }
        if (clipped.empty() || clipped.back().x != a.x || clipped.back().y != a.y) {
            clipped.push_back({nan, nan});
            clipped.push_back(a);
        }
        clipped.push_back(b);
    }
    document.polyline(clipped, stroke);
}

void Axes::area(Document& document, const std::vector<Point>& points, const Shape& shape) const
{
    std::vector<Point> mapped;
    for (const Point& p : points) {
        mapped.push_back((*this)(p.x, p.y));
    }
    document.begin_clip(frame);
    document.polygon(mapped, shape);
    document.end_clip();
}

Point free_place(const Point& mark, const std::vector<Point>& obstacles, const Rect& frame,
                 double distance)
{
    Point best = mark;
    double best_room = -1;
    for (int i = 0; i < 8; ++i) {
        const double angle = (i + 1) * std::numbers::pi / 4;
        const Point place{mark.x + distance * std::cos(angle), mark.y - distance * std::sin(angle)};
        double room = frame.grown(-9).contains(place) ? 1e9 : 0;
        for (const Point& o : obstacles) {
            room = std::min(room, std::hypot(place.x - o.x, place.y - o.y));
        }
        if (room > best_room) {
            best = place;
            best_room = room;
        }
    }
    return best;
}

}  // namespace scree::analyse::svg
