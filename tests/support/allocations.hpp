// Counts what a program asks memory for, by an operator new of its own: for programs that are
// linked with allocations.cpp.
#pragma once

#include "scree/world.hpp"

#include <gtest/gtest.h>

namespace scree::test {

/// So many there were since the program began.
long allocations();

/// Sweeps that are not looked at, and such as never reach what is asked for, which is reported.
inline constexpr double tolerances[]{0, 1e-13};

/// A few layers of boxes and spheres on a floor, to be stepped with one thread.
inline World settling_bed(double tolerance)
{
    Settings s;
    s.time_step = 1e-3;
    s.sweeps = 10;
    s.tolerance = tolerance;
    s.threads = 1;
    s.period = {0.8, 0.8, 0};
    World world(s);
    world.add(obstacle(Shape::half_space()));
    for (int i = 0; i < 192; ++i) {
        Body body;
        body.shape = i % 3 == 0 ? Shape::box(0.08, 0.08, 0.08) : Shape::sphere(0.045);
        body.position = {0.1 * (i % 8) + 0.05, 0.1 * (i / 8 % 8) + 0.05, 0.05 + 0.1 * (i / 64)};
        world.add(body);
    }
    return world;
}

/// Steps until it is at rest, and then expects steps in which nothing is new to ask for nothing.
inline void expect_no_allocation_in_steady_steps(World& world)
{
    for (int k = 0; k < 300; ++k) {
        world.step();
    }
    int steady = 0;
    for (int k = 0; k < 200; ++k) {
        const long before = allocations();
        const std::size_t bytes = world.bytes();
        const StepReport& r = world.step();
        // A new list, or more contacts than ever, may take memory.
        if (!r.list_rebuilt && world.bytes() == bytes) {
            ++steady;
            EXPECT_EQ(allocations() - before, 0) << "step " << k;
        }
    }
    EXPECT_GT(steady, 100);
    EXPECT_GT(world.report().contacts, 150U);
    EXPECT_EQ(world.report()[Condition::unconverged].count > 0, world.settings().tolerance > 0);
}

}  // namespace scree::test
