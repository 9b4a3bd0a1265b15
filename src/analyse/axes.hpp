// A framed pair of axes on an SVG picture: it maps data to pixels, clips curves exactly to its
// frame and labels itself with round numbers.
#pragma once

#include "analyse/svg.hpp"

#include <string>
#include <vector>

namespace scree::analyse::svg {

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], `most` at the most.
std::vector<double> nice_ticks(double low, double high, int most);

struct Tick {
    double value;
    std::string label;
};

struct Axis {
    double low, high;
    std::string label;
    std::vector<Tick> ticks;
    bool logarithmic = false;

    /// 0 at `low`, 1 at `high`.
    [[nodiscard]] double place(double value) const;
};

/// An axis with round ticks; where the numbers are huge or tiny, a power of ten joins the unit,
/// which may be empty.
Axis linear_axis(double low, double high, const std::string& name, const std::string& unit,
                 int most_ticks);

/// An axis with ticks at powers of ten and unlabelled ones between; 0 < low < high.
Axis log_axis(double low, double high, const std::string& name, const std::string& unit);

/// A frame in pixels with a horizontal and a vertical axis.
struct Axes {
    Rect frame;
    Axis x, y;

    Point operator()(double x_value, double y_value) const;
    /// The frame, the ticks and the labels; to be drawn after the contents.
    void draw(Document& document) const;
    /// A curve given in data coordinates, clipped to the frame; points not finite lift the pen.
    void curve(Document& document, const std::vector<Point>& points, const Stroke& stroke) const;
    /// A filled region given in data coordinates, clipped to the frame.
    void area(Document& document, const std::vector<Point>& points, const Shape& shape) const;
};

/// Where to put a short label near `mark`: of eight places around it within `frame`, the one that
/// is farthest from all obstacles.
Point free_place(const Point& mark, const std::vector<Point>& obstacles, const Rect& frame,
                 double distance = 16);

}  // namespace scree::analyse::svg
