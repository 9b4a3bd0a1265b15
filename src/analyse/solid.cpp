// Volumes declared in solid.hpp.
#include "analyse/solid.hpp"

#include "collide/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::analyse {

namespace {

using std::numbers::pi;

constexpr Interval whole{-unbounded, unbounded};
constexpr Interval nothing{unbounded, -unbounded};

Interval both(const Interval& a, const Interval& b)
{
    return {std::max(a.from, b.from), std::min(a.to, b.to)};
}
/// The hull of two parts of a convex body.
Interval joined(const Interval& a, const Interval& b)
{
    if (!(a.to > a.from)) {
        return b;
    }
    return b.to > b.from ? Interval{std::min(a.from, b.from), std::max(a.to, b.to)} : a;
}

/// |x| ≤ half along one axis, given the line's coordinate there.
Interval slab(double p, double d, double low, double high)
{
    if (d == 0) {
        return p >= low && p <= high ? whole : nothing;
    }
    const double a = (low - p) / d, b = (high - p) / d;
    return {std::min(a, b), std::max(a, b)};
}

/// a t² + 2 b t + c ≤ 0 with a ≥ 0: inside a ball or a round cylinder.
Interval quadratic(double a, double b, double c)
{
    if (a == 0) {
        return c <= 0 ? whole : nothing;
    }
    const double discriminant = b * b - a * c;
    if (!(discriminant > 0)) {
        return nothing;
    }
    const double root = std::sqrt(discriminant);
    return {(-b - root) / a, (-b + root) / a};
}

Interval ball(const Vec& p, const Vec& d, double r)
{
    return quadratic(dot(d, d), dot(p, d), dot(p, p) - r * r);
}
/// Inside an infinite cylinder about x.
Interval round_about_x(const Vec& p, const Vec& d, double r)
{
    return quadratic(d.y * d.y + d.z * d.z, p.y * d.y + p.z * d.z, p.y * p.y + p.z * p.z - r * r);
}

/// In the shape's own frame.
Interval local_chord(const Shape& shape, const Vec& p, const Vec& d)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::sphere_wall: return ball(p, d, s.x);
    case ShapeKind::box:
        return both(slab(p.x, d.x, -s.x, s.x),
                    both(slab(p.y, d.y, -s.y, s.y), slab(p.z, d.z, -s.z, s.z)));
    case ShapeKind::capsule: {
        const Interval middle = both(round_about_x(p, d, s.x), slab(p.x, d.x, -s.y, s.y));
        const Interval ends =
            joined(ball(p - Vec{s.y, 0, 0}, d, s.x), ball(p + Vec{s.y, 0, 0}, d, s.x));
        return joined(middle, ends);
    }
    case ShapeKind::cylinder: return both(round_about_x(p, d, s.x), slab(p.x, d.x, -s.y, s.y));
    case ShapeKind::ellipsoid:
        return ball({p.x / s.x, p.y / s.y, p.z / s.z}, {d.x / s.x, d.y / s.y, d.z / s.z}, 1);
    case ShapeKind::profile: {
        const Interval disc = both(quadratic(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y,
                                             p.x * p.x + p.y * p.y - s.x * s.x),
                                   slab(p.x, d.x, -unbounded, 0));
        const Interval box = both(slab(p.x, d.x, 0, s.y), slab(p.y, d.y, -s.x, s.x));
        return both(joined(disc, box), slab(p.z, d.z, -s.z, s.z));
    }
    case ShapeKind::half_space: return slab(p.z, d.z, 0, unbounded);
    case ShapeKind::cylinder_wall: return round_about_x(p, d, s.x);
    }
    return nothing;
}

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

Region common(const Region& a, const Region& b)
{
    return {
        {std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y), std::max(a.low.z, b.low.z)},
        {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y), std::min(a.high.z, b.high.z)}};
}
bool empty(const Region& a)
{
    return !(a.high.x > a.low.x && a.high.y > a.low.y && a.high.z > a.low.z);
}
bool holds(const Region& outer, const Region& inner)
{
    return inner.low.x >= outer.low.x && inner.low.y >= outer.low.y && inner.low.z >= outer.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y &&
           inner.high.z <= outer.high.z;
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
bool leaves_free(const Shape& wall, const collide::Pose& pose, const Region& box)
{
    for (int corner = 0; corner < 8; ++corner) {
        const Vec p{(corner & 1) != 0 ? box.high.x : box.low.x,
                    (corner & 2) != 0 ? box.high.y : box.low.y,
                    (corner & 4) != 0 ? box.high.z : box.low.z};
        if (collide::wall_distance(wall, pose, p) < 0) {
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
    return local_chord(shape, rotate_back(orientation, p - position), rotate_back(orientation, d));
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
    return sum_of_lines(box, 48, [&](const Vec& p) {
        return both(inside, chord(shape, position, orientation, p, up)).length();
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
            line = both(line, part(i));
        }
        solid.clear();
        for (const std::size_t i : obstacles) {
            solid.push_back(both(line, part(i)));
        }
        std::erase_if(solid, [](const Interval& s) { return !(s.to > s.from); });
        return line.length() - length_of_union(solid);
    });
}

}  // namespace scree::analyse
