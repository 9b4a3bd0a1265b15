#include "device/drawn_pairs.hpp"

#include "full/shape_draws.hpp"
#include "stages/candidates/candidates.hpp"
#include "world/body_kinds.hpp"

#include <thread>

namespace scree::test {

std::vector<TwoKinds> all_two_kinds()
{
    constexpr ShapeKind bodies[8]{ShapeKind::sphere,     ShapeKind::box,       ShapeKind::capsule,
                                  ShapeKind::cylinder,   ShapeKind::ellipsoid, ShapeKind::profile,
                                  ShapeKind::polyhedron, ShapeKind::clump};
    constexpr ShapeKind walls[4]{ShapeKind::half_space, ShapeKind::cylinder_wall,
                                 ShapeKind::sphere_wall, ShapeKind::mesh};
    std::vector<TwoKinds> all;
    for (int i = 0; i < 8; ++i) {
        for (int j = i; j < 8; ++j) {
            all.push_back({bodies[i], bodies[j]});
        }
        for (const ShapeKind wall : walls) {
            all.push_back({bodies[i], wall});
        }
    }
    return all;
}

std::string name_of(const TwoKinds& kinds)
{
    return std::string(name_of(kinds.a)) + "-" + std::string(name_of(kinds.b));
}

DrawnPairs draw_pairs(const std::vector<TwoKinds>& kinds, std::size_t each)
{
    static const ShapePools pools(300);
    DrawnPairs drawn;
    state::Model& model = drawn.model;
    state::Bodies& bodies = drawn.bodies;
    model.settings.time_step = 1;
    model.settings.gravity = {0, 0, -1e-4};
    model.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<Body> first, second, walls;  // walls belong to the last of the first
    const std::uint64_t together = 1000003 * kinds.size();
    Random random(together + each + static_cast<std::uint64_t>(kinds.front().a) * 16 +
                  static_cast<std::uint64_t>(kinds.front().b));
    const auto body_of = [&](const Solid& solid, const Vec3<double>& velocity) {
        Body body;
        body.shape = solid.shape;
        body.position = solid.pose.position;
        body.orientation = solid.pose.orientation;
        body.velocity = velocity;
        body.angular_velocity = random.chance(0.5) ? random.vector(-6, -1) : Vec3<double>{0, 0, 0};
        const double off = random.chance(0.3) ? 0.1 : 0;  // loaded on one side
        body.mass = MassProperties{1, off * random.in_ball(), {1, 0, 0, 1, 0, 1}};
        return body;
    };
    for (int pass = 0; pass < 2; ++pass) {  // pairs with walls come last, as walls do
        for (const TwoKinds& two : kinds) {
            if (is_wall(two.b) != (pass == 1)) {
                continue;
            }
            for (std::size_t i = 0; i < each; ++i) {
                const DrawnPair pair = draw_any_pair(random, pools, two.a, two.b);
                const Vec3<double> velocity = random.vector(-3, 1);
                const bool swapped = pass == 0 && random.chance(0.5);
                first.push_back(body_of(swapped ? pair.b : pair.a, velocity));
                (pass == 0 ? second : walls)
                    .push_back(body_of(swapped ? pair.a : pair.b, {0, 0, 0}));
            }
        }
    }
    const auto add = [&](const Body& body) {
        const state::Prototype kind = world::prototype_of(body);
        const Vec3<double> x = body.position - rotate(body.orientation, kind.offset);
        bodies.id.push_back(bodies.id.size());
        bodies.ball.push_back({x.x, x.y, x.z, kind.radius});
        bodies.orientation.push_back(body.orientation);
        bodies.velocity.push_back(state::line_of(kind, body.velocity, body.angular_velocity));
        bodies.drift.push_back({0, 0, 0, 0});
        bodies.prototype.push_back(static_cast<std::uint32_t>(model.prototypes.size()));
        bodies.flags.push_back(static_cast<std::uint8_t>(
            state::flags_of(kind, body.angular_velocity) |
            (random.chance(0.2) ? static_cast<int>(state::flag_margin_exceeded) : 0)));
        bodies.inertia.push_back({kind.inverse_inertia, {0, 0}});
        model.prototypes.push_back(kind);
    };
    for (const std::vector<Body>* some : {&first, &second, &walls}) {
        for (const Body& body : *some) {
            add(body);
        }
    }
    bodies.dynamic_count = bodies.bounded_count = first.size() + second.size();
    bodies.velocity_before.resize(bodies.count());
    bodies.reach.resize(bodies.count());
    bodies.fit_lines(0);
    candidates::begin_step(model, bodies, drawn.spare);
    for (std::size_t i = 0; i < first.size(); ++i) {
        drawn.list.pair.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(first.size() + i)});
    }
    drawn.list.colour.assign(first.size(), 0);
    drawn.list.colours = 1;
    return drawn;
}

}  // namespace scree::test
