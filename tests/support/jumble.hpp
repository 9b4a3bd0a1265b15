// Bodies of all kinds but spheres, deep in each other: many pairs have several ways out that are
// equally good, or nearly so, and manifolds of more points than are kept.
#pragma once

#include "scree/query.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <vector>

namespace scree::test {

/// A polyhedron about as large as a sphere of this radius.
inline Shape stone(double r)
{
    const Vec points[]{{r, 0, 0},
                       {-r, 0, 0},
                       {0, r, 0},
                       {0, -0.9 * r, 0},
                       {0, 0, r},
                       {0, 0, -r},
                       {0.7 * r, 0.7 * r, 0.2 * r}};
    return Shape::polyhedron(points);
}

/// A clump of the same size, of a ball and a polyhedron.
inline Shape pair_of_stones(double r)
{
    static const Shape shape = Shape::clump(std::vector<Part>{
        {Shape::sphere(0.5 * r), {0.4 * r, 0, 0}}, {stone(0.6 * r), {-0.3 * r, 0, 0}}});
    return shape;
}

inline Shape jumbled_shape(int kind)
{
    const double r = 0.0098;
    switch (kind) {
    case 0: return stone(r);
    case 1: return pair_of_stones(r);
    case 2: return Shape::capsule(0.5 * r, r);
    case 3: return Shape::ellipsoid(r, 0.8 * r, 0.6 * r);
    case 4: return Shape::profile(0.6 * r, 0.8 * r, r);
    case 5:
    case 6:
    case 7: return Shape::cylinder(0.7 * r, 1.4 * r);
    default: return Shape::box(1.4 * r, 1.4 * r, 1.4 * r);
    }
}

/// Side by side, most of them boxes and cylinders, with ids that follow no order. Half of them have
/// faces and axes along x, y, z.
inline std::vector<Body> jumble(int nx, int ny, int nz)
{
    Random random(41);
    std::vector<Body> bodies;
    const double d = 0.009;
    const auto count = static_cast<BodyId>(nx * ny * nz);
    for (BodyId i = 0; i < count; ++i) {
        const int k = static_cast<int>(i);
        Body body;
        body.shape = jumbled_shape(static_cast<int>(random.bits() % 12));
        body.position.x = d * (k % nx) + random.uniform(-0.001, 0.001);
        body.position.y = d * (k / nx % ny) + random.uniform(-0.001, 0.001);
        body.position.z = d * (k / nx / ny) + random.uniform(-0.001, 0.001);
        body.orientation = random.orientation();
        if (random.chance(0.5)) {
            body.orientation = orientation_of_z({random.chance(0.5) ? 1.0 : 0.0, 0, 1});
        }
        body.id = 10 + i * 7919 % count;  // a prime that divides no count
        bodies.push_back(body);
    }
    return bodies;
}

/// Such bodies, in this order, in a step that finds contacts and hardly moves them.
inline World world_of(Settings settings, const std::vector<Body>& bodies)
{
    settings.time_step = 1e-5;
    settings.error_reduction = 0;
    settings.sweeps = 3;
    World world(settings);
    Body floor = obstacle(Shape::half_space(), {0, 0, 0.001});
    floor.id = 0;
    world.add(floor);
    for (const Body& body : bodies) {
        world.add(body);
    }
    return world;
}

}  // namespace scree::test
