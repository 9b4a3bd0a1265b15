// The lights declared in lights.hpp.
#include "analyse/lights.hpp"

#include "shapes/support.hpp"

#include <numbers>

namespace scree::analyse {
namespace {

constexpr double sun_radius = 0.07;  ///< tangent of half its angle
constexpr unsigned sky_rays = 2;     ///< per sample

/// Van der Corput's sequence: the bits of i mirrored at the point.
double mirrored(unsigned i)
{
    double x = 0;
    for (double digit = 0.5; i > 0; i >>= 1U, digit /= 2) {
        x += (i & 1U) != 0 ? digit : 0;
    }
    return x;
}

}  // namespace

Lights::Lights(const Camera& camera, const Vec& up, int samples)
    : up_(up), samples_(samples * samples)
{
    const Vec back = cross(camera.right(), up);
    const Vec sun = normalised(1.15 * up - 0.75 * camera.right() + 0.55 * back);
    const Vec sun_x = shapes::across(sun), sun_y = cross(sun, sun_x);
    const Vec sky_x = shapes::across(up), sky_y = cross(up, sky_x);
    // Points of a disc and of a hemisphere along golden spirals, dealt out to pixels in turn.
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    const auto n = static_cast<unsigned>(samples_);
    constexpr unsigned pixels = tile * tile;
    for (unsigned pixel = 0; pixel < pixels; ++pixel) {
        for (unsigned i = 0; i < n; ++i) {
            Sample s{(i + 0.5) / n, mirrored(i) + 0.5 / n, {}, {}};
            s.y -= std::floor(s.y);
            const unsigned number = pixel * n + i;
            const double r = sun_radius * std::sqrt((number + 0.5) / (pixels * n));
            const double turn = golden * number;
            s.sun = normalised(sun + r * std::cos(turn) * sun_x + r * std::sin(turn) * sun_y);
            for (unsigned k = 0; k < sky_rays; ++k) {
                const unsigned point = number * sky_rays + k;
                const double height = (point + 0.5) / (pixels * n * sky_rays);
                const double across = std::sqrt(1 - height * height), angle = golden * point;
                s.sky.push_back(height * up + across * std::cos(angle) * sky_x +
                                across * std::sin(angle) * sky_y);
            }
            patterns_.push_back(s);
        }
    }
}

const Lights::Sample& Lights::sample(int column, int row, int number) const
{
    const auto r = static_cast<std::size_t>(row % tile),
               c = static_cast<std::size_t>(column % tile);
    const auto samples = static_cast<std::size_t>(samples_), i = static_cast<std::size_t>(number);
    return patterns_[(r * tile + c) * samples + i];
}

float Lights::sky(const Vec& direction) const
{
    const double height = dot(direction, up_);
    return static_cast<float>(height > 0 ? 0.85 + 0.15 * height : 0.85 + 0.4 * height);
}

}  // namespace scree::analyse
