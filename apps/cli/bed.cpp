#include "bed.hpp"

#include "math/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::cli {

namespace {

constexpr std::size_t layers = 20;

/// A grain of the volume of a sphere of radius r.
Shape grain(bool mixed, std::size_t i, double r)
{
    if (!mixed) {
        return Shape::sphere(r);
    }
    const double volume = 4.0 / 3 * std::numbers::pi * r * r * r;
    switch (i % 4) {
    case 0: {
        const double a = std::cbrt(volume / 1.5);
        return Shape::box(1.5 * a, a, a);
    }
    case 1: {
        // Length of the segment 2 r_c: volume π r_c² (4/3 r_c + 2 r_c).
        const double rc = std::cbrt(volume / (std::numbers::pi * (4.0 / 3 + 2)));
        return Shape::capsule(rc, 2 * rc);
    }
    case 2: {
        const double a = std::cbrt(r * r * r / 1.6);
        return Shape::ellipsoid(1.6 * a, a, a);
    }
    default: {
        const double rc = std::cbrt(volume / (2 * std::numbers::pi));
        return Shape::cylinder(rc, 2 * rc);
    }
    }
}

void add_floor(World& world, double friction)
{
    world.add(obstacle(Shape::half_space()));
    world.set_surface(0, 0, {friction, 0});
}

/// Of a bed of this size.
Settings across(const BedOptions& o, double width_x, double width_y)
{
    Settings s = o.settings;
    s.period = {width_x, width_y, 0};
    return s;
}

/// A tile is too small for many threads or a device; where it is settled makes no difference.
Settings of_tile(const BedOptions& o, double width_x, double width_y)
{
    Settings s = across(o, width_x, width_y);
    s.gpu = no_gpu;
    s.threads = 1;
    return s;
}

}  // namespace

World settled_bed(const BedOptions& o, const std::function<void(double)>& progress)
{
    // A tile of about 2000 grains, or of all there are.
    const double r = o.radius;
    const std::size_t tile_grains = std::min<std::size_t>(o.particles, o.mixed ? 1000 : 2000);
    const double per_layer = static_cast<double>(tile_grains) / layers;
    const auto nx =
        std::max<std::size_t>(4, static_cast<std::size_t>(std::lround(std::sqrt(per_layer))));
    const std::size_t ny =
        std::max<std::size_t>(4, (tile_grains + nx * layers - 1) / (nx * layers));
    const double spacing = o.mixed ? 3.4 * r : 2.1 * r;
    const double width_x = spacing * static_cast<double>(nx) * (o.mixed ? 0.7 : 1);
    const double width_y = spacing * static_cast<double>(ny) * (o.mixed ? 0.7 : 1);

    Settings loose = of_tile(o, width_x, width_y);
    loose.time_step = std::max(o.settings.time_step, 5e-5);
    loose.sweeps = 20;
    loose.tolerance = 0;
    World tile(loose);
    add_floor(tile, o.friction);
    // Mixed grains start in more, thinner layers, since they need room to turn.
    const std::size_t cells_x = o.mixed ? std::max<std::size_t>(1, nx * 7 / 10) : nx;
    const std::size_t cells_y = o.mixed ? std::max<std::size_t>(1, ny * 7 / 10) : ny;
    for (std::size_t i = 0; i < tile_grains; ++i) {
        Body body;
        body.shape = grain(o.mixed, i, r);
        body.density = o.density;
        const std::size_t layer = i / (cells_x * cells_y);
        const std::size_t in_layer = i % (cells_x * cells_y);
        const auto draw = [&](std::uint64_t k, double from, double to) {
            return math::uniform(o.seed, i, k, from, to);
        };
        body.position = {(static_cast<double>(in_layer % cells_x) + 0.5) * width_x /
                             static_cast<double>(cells_x),
                         (static_cast<double>(in_layer / cells_x) + 0.5) * width_y /
                             static_cast<double>(cells_y),
                         (static_cast<double>(layer) + 0.55) * spacing};
        body.velocity = {draw(0, -0.2, 0.2), draw(1, -0.2, 0.2), draw(2, -0.2, 0)};
        if (o.mixed) {
            const Vec3<double> axis{draw(3, -1, 1), draw(4, -1, 1), draw(5, -1, 1)};
            body.orientation = orientation_of_x({axis.x, axis.y, axis.z + 1e-3});
        }
        tile.add(body);
    }
    // Until it has fallen and come to rest.
    const double height = static_cast<double>(tile_grains / (cells_x * cells_y) + 1) * spacing;
    const double g = std::max(1e-3, std::abs(o.settings.gravity.z));
    const double settle_time = 2.5 * std::sqrt(2 * (o.mixed ? 0.6 : 0.25) * height / g);
    while (tile.time() < settle_time) {
        tile.step();
        progress(0.7 * tile.time() / settle_time);
    }
    Settings fine = of_tile(o, width_x, width_y);
    fine.sweeps = std::max(50, o.settings.sweeps);
    fine.tolerance = 0;
    tile.set(fine);
    const int fine_steps = 300;
    for (int k = 0; k < fine_steps; ++k) {
        tile.step();
        progress(0.7 + 0.3 * k / fine_steps);
    }

    const std::size_t tiles = (o.particles + tile_grains - 1) / tile_grains;
    auto tiles_x = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(tiles))));
    while (tiles % tiles_x != 0) {
        --tiles_x;
    }
    const std::size_t tiles_y = tiles / tiles_x;
    World bed(
        across(o, width_x * static_cast<double>(tiles_x), width_y * static_cast<double>(tiles_y)));
    add_floor(bed, o.friction);
    const Frame frame = tile.frame();
    const std::size_t n = frame.dynamic_count;
    bed.add_all(tiles * n, [&](std::size_t k) {
        const std::size_t i = k % n, tx = k / n % tiles_x, ty = k / n / tiles_x;
        Body body;
        body.shape = frame.shapes[i];
        body.density = o.density;
        body.position = frame.positions[i];
        body.position.x += static_cast<double>(tx) * width_x;
        body.position.y += static_cast<double>(ty) * width_y;
        body.orientation = frame.orientations[i];
        body.velocity = frame.velocities[i];
        body.angular_velocity = frame.angular_velocities[i];
        return body;
    });
    return bed;
}

}  // namespace scree::cli
