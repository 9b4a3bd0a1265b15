// The picture declared in heat_map.hpp.
#include "analyse/heat_map.hpp"

#include "analyse/axes.hpp"
#include "analyse/colour_bar.hpp"
#include "analyse/png.hpp"
#include "collide/clump.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

using svg::Document;
using svg::Point;
constexpr const char* ink = "#222222";

Vec unit_vector(int axis)
{
    return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

/// Directions around the plane; not along the axes, where flat faces have no support point of
/// their own.
Vec direction(const CellGrid& grid, int k, int count)
{
    const double angle = 2 * std::numbers::pi * (k + 0.37) / count;
    return std::cos(angle) * unit_vector(grid.first) + std::sin(angle) * unit_vector(grid.second);
}

bool overlap(const Region& a, const Region& b)
{
    return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y &&
           a.low.z < b.high.z && b.low.z < a.high.z;
}

struct Range {
    double low, high;
};

Range colour_range(const HeatMap& map)
{
    double least = unbounded, most = -unbounded;
    for (const double v : map.values) {
        if (std::isfinite(v)) {
            least = std::min(least, v);
            most = std::max(most, v);
        }
    }
    if (!(least <= most)) {
        least = 0;
        most = 1;
    }
    if (map.colours == ColourMap::diverging) {
        most = std::max(std::abs(least), std::abs(most));
        least = -most;
    } else if (least > 0 && least < 0.3 * most) {
        least = 0;
    }
    Range range{map.low.value_or(least), map.high.value_or(most)};
    if (!(range.high > range.low)) {
        range.high = range.low + std::max(1e-300, std::abs(range.low));  // one value everywhere
    }
    return range;
}

/// The cells as a PNG, each several pixels wide, so that no viewer blurs their borders.
std::string cells_png(const HeatMap& map, const Range& range)
{
    const CellGrid& g = map.grid;
    // Empty cells must differ from the white in the middle of diverging colours.
    const Pixel empty =
        map.colours == ColourMap::diverging ? Pixel{205, 205, 205} : Pixel{255, 255, 255};
    const auto colour_of = [&](double v) {
        return std::isnan(v) ? empty
                             : colour(map.colours, (v - range.low) / (range.high - range.low));
    };
    const auto scale = static_cast<std::size_t>(std::max(1, 600 / std::max(g.columns, g.rows)));
    const auto columns = static_cast<std::size_t>(g.columns);
    std::vector<std::uint8_t> rgb;
    for (std::size_t row = map.values.size() / columns; row-- > 0;) {  // pictures begin at the top
        std::vector<std::uint8_t> line;
        for (std::size_t column = 0; column < columns; ++column) {
            const Pixel c = colour_of(map.values[column + columns * row]);
            for (std::size_t k = 0; k < scale; ++k) {
                line.insert(line.end(), c.begin(), c.end());
            }
        }
        for (std::size_t k = 0; k < scale; ++k) {
            rgb.insert(rgb.end(), line.begin(), line.end());
        }
    }
    return encode_png(static_cast<int>(scale) * g.columns, static_cast<int>(scale) * g.rows, rgb);
}

/// Shaft and head, as pieces of a line that is lifted between them.
void append_arrow(std::vector<Point>& line, const Point& from, const Point& way)
{
    const double length = std::hypot(way.x, way.y);
    const Point tip{from.x + way.x, from.y + way.y};
    const double head = std::min(5.0, 0.5 * length) / length;
    const auto barb = [&](double side) {
        return Point{tip.x - head * (way.x + side * 0.5 * way.y),
                     tip.y - head * (way.y - side * 0.5 * way.x)};
    };
    line.insert(line.end(), {from, tip, {unbounded, 0}, barb(1), tip, barb(-1), {unbounded, 0}});
}

/// Arrows about every 28 pixels, each the mean of the cells around it; the longest is 24 long.
void draw_arrows(Document& d, const HeatMap& map, const svg::Rect& frame)
{
    const CellGrid& g = map.grid;
    const int across = std::max(1, static_cast<int>(std::lround(frame.width / 28)));
    const int down = std::max(1, static_cast<int>(std::lround(frame.height / 28)));
    struct Sum {
        Point way{0, 0};
        int count = 0;
    };
    std::vector<Sum> sums(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
    for (std::size_t cell = 0; cell < map.arrows.size(); ++cell) {
        const std::size_t width = static_cast<std::size_t>(g.columns);
        const auto column = static_cast<int>(cell % width), row = static_cast<int>(cell / width);
        const Point v{along(map.arrows[cell], g.first), along(map.arrows[cell], g.second)};
        if (std::isfinite(v.x) && std::isfinite(v.y)) {
            Sum& s = sums[static_cast<std::size_t>(column * across / g.columns) +
                          static_cast<std::size_t>(across) *
                              static_cast<std::size_t>(row * down / g.rows)];
            s.way = {s.way.x + v.x, s.way.y + v.y};
            ++s.count;
        }
    }
    double longest = 0;
    for (Sum& s : sums) {
        s.way = s.count > 0 ? Point{s.way.x / s.count, s.way.y / s.count} : Point{0, 0};
        longest = std::max(longest, std::hypot(s.way.x, s.way.y));
    }
    std::vector<Point> line;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Point way{24 / longest * sums[i].way.x, -24 / longest * sums[i].way.y};
        if (std::hypot(way.x, way.y) > 1.5) {
            const auto column = static_cast<double>(i % static_cast<std::size_t>(across));
            const auto row = static_cast<double>(i / static_cast<std::size_t>(across));
            const Point middle{frame.x + frame.width * (column + 0.5) / across,
                               frame.y + frame.height * (1 - (row + 0.5) / down)};
            append_arrow(line, {middle.x - way.x / 2, middle.y - way.y / 2}, way);
        }
    }
    d.polyline(line, {"white", 2.8});
    d.polyline(line, {"black", 1.1});
}

}  // namespace

std::vector<Outline> outlines(const Frame& frame, const CellGrid& grid)
{
    constexpr int directions = 360;
    std::vector<Outline> result;
    const auto flat = [&](const Vec& p) {
        return Point{along(p, grid.first), along(p, grid.second)};
    };
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        const Shape& shape = frame.shapes[i];
        const Vec position = frame.positions[i];
        const Quat<double> q = frame.orientations[i];
        Outline outline;
        if (!is_wall(shape.kind)) {
            if (!overlap(bounds_of(shape, position, q), grid.region)) {
                continue;
            }
            for (int k = 0; k < directions; ++k) {
                const Vec m = direction(grid, k, directions);
                const Point p = flat(collide::farthest_point(shape, {position, q}, m));
                if (outline.points.empty() || outline.points.back().x != p.x ||
                    outline.points.back().y != p.y) {
                    outline.points.push_back(p);
                }
            }
        } else {
            const Vec axis = rotate(q, Vec{1, 0, 0});
            const bool seen_along_axis = std::abs(along(axis, grid.third())) > 1 - 1e-9;
            if (shape.kind == ShapeKind::half_space || shape.kind == ShapeKind::mesh ||
                (shape.kind == ShapeKind::cylinder_wall && !seen_along_axis)) {
                continue;
            }
            outline.filled = false;
            for (int k = 0; k < directions; ++k) {
                outline.points.push_back(
                    flat(position + shape.size.x * direction(grid, k, directions)));
            }
        }
        result.push_back(std::move(outline));
    }
    return result;
}

std::string heat_map_svg(const HeatMap& map)
{
    const CellGrid& g = map.grid;
    if (map.values.size() != g.cells() || (!map.arrows.empty() && map.arrows.size() != g.cells())) {
        throw Error(fmt::format("heat map: {} values and {} arrows for {} × {} cells; one for each "
                                "is needed",
                                map.values.size(), map.arrows.size(), g.columns, g.rows));
    }
    const Range across{along(g.region.low, g.first), along(g.region.high, g.first)};
    const Range up{along(g.region.low, g.second), along(g.region.high, g.second)};
    const double width = across.high - across.low, height = up.high - up.low;
    const double pixels = std::min(640 / width, 480 / height);  // per metre
    const svg::Rect frame{78, map.title.empty() ? 20.0 : 46.0, std::max(120.0, width * pixels),
                          std::max(90.0, height * pixels)};

    // Lengths of small things in mm.
    const bool small = std::max({std::abs(across.low), std::abs(across.high), std::abs(up.low),
                                 std::abs(up.high)}) < 0.5;
    const double unit = small ? 1e3 : 1;
    const auto axis = [&](const Range& range, int number, double size, double spacing) {
        return svg::linear_axis(unit * range.low, unit * range.high, std::string(1, "xyz"[number]),
                                small ? "mm" : "m", std::max(2, static_cast<int>(size / spacing)));
    };
    const svg::Axes axes{frame, axis(across, g.first, frame.width, 60),
                         axis(up, g.second, frame.height, 40)};

    const svg::Rect bar{frame.x + frame.width + 18, frame.y, 16, frame.height};
    Document d(bar.x + bar.width + 88, frame.y + frame.height + 56);
    if (!map.title.empty()) {
        d.text({frame.x + frame.width / 2, 30}, map.title, {16, svg::Anchor::middle});
    }
    const Range range = colour_range(map);
    d.image(frame, cells_png(map, range));
    d.begin_clip(frame);
    if (!map.arrows.empty()) {
        draw_arrows(d, map, frame);
    }
    // All borders before all fills, so that bodies that overlap have one border.
    for (const bool fill : {false, true}) {
        for (const Outline& outline : map.outlines) {
            std::vector<Point> points;
            for (const Point& p : outline.points) {
                points.push_back(axes(unit * p.x, unit * p.y));
            }
            if (!fill) {
                d.polygon(points, {.stroke = {ink, 2.8}});
            } else if (outline.filled) {
                d.polygon(points, {.fill = "#a8a8a8"});
            }
        }
    }
    d.end_clip();
    axes.draw(d);
    draw(d, {bar, range.low, range.high, map.quantity, map.unit,
             [&](double share) { return colour(map.colours, share); }});
    return d.str();
}

}  // namespace scree::analyse
