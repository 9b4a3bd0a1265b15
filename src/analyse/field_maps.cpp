// The averages declared in field_maps.hpp.
#include "scree/analyse/field_maps.hpp"

#include "analyse/solid.hpp"
#include "scree/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace scree::analyse {

std::optional<std::size_t> CellGrid::cell_of(const Vec& point) const
{
    if (!region.contains(point)) {
        return std::nullopt;
    }
    const auto number = [&](int axis, int count) {
        const double low = along(region.low, axis), high = along(region.high, axis);
        const double place = (along(point, axis) - low) / (high - low) * count;
        return static_cast<std::size_t>(std::min(place, count - 1.0));
    };
    return number(first, columns) + static_cast<std::size_t>(columns) * number(second, rows);
}

double CellGrid::middle(int axis, std::size_t cell) const
{
    const std::size_t width = static_cast<std::size_t>(columns);
    const double number = static_cast<double>(axis == first ? cell % width : cell / width) + 0.5;
    const double low = along(region.low, axis), high = along(region.high, axis);
    return low + (high - low) * number / (axis == first ? columns : rows);
}

double CellGrid::cell_volume() const { return region.volume() / static_cast<double>(cells()); }

CellAverages::CellAverages(const CellGrid& grid) : grid_(grid)
{
    if (grid.columns < 1 || grid.rows < 1) {
        throw Error(fmt::format("map: {} × {} cells; at least one along each axis is needed",
                                grid.columns, grid.rows));
    }
    const auto is_axis = [](int axis) { return axis >= 0 && axis < 3; };
    if (!is_axis(grid.first) || !is_axis(grid.second) || grid.first == grid.second) {
        throw Error(fmt::format("map: axes {} and {}; two different ones of 0, 1, 2 (x, y, z) are "
                                "needed",
                                grid.first, grid.second));
    }
    Region flat = grid.region;  // bounded along the axis that is ignored
    (grid.third() == 0 ? flat.low.x : grid.third() == 1 ? flat.low.y : flat.low.z) = 0;
    (grid.third() == 0 ? flat.high.x : grid.third() == 1 ? flat.high.y : flat.high.z) = 1;
    require_bounded(flat, "map");
    sums_.resize(grid.cells());
}

void CellAverages::add(const Frame& frame)
{
    ++frames_;
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (const auto cell = grid_.cell_of(frame.positions[i])) {
            const Vec v = frame.velocities[i], w = frame.angular_velocities[i];
            Sums& s = sums_[*cell];
            s.count += 1;
            s.volume += volume(frame.shapes[i]);
            s.velocity = s.velocity + v;
            s.angular_velocity = s.angular_velocity + w;
            s.speed += norm(v);
            s.speed_squared += dot(v, v);
            s.angular_speed += norm(w);
        }
    }
}

template <class Value> auto CellAverages::each(const Value& value) const
{
    std::vector<decltype(value(sums_.front()))> values;
    values.reserve(sums_.size());
    std::transform(sums_.begin(), sums_.end(), std::back_inserter(values), value);
    return values;
}

std::vector<double> CellAverages::count() const
{
    return each([&](const Sums& s) { return s.count / frames_; });
}
std::vector<Vec> CellAverages::velocity() const
{
    return each([](const Sums& s) { return (1 / s.count) * s.velocity; });
}
std::vector<double> CellAverages::speed() const
{
    return each([](const Sums& s) { return norm(s.velocity) / s.count; });
}
std::vector<double> CellAverages::mean_speed() const
{
    return each([](const Sums& s) { return s.speed / s.count; });
}
std::vector<double> CellAverages::temperature() const
{
    return each([](const Sums& s) {
        const Vec mean = (1 / s.count) * s.velocity;
        const double t = (s.speed_squared / s.count - dot(mean, mean)) / 3;
        return t < 0 ? 0 : t;  // by rounding
    });
}
std::vector<Vec> CellAverages::angular_velocity() const
{
    return each([](const Sums& s) { return (1 / s.count) * s.angular_velocity; });
}
std::vector<double> CellAverages::angular_speed() const
{
    return each([](const Sums& s) { return norm(s.angular_velocity) / s.count; });
}
std::vector<double> CellAverages::mean_angular_speed() const
{
    return each([](const Sums& s) { return s.angular_speed / s.count; });
}
std::vector<double> CellAverages::solid_fraction() const
{
    const double cell = grid_.cell_volume();
    const double whole = std::isfinite(cell) ? cell : std::numeric_limits<double>::quiet_NaN();
    return each([&](const Sums& s) { return s.volume / frames_ / whole; });
}

Series CellAverages::table() const
{
    Series t;
    const auto axis_name = [](int axis) { return std::string(1, "xyz"[axis]); };
    for (const int axis : {grid_.first, grid_.second}) {
        Column& column = t.columns.emplace_back(Column{axis_name(axis), "m"});
        for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
            column.values.push_back(grid_.middle(axis, cell));
        }
    }
    const auto add_vector = [&](const std::string& name, const std::string& unit,
                                const std::vector<Vec>& values) {
        for (int axis = 0; axis < 3; ++axis) {
            Column& column = t.columns.emplace_back(Column{name + " " + axis_name(axis), unit});
            std::transform(values.begin(), values.end(), std::back_inserter(column.values),
                           [&](const Vec& v) { return along(v, axis); });
        }
    };
    t.columns.push_back({"particles", "", count()});
    add_vector("velocity", "m/s", velocity());
    t.columns.push_back({"speed of the mean velocity", "m/s", speed()});
    t.columns.push_back({"mean speed", "m/s", mean_speed()});
    t.columns.push_back({"granular temperature", "m²/s²", temperature()});
    add_vector("angular velocity", "rad/s", angular_velocity());
    t.columns.push_back({"angular speed of the mean", "rad/s", angular_speed()});
    t.columns.push_back({"mean angular speed", "rad/s", mean_angular_speed()});
    t.columns.push_back({"solid fraction", "", solid_fraction()});
    return t;
}

}  // namespace scree::analyse
