// A small writer for SVG pictures: shapes, text, clipping and hatching in pixels (origin top left).
// Enough for the curves, contours and maps of this project; the result is plain SVG with real text.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace scree::analyse::svg {

struct Point {
    double x, y;
};
inline bool finite(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

struct Rect {
    double x, y, width, height;

    bool contains(const Point& p) const
    {
        return p.x >= x && p.x <= x + width && p.y >= y && p.y <= y + height;
    }
    Rect grown(double margin) const
    {
        return {x - margin, y - margin, width + 2 * margin, height + 2 * margin};
    }
};

struct Stroke {
    std::string colour = "black";
    double width = 1;
    std::string dash{};  ///< as stroke-dasharray, e.g. "2 4"; empty for a solid line
};

struct Shape {
    Stroke stroke{"none"};
    std::string fill = "none";
    double fill_opacity = 1;
};

enum class Anchor { start, middle, end };

struct Font {
    double size = 13;
    Anchor anchor = Anchor::start;
    std::string colour = "#222222";
    bool bold = false;
    double turned = 0;  ///< degrees, clockwise
    bool halo = false;  ///< a white rim, for text on top of lines
};

/// An SVG document under construction. Points that are not finite lift the pen of `polyline` and
/// leave out any other element they belong to, so no picture ever holds a NaN.
class Document {
public:
    Document(double width, double height) : width_(width), height_(height) {}

    void set_height(double height) { height_ = height; }

    void line(const Point& a, const Point& b, const Stroke& stroke) { polyline({a, b}, stroke); }
    void polyline(const std::vector<Point>& points, const Stroke& stroke);
    void polygon(const std::vector<Point>& points, const Shape& shape);
    void circle(const Point& centre, double radius, const Shape& shape);
    void rect(const Rect& rect, const Shape& shape);
    /// The text may hold subscripts "x_{t}" and superscripts "10^{3}"; everything else is literal.
    void text(const Point& at, std::string_view text, const Font& font = {});

    /// A raster image, from the bytes of a PNG file; its pixels keep sharp borders.
    void image(const Rect& rect, std::string_view png);

    /// Whatever is drawn between the two calls is seen inside the rectangle only. They may nest.
    void begin_clip(const Rect& rect);
    void end_clip() { body_ += "</g>\n"; }

    /// A fill of diagonal stripes, to be used as Shape::fill.
    std::string hatch(const std::string& colour, double spacing = 7);

    /// The whole document.
    std::string str() const;

private:
    double width_, height_;
    int ids_ = 0;
    std::string definitions_;
    std::string body_;
};

/// A number for people: `digits` significant ones, a true minus sign, powers as "1.2·10^{-7}".
std::string number(double value, int digits = 4);

/// Roughly how wide a text is, markup left out [pixels].
double text_width(std::string_view text, double size);

}  // namespace scree::analyse::svg
