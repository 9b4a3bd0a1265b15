// The camera declared in camera.hpp.
#include "analyse/camera.hpp"

#include "scree/error.hpp"
#include "shapes/clump.hpp"

#include <numbers>

namespace scree::analyse {
namespace {

constexpr double margin = 1.06;

}  // namespace

Ray Camera::ray(double x, double y) const
{
    const Vec offset = x * half_width_ * right_ + y * half_height_ * up_;
    if (parallel_) {
        return {.origin = eye_ + offset, .direction = forward_, .cut = false};
    }
    return {.origin = eye_, .direction = normalised(forward_ + offset), .cut = false};
}

Framing::Framing(const View& view, int width, int height, int legend) : view_(view), camera_{}
{
    const double degree = std::numbers::pi / 180;
    const Vec up = direction_of(view.up);
    // The horizontal axes from which azimuths count: x, or what is left of it across `up`.
    const Vec along = Vec{1, 0, 0} - up.x * up;
    const Vec x = norm(along) > 1e-6 ? normalised(along) : shapes::across(up);
    const Vec y = cross(up, x);
    const double a = view.azimuth * degree, e = view.elevation * degree;
    camera_.forward_ = -(std::cos(e) * (std::cos(a) * x + std::sin(a) * y) + std::sin(e) * up);
    camera_.right_ = std::cos(a) * y - std::sin(a) * x;
    camera_.up_ = cross(camera_.right_, camera_.forward_);
    camera_.parallel_ = view.field_of_view == 0;

    const double longer = std::max(width, height);
    scale_ = std::tan(view.field_of_view * degree / 2);
    aspect_x_ = width / longer;
    aspect_y_ = height / longer;
    const double x_left = aspect_x_ / margin, y_side = aspect_y_ / margin;
    sides_ = {x_left * (1 - 2.0 * legend / width), x_left, y_side, y_side};
    const Vec &r = camera_.right_, &u = camera_.up_, &f = camera_.forward_;
    const std::array<Vec, 4> across{r, -r, u, -u};
    for (std::size_t k = 0; k < 4; ++k) {
        directions_[k] = across[k] - scale_ * sides_[k] * f;
    }
    directions_[4] = -f;
    directions_[5] = f;
    reach_.fill(-unbounded);
}

void Framing::add(const PlacedShape& solid)
{
    for (std::size_t k = 0; k < directions_.size(); ++k) {
        const Vec& m = directions_[k];
        const Vec p = shapes::farthest_point(solid.shape, {solid.position, solid.orientation}, m);
        reach_[k] = std::max(reach_[k], dot(p, m));
    }
}

void Framing::add(const Vec& lower, const Vec& upper)
{
    for (std::size_t k = 0; k < directions_.size(); ++k) {
        const Vec& m = directions_[k];
        const Vec corner{m.x < 0 ? lower.x : upper.x, m.y < 0 ? lower.y : upper.y,
                         m.z < 0 ? lower.z : upper.z};
        reach_[k] = std::max(reach_[k], dot(corner, m));
    }
}

Camera Framing::camera() const
{
    const auto& [r, l, t, b, front, back] = reach_;
    if (!std::isfinite(r + l + t + b + front + back)) {
        throw Error("there is nothing to be seen: no body with a finite place, within the clip "
                    "box if there is one");
    }
    Camera camera = camera_;
    double scale = scale_, depth = 0;
    // Opposite sides together say how far away the camera, or how wide the picture, must be.
    const double width = (r + l) / (sides_[0] + sides_[1]);
    const double height = (t + b) / (sides_[2] + sides_[3]);
    const double size = std::max(width, height);
    if (camera.parallel_) {
        scale = size;
        depth = -front - 0.1 * (front + back) - scale;
    } else {
        depth = -size / scale;
    }
    // What is left over is shared between them.
    const auto middle = [&](double one, double other, std::size_t k) {
        return (one - other - size * (sides_[k] - sides_[k + 1])) / 2;
    };
    const double across = view_.look_at ? dot(*view_.look_at, camera.right_) : middle(r, l, 0);
    const double above = view_.look_at ? dot(*view_.look_at, camera.up_) : middle(t, b, 2);
    camera.eye_ = across * camera.right_ + above * camera.up_ + depth * camera.forward_;
    camera.half_width_ = scale * aspect_x_ / view_.zoom;
    camera.half_height_ = scale * aspect_y_ / view_.zoom;
    return camera;
}

}  // namespace scree::analyse
