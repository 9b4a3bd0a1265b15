// Fast bodies do not pass through each other, and impulses that make other bodies approach within
// the same step find their contacts.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace scree::test {
namespace {

TEST(Tunnelling, ASmallSphereDoesNotPassAThinPlate)
{
    Random random(31);
    const double h = 1e-3;
    const double r = 1e-3;
    for (int i = 0; i < 200; ++i) {
        Settings s = exact(h, {0, 0, 0});
        s.tolerance = 1e-10;
        World world(s);
        world.set_surface(0, 0, {random.uniform(0, 1), i % 2 == 0 ? 0 : random.uniform(0, 1)});
        const Quat<double> q = random.orientation();
        const Vec n = rotate(q, Vec{0, 0, 1});
        Body plate = block({4, 4, 0.2 * r}, {0, 0, 0}, q);
        plate.motion = i % 3 == 0 ? Motion::prescribed : Motion::dynamic;
        plate.density = 1e5;
        const BodyId wall = world.add(plate);
        const double speed = 100 * r / h;
        const Vec flat = random.in_ball();
        const Vec v = -speed * n + (0.5 * speed) * (flat - dot(flat, n) * n);
        const double start = random.uniform(1.2, 400) * r;
        const BodyId id = world.add(sphere(r, start * n, v));
        for (int k = 0; k < 8; ++k) {
            world.step();
            const Body p = world.body(wall);
            const Vec d = rotate_back(p.orientation, world.body(id).position - p.position);
            EXPECT_GE(d.z, (1.1 - 1e-4) * r) << i << " " << k;
        }
        EXPECT_EQ(world.report()[Condition::missed_contact].count, 0U);
    }
}

TEST(Tunnelling, SpheresDoNotPassEachOther)
{
    Random random(32);
    const double h = 1e-3;
    for (int i = 0; i < 400; ++i) {
        World world(exact(h, {0, 0, 0}));
        world.set_surface(0, 0, {0.5, i % 2 == 0 ? 0 : random.uniform(0, 1)});
        const Vec n = random.direction();
        const double r = 1e-3;
        const double R = r * random.decades(0, 2);
        const double distance = R + r * random.uniform(1, 300);
        const double speed = 100 * r / h;
        const Vec aim = (0.9 * R) * random.in_ball();
        const Vec from = distance * n;
        const BodyId a = world.add(sphere(R, {0, 0, 0}));
        const BodyId b = world.add(sphere(r, from, speed * normalised(aim - from)));
        Vec before = from;
        for (int k = 0; k < 8; ++k) {
            world.step();
            const Vec now = world.body(b).position - world.body(a).position;
            // Nearest on the way from there to here.
            const Vec way = now - before;
            const double part = std::clamp(-dot(before, way) / dot(way, way), 0.0, 1.0);
            EXPECT_GE(norm(before + part * way), (R + r) * (1 - 1e-9)) << i << " " << k;
            before = now;
        }
    }
}

double deepest(const World& world, const std::vector<BodyId>& balls, double r)
{
    double most = 0;
    std::vector<Vec> x;
    for (const BodyId id : balls) {
        x.push_back(world.body(id).position);
    }
    for (std::size_t a = 0; a < x.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            most = std::max(most, 2 * r - norm(x[a] - x[b]));
        }
    }
    return most;
}

// The cue ball's impulse runs through balls that stood apart, all within one step.
TEST(Tunnelling, NoBallIsMissedInABilliardBreak)
{
    Random random(33);
    const double r = 0.03;
    const double h = 1e-3;
    int steps = 0;
    for (const double e : {0.0, 0.9}) {
        for (int trial = 0; trial < 40; ++trial) {
            Settings s = exact(h, {0, 0, 0});
            s.error_reduction = 0;
            World world(s);
            world.set_surface(0, 0, {0.1, e});
            std::vector<BodyId> balls;
            const double gap = r * random.decades(-6, -0.5);
            for (int row = 0; row < 5; ++row) {
                for (int k = 0; k <= row; ++k) {
                    const double y = (k - 0.5 * row) * (2 * r + gap);
                    const double x = row * std::sqrt(0.75) * (2 * r + gap);
                    balls.push_back(world.add(sphere(r, {x, y, 0})));
                }
            }
            const double speed = random.uniform(0.1, 20) * r / h;
            const double aside = random.uniform(-1, 1) * r;
            balls.push_back(
                world.add(sphere(r, {-2 * r - random.uniform(0, 3) * r, aside, 0}, {speed, 0, 0})));
            for (int i = 0; i < 15; ++i) {
                const StepReport& report = world.step();
                EXPECT_EQ(report[Condition::missed_contact].count, 0U) << trial << " " << i;
                if (report[Condition::unconverged].count > 0) {
                    break;  // said, and the heap may overlap from here on
                }
                ++steps;
                EXPECT_LE(deepest(world, balls, r), 1e-6 * r)
                    << e << " " << trial << " " << i << " passes " << report.passes;
            }
        }
    }
    EXPECT_GT(steps, 800);
}

// A ball that is stopped by the next one does not bounce off the one behind that, though at the
// beginning of the step it was flying at both.
TEST(Tunnelling, NothingBouncesOffABallBehindAnother)
{
    const double r = 0.05;
    const double h = 1e-3;
    World world(exact(h, {0, 0, 0}));
    world.set_surface(0, 0, {0, 1});
    const BodyId a = world.add(sphere(r, {0, 0, 0}, {10 * r / h, 0, 0}));
    const BodyId b = world.add(sphere(r, {3 * r, 0, 0}));
    const BodyId c = world.add(sphere(r, {7 * r, 0, 0}));
    world.step();
    const Frame frame = world.frame();
    for (const Contact& contact : frame.contacts) {
        const bool apart = std::min(contact.first, contact.second) == std::min(a, c) &&
                           std::max(contact.first, contact.second) == std::max(a, c);
        EXPECT_EQ(apart && norm(contact.impulse) > 0, false) << norm(contact.impulse);
    }
    EXPECT_TRUE(world.contains(b));
}

// Three balls at random, one of them so fast that it would reach both others. Where the bounce off
// the first leaves the third out of reach, and an inelastic impact would too, it is as if the third
// were not there.
TEST(Tunnelling, ABallBouncesOffTheFirstOfTwoAlone)
{
    Random random(34);
    const double r = 0.05;
    const double h = 1e-3;
    int shadowed = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const double e = random.uniform(0.01, 1);
        const Vec first = (8 * r) * random.in_ball();
        const Vec second = (12 * r) * random.in_ball();
        const Vec aim = normalised(first + (1.5 * r) * random.in_ball());
        const double speed = random.uniform(3, 20) * r / h;
        const Vec x[3] = {{0, 0, 0}, first, second};
        const Vec v[3] = {speed * aim, {0, 0, 0}, (r / h) * random.in_ball()};
        const auto normal = [&](int a, int b) { return normalised(x[a] - x[b]); };
        const auto gap = [&](int a, int b) { return norm(x[a] - x[b]) - 2 * r; };
        if (gap(0, 1) < 0 || gap(0, 2) < 0 || gap(1, 2) < 0) {
            continue;
        }
        const Vec n = normal(0, 1);
        const double approach = dot(n, v[0] - v[1]);
        if (!(gap(0, 1) + h * approach < 0) ||
            !(gap(0, 2) + h * dot(normal(0, 2), v[0] - v[2]) < 0)) {
            continue;  // it flies at one of them only
        }
        // Equal masses: each takes half of the change of relative velocity.
        bool clear = true;
        Vec after[2];
        for (const double leaves : {-gap(0, 1) / h, -e * approach}) {
            after[0] = v[0] + (0.5 * (leaves - approach)) * n;
            after[1] = v[1] - (0.5 * (leaves - approach)) * n;
            for (const int k : {0, 1}) {
                clear = clear && gap(k, 2) + h * dot(normal(k, 2), after[k] - v[2]) > 1e-9 * r;
            }
        }
        if (!clear) {
            continue;
        }
        ++shadowed;
        World world(exact(h, {0, 0, 0}));
        world.set_surface(0, 0, {0, e});
        BodyId id[3];
        for (int k = 0; k < 3; ++k) {
            id[k] = world.add(sphere(r, x[k], v[k]));
        }
        world.step();
        for (int k = 0; k < 3; ++k) {
            const Vec expected = k < 2 ? after[k] : v[2];
            EXPECT_LT(norm(world.body(id[k]).velocity - expected), 1e-12 * speed) << trial;
        }
    }
    EXPECT_GT(shadowed, 100);
}

// A straight chain whose gaps all close one after another within the step.
TEST(Tunnelling, AChainIsHitWithinOneStep)
{
    const double r = 0.05;
    const double h = 1e-3;
    for (const int n : {3, 5, 8, 20}) {
        Settings s = exact(h, {0, 0, 0});
        s.error_reduction = 0;
        World world(s);
        std::vector<BodyId> balls;
        for (int i = 0; i < n; ++i) {
            balls.push_back(world.add(sphere(r, {i * (2 * r + 0.01 * r), 0, 0})));
        }
        world.set_velocity(balls[0], {10 * r / h, 0, 0}, {0, 0, 0});
        for (int i = 0; i < 5; ++i) {
            world.step();
            EXPECT_LE(deepest(world, balls, r), 1e-6 * r) << n << " " << i;
            EXPECT_EQ(world.report()[Condition::missed_contact].count, 0U)
                << n << " " << i << " passes " << world.report().passes;
        }
    }
}

double lowest_corner(const Body& b)
{
    double z = 1e300;
    for (int k = 0; k < 8; ++k) {
        const Vec c{(k & 1) != 0 ? b.shape.size.x : -b.shape.size.x,
                    (k & 2) != 0 ? b.shape.size.y : -b.shape.size.y,
                    (k & 4) != 0 ? b.shape.size.z : -b.shape.size.z};
        z = std::min(z, (b.position + rotate(b.orientation, c)).z);
    }
    return z;
}

// One end of a bar lands, which throws the other end down with 3/2 of the speed: it is farther than
// the fall alone would bring it, but not too far for that.
TEST(Tunnelling, TheOtherEndOfABarLandsToo)
{
    const double h = 1e-3;
    for (const double factor : {0.5, 0.9, 1.1, 1.2, 1.35}) {
        Settings s = exact(h, {0, 0, 0});
        s.error_reduction = 0;
        World world(s);
        world.set_surface(0, 0, {0, 0});
        world.add(obstacle(Shape::half_space()));
        const double tilt = std::asin(factor * h / 1.0);
        Body bar = block({1, 0.01, 0.01}, {0, 0, 1}, about({0, 1, 0}, tilt));
        bar.position.z -= lowest_corner(bar);
        bar.velocity = {0, 0, -1};
        const BodyId id = world.add(bar);
        for (int i = 0; i < 4; ++i) {
            world.step();
            // Turning by φ in a step lifts or lowers an end by its length times φ².
            EXPECT_GE(lowest_corner(world.body(id)), -2e-6) << factor << " " << i;
        }
    }
}

// A wall that turns sweeps up what lies far from its axis.
TEST(Tunnelling, ATurningWallMeetsBodiesAtRest)
{
    const double h = 1e-3;
    Settings s = exact(h, {0, 0, 0});
    World world(s);
    Body wall = obstacle(Shape::half_space());
    wall.angular_velocity = {0, -1, 0};  // rises where x > 0
    const BodyId flap = world.add(wall);
    const BodyId id = world.add(sphere(0.1, {10, 0, 0.1 + 0.0255}));
    double deep = 0;
    for (int i = 0; i < 20; ++i) {
        world.step();
        const Vec n = rotate(world.body(flap).orientation, Vec{0, 0, 1});
        deep = std::max(deep, 0.1 - dot(n, world.body(id).position));
    }
    // Of second order: the wall turns by 1e-3 in a step, 10 m · 1e-6.
    EXPECT_LT(deep, 2e-5);
    EXPECT_GT(world.body(id).velocity.z, 5);
}

// A wall that first turns in itself, then about another axis.
TEST(Tunnelling, AWallThatStartsToSweepTakesBodiesAlong)
{
    Settings s = exact(1e-3, {0, 0, 0});
    World world(s);
    Body wall = obstacle(Shape::half_space());
    wall.angular_velocity = {0, 0, 1};
    const BodyId flap = world.add(wall);
    const BodyId id = world.add(sphere(0.1, {2, 0, 0.6}));
    run(world, 5);
    world.set_velocity(flap, {0, 0, 0}, {0, -1, 0});
    run(world, 500);
    const Vec n = rotate(world.body(flap).orientation, Vec{0, 0, 1});
    EXPECT_GT(dot(n, world.body(id).position), 0.1 - 1e-3);
}

}  // namespace
}  // namespace scree::test
