// The walls declared in wall_view.hpp.
#include "analyse/wall_view.hpp"

#include "analyse/axes.hpp"
#include "collide/support.hpp"

#include <numbers>

namespace scree::analyse {
namespace {

/// How much of a pixel a line covers whose middle is a distance away.
double coverage(double distance, double half_width, double pixel)
{
    const double near = std::clamp((half_width + 0.5 * pixel - std::abs(distance)) / pixel, 0., 1.);
    return near * std::min(1.0, 2 * half_width / pixel);
}

double smooth_step(double from, double to, double x)
{
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

WallView::WallView(const Frame& frame, const Camera& camera, int width, const Region& bounds,
                   const Vec& up)
    : vessels_(vessels(frame, bounds, up)), camera_(camera), width_(width),
      centre_(0.5 * (bounds.low + bounds.high)), radius_(0.5 * norm(bounds.high - bounds.low))
{
    const std::vector<double> ticks = svg::nice_ticks(0, 2 * radius_, 12);
    spacing_ = ticks.size() > 1 ? ticks[1] - ticks[0] : radius_;
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        if (!is_wall(frame.shapes[i].kind) || frame.shapes[i].kind == ShapeKind::mesh) {
            continue;
        }
        outlines_.push_back({frame.shapes[i], frame.positions[i], frame.orientations[i]});
        const Vec normal = rotate(frame.orientations[i], Vec{0, 0, 1});
        if (frame.shapes[i].kind == ShapeKind::half_space && dot(normal, up) > 0.05 &&
            camera.in_front_of(frame.positions[i], normal)) {
            // Lines along x and y on level ground, level and downhill on slopes.
            const Vec level = cross(up, normal);
            const Vec along =
                norm(level) > 1e-6 ? normalised(level) : normalised(cross(Vec{0, 1, 0}, normal));
            floors_.push_back({frame.positions[i], normal, along, cross(normal, along)});
        }
    }
}

std::vector<WallView::Vessel> WallView::vessels(const Frame& frame, const Region& bounds,
                                                const Vec& up)
{
    std::vector<Vessel> found;
    const Vec middle = 0.5 * (bounds.low + bounds.high), half = bounds.high - middle;
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        const Shape& shape = frame.shapes[i];
        if (shape.kind != ShapeKind::cylinder_wall && shape.kind != ShapeKind::sphere_wall) {
            continue;
        }
        Vessel v{{shape, frame.positions[i], frame.orientations[i]}, up, 0, 0};
        if (!v.round()) {
            v.axis = rotate(frame.orientations[i], Vec{1, 0, 0});
        }
        const double at = dot(middle - frame.positions[i], v.axis);
        const double reach =
            std::abs(v.axis.x) * half.x + std::abs(v.axis.y) * half.y + std::abs(v.axis.z) * half.z;
        v.from = at - 1.15 * reach;
        v.to = at + 1.15 * reach;
        if (v.round()) {  // a bowl, or the whole sphere
            v.from = -unbounded;
            v.to = v.to < 0.9 * shape.size.x ? v.to : unbounded;
        }
        for (std::size_t k = frame.dynamic_count; k < frame.ids.size() && !v.round(); ++k) {
            // Half-spaces across the axis end a cylinder.
            const Vec normal = rotate(frame.orientations[k], Vec{0, 0, 1});
            const double slope = dot(normal, v.axis);
            if (frame.shapes[k].kind == ShapeKind::half_space && std::abs(slope) > 0.9) {
                (slope > 0 ? v.from : v.to) =
                    dot(frame.positions[k] - frame.positions[i], normal) / slope;
            }
        }
        found.push_back(v);
    }
    return found;
}

std::vector<Vec> WallView::corners(const Frame& frame, const Region& bounds, const Vec& up)
{
    std::vector<Vec> points;
    const double size = norm(bounds.high - bounds.low);
    for (const Vessel& v : vessels(frame, bounds, up)) {
        const double r = v.wall.shape.size.x;
        if (r > 2 * size) {
            continue;  // hardly curved where the bodies are
        }
        const Vec x = collide::across(v.axis), y = cross(v.axis, x);
        const double from = v.round() ? std::max(v.from, -r) : v.from;
        const double to = v.round() ? std::min(v.to, r) : v.to;
        constexpr int circles = 16, directions = 32;
        for (int i = 0; i <= circles; ++i) {
            const double height = from + (to - from) * i / circles;
            const double across = v.round() ? std::sqrt(std::max(0.0, r * r - height * height)) : r;
            for (int k = 0; k < directions; ++k) {
                const double angle = 2 * std::numbers::pi * k / directions;
                points.push_back(v.wall.position + height * v.axis + across * std::cos(angle) * x +
                                 across * std::sin(angle) * y);
            }
        }
    }
    return points;
}

double WallView::outline(const Vec& p, const Vec& floor_normal, double pixel) const
{
    const double half_width = 0.004 * radius_;
    double ink = 0, free = unbounded;
    for (const PlacedShape& wall : outlines_) {
        const double off = collide::wall_distance(wall.shape, {wall.position, wall.orientation}, p);
        const Vec n = rotate(wall.orientation, Vec{0, 0, 1});
        if (wall.shape.kind != ShapeKind::half_space || norm(n - floor_normal) > 1e-3) {
            ink = std::max(ink, coverage(off, half_width, pixel));
            free = std::min(free, off);
        }
    }
    return free > -half_width - pixel ? ink : 0;
}

WallView::FloorHit WallView::floor(const Ray& ray) const
{
    FloorHit hit;
    for (std::size_t i = 0; i < floors_.size(); ++i) {
        const double down = dot(ray.direction, floors_[i].normal);
        const double at = dot(floors_[i].point - ray.origin, floors_[i].normal) / down;
        if (down < 0 && at > 0 && at < hit.at) {
            hit = {at, i, floors_[i].normal};
        }
    }
    return hit;
}

float WallView::nearness(const Vec& p) const
{
    return static_cast<float>(1 - smooth_step(1.2, 4, norm(p - centre_) / radius_));
}

float WallView::lines(const Ray& ray, double at, std::size_t floor) const
{
    const Floor& f = floors_[floor];
    const Vec p = ray.origin + at * ray.direction;
    const double pixel = camera_.pixel(width_, at);
    const double steep = std::max(1e-3, -dot(ray.direction, f.normal));
    double ink = outline(p, f.normal, pixel / steep);
    for (const Vec& e : {f.along, f.across}) {
        // A pixel reaches farther along the line of sight.
        const double reach =
            pixel * std::hypot(dot(e, camera_.right()), dot(e, camera_.forward()) / steep);
        const double number = dot(p, e) / spacing_;
        const double off = (number - std::round(number)) * spacing_;
        ink = std::max(ink, 0.35 * coverage(off, 0.0015 * radius_, reach));
    }
    return static_cast<float>(ink);
}

void WallView::glass(const Ray& ray, double limit,
                     const std::function<void(double at, float opacity)>& found) const
{
    for (const Vessel& v : vessels_) {
        const double nearest = dot(v.wall.position - ray.origin, ray.direction);
        const Vec q = ray.origin + nearest * ray.direction - v.wall.position;
        const Interval in = chord(v.wall.shape, rotate_back(v.wall.orientation, q),
                                  rotate_back(v.wall.orientation, ray.direction));
        if (in.empty()) {
            continue;
        }
        for (const double t : {in.from, in.to}) {
            const Vec p = q + t * ray.direction;
            const double height = dot(p, v.axis);
            if (nearest + t < 0 || nearest + t > limit || height < v.from || height > v.to) {
                continue;
            }
            const Vec normal = normalised(v.round() ? p : p - height * v.axis);
            const double x = 1 - std::abs(dot(normal, ray.direction));
            const double rim =
                coverage(std::min(height - v.from, v.to - height), 0.006 * v.wall.shape.size.x,
                         camera_.pixel(width_, nearest + t));
            found(nearest + t, static_cast<float>(std::max(0.05 + 0.5 * x * x * x * x, 0.6 * rim)));
        }
    }
}

}  // namespace scree::analyse
