#include "analyse/axes.hpp"

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
