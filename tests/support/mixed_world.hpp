// A small world with everything a frame can hold: every shape, walls of every kind, prescribed
// bodies, two materials, ids out of order, and contacts across a periodic boundary.
#pragma once

#include "scree/query.hpp"
#include "support/worlds.hpp"

namespace scree::test {

/// The length of the periodic axis x, from 0 on [m].
inline constexpr double mixed_period = 1;

/// After 150 steps of 1 ms everything has fallen onto the floor. Bodies 71 and 72 touch each other
/// across the boundary, 81 and 82 within the box; 83 nearly touches 82.
inline World mixed_world(long steps = 150)
{
    Settings settings = exact(1e-3);
    settings.sweeps = 30;
    settings.period = {mixed_period, 0, 0};
    World world(settings);
    const MaterialId rubber = world.add_material();
    world.set_surface(0, rubber, {0.9, 0.2});
    const auto add = [&](const Shape& shape, const Vec& position, BodyId id, MaterialId material,
                         Motion motion = Motion::dynamic) {
        Body b;
        b.shape = shape;
        b.position = position;
        b.id = id;
        b.material = material;
        b.motion = motion;
        if (!is_wall(shape.kind)) {
            b.orientation = about({1, static_cast<double>(id), 2}, 0.1 * static_cast<double>(id));
            b.angular_velocity = {0.3, -0.2, 0.1 * static_cast<double>(id % 7)};
        }
        world.add(b);
    };
    add(Shape::half_space(), {0, 0, 0}, 1000, 0);
    add(Shape::cylinder_wall(5), {0.5, 0, 1}, 3, rubber);
    add(Shape::sphere_wall(50), {0.5, 0, 1}, 1'000'000'000'000, 0);
    add(Shape::box(0.1, 0.1, 0.1), {0.5, 0.6, 0.2}, 12, rubber, Motion::prescribed);
    add(Shape::sphere(0.04), {0.3, 0, 0.041}, 60, 0);
    add(Shape::box(0.08, 0.06, 0.1), {0.3, 0.2, 0.07}, 50, rubber);
    add(Shape::capsule(0.03, 0.05), {0.3, -0.2, 0.06}, 40, 0);
    add(Shape::cylinder(0.03, 0.07), {0.6, 0, 0.06}, 30, rubber);
    add(Shape::ellipsoid(0.05, 0.03, 0.04), {0.6, 0.2, 0.06}, 20, 0);
    add(Shape::profile(0.03, 0.06, 0.05), {0.6, -0.2, 0.08}, 10, 0);
    const Shape pyramid = Shape::polyhedron(std::vector<Vec>{
        {-0.5, -0.4, 0}, {0.5, -0.4, 0}, {0.5, 0.4, 0}, {-0.5, 0.4, 0}, {0.1, 0, 0.7}});
    add(scaled(pyramid, 0.08), {0.6, 0.4, 0.08}, 90, rubber);
    add(scaled(pyramid, 0.06), {0.6, -0.4, 0.08}, 91, 0);
    const Shape axe = Shape::clump(std::vector<Part>{{Shape::capsule(0.02, 0.1), {0, 0, 0}},
                                                     {scaled(pyramid, 0.06), {0.05, 0, 0}}});
    add(axe, {0.8, 0.6, 0.1}, 92, 0);
    const Shape roof = Shape::mesh(
        std::vector<Vec>{{0, 0, 0.1}, {0.1, 0, 0}, {0, 0.1, 0}, {-0.1, 0, 0}, {0, -0.1, 0}},
        std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}});
    add(roof, {0.2, 0.6, 0.01}, 93, 0, Motion::prescribed);
    const auto grain = [&](double radius, double x, double y, BodyId id, double push) {
        Body b = sphere(radius, {x, y, radius});
        b.id = id;
        world.add(b);
        world.set_force(id, {push, 0, 0});
    };
    grain(0.03, 0.97, 0.4, 71, 0.2);
    grain(0.04, 0.0393, 0.4, 72, -0.2);
    grain(0.03, 0.3, -0.5, 81, 0.2);
    grain(0.03, 0.36, -0.5, 82, -0.2);
    grain(0.03, 0.42005, -0.5, 83, 0);
    run(world, steps);
    return world;
}

}  // namespace scree::test
