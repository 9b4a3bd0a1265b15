// The picture declared in curves.hpp.
#include "analyse/curves.hpp"

#include "analyse/axes.hpp"
#include "analyse/colour.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

using svg::Document;
using svg::Point;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* grey = "#555555";

struct Range {
    double low = infinity, high = -infinity;

    void take(double value, bool logarithmic)
    {
        if (std::isfinite(value) && (!logarithmic || value > 0)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    void fix(const std::optional<double>& from, const std::optional<double>& to, bool logarithmic)
    {
        low = from.value_or(low);
        high = to.value_or(high);
        if (!std::isfinite(low) || !std::isfinite(high) || (logarithmic && !(low > 0))) {
            low = logarithmic ? 1 : 0;
            high = logarithmic ? 10 : 1;
        }
        if (!(high > low)) {  // one value only
            const double room = logarithmic ? 0.5 * low : std::max(1e-300, 0.5 * std::abs(low));
            low -= from ? 0 : room;
            high = low + 2 * room;
        }
    }
};

/// Half of the way to the neighbours: where a histogram's bar begins and ends.
Range bar_of(const std::vector<double>& x, std::size_t i)
{
    const std::size_t last = x.size() - 1;
    if (last == 0) {
        return {x[0] - 0.5, x[0] + 0.5};
    }
    const double before = i > 0 ? x[i] - x[i - 1] : x[1] - x[0];
    const double after = i < last ? x[i + 1] - x[i] : x[last] - x[last - 1];
    return {x[i] - before / 2, x[i] + after / 2};
}

double error_of(const Curve& curve, std::size_t i)
{
    return curve.error.empty() || !std::isfinite(curve.error[i]) ? 0 : curve.error[i];
}

Range x_range(const CurvePicture& picture)
{
    Range range;
    bool points = false;
    for (const Curve& c : picture.curves) {
        points = points || c.style == CurveStyle::points;
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            const Range bar = c.style == CurveStyle::bars ? bar_of(c.x, i) : Range{c.x[i], c.x[i]};
            range.take(bar.low, picture.log_x);
            range.take(bar.high, picture.log_x);
        }
    }
    if (!picture.log_x) {
        // Room for whole points; what begins near 0 begins there.
        const double room = points ? 0.02 * (range.high - range.low) : 0;
        const bool from_zero = range.low >= 0 && range.low < 0.03 * range.high;
        range = {from_zero ? 0 : range.low - room, range.high + room};
    }
    range.fix(picture.x_low, picture.x_high, picture.log_x);
    return range;
}

Range y_range(const CurvePicture& picture, const Range& x)
{
    Range range;
    bool bars = false;
    for (const Curve& c : picture.curves) {
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            if (c.x[i] >= x.low && c.x[i] <= x.high) {
                range.take(c.y[i], picture.log_y);
                range.take(c.y[i] - error_of(c, i), picture.log_y);
                range.take(c.y[i] + error_of(c, i), picture.log_y);
            }
        }
        bars = bars || c.style == CurveStyle::bars;
    }
    for (const Reference& r : picture.references) {
        range.take(r.vertical ? std::nan("") : r.value, picture.log_y);
    }
    Range all = range;
    all.fix({}, {}, picture.log_y);
    // Room above and below; what is not negative begins at 0 if it comes near it.
    if (picture.log_y) {
        const double room = std::pow(all.high / all.low, 0.05);
        all = {all.low / room, all.high * room};
    } else {
        const double room = 0.06 * (all.high - all.low);
        const bool from_zero = all.low >= 0 && (bars || all.low < 0.3 * all.high);
        all = {from_zero ? 0 : all.low - room, all.high + room};
    }
    all.fix(picture.y_low, picture.y_high, picture.log_y);
    return all;
}

svg::Axis axis(const Range& range, bool logarithmic, const std::string& name,
               const std::string& unit, int ticks)
{
    return logarithmic ? svg::log_axis(range.low, range.high, name, unit)
                       : svg::linear_axis(range.low, range.high, name, unit, ticks);
}

void draw_band(Document& d, const svg::Axes& axes, const Curve& c, const std::string& colour)
{
    std::vector<Point> border, below;
    const auto finish = [&] {
        border.insert(border.end(), below.rbegin(), below.rend());
        if (border.size() > 2) {
            axes.area(d, border, {.fill = colour, .fill_opacity = 0.22});
        }
        border.clear();
        below.clear();
    };
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        const double up = c.y[i] + c.error[i], down = c.y[i] - c.error[i];
        if (!std::isfinite(c.x[i]) || !std::isfinite(up)) {
            finish();
            continue;
        }
        border.push_back({c.x[i], up});
        below.push_back({c.x[i], axes.y.logarithmic ? std::max(down, axes.y.low) : down});
    }
    finish();
}

void draw_bars(Document& d, const svg::Axes& axes, const Curve& c, const std::string& colour)
{
    const double base = axes.y.logarithmic ? axes.y.low : std::max(0.0, axes.y.low);
    d.begin_clip(axes.frame);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        const Range bar = bar_of(c.x, i);
        const Point a = axes(bar.low, std::max(c.y[i], base));
        const Point b = axes(bar.high, std::min(c.y[i], base));
        if (c.y[i] != base) {
            d.rect({a.x, a.y, b.x - a.x, b.y - a.y},
                   {.stroke = {colour, 1}, .fill = colour, .fill_opacity = 0.35});
        }
    }
    d.end_clip();
}

void draw_points(Document& d, const svg::Axes& axes, const Curve& c, const std::string& colour)
{
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        const Point p = axes(c.x[i], c.y[i]);
        if (axes.frame.contains(p)) {
            if (error_of(c, i) > 0) {
                axes.curve(d, {{c.x[i], c.y[i] - c.error[i]}, {c.x[i], c.y[i] + c.error[i]}},
                           {colour, 1.2});
            }
            d.circle(p, 3.2, {.stroke = {"white", 0.6}, .fill = colour});
        }
    }
}

void draw_curve(Document& d, const svg::Axes& axes, const Curve& c, const std::string& colour)
{
    switch (c.style) {
    case CurveStyle::bars: draw_bars(d, axes, c, colour); break;
    case CurveStyle::points: draw_points(d, axes, c, colour); break;
    case CurveStyle::line: {
        if (!c.error.empty()) {
            draw_band(d, axes, c, colour);
        }
        std::vector<Point> points;
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            points.push_back({c.x[i], c.y[i]});
        }
        axes.curve(d, points, {colour, 1.7, c.dash});
    }
    }
}

/// One line of the legend.
struct Entry {
    std::string label, colour;
    const Curve* curve;  ///< or a reference line

    [[nodiscard]] double width() const { return 62 + 0.85 * svg::text_width(label, 13); }
};

constexpr double row = 21;

/// Places in the frame that a legend should not hide: points every few pixels of lines and bars.
std::vector<Point> obstacles(const svg::Axes& axes, const std::vector<Curve>& curves)
{
    std::vector<Point> found;
    const auto add_line = [&](const Point& a, const Point& b) {
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const int pieces = length < 1e4 ? 1 + static_cast<int>(length / 6) : 1;
        for (int k = 0; k <= pieces; ++k) {
            const double t = 1.0 * k / pieces;
            found.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
        }
    };
    for (const Curve& c : curves) {
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            const Point p = axes(c.x[i], c.y[i]);
            if (c.style == CurveStyle::bars) {
                const Range bar = bar_of(c.x, i);
                for (const double x : {bar.low, c.x[i], bar.high}) {
                    add_line(axes(x, c.y[i]),
                             {axes(x, c.y[i]).x, axes.frame.y + axes.frame.height});
                }
            } else {
                add_line(c.style == CurveStyle::line && i > 0 ? axes(c.x[i - 1], c.y[i - 1]) : p,
                         p);
            }
        }
    }
    return found;
}

void draw_entry(Document& d, const Entry& e, const Point& at)
{
    const Point left{at.x + 10, at.y}, right{at.x + 40, at.y};
    if (e.curve == nullptr) {
        d.line(left, right, {grey, 1.3, "2 3"});
    } else if (e.curve->style == CurveStyle::line) {
        if (!e.curve->error.empty()) {
            d.rect({left.x, at.y - 6, 30, 12}, {.fill = e.colour, .fill_opacity = 0.22});
        }
        d.line(left, right, {e.colour, 1.7, e.curve->dash});
    } else if (e.curve->style == CurveStyle::points) {
        d.circle({left.x + 15, at.y}, 3.2, {.fill = e.colour});
    } else {
        d.rect({left.x + 6, at.y - 6, 18, 12},
               {.stroke = {e.colour, 1}, .fill = e.colour, .fill_opacity = 0.35});
    }
    d.text({at.x + 48, at.y + 4.5}, e.label);
}

/// Inside the frame at one of six places where it hides nothing, else below the axis. Returns where
/// the picture ends.
double draw_legend(Document& d, const svg::Axes& axes, const std::vector<Entry>& entries,
                   const std::vector<Curve>& curves)
{
    const svg::Rect& f = axes.frame;
    const double end = f.y + f.height + 56;
    svg::Rect box{0, 0, 0, row * static_cast<double>(entries.size()) + 10};
    for (const Entry& e : entries) {
        box.width = std::max(box.width, e.width());
    }
    const std::vector<Point> hidden = obstacles(axes, curves);
    for (const double v : {0.0, 1.0}) {
        for (const double h : {1.0, 0.0, 0.5}) {
            box.x = f.x + 10 + h * (f.width - box.width - 20);
            box.y = f.y + 10 + v * (f.height - box.height - 20);
            const svg::Rect room = box.grown(6);
            if (!f.contains({box.x, box.y}) ||
                std::any_of(hidden.begin(), hidden.end(),
                            [&](const Point& p) { return room.contains(p); })) {
                continue;
            }
            if (!entries.empty()) {
                d.rect(box, {.stroke = {"#bbbbbb", 0.8}, .fill = "white", .fill_opacity = 0.85});
            }
            for (std::size_t i = 0; i < entries.size(); ++i) {
                draw_entry(d, entries[i],
                           {box.x, box.y + 5 + row * (static_cast<double>(i) + 0.5)});
            }
            return end;
        }
    }
    Point at{f.x - 10, end + row / 2};
    for (const Entry& e : entries) {
        if (at.x > f.x && at.x + e.width() > f.x + f.width) {
            at = {f.x - 10, at.y + row};
        }
        draw_entry(d, e, at);
        at.x += e.width();
    }
    return at.y + row;
}

}  // namespace

std::string curves_svg(const CurvePicture& picture)
{
    for (const Curve& c : picture.curves) {
        if (c.x.size() != c.y.size() || (!c.error.empty() && c.error.size() != c.x.size())) {
            throw Error(fmt::format("curve \"{}\": {} abscissae, {} ordinates and {} errors; they "
                                    "must be as many, or no errors",
                                    c.label, c.x.size(), c.y.size(), c.error.size()));
        }
    }
    const double top = picture.title.empty() ? 20 : 46;
    const svg::Rect frame{88, top, 560, 360};
    const Range x = x_range(picture), y = y_range(picture, x);
    const svg::Axes axes{frame, axis(x, picture.log_x, picture.x_name, picture.x_unit, 9),
                         axis(y, picture.log_y, picture.y_name, picture.y_unit, 8)};
    Document d(frame.x + frame.width + 24, frame.y + frame.height + 56);
    if (!picture.title.empty()) {
        d.text({frame.x + frame.width / 2, 30}, picture.title, {16, svg::Anchor::middle});
    }
    std::vector<Entry> entries;
    std::size_t number = 0;
    for (const Curve& c : picture.curves) {
        const std::string colour = c.colour.empty() ? curve_colour(number++) : c.colour;
        draw_curve(d, axes, c, colour);
        if (!c.label.empty()) {
            entries.push_back({c.label, colour, &c});
        }
    }
    for (const Reference& r : picture.references) {
        const std::vector<Point> line =
            r.vertical ? std::vector<Point>{{r.value, y.low}, {r.value, y.high}}
                       : std::vector<Point>{{x.low, r.value}, {x.high, r.value}};
        axes.curve(d, line, {grey, 1.3, "2 3"});
        if (!r.label.empty()) {
            entries.push_back({r.label, grey, nullptr});
        }
    }
    axes.draw(d);
    d.set_height(draw_legend(d, axes, entries, picture.curves));
    return d.str();
}

}  // namespace scree::analyse
