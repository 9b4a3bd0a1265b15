// Bodies at rest on each other: how many sweeps they take, and that they stay.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace scree::test {
namespace {

TEST(Stack, ACubeOnAPlaneConvergesFromNothing)
{
    for (const Law law : {Law::max_dissipation, Law::coulomb, Law::frictionless, Law::projected}) {
        Settings s = exact(1e-3);
        s.law = law;
        s.tolerance = 1e-8;
        s.warm_start = 0;
        World world(s);
        world.add(obstacle(Shape::half_space()));
        world.add(block({1, 1, 1}, {0, 0, 0.5}, about({0, 0, 1}, 0.4)));
        world.step();
        EXPECT_LE(world.report().sweeps, 50) << name_of(law);
        EXPECT_LT(world.report().residual, 1e-8);
        EXPECT_LT(world.true_residual(), 1e-8);
        std::printf("cube on a plane, %s: %d sweeps\n", std::string(name_of(law)).c_str(),
                    world.report().sweeps);
    }
}

TEST(Stack, ACubeDoesNotCreep)
{
    for (const Law law : {Law::max_dissipation, Law::coulomb, Law::projected}) {
        Settings s;  // with its usual tolerance
        s.time_step = 2e-3;
        s.threads = 1;
        s.law = law;
        World world(s);
        world.add(obstacle(Shape::half_space()));
        const BodyId id = world.add(block({1, 1, 1}, {0, 0, 0.5}, about({0, 0, 1}, 0.4)));
        run(world, 5000 / shorter);
        EXPECT_LT(norm(world.body(id).position - Vec{0, 0, 0.5}), 1e-6) << name_of(law);
        EXPECT_TRUE(world.report().good());
    }
}

struct Pile {
    int height;
    double ratio;  ///< of densities, top to bottom
    double time_step;
    int sweeps;
    double tolerance = 1e-4;
};

/// The way of the top in 10 s, and what it took.
double way_of_top(const Pile& pile)
{
    Settings s;
    s.time_step = pile.time_step;
    s.threads = 1;
    s.sweeps = pile.sweeps;
    s.tolerance = pile.tolerance;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    BodyId top = 0;
    for (int i = 0; i < pile.height; ++i) {
        Body b = block({1, 1, 1}, {0, 0, 0.5 + i});
        b.density = i + 1 == pile.height ? 1000 * pile.ratio : 1000;
        top = world.add(b);
    }
    const Vec start = world.body(top).position;
    long sweeps = 0;
    int first = 0;
    int most = 0;
    long unconverged = 0;
    const long steps = std::lround(10 / pile.time_step) / shorter;
    for (long i = 0; i < steps; ++i) {
        const StepReport& r = world.step();
        sweeps += r.sweeps;
        first = i == 0 ? r.sweeps : first;
        most = std::max(most, r.sweeps);
        unconverged += r[Condition::unconverged].count > 0 ? 1 : 0;
    }
    const double way = norm(world.body(top).position - start);
    std::printf("stack of %d, %g : 1 on top: first step %d sweeps, mean %.1f, most %d, "
                "unconverged %ld of %ld steps, top moved %.2e m\n",
                pile.height, pile.ratio, first,
                static_cast<double>(sweeps) / static_cast<double>(steps), most, unconverged, steps,
                way);
    return way;
}

TEST(Stack, HeavyOnLightStands) { EXPECT_LT(way_of_top({2, 1000, 2e-3, 500}), 0.01); }
TEST(Stack, FiveCubesStand) { EXPECT_LT(way_of_top({5, 1, 2e-3, 100}), 0.01); }
// Tall stacks bend in modes that sweeps hardly see: errors of a step have to stay small, or the
// next one starts from a worse place.
TEST(Stack, TenCubesStand) { EXPECT_LT(way_of_top({10, 1, 1e-2, 2000, 1e-6}), 0.01); }
TEST(Stack, TwentyCubesStand) { EXPECT_LT(way_of_top({20, 1, 2e-2, 2000, 1e-6}), 0.01); }

}  // namespace
}  // namespace scree::test
