// Volumes declared in solid_volume.hpp.
#include "analyse/solid_volume.hpp"

#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::analyse {

namespace {

using std::numbers::pi;

/// Area of the disc of radius r about the origin within [0, x] × [0, y], odd in x and in y.
double corner_area(double x, double y, double r)
{
    const double sign = std::copysign(1, x) * std::copysign(1, y);
    x = std::min(std::abs(x), r);
    y = std::min(std::abs(y), r);
    if (x * x + y * y <= r * r) {
        return sign * x * y;
    }
    const double start = std::sqrt(r * r - y * y);  // of the arc that bounds the area
    return sign * 0.5 *
           (y * start + x * std::sqrt(r * r - x * x) +
            r * r * (std::asin(x / r) - std::asin(start / r)));
}

/// A sphere about the origin within a box.
double sphere_inside(double r, const Region& box)
{
    // Distances of the six faces, positive where the centre is on their inner side.
    const std::array<double, 6> face{-box.low.x, box.high.x, -box.low.y,
                                     box.high.y, -box.low.z, box.high.z};
    const double ball = 4.0 / 3 * pi * r * r * r;
    bool together = false;  // two neighbouring faces cut the sphere at the same place
    double cut = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        if (face[i] <= -r) {
            return 0;
        }
        const double h = std::clamp(r - face[i], 0.0, 2 * r);
        cut += pi * h * h * (3 * r - h) / 3;
        for (std::size_t j = 0; j < i - i % 2; ++j) {
            together =
                together ||
                (face[i] < r && face[j] < r &&
                 (std::min(face[i], face[j]) < 0 || face[i] * face[i] + face[j] * face[j] < r * r));
        }
    }
    if (!together) {
        return ball - cut;
    }
    // Slices across z, equally spaced in the angle whose sine is z/r.
    const double low = std::asin(std::clamp(box.low.z / r, -1.0, 1.0));
    const double high = std::asin(std::clamp(box.high.z / r, -1.0, 1.0));
    constexpr int slices = 100;
    const double step = (high - low) / slices;
    double sum = 0;
    for (int i = 0; i < slices; ++i) {
        const double radius = r * std::cos(low + (i + 0.5) * step);
        sum += radius * (corner_area(box.high.x, box.high.y, radius) -
                         corner_area(box.low.x, box.high.y, radius) -
                         corner_area(box.high.x, box.low.y, radius) +
                         corner_area(box.low.x, box.low.y, radius));
    }
    return sum * step;
}

/// ∫ length(line) over n × n lines along z through a box.
template <class Length> double sum_of_lines(const Region& box, int n, const Length& length)
{
    const double dx = (box.high.x - box.low.x) / n, dy = (box.high.y - box.low.y) / n;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            sum += length(Vec{box.low.x + (i + 0.5) * dx, box.low.y + (j + 0.5) * dy, box.low.z});
        }
    }
    return sum * dx * dy;
}

constexpr Vec up{0, 0, 1};

/// Total length of a set of intervals, which may overlap.
double length_of_union(std::vector<Interval>& parts)
{
    std::sort(parts.begin(), parts.end(),
              [](const Interval& a, const Interval& b) { return a.from < b.from; });
    double length = 0, reached = -unbounded;
    for (const Interval& part : parts) {
        length += Interval{std::max(part.from, reached), part.to}.length();
        reached = std::max(reached, part.to);
    }
    return length;
}

/// The wall leaves the whole box free: free spaces are convex, so that its corners decide.
bool leaves_free(const Shape& wall, const shapes::Pose& pose, const Region& box)
{
    for (int corner = 0; corner < 8; ++corner) {
        const Vec p{(corner & 1) != 0 ? box.high.x : box.low.x,
                    (corner & 2) != 0 ? box.high.y : box.low.y,
                    (corner & 4) != 0 ? box.high.z : box.low.z};
        if (shapes::wall_distance(wall, pose, p) < 0) {
            return false;
        }
    }
    return true;
}

}  // namespace

double volume(const Shape& shape)
{
    if (shape.kind == ShapeKind::capsule && shape.size.x == 0) {
        return 0;
    }
    return mass_properties(shape, 1).mass;
}

Interval chord(const Shape& shape, const Vec& position, const Quat<double>& orientation,
               const Vec& p, const Vec& d)
{
    return chord(shape, rotate_back(orientation, p - position), rotate_back(orientation, d));
}

/// What a line upwards from p has in the parts of a shape within an interval.
static void add_chords(const Shape& shape, const Vec& position, const Quat<double>& orientation,
                       const Vec& p, const Interval& within, std::vector<Interval>& to)
{
    for (int k = 0; k < shapes::part_count(shape); ++k) {
        const shapes::PlacedPart part = shapes::part_of(shape, {position, orientation}, k);
        const Interval in =
            common(within, chord(part.shape, part.pose.position, part.pose.orientation, p, up));
        if (in.to > in.from) {
            to.push_back(in);
        }
    }
}

double volume_inside(const Shape& shape, const Vec& position, const Quat<double>& orientation,
                     const Region& region)
{
    if (shape.kind == ShapeKind::sphere) {
        return sphere_inside(shape.size.x, {region.low - position, region.high - position});
    }
    const Region bounds = bounds_of(shape, position, orientation);
    if (holds(region, bounds)) {
        return volume(shape);
    }
    const Region box = common(bounds, region);
    if (empty(box)) {
        return 0;
    }
    const Interval inside{0, box.high.z - box.low.z};
    std::vector<Interval> parts;
    return sum_of_lines(box, 48, [&](const Vec& p) {
        parts.clear();
        add_chords(shape, position, orientation, p, inside, parts);
        return length_of_union(parts);
    });
}

double free_volume(const Frame& frame, const Region& region)
{
    require_bounded(region, "free volume");
    std::vector<std::size_t> walls, obstacles;
    std::vector<Region> taken;
    bool apart = true;
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        if (is_wall(frame.shapes[i].kind)) {
            if (!leaves_free(frame.shapes[i], {frame.positions[i], frame.orientations[i]},
                             region)) {
                walls.push_back(i);
            }
            continue;
        }
        const Region box =
            common(region, bounds_of(frame.shapes[i], frame.positions[i], frame.orientations[i]));
        if (!empty(box)) {
            apart = apart && std::all_of(taken.begin(), taken.end(), [&](const Region& other) {
                        return empty(common(box, other));
                    });
            taken.push_back(box);
            obstacles.push_back(i);
        }
    }
    if (walls.empty() && apart) {
        double rest = region.volume();
        for (const std::size_t i : obstacles) {
            rest -=
                volume_inside(frame.shapes[i], frame.positions[i], frame.orientations[i], region);
        }
        return rest;
    }
    std::vector<Interval> solid;
    return sum_of_lines(region, 256, [&](const Vec& p) {
        const auto part = [&](std::size_t i) {
            return chord(frame.shapes[i], frame.positions[i], frame.orientations[i], p, up);
        };
        Interval line{0, region.high.z - region.low.z};
        for (const std::size_t i : walls) {
            line = common(line, part(i));
        }
        solid.clear();
        for (const std::size_t i : obstacles) {
            add_chords(frame.shapes[i], frame.positions[i], frame.orientations[i], p, line, solid);
        }
        return line.length() - length_of_union(solid);
    });
}

}  // namespace scree::analyse
