// A world for devices, and what is done to it between steps: every shape and kind of obstacle,
// every way to step, and every function that changes a world. What is done before step k is a
// function of k.
#pragma once

#include "support/eventful_worlds.hpp"
#include "support/worlds.hpp"

namespace scree::test {

/// The ids of what is prescribed in `lively_world`, and of the first grains.
enum Known : BodyId { table, lid, paddle, stairs, stairs_too, rammer, boulder, first_grain };

/// A heap of grains of every shape in a tray: the lid moves, the paddle turns, the stairs are one
/// obstacle of two boxes, the rammer is driven. Without `walls` it is open, for periodic axes.
inline World lively_world(const Settings& settings, bool round, bool walls = true)
{
    World world(settings);
    const MaterialId rough = world.add_material();
    world.set_surface(0, 0, {0.3, 0.4});
    world.set_surface(0, rough, {0.6, 0});
    Body b = obstacle(Shape::half_space());
    b.material = rough;
    world.add(b);
    b = obstacle(Shape::half_space(), {0, 0, 1.5}, orientation_of_z({0, 0, -1}));
    b.velocity = {0, 0, -0.01};
    world.add(b);
    b = obstacle(round ? Shape::sphere(0.05) : Shape::box(0.3, 0.02, 0.1), {0, 0, 0.05});
    if (!round) {
        b.angular_velocity = {0, 0, 3};
    }
    world.add(b);
    for (const double x : {-0.13, 0.13}) {
        b = obstacle(Shape::box(0.26, 0.1, 0.04), {x, -0.22, 0.02});
        b.group = 1;
        world.add(b);
    }
    b = obstacle(Shape::capsule(0.03, 0.05), {0.25, 0.2, 0.05});
    world.add(b);
    b = Body{};
    b.shape = round ? Shape::sphere(0.1) : Shape::box(0.16, 0.16, 0.16);
    b.position = {0.05, 0.05, 0.28};
    world.add(b);
    for (std::uint64_t i = 0; i < 90; ++i) {
        world.add(grain(i, 0.03 + 0.005 * static_cast<double>(i), round));
    }
    if (walls) {
        for (const Vec& n : {Vec{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
            world.add(
                obstacle(Shape::half_space(), {-0.3 * n.x, -0.3 * n.y, 0}, orientation_of_z(n)));
        }
        world.add(obstacle(Shape::cylinder_wall(0.4), {0, 0, 0.5}, orientation_of_x({0, 0, 1})));
    }
    return world;
}

/// What is done before step k without asking for dynamic bodies, so that these stay on a device.
inline void drive(World& world, std::uint64_t k, bool round)
{
    const double there = k % 40 < 20 ? 1 : -1;
    if (k % 20 == 0) {
        world.set_velocity(rammer, {-0.2 * there, 0, 0}, {0, 0, round ? 0 : there});
    }
    if (k % 50 == 10 && !round) {
        world.set_velocity(paddle, {0, 0, 0}, {0.5 * there, 0, 3});
    }
    if (k % 90 == 60) {
        world.set_pose(rammer, {0.25, draw(k, 1, -0.2, 0.2), 0.06}, {1, 0, 0, 0});
        world.set_velocity(table, {0.1 * there, 0, 0}, {0, 0, 0});
    }
    if (k % 25 == 11) {
        world.add(grain(1000 + k, 0.6, round));
        Body b = grain(2000 + k, 0.7, round);
        b.id = 100'000 + k;
        world.add(b);
    }
    if (k % 60 == 20) {  // bodies that no step has seen are changed and taken away
        const BodyId added = world.add(grain(3000 + k, 0.8, round));
        world.set_velocity(added, {0, 0, -0.5}, {0, 0, 0});
        world.set_pose(added, {0.1, 0.1, 0.65}, {1, 0, 0, 0});
        world.remove(world.add(grain(4000 + k, 0.9, round)));
        world.add(grain(5000 + k, 1.2, round));
        world.remove_inside({{-1, -1, 1.1}, {1, 1, 1.3}});
    }
    if (k % 4 == 1) {  // sinks, asked time and again
        world.remove_inside({{0.15, 0.15, -1}, {1, 1, 1}});
        world.remove_inside({{-5, -5, -5}, {5, 5, -0.1}});
    }
    if (k % 100 == 70) {
        const Body b = world.body(stairs_too);
        world.remove(stairs_too);
        world.add(b);
    }
    if (k % 70 == 33) {  // more sinks than a device watches
        for (std::uint64_t i = 0; i < 10; ++i) {
            const double x = draw(k, 100 + i, -0.3, 0.3), y = draw(k, 200 + i, -0.3, 0.3);
            world.remove_inside({{x, y, 0}, {x + 0.01, y + 0.01, 1}});
        }
    }
}

/// What is done to dynamic bodies before step k.
inline void meddle(World& world, std::uint64_t k)
{
    const auto any = [&](std::uint64_t n) {
        BodyId id = first_grain + static_cast<BodyId>(draw(k, n, 0, 90));
        while (!world.contains(id)) {
            id = id > 0 ? id - 1 : boulder;
        }
        return id < boulder ? BodyId(boulder) : id;
    };
    switch (k % 210) {
    case 35: world.set_velocity(any(20), {0, 0, 1}, {0, 0, 0}); break;
    case 70: world.set_pose(any(21), {draw(k, 22, -0.2, 0.2), 0, 0.5}, {1, 0, 0, 0}); break;
    case 105: world.set_force(any(23), {draw(k, 24, -0.1, 0.1), 0, 0.1}, {0, 1e-5, 0}); break;
    case 140: world.apply_impulse(any(25), {0, 0, draw(k, 26, 0, 2e-3)}, {1e-6, 0, 0}); break;
    case 175: {
        const BodyId id = any(27);
        if (id != boulder) {
            world.remove(id);
        }
        break;
    }
    case 200: {
        Settings s = world.settings();
        s.gravity.y = 0.5 - s.gravity.y;
        s.time_step = 3.5e-3 - s.time_step;
        world.set_settings(s);
        world.set_surface(1, 1, {0.1, k % 4 == 0 ? 0.7 : 0});
        break;
    }
    default: break;
    }
}

struct Way {
    const char* name;
    Settings settings;
    bool round = false;
};

/// Every law, both rotations, both forms of gaps, all ways to relax, periodic axes.
inline std::vector<Way> ways()
{
    Settings s;
    s.time_step = 2e-3;
    s.sweeps = 20;
    s.tolerance = 1e-4;
    s.threads = 1;
    s.contacts_per_copy = 8;
    std::vector<Way> all{{"maximum dissipation, accelerated", s},
                         {"spheres, accelerated", s, true}};
    s.law = Law::coulomb;
    s.tolerance = 0;
    s.rotation = Rotation::semi_implicit_euler;
    all.push_back({"Coulomb, all sweeps", s});
    s.contacts_per_copy = 1;
    s.relaxation = 0.8;
    all.push_back({"Coulomb, spheres, Jacobi", s, true});
    s.law = Law::projected;
    s.gap_form = GapForm::plane_only;
    s.contacts_per_copy = 32;
    s.warm_start = 0.7;
    s.tolerance = 1e-3;
    s.accelerate = false;
    all.push_back({"projected, without acceleration", s});
    s.law = Law::frictionless;
    s.rotation = Rotation::momentum;
    s.warm_start = 0;
    s.accelerate = true;
    all.push_back({"frictionless, from scratch", s});
    s = all[0].settings;
    s.period = {0.75, 0.75, 0};
    s.origin = {-0.3, -0.3, 0};
    s.gravity = {1, 0, -9.81};
    s.contacts_per_copy = 5;
    all.push_back({"periodic", s});
    s.law = Law::coulomb;
    s.sweeps = 50;
    all.push_back({"periodic, spheres", s, true});
    return all;
}

}  // namespace scree::test
