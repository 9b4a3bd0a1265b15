// Obstacles made of several shapes: bodies move on them as on one shape, and in their real corners
// they touch all that is there.
#include "scree/error.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace scree::test {
namespace {

Body member(const Shape& shape, const Vec& position, const Quat<double>& q = {1, 0, 0, 0})
{
    Body b = obstacle(shape, position, q);
    b.group = 1;
    return b;
}

/// Boxes from x to x + length with their tops at z = 0, all 2 m wide and deep.
Body tile(double x, double length, double depth = 2)
{
    return member(Shape::box(length, 2, depth), {x + length / 2, 0, -depth / 2});
}

/// First turned by q, then by p.
Quat<double> multiplied(const Quat<double>& p, const Quat<double>& q)
{
    const Vec a{p.x, p.y, p.z};
    const Vec b{q.x, q.y, q.z};
    const Vec c = p.w * b + q.w * a + cross(a, b);
    return {p.w * q.w - dot(a, b), c.x, c.y, c.z};
}

/// The same scene seen from another frame.
Body turned(Body b, const Quat<double>& q, const Vec& shift)
{
    b.position = shift + rotate(q, b.position);
    b.velocity = rotate(q, b.velocity);
    b.angular_velocity = rotate(q, b.angular_velocity);
    b.orientation = multiplied(q, b.orientation);
    return b;
}

struct Crossing {
    std::vector<Body> obstacles;
    Body body;
    Settings settings;
    ContactMaterial surface;
    Quat<double> frame{1, 0, 0, 0};
    Vec shift{0, 0, 0};
};

/// Where a crossing body is after each step, in the frame of the scene.
std::vector<Vec> path(const Crossing& c, int steps, bool grouped = true)
{
    Settings s = c.settings;
    s.gravity = rotate(c.frame, s.gravity);
    World world(s);
    world.set_surface(0, 0, c.surface);
    for (Body b : c.obstacles) {
        b.group = grouped ? b.group : 0;
        world.add(turned(b, c.frame, c.shift));
    }
    const BodyId id = world.add(turned(c.body, c.frame, c.shift));
    std::vector<Vec> x;
    for (int i = 0; i < steps; ++i) {
        world.step();
        x.push_back(rotate_back(c.frame, world.body(id).position - c.shift));
    }
    return x;
}

double farthest(const std::vector<Vec>& a, const std::vector<Vec>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, norm(a[i] - b[i]));
    }
    return most;
}

/// Floors from −1 to 2 m with seams at and around 0, the first without any.
std::vector<std::vector<Body>> floors()
{
    return {{tile(-1, 3)},
            {tile(-1, 1), tile(0, 2)},
            {tile(-1, 1.3), tile(0, 2, 0.7)},
            {tile(-1, 1, 0.5), tile(0, 0.05), tile(0.05, 0.05, 0.3), tile(0.1, 1.9)}};
}

// A ball rolls from one box to the next, also while it is in them by a thousandth of its radius.
TEST(Group, ABallRollsOverSeams)
{
    Random random(71);
    const double r = 0.05;
    double without = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Crossing c;
        c.settings = exact(1e-3);
        c.settings.tolerance = 1e-10;
        c.settings.error_reduction = trial % 3 == 0 ? 0.2 : 0;
        c.surface = {0.5, 0};
        const double v = random.decades(-1, 1);
        const double deep = trial % 2 == 0 ? 0 : 1e-3 * r;
        const double start = random.uniform(0.1, 2) * 20 * 1e-3 * v;
        c.body = sphere(r, {-start, 0.1, r - deep}, {v, 0.1 * v, 0}, {-0.1 * v / r, v / r, 0});
        if (trial % 4 > 1) {
            c.frame = random.orientation();
            c.shift = random.in_ball();
        }
        std::vector<Vec> flat;
        for (const std::vector<Body>& floor : floors()) {
            c.obstacles = floor;
            const std::vector<Vec> x = path(c, 40);
            flat = flat.empty() ? x : flat;
            EXPECT_LT(farthest(x, flat), 1e-9 * r) << trial;
            EXPECT_GT(x.back().x, 0) << trial;
            without = std::max(without, farthest(path(c, 40, false), flat));
        }
    }
    EXPECT_GT(without, 0.1 * r);  // what the seams do otherwise
}

TEST(Group, ABoxSlidesOverSeams)
{
    Random random(72);
    double without = 0;
    for (int trial = 0; trial < (shorter > 1 ? 6 : 20); ++trial) {
        Crossing c;
        c.settings = exact(1e-3);
        c.settings.tolerance = 1e-10;
        c.settings.error_reduction = 0;
        // Friction turns a box as its weight is shared among its points, which is not unique.
        const bool rough = trial % 5 == 0;
        c.surface = {rough ? 0.2 : 0, 0};
        const double v = random.decades(-0.5, 0.7);
        const double deep = trial % 2 == 0 ? 0 : 1e-4;
        const double start = 0.05 + random.uniform(0.1, 1) * 20 * 1e-3 * v;
        const double yaw = trial % 3 == 0 ? 0 : random.uniform(-1, 1);
        c.body = block({0.1, 0.08, 0.06}, {-start, 0.1, 0.03 - deep}, about({0, 0, 1}, yaw));
        c.body.velocity = {v, 0.05 * v, 0};
        if (trial % 4 > 1) {
            c.frame = random.orientation();
        }
        std::vector<Vec> flat;
        for (const std::vector<Body>& floor : floors()) {
            c.obstacles = floor;
            const std::vector<Vec> x = path(c, 40);
            flat = flat.empty() ? x : flat;
            EXPECT_LT(farthest(x, flat), rough ? 1e-5 : 1e-9) << trial;
            without = std::max(without, farthest(path(c, 40, false), flat));
        }
    }
    EXPECT_GT(without, 1e-3);
}

// Half a disc and a box that meet tangentially, as one shape in closed form and as a group: balls
// that fall onto it from the side roll and bounce over the joint, to and fro.
TEST(Group, CylinderAndBoxAreTheProfile)
{
    const double R = 0.1;
    const double r = 0.02;
    Random random(73);
    double most = 0;
    double without = 0;
    int crossed = 0;
    for (int trial = 0; trial < 100 / (shorter > 1 ? 2 : 1); ++trial) {
        std::vector<Vec> x[3];
        const double e = trial % 2 == 0 ? 0 : 0.5;
        const double from = random.uniform(-0.05, 0.2);
        const double speed = random.uniform(-1.5, 1.5);
        const double aside = random.uniform(-0.3, 0.3);
        for (int kind = 0; kind < 3; ++kind) {
            World world(exact(1e-3, {0, -9.81, 0}));
            world.set_surface(0, 0, {0.3, e});
            if (kind == 0) {
                world.add(obstacle(Shape::profile(R, 0.4, 1)));
            } else {
                const Quat<double> upright = orientation_of_x({0, 0, 1});
                for (Body b : {member(Shape::cylinder(R, 1), {0, 0, 0}, upright),
                               member(Shape::box(0.4, 2 * R, 1), {0.2, 0, 0})}) {
                    b.group = kind == 1 ? 7 : 0;
                    world.add(b);
                }
            }
            const BodyId id = world.add(sphere(r, {from, 1.3 * R, 0}, {speed, 0, aside}));
            for (int i = 0; i < 300; ++i) {
                world.step();
                x[kind].push_back(world.body(id).position);
            }
        }
        crossed += x[0].back().x * from < 0 ? 1 : 0;
        most = std::max(most, farthest(x[0], x[1]));
        without = std::max(without, farthest(x[0], x[2]));
    }
    EXPECT_GT(crossed, 10);
    EXPECT_LT(most, 1e-9);
    EXPECT_GT(without, 1e-4);
}

/// Contacts of a body with an impulse, as normals away from obstacles.
std::vector<Vec> pushes(const World& world)
{
    std::vector<Vec> n;
    for (const Contact& c : world.frame().contacts) {
        if (norm(c.impulse) > 0) {
            n.push_back(c.normal);
        }
    }
    return n;
}

bool any_along(const std::vector<Vec>& normals, const Vec& d)
{
    return std::any_of(normals.begin(), normals.end(),
                       [&](const Vec& n) { return norm(n - d) < 1e-6; });
}

// A wall on a floor, as boxes that overlap, boxes that stand side by side, and a wall of the world.
TEST(Group, TheCornerOfAnLHoldsOnBothSides)
{
    const std::vector<std::vector<Body>> corners = {
        {tile(-1, 2), member(Shape::box(0.2, 2, 2), {0.3, 0, 0})},
        {tile(-1, 1.2), member(Shape::box(0.2, 2, 2), {0.3, 0, 0})},
        {tile(-1, 2), member(Shape::box(0.2, 2, 2), {0.3, 0, 1})},
        {member(Shape::half_space(), {0, 0, 0}), member(Shape::box(0.2, 2, 2), {0.3, 0, 0})},
        {member(Shape::half_space(), {0, 0, 0}),
         member(Shape::half_space(), {0.2, 0, 0}, orientation_of_z({-1, 0, 0}))}};
    for (std::size_t k = 0; k < corners.size(); ++k) {
        for (const double deep : {0.0, 1e-6, 3e-4}) {
            for (const bool ball : {true, false}) {
                Settings s = exact(1e-3, {5, 0, -9.81});
                s.tolerance = 1e-10;
                s.error_reduction = deep > 0 ? 0 : 0.2;
                World world(s);
                world.set_surface(0, 0, {0, 0});
                for (const Body& b : corners[k]) {
                    world.add(b);
                }
                const Vec at{0.15 + deep, 0, 0.05 - deep};
                const BodyId id = world.add(ball ? sphere(0.05, at) : block({0.1, 0.1, 0.1}, at));
                run(world, 50 / shorter);
                const Body b = world.body(id);
                EXPECT_LT(norm(b.position - at), 1e-9) << k << " " << deep << " " << ball;
                EXPECT_LT(norm(b.angular_velocity), 1e-9);
                const std::vector<Vec> n = pushes(world);
                EXPECT_TRUE(any_along(n, {0, 0, 1})) << k << " " << deep << " " << ball;
                EXPECT_TRUE(any_along(n, {-1, 0, 0})) << k << " " << deep << " " << ball;
                // A box lies on its four corners, also on those at the wall's foot.
                const auto down =
                    std::count_if(n.begin(), n.end(), [](const Vec& m) { return m.z > 0.5; });
                EXPECT_GE(down, ball ? 1 : 3);
            }
        }
    }
}

// A box as thick as two probes fits between two members.
TEST(Group, ACardFallsThroughASlot)
{
    Settings s = exact(1e-3);
    World world(s);
    world.add(member(Shape::box(1, 1, 1), {-0.501, 0, 0}));
    world.add(member(Shape::box(1, 1, 1), {0.501, 0, 0}));
    const BodyId id = world.add(block({0.0019, 0.5, 0.5}, {0, 0, 0.3}));
    world.set_velocity(id, {0.1, 0, 0}, {0, 0.1, 0});
    world.set_surface(0, 0, {0, 0});
    run(world, 100);
    EXPECT_LT(std::abs(world.body(id).position.x), 6e-5);
    EXPECT_NEAR(world.body(id).velocity.z, -0.981, 1e-3);
}

// What lies inside another member touches nothing, spheres and ellipsoids too; across a periodic
// border as well.
TEST(Group, MembersInsideOthersAreNotThere)
{
    for (const bool periodic : {false, true}) {
        std::vector<Vec> x[2];
        for (int kind = 0; kind < 2; ++kind) {
            Settings s = exact(1e-3);
            s.period = periodic ? Vec{9, 0, 0} : Vec{0, 0, 0};
            s.origin = {periodic ? 0.0 : -4.5, 0, 0};
            World world(s);
            world.add(member(Shape::box(1, 1, 1), {0, 0, -0.5}));
            if (kind == 1) {
                world.add(member(Shape::sphere(0.2), {0.1, 0, -0.22}));
                world.add(member(Shape::ellipsoid(0.2, 0.1, 0.1), {-0.1, 0, -0.11}));
                world.add(member(Shape::sphere(0.2), {0.2, 0, -0.2 - 1e-7}));
                world.add(member(Shape::half_space(), {0, 0, -0.3}));
            }
            const BodyId id = world.add(sphere(0.05, {-0.4, 0, 0.05}, {2, 0, 0}, {0, 30, 0}));
            for (int i = 0; i < 400; ++i) {
                world.step();
                x[kind].push_back(world.body(id).position);
            }
        }
        EXPECT_LT(farthest(x[0], x[1]), 1e-12);
    }
}

// Two spheres side by side make a groove in which a ball rests on both, whatever the group.
TEST(Group, ABallStaysInAGrooveOfSpheres)
{
    std::vector<Vec> x[2];
    for (int kind = 0; kind < 2; ++kind) {
        World world(exact(1e-3));
        for (const double at : {-0.08, 0.08}) {
            Body b = member(Shape::sphere(0.1), {at, 0, 0});
            b.group = kind == 0 ? 0 : 3;
            world.add(b);
        }
        const BodyId id = world.add(sphere(0.05, {0.03, 0, 0.2}));
        for (int i = 0; i < 500; ++i) {
            world.step();
            x[kind].push_back(world.body(id).position);
        }
    }
    EXPECT_LT(farthest(x[0], x[1]), 1e-12);
    EXPECT_NEAR(x[1].back().x, 0, 0.02);
    EXPECT_GT(x[1].back().z, 0.1);
}

/// Distance of a point from a box, negative inside.
double distance_to(const Body& box, const Vec& point)
{
    const Vec p = rotate_back(box.orientation, point - box.position);
    const Vec& h = box.shape.size;
    const Vec d{std::abs(p.x) - h.x, std::abs(p.y) - h.y, std::abs(p.z) - h.z};
    const Vec out{std::max(d.x, 0.0), std::max(d.y, 0.0), std::max(d.z, 0.0)};
    return std::min(std::max({d.x, d.y, d.z}), 0.0) + norm(out);
}

// No cover leaves a hole: balls and boxes rain on a heap of boxes that lie in each other anyhow.
TEST(Group, NothingFallsThroughAHeapOfBoxes)
{
    for (const std::uint64_t seed : {81U, 82U}) {
        Random random(seed);
        Settings s;
        s.time_step = 1e-3;
        s.threads = 1;
        s.sweeps = 30;
        World world(s);
        std::vector<Body> heap;
        for (int i = 0; i < 40; ++i) {
            const double x = random.uniform(-0.3, 0.3);
            const double y = random.uniform(-0.3, 0.3);
            const double a = random.uniform(0.05, 0.4);
            const double b = random.uniform(0.05, 0.4);
            // Some level with each other, some not.
            const double z = i % 2 == 0 ? -0.1 : random.uniform(-0.2, 0);
            const Quat<double> q =
                i % 4 == 0 ? Quat<double>{1, 0, 0, 0}
                           : (i % 4 == 2 ? about({0, 0, 1}, 1.0 * i) : random.orientation());
            heap.push_back(member(Shape::box(a, b, 0.2), {x, y, z}, q));
            world.add(heap.back());
        }
        heap.push_back(member(Shape::box(1, 1, 0.2), {0, 0, -0.25}));
        world.add(heap.back());
        const double r = 0.02;
        std::vector<BodyId> balls;
        std::vector<BodyId> boxes;
        for (int i = 0; i < 60; ++i) {
            const double x = random.uniform(-0.3, 0.3);
            const double y = random.uniform(-0.3, 0.3);
            const Vec at{x, y, 0.25 + 0.01 * i};
            if (i % 2 == 0) {
                balls.push_back(world.add(sphere(r, at, {0, 0, -2})));
            } else {
                Body b = block({0.04, 0.03, 0.03}, at, random.orientation());
                b.velocity = {0, 0, -2};
                boxes.push_back(world.add(b));
            }
        }
        double ball_deep = 0;
        double box_deep = 0;
        for (int i = 0; i < 70 / shorter; ++i) {
            run(world, 10);
            for (const BodyId id : balls) {
                const Vec x = world.body(id).position;
                for (const Body& b : heap) {
                    ball_deep = std::max(ball_deep, r - distance_to(b, x));
                }
            }
            for (const BodyId id : boxes) {
                const Body box = world.body(id);
                for (int k = 0; k < 8; ++k) {
                    const Vec c{(k & 1) != 0 ? 0.02 : -0.02, (k & 2) != 0 ? 0.015 : -0.015,
                                (k & 4) != 0 ? 0.015 : -0.015};
                    const Vec corner = box.position + rotate(box.orientation, c);
                    for (const Body& b : heap) {
                        box_deep = std::max(box_deep, -distance_to(b, corner));
                    }
                }
            }
        }
        EXPECT_LT(ball_deep, 0.02 * r) << seed;
        EXPECT_LT(box_deep, 0.05 * r) << seed;
    }
}

// A stair goes on moving as one: members with the same velocity carry a ball over their seams.
TEST(Group, MovingMembersCarryABallAsOneShapeDoes)
{
    std::vector<Vec> x[2];
    for (int kind = 0; kind < 2; ++kind) {
        World world(exact(1e-3));
        std::vector<Body> floor = floors()[kind == 0 ? 0 : 3];
        for (Body& b : floor) {
            b.velocity = {-1, 0, 0.2};
            world.add(b);
        }
        const BodyId id = world.add(sphere(0.05, {0.3, 0, 0.05}, {0, 0, 0.2}));
        for (int i = 0; i < 500; ++i) {
            world.step();
            x[kind].push_back(world.body(id).position);
        }
    }
    EXPECT_LT(farthest(x[0], x[1]), 1e-9);
}

TEST(Group, IsGivenBackAndOnlyForPrescribedBodies)
{
    World world;
    const BodyId id = world.add(member(Shape::half_space(), {0, 0, 0}));
    EXPECT_EQ(world.body(id).group, 1U);
    Body b = sphere(1, {0, 0, 1});
    b.group = 2;
    try {
        world.add(b);
        FAIL() << "a dynamic body in a group";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("group is 2"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace scree::test
