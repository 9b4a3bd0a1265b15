#include "bed.hpp"

#include "math/random.hpp"
#include "scree/query.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::cli {

namespace {

constexpr std::size_t layers = 20;

/// The shape with all lengths times so much that it has this volume.
Shape of_volume(double volume, const std::function<Shape(double)>& of_size)
{
    return of_size(std::cbrt(volume / scree::volume(of_size(1))));
}

/// A grain of the volume of a sphere of radius r, up to twice as long as wide.
Shape grain(Grains grains, std::size_t i, double r)
{
    constexpr Grains in_turn[] = {Grains::boxes, Grains::capsules, Grains::ellipsoids,
                                  Grains::cylinders};
    const double volume = 4.0 / 3 * std::numbers::pi * r * r * r;
    switch (grains) {
    case Grains::boxes: {
        const double a = std::cbrt(volume / 1.5);
        return Shape::box(1.5 * a, a, a);
    }
    case Grains::capsules: {
        // Length of the segment 2 r_c: volume π r_c² (4/3 r_c + 2 r_c).
        const double rc = std::cbrt(volume / (std::numbers::pi * (4.0 / 3 + 2)));
        return Shape::capsule(rc, 2 * rc);
    }
    case Grains::ellipsoids: {
        const double a = std::cbrt(r * r * r / 1.6);
        return Shape::ellipsoid(1.6 * a, a, a);
    }
    case Grains::cylinders: {
        const double rc = std::cbrt(volume / (2 * std::numbers::pi));
        return Shape::cylinder(rc, 2 * rc);
    }
    case Grains::polyhedra:
        // The middles of the edges of a box: six quadrangles, eight triangles.
        return of_volume(volume, [](double a) {
            std::vector<Vec3<double>> corners;
            for (const double x : {-a, a}) {
                for (const double y : {-a, a}) {
                    corners.push_back({1.5 * x, y, 0});
                    corners.push_back({1.5 * x, 0, y});
                    corners.push_back({0, x, y});
                }
            }
            return Shape::polyhedron(corners);
        });
    case Grains::clumps:
        return of_volume(volume, [](double a) {
            const Part parts[] = {{Shape::sphere(a), {-0.6 * a, 0, 0}},
                                  {Shape::sphere(a), {0.6 * a, 0, 0}},
                                  {Shape::sphere(a), {0, a, 0}}};
            return Shape::clump(parts);
        });
    case Grains::mixed: return grain(in_turn[i % 4], i, r);
    default: return Shape::sphere(r);
    }
}

void add_floor(World& world, double friction)
{
    world.add(obstacle(Shape::half_space()));
    world.set_surface(0, 0, {friction, 0});
}

/// The tile that a bed is made of: about 2000 grains, or all there are, that start loosely in
/// layers.
struct Tile {
    explicit Tile(const BedOptions& o)
        : round(o.grains == Grains::spheres),
          grains(std::min<std::size_t>(o.particles, round ? 2000 : 1000)),
          spacing(round ? 2.1 * o.radius : 3.4 * o.radius)
    {
        const double per_layer = static_cast<double>(grains) / layers;
        const auto nx =
            std::max<std::size_t>(4, static_cast<std::size_t>(std::lround(std::sqrt(per_layer))));
        const std::size_t ny = std::max<std::size_t>(4, (grains + nx * layers - 1) / (nx * layers));
        width_x = spacing * static_cast<double>(nx) * (round ? 1 : 0.7);
        width_y = spacing * static_cast<double>(ny) * (round ? 1 : 0.7);
        // Other grains start in more, thinner layers, since they need room to turn.
        cells_x = round ? nx : std::max<std::size_t>(1, nx * 7 / 10);
        cells_y = round ? ny : std::max<std::size_t>(1, ny * 7 / 10);
    }

    /// Of the layers that the grains start in.
    [[nodiscard]] double height() const
    {
        return static_cast<double>(grains / (cells_x * cells_y) + 1) * spacing;
    }

    bool round;
    std::size_t grains;
    double spacing;  ///< of cells in which grains start [m]
    double width_x, width_y;
    std::size_t cells_x, cells_y;
};

/// Of a bed of this size.
Settings across(const BedOptions& o, double width_x, double width_y)
{
    Settings s = o.settings;
    s.period = {width_x, width_y, 0};
    return s;
}

/// A tile is too small for many threads or a device; where it is settled makes no difference.
Settings of_tile(const BedOptions& o, const Tile& tile)
{
    Settings s = across(o, tile.width_x, tile.width_y);
    s.gpu = no_gpu;
    s.precision = Precision::full;
    s.threads = 1;
    s.tolerance = 0;
    return s;
}

Body loose_grain(const BedOptions& o, const Tile& tile, std::size_t i)
{
    Body body;
    body.shape = grain(o.grains, i, o.radius);
    body.density = o.density;
    const std::size_t layer = i / (tile.cells_x * tile.cells_y);
    const std::size_t in_layer = i % (tile.cells_x * tile.cells_y);
    const auto draw = [&](std::uint64_t k, double from, double to) {
        return math::uniform(o.seed, i, k, from, to);
    };
    body.position = {(static_cast<double>(in_layer % tile.cells_x) + 0.5) * tile.width_x /
                         static_cast<double>(tile.cells_x),
                     (static_cast<double>(in_layer / tile.cells_x) + 0.5) * tile.width_y /
                         static_cast<double>(tile.cells_y),
                     (static_cast<double>(layer) + 0.55) * tile.spacing};
    body.velocity = {draw(0, -0.2, 0.2), draw(1, -0.2, 0.2), draw(2, -0.2, 0)};
    if (!tile.round) {
        const Vec3<double> axis{draw(3, -1, 1), draw(4, -1, 1), draw(5, -1, 1)};
        body.orientation = orientation_of_x({axis.x, axis.y, axis.z + 1e-3});
    }
    return body;
}

World settled_tile(const BedOptions& o, const Tile& tile,
                   const std::function<void(double)>& progress)
{
    Settings loose = of_tile(o, tile);
    loose.time_step = std::max(o.settings.time_step, 5e-5);
    loose.sweeps = 20;
    World world(loose);
    add_floor(world, o.friction);
    for (std::size_t i = 0; i < tile.grains; ++i) {
        world.add(loose_grain(o, tile, i));
    }
    // Until it has fallen and come to rest.
    const double g = std::max(1e-3, std::abs(o.settings.gravity.z));
    const double settle_time = 2.5 * std::sqrt(2 * (tile.round ? 0.25 : 0.6) * tile.height() / g);
    while (world.time() < settle_time) {
        world.step();
        progress(0.7 * world.time() / settle_time);
    }
    Settings fine = of_tile(o, tile);
    fine.sweeps = std::max(50, o.settings.sweeps);
    world.set_settings(fine);
    const int fine_steps = 300;
    for (int k = 0; k < fine_steps; ++k) {
        world.step();
        progress(0.7 + 0.3 * k / fine_steps);
    }
    return world;
}

/// As many copies of the settled tile side by side as are needed for all grains.
World bed_of_tiles(const BedOptions& o, const Tile& tile, const Frame& settled)
{
    const std::size_t tiles = (o.particles + tile.grains - 1) / tile.grains;
    auto tiles_x = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(tiles))));
    while (tiles % tiles_x != 0) {
        --tiles_x;
    }
    const std::size_t tiles_y = tiles / tiles_x;
    World bed(across(o, tile.width_x * static_cast<double>(tiles_x),
                     tile.width_y * static_cast<double>(tiles_y)));
    add_floor(bed, o.friction);
    const std::size_t n = settled.dynamic_count;
    bed.add_all(tiles * n, [&](std::size_t k) {
        const std::size_t i = k % n, tx = k / n % tiles_x, ty = k / n / tiles_x;
        Body body;
        body.shape = settled.shapes[i];
        body.density = o.density;
        body.position = settled.positions[i];
        body.position.x += static_cast<double>(tx) * tile.width_x;
        body.position.y += static_cast<double>(ty) * tile.width_y;
        body.orientation = settled.orientations[i];
        body.velocity = settled.velocities[i];
        body.angular_velocity = settled.angular_velocities[i];
        return body;
    });
    return bed;
}

}  // namespace

World settled_bed(const BedOptions& o, const std::function<void(double)>& progress)
{
    const Tile tile(o);
    const World settled = settled_tile(o, tile, progress);
    return bed_of_tiles(o, tile, settled.frame());
}

}  // namespace scree::cli
