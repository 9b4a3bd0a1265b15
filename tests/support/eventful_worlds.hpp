// Worlds in which everything happens that a checkpoint has to keep: all shapes, obstacles of
// several, a boulder that is split among dust, bodies that come and go, forces and impulses, walls
// that move and turn, bounces, periodic axes. What is done before step k is a function of k alone,
// so that a restored world can be treated like the one it was saved from.
#pragma once

#include "math/random.hpp"
#include "scree/query.hpp"
#include "scree/world.hpp"

#include <string>
#include <vector>

namespace scree::test {

inline constexpr int eventful_worlds = 4;

inline double draw(std::uint64_t i, std::uint64_t k, double from, double to)
{
    return math::uniform(11, i, k, from, to);
}

/// A wedge with a blunt edge, about 1 across.
inline Shape wedge()
{
    static const Shape shape = Shape::polyhedron(std::vector<Vec3<double>>{{-0.5, -0.4, -0.3},
                                                                           {0.5, -0.4, -0.3},
                                                                           {0.5, 0.4, -0.3},
                                                                           {-0.5, 0.4, -0.3},
                                                                           {-0.4, -0.1, 0.5},
                                                                           {0.4, -0.1, 0.5},
                                                                           {0.4, 0.1, 0.5},
                                                                           {-0.4, 0.1, 0.5}});
    return shape;
}

/// A handle and a head.
inline Shape hammer()
{
    static const Shape shape = Shape::clump(std::vector<Part>{{Shape::capsule(0.2, 1.2), {0, 0, 0}},
                                                              {scaled(wedge(), 0.8), {0.6, 0, 0}}});
    return shape;
}

/// A ridge of six triangles with a hole in it, one of them turned over.
inline Shape ridge()
{
    const std::vector<Vec3<double>> points{{-0.25, 0, 0},  {0.25, 0, 0},      {-0.25, 0.1, 0.06},
                                           {0, 0.1, 0.06}, {0.25, 0.1, 0.06}, {-0.25, 0.2, 0},
                                           {0.25, 0.2, 0}};
    static const Shape shape =
        Shape::mesh(points, std::vector<std::array<std::uint32_t, 3>>{
                                {0, 1, 3}, {0, 3, 2}, {1, 4, 3}, {2, 3, 5}, {3, 5, 6}, {1, 4, 6}});
    return shape;
}

inline Body grain(std::uint64_t i, double height, bool round)
{
    const double size = draw(i, 0, 0.02, 0.04);
    Body body;
    switch (round ? 5 : i % 8) {
    case 0: body.shape = Shape::box(1.6 * size, 1.2 * size, size); break;
    case 1: body.shape = Shape::capsule(0.4 * size, size); break;
    case 2: body.shape = Shape::ellipsoid(0.8 * size, 0.6 * size, 0.5 * size); break;
    case 3: body.shape = Shape::cylinder(0.5 * size, size); break;
    case 4: body.shape = Shape::profile(0.4 * size, size, size); break;
    case 6: body.shape = scaled(wedge(), 1.5 * size); break;
    case 7: body.shape = scaled(hammer(), size); break;
    default: body.shape = Shape::sphere(i % 2 == 0 ? 0.016 : 0.6 * size); break;
    }
    body.density = i % 3 == 0 ? 1000 : draw(i, 1, 500, 3000);
    body.material = i % 5 == 0 ? 1 : 0;
    body.position = {draw(i, 2, -0.2, 0.2), draw(i, 3, -0.2, 0.2), height};
    body.orientation = orientation_of_x({draw(i, 4, -1, 1), draw(i, 5, -1, 1), draw(i, 6, 0.1, 1)});
    body.velocity = {draw(i, 7, -0.5, 0.5), draw(i, 8, -0.5, 0.5), draw(i, 9, -0.5, 0)};
    body.angular_velocity = {draw(i, 10, -5, 5), draw(i, 11, -5, 5), draw(i, 12, -5, 5)};
    return body;
}

/// 0: everything in a tray; 1: spheres alone, periodic, Coulomb; 2: projected law, the paper's
/// rotation; 3: spheres in a tray, nothing but steps.
inline World eventful_world(int which)
{
    Settings s;
    s.time_step = 2e-3;
    s.sweeps = 20;
    s.tolerance = 1e-3;
    s.threads = 1;
    s.contacts_per_copy = 8;
    const bool round = which == 1 || which == 3;
    if (which == 1) {
        s.law = Law::coulomb;
        s.period = {0.6, 0.6, 0};
        s.origin = {-0.3, -0.3, 0};
        s.gravity = {1, 0, -9.81};
    } else if (which == 2) {
        s.law = Law::projected;
        s.rotation = Rotation::semi_implicit_euler;
        s.gap_form = GapForm::plane_only;
        s.relaxation = 0.9;
        s.warm_start = 0.8;
    }
    World world(s);
    const MaterialId rough = world.add_material();
    world.set_surface(0, 0, {0.3, 0.4});
    world.set_surface(0, rough, {0.6, 0});
    Body floor = obstacle(Shape::half_space());
    floor.velocity = {0.05, 0, 0};
    floor.material = rough;
    world.add(floor);
    if (which != 1) {
        for (const Vec3<double>& n : {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
            world.add(
                obstacle(Shape::half_space(), {-0.3 * n.x, -0.3 * n.y, 0}, orientation_of_z(n)));
        }
    }
    if (which == 0 || which == 2) {
        Body paddle = obstacle(Shape::box(0.3, 0.02, 0.1), {0, 0, 0.05});
        paddle.angular_velocity = {0, 0, 3};
        world.add(paddle);
        Body hill = obstacle(ridge(), {0, 0.08, 0});
        hill.velocity = {0.02, 0, 0};
        if (which == 2) {
            hill.angular_velocity = {0, 0, 0.2};
        }
        world.add(hill);
        for (const double x : {-0.2, 0.2}) {
            Body step = obstacle(Shape::box(0.4, 0.1, 0.04), {x, -0.25, 0.02});
            step.group = 1;
            world.add(step);
        }
    }
    Body boulder;
    boulder.shape = which == 2 ? Shape::box(0.16, 0.16, 0.16) : Shape::sphere(0.1);
    boulder.position = {0.05, 0.05, 0.28};
    world.add(boulder);
    const std::uint64_t count = 130;
    for (std::uint64_t i = 0; i < count; ++i) {
        world.add(grain(i, 0.03 + 0.0035 * static_cast<double>(i), round));
    }
    return world;
}

/// What happens before step k (from 0 on).
inline void happen(World& world, int which, std::uint64_t k)
{
    if (which == 3) {
        return;
    }
    const bool round = which == 1;
    std::vector<BodyId> ids;
    for (const BodyId id : world.frame().ids.first(world.dynamic_count())) {
        ids.push_back(id);
    }
    if (ids.size() < 20) {
        return;
    }
    const auto any = [&](std::uint64_t n) {
        return ids[static_cast<std::size_t>(draw(k, n, 0, 1) * static_cast<double>(ids.size()))];
    };
    if (k % 7 == 3) {
        Body body = grain(1000 + k, 0.6, round);
        if (k % 2 == 0) {
            body.id = 5000 + k;
        }
        world.add(body);
    }
    if (k % 5 == 1) {
        world.remove(any(20));
        return;  // the others may be gone
    }
    if (k == 40) {
        for (std::size_t i = 0; i < 8; ++i) {
            world.remove(ids[i]);
        }
        return;
    }
    if (k >= 30 && k % 9 == 4) {
        world.set_force(any(21), {draw(k, 22, -0.1, 0.1), 0, 0.1}, {0, 1e-5, draw(k, 23, 0, 1e-5)});
    }
    if (k >= 50 && k % 6 == 2) {
        world.apply_impulse(any(24), {0, 0, draw(k, 25, 0, 2e-3)}, {1e-6, 0, 0});
    }
    if (k % 31 == 17) {
        world.set_velocity(any(26), {0, 0, 1}, {0, 0, 0});
        world.set_pose(any(27), {draw(k, 28, -0.2, 0.2), 0, 0.7}, {1, 0, 0, 0});
    }
    if (k % 45 == 30) {
        Settings s = world.settings();
        s.gravity.y = 0.5 - s.gravity.y;
        s.time_step = k % 2 == 0 ? 1.5e-3 : 2e-3;
        world.set_settings(s);
    }
    if (k == 77) {
        world.set_surface(1, 1, {0.1, 0.7});
    }
}

inline std::vector<Column> columns_of(const World& world)
{
    std::vector<Column> columns;
    world.save([&](Column&& column) { columns.push_back(std::move(column)); });
    return columns;
}

inline World world_of(const std::vector<Column>& columns)
{
    return World::restore([&](std::string_view name) { return find_column(columns, name); });
}

/// All of a report that is not wall time, as one text, exact to the bit.
inline std::string text_of(const StepReport& r)
{
    std::string text;
    const auto add = [&](auto value) {
        char number[40];
        std::snprintf(number, sizeof number, "%a ", static_cast<double>(value));
        text += number;
    };
    for (const auto n : {r.step, r.bodies, r.pairs, r.candidates, r.contacts, r.loaded_contacts}) {
        add(n);
    }
    for (const int n : {r.colours, r.split_copies, r.sweeps, r.accelerated_sweeps, r.passes}) {
        add(n);
    }
    add(r.list_rebuilt ? 1 : 0);
    add(r.restitution_reduced ? 1 : 0);
    const EnergyLedger& e = r.energy;
    for (const double x : {r.time,
                           r.residual,
                           r.velocity_scale,
                           r.max_penetration,
                           r.mean_penetration,
                           e.kinetic,
                           e.potential,
                           e.kinetic_before,
                           e.potential_before,
                           e.inserted,
                           e.removed,
                           e.gravity_work,
                           e.force_work,
                           e.wall_work,
                           e.normal_work,
                           e.friction_work,
                           e.gyroscopic_work,
                           e.gravity_error,
                           e.rotation_error,
                           e.periodic_wrap,
                           e.correction_work,
                           e.gap_work,
                           e.restitution_work}) {
        add(x);
    }
    for (const ConditionCount& c : r.conditions) {
        add(c.count);
        add(c.first);
        add(c.second);
    }
    return text;
}

}  // namespace scree::test
