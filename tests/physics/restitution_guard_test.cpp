// Several contacts at once, each with its own coefficient of restitution, could gain energy
// together; the step takes back as much of the rebound as it needs to gain none.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace scree::test {
namespace {

struct Tally {
    int steps = 0, restitution_reduced = 0, gained = 0;
    double most = 0;
};

void count(World& world, double before, Tally& tally)
{
    const StepReport& r = world.step();
    const double gain = (r.energy.kinetic - r.energy.rotation_error) / before - 1;
    if (r[Condition::unconverged].count == 0) {
        ++tally.steps;
        tally.restitution_reduced += r.restitution_reduced ? 1 : 0;
        tally.gained += gain > 1e-8 ? 1 : 0;
        tally.most = std::max(tally.most, gain);
    }
}

Settings bouncing()
{
    Settings s = exact(1e-4, {0, 0, 0});
    s.rotation = Rotation::momentum;
    s.error_reduction = 0;
    s.tolerance = 1e-11;
    return s;
}

void set_materials(World& world, Random& random, int count)
{
    for (int i = 1; i < count; ++i) {
        world.add_material();
    }
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b <= a; ++b) {
            const double mu = random.uniform(0, 2);
            const double e = random.chance(0.3) ? 0 : random.uniform();
            world.set_surface(MaterialId(a), MaterialId(b), {mu, e});
        }
    }
}

double kinetic_of(const World& world)
{
    double sum = 0;
    for (const BodyId id : world.frame().ids) {
        const Body b = world.body(id);
        if (b.motion == Motion::dynamic) {
            sum += 0.5 * b.mass->mass * dot(b.velocity, b.velocity) +
                   0.5 * dot(b.angular_velocity, spin_of(b));
        }
    }
    return sum;
}

/// Spheres that touch, flying at random.
World cluster(Random& random)
{
    World world(bouncing());
    set_materials(world, random, 4);
    std::vector<Vec> centres;
    std::vector<double> radii;
    while (centres.size() < 8) {
        const double r = random.uniform(0.05, 0.15);
        Vec x{0, 0, 0};
        if (!centres.empty()) {
            const auto k = static_cast<std::size_t>(random.uniform(0, 0.999) *
                                                    static_cast<double>(centres.size()));
            x = centres[k] + (radii[k] + r) * random.direction();
        }
        bool apart = true;
        for (std::size_t i = 0; i < centres.size(); ++i) {
            apart = apart && norm(x - centres[i]) > (radii[i] + r) * (1 - 1e-12);
        }
        if (apart) {
            centres.push_back(x);
            radii.push_back(r);
            Body b = sphere(r, x, random.in_ball() - 3.0 * x);
            b.angular_velocity = 5.0 * random.in_ball();
            b.material = MaterialId(centres.size() % 4);
            world.add(b);
        }
    }
    return world;
}

/// Long bodies on a floor, thrown at it with spin, and struck from above.
World rods_on_a_floor(Random& random)
{
    World world(bouncing());
    set_materials(world, random, 4);
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 3; ++i) {
        Body rod;
        const double r = random.uniform(0.02, 0.1);
        const double angle = random.uniform(0, 3);
        if (i % 2 == 0) {
            rod.shape = Shape::capsule(r, random.uniform(0.2, 0.6));
            rod.orientation = about({0, 0, 1}, angle);
        } else {
            rod.shape = Shape::box(random.uniform(0.2, 0.6), 2 * r, 2 * r);
            rod.orientation = about({0, 0, 1}, angle);
        }
        rod.position = {2.0 * i, 0, r};
        rod.velocity = random.in_ball();
        rod.velocity.z = random.chance(0.5) ? 0 : rod.velocity.z;
        rod.angular_velocity = random.chance(0.5) ? Vec{0, 0, 0} : 5.0 * random.in_ball();
        rod.material = MaterialId(i + 1);
        rod.density = random.decades(2, 4);
        world.add(rod);
        const double R = random.uniform(0.02, 0.1);
        const double along = random.uniform(-0.1, 0.1);
        const Vec axis{std::cos(angle), std::sin(angle), 0};
        Body ball = sphere(R, rod.position + along * axis + Vec{0, 0, r + R}, {0, 0, 0});
        ball.velocity = random.in_ball() + Vec{0, 0, -1};
        ball.density = random.decades(2, 4);
        world.add(ball);
    }
    return world;
}

/// A box that slides and turns on a rough floor without bouncing, and meets one elastic obstacle.
World one_bounce(Random& random)
{
    Settings s = bouncing();
    s.sweeps = 1000;
    s.tolerance = 1e-9;
    World world(s);
    world.add_material();
    world.set_surface(0, 0, {random.uniform(0, 1.5), 0});
    world.set_surface(0, 1, {random.uniform(0, 1.5), 1});
    world.add(obstacle(Shape::half_space()));
    const Vec edges{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    Body box = block(edges, {0, 0, edges.z / 2});
    const double vx = random.uniform(0.5, 2);
    const double vy = random.uniform(-2, 2);
    const double vz = random.uniform(-2, 1);
    const double w = random.uniform(-5, 5);
    box.velocity = {vx, vy, vz};
    box.angular_velocity = {random.uniform(-5, 5), 0, 0};
    box.angular_velocity.z = w;
    world.add(box);
    const double R = 0.05;
    const double y = random.uniform(-0.45, 0.45) * edges.y;
    const double z = random.uniform(0.05, 0.95) * edges.z;
    Body post = obstacle(Shape::sphere(R), {edges.x / 2 + R, y, z});
    post.material = 1;
    world.add(post);
    return world;
}

TEST(RestitutionGuard, OneBounceBesideOtherContactsGainsNoEnergy)
{
    Random random(43);
    Tally tally;
    for (int i = 0; i < 1000 / shorter; ++i) {
        World world = one_bounce(random);
        count(world, kinetic_of(world), tally);
    }
    std::printf("one bounce: %d of %d steps guarded, %d gained, at most %.1e\n",
                tally.restitution_reduced, tally.steps, tally.gained, tally.most);
    EXPECT_GT(tally.steps, 700 / shorter);
    EXPECT_GE(tally.restitution_reduced, shorter > 1 ? 0 : 10);
    EXPECT_EQ(tally.gained, 0) << tally.most;
}

TEST(RestitutionGuard, ClustersNeverGainEnergy)
{
    Random random(41);
    Tally tally;
    for (int i = 0; i < 300 / shorter; ++i) {
        World world = cluster(random);
        count(world, kinetic_of(world), tally);
    }
    std::printf("clusters: %d of %d steps guarded, %d gained, at most %.1e\n",
                tally.restitution_reduced, tally.steps, tally.gained, tally.most);
    EXPECT_GT(tally.steps, 200 / shorter);
    EXPECT_EQ(tally.gained, 0) << tally.most;
}

TEST(RestitutionGuard, RodsOnAFloorNeverGainEnergy)
{
    Random random(42);
    Tally tally;
    for (int i = 0; i < 300 / shorter; ++i) {
        World world = rods_on_a_floor(random);
        count(world, kinetic_of(world), tally);
    }
    std::printf("rods: %d of %d steps guarded, %d gained, at most %.1e\n",
                tally.restitution_reduced, tally.steps, tally.gained, tally.most);
    EXPECT_GT(tally.steps, 200 / shorter);
    EXPECT_EQ(tally.gained, 0) << tally.most;
}

}  // namespace
}  // namespace scree::test
