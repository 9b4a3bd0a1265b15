// The walls declared in wall_view.hpp.
#include "analyse/wall_view.hpp"

#include "analyse/svg.hpp"
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
    : tubes_(tubes(frame, bounds)), camera_(camera), width_(width),
      centre_(0.5 * (bounds.low + bounds.high)), radius_(0.5 * norm(bounds.high - bounds.low))
{
    const std::vector<double> ticks = svg::nice_ticks(0, 2 * radius_, 12);
    spacing_ = ticks.size() > 1 ? ticks[1] - ticks[0] : radius_;
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        if (!is_wall(frame.shapes[i].kind)) {
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

std::vector<WallView::Tube> WallView::tubes(const Frame& frame, const Region& bounds)
{
    std::vector<Tube> found;
    for (std::size_t i = frame.dynamic_count; i < frame.ids.size(); ++i) {
        const Shape& shape = frame.shapes[i];
        if (shape.kind != ShapeKind::cylinder_wall && shape.kind != ShapeKind::sphere_wall) {
            continue;
        }
        Tube tube{{shape, frame.positions[i], frame.orientations[i]}, -unbounded, unbounded};
        if (shape.kind == ShapeKind::cylinder_wall) {
            // As long as the bodies and a little more, unless half-spaces end it.
            const Vec axis = rotate(frame.orientations[i], Vec{1, 0, 0});
            const Vec middle = 0.5 * (bounds.low + bounds.high), half = bounds.high - middle;
            const double at = dot(middle - frame.positions[i], axis);
            const double reach =
                std::abs(axis.x) * half.x + std::abs(axis.y) * half.y + std::abs(axis.z) * half.z;
            tube.from = at - 1.15 * reach;
            tube.to = at + 1.15 * reach;
            for (std::size_t k = frame.dynamic_count; k < frame.ids.size(); ++k) {
                const Vec normal = rotate(frame.orientations[k], Vec{0, 0, 1});
                const double slope = dot(normal, axis);
                if (frame.shapes[k].kind == ShapeKind::half_space && std::abs(slope) > 0.9) {
                    const double end = dot(frame.positions[k] - frame.positions[i], normal) / slope;
                    (slope > 0 ? tube.from : tube.to) = end;
                }
            }
        }
        found.push_back(tube);
    }
    return found;
}

std::vector<Vec> WallView::corners(const Frame& frame, const Region& bounds)
{
    std::vector<Vec> points;
    const double size = norm(bounds.high - bounds.low);
    for (const Tube& tube : tubes(frame, bounds)) {
        const double r = tube.wall.shape.size.x;
        if (r > 2 * size) {
            continue;  // hardly curved where the bodies are
        }
        const bool round = tube.wall.shape.kind == ShapeKind::sphere_wall;
        for (int k = 0; k < 32; ++k) {
            const double angle = k * std::numbers::pi / 16;
            const double y = r * std::cos(angle), z = r * std::sin(angle);
            const auto place = [&](const Vec& p) {
                points.push_back(tube.wall.position + rotate(tube.wall.orientation, p));
            };
            if (round) {
                place({0, y, z});
                place({y, 0, z});
                place({y, z, 0});
            } else {
                place({tube.from, y, z});
                place({tube.to, y, z});
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
    for (const Tube& tube : tubes_) {
        const PlacedShape& wall = tube.wall;
        const bool round = wall.shape.kind == ShapeKind::sphere_wall;
        const double nearest = dot(wall.position - ray.origin, ray.direction);
        const Vec o =
            rotate_back(wall.orientation, ray.origin + nearest * ray.direction - wall.position);
        const Vec d = rotate_back(wall.orientation, ray.direction);
        const Interval in = chord(wall.shape, o, d);
        if (in.empty()) {
            continue;
        }
        for (const double t : {in.from, in.to}) {
            Vec p = o + t * d;
            const double along = p.x;
            if (nearest + t < 0 || nearest + t > limit ||
                (!round && (along < tube.from || along > tube.to))) {
                continue;
            }
            p.x = round ? p.x : 0;
            const double facing = std::abs(dot(normalised(p), d));
            const double rim = round ? unbounded : std::min(along - tube.from, tube.to - along);
            const double edge =
                coverage(rim, 0.006 * wall.shape.size.x, camera_.pixel(width_, nearest + t));
            const double grazing = (1 - facing) * (1 - facing);
            found(nearest + t,
                  static_cast<float>(std::max(0.05 + 0.5 * grazing * grazing, 0.6 * edge)));
        }
    }
}

}  // namespace scree::analyse
