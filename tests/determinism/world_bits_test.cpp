// The same bits whatever the number of threads, the instruction set and the compiler, over long
// runs of mixed shapes: falling, rolling, shaken by a wall that moves and stirred by one that
// turns.
#include "math/random.hpp"
#include "math/vec.hpp"
#include "scree/contact.hpp"
#include "scree/world.hpp"
#include "support/eventful_worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace scree {
namespace {

Shape shape_of(std::size_t i, double size)
{
    switch (i % 6) {
    case 0: return Shape::box(1.6 * size, 1.2 * size, size);
    case 1: return Shape::capsule(0.4 * size, size);
    case 2: return Shape::ellipsoid(0.8 * size, 0.6 * size, 0.5 * size);
    case 3: return Shape::cylinder(0.5 * size, size);
    default: return Shape::sphere(0.6 * size);
    }
}

/// Grains in a tray whose floor shakes, with a paddle that turns.
World mixed_world(std::size_t grains, int threads)
{
    Settings s;
    s.time_step = 1e-3;
    s.sweeps = 12;
    s.tolerance = 1e-3;
    s.threads = threads;
    World world(s);
    const MaterialId rough = world.add_material();
    world.set_surface(0, 0, {0.3, 0.2});
    world.set_surface(0, rough, {0.6, 0});
    const auto across = static_cast<std::size_t>(8);
    const double width = 0.3;
    Body floor = obstacle(Shape::half_space());
    floor.velocity = {0.05, 0, 0};
    floor.material = rough;
    world.add(floor);
    for (const Vec3<double>& n : {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
        world.add(
            obstacle(Shape::half_space(), {-width * n.x, -width * n.y, 0}, orientation_of_z(n)));
    }
    Body paddle = obstacle(Shape::box(0.3, 0.02, 0.1), {0, 0, 0.05});
    paddle.angular_velocity = {0, 0, 3};
    world.add(paddle);
    for (std::size_t i = 0; i < grains; ++i) {
        const auto draw = [&](std::uint64_t k, double from, double to) {
            return math::uniform(7, i, k, from, to);
        };
        Body body;
        body.shape = shape_of(i, draw(0, 0.02, 0.04));
        body.density = draw(1, 500, 3000);
        body.position = {-0.25 + 0.07 * static_cast<double>(i % across),
                         -0.25 + 0.07 * static_cast<double>(i / across % across),
                         0.15 + 0.07 * static_cast<double>(i / (across * across))};
        body.orientation = orientation_of_x({draw(2, -1, 1), draw(3, -1, 1), draw(4, 0.1, 1)});
        body.velocity = {draw(5, -0.5, 0.5), draw(6, -0.5, 0.5), draw(7, -0.5, 0)};
        body.angular_velocity = {draw(8, -5, 5), draw(9, -5, 5), draw(10, -5, 5)};
        world.add(body);
    }
    return world;
}

std::uint64_t hash_after(World world, int steps, std::size_t least_contacts = 0)
{
    std::size_t most = 0;
    for (int k = 0; k < steps; ++k) {
        most = std::max(most, world.step().candidates);
    }
    EXPECT_GE(most, least_contacts);
    EXPECT_EQ(world.report()[Condition::not_finite].count, 0U);
    EXPECT_EQ(world.report()[Condition::energy_unbalanced].count, 0U);
    return world.state_hash();
}

// While they fall, one thread does all: from where there is work to be shared out each number of
// threads goes on.
TEST(WorldBits, AreTheSameForAnyNumberOfThreads)
{
#if defined(__OPTIMIZE__)
    const int fall = 250;
    const int steps = 120;
    const std::size_t enough = 1025;  // contacts for the work to be shared out
#else
    const int fall = 60;
    const int steps = 20;
    const std::size_t enough = 0;
#endif
    World falling = mixed_world(700, 1);
    for (int k = 0; k < fall; ++k) {
        falling.step();
    }
    const std::vector<Column> columns = test::columns_of(falling);
    const auto hash_by = [&](int threads) {
        World world = test::world_of(columns);
        Settings s = world.settings();
        s.threads = threads;
        world.set_settings(s);
        return hash_after(std::move(world), steps, enough);
    };
    const std::uint64_t one = hash_by(1);
    for (const int threads : {2, 3, 8, 0}) {  // 0: now this many, now that
        EXPECT_EQ(hash_by(threads), one) << threads << " threads";
    }
}

/// Spheres side by side, and a boulder among them with so many neighbours that it is split.
World many_parts(int threads)
{
    Settings s;
    s.time_step = 1e-3;
    s.sweeps = 10;
    s.region_pairs = 1024;
    s.threads = threads;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    constexpr std::size_t across = 15;
    const double spacing = 0.0201;
    Body boulder;
    boulder.shape = Shape::sphere(0.05);
    boulder.position = {0.15, 0.15, 0.15};
    world.add(boulder);
    for (std::size_t i = 0; i < across * across * across; ++i) {
        Body grain;
        grain.shape = Shape::sphere(0.01);
        grain.position = {spacing * static_cast<double>(i % across),
                          spacing * static_cast<double>(i / across % across),
                          0.01 + spacing * static_cast<double>(i / (across * across))};
        const Vec3<double> from_boulder = grain.position - boulder.position;
        if (norm(from_boulder) < 0.0601) {
            continue;
        }
        grain.velocity = {math::uniform(9, i, 0, -0.3, 0.3), math::uniform(9, i, 1, -0.3, 0.3),
                          math::uniform(9, i, 2, -0.3, 0.3)};
        world.add(grain);
    }
    return world;
}

TEST(WorldBits, AreTheSameForPartsOfTheListByAnyNumberOfThreads)
{
#if defined(__OPTIMIZE__)
    const int steps = 60;
#else
    const int steps = 6;
#endif
    World one = many_parts(1);
    one.step();
    EXPECT_GT(one.report().pairs, 8U * 1024);  // that is as many parts, at least
    EXPECT_GT(one.report().split_copies, 0U);
    const std::uint64_t hash = hash_after(many_parts(1), steps);
    for (const int threads : {2, 3, 5, 20}) {  // more than there are parts, too
        EXPECT_EQ(hash_after(many_parts(threads), steps), hash) << threads << " threads";
    }
}

TEST(WorldBits, AreTheSameForAnyInstructionSet)
{
    const int steps = 400;
    const char* const before = std::getenv("SCREE_ISA");
    const std::string saved = before == nullptr ? "" : before;
    const std::uint64_t widest = hash_after(mixed_world(60, 1), steps);
    for (const InstructionSet isa : {InstructionSet::scalar, InstructionSet::sse2,
                                     InstructionSet::avx2, InstructionSet::avx512}) {
        if (isa > default_instruction_set()) {
            continue;
        }
        ASSERT_EQ(setenv("SCREE_ISA", std::string(name_of(isa)).c_str(), 1), 0);
        EXPECT_EQ(hash_after(mixed_world(60, 1), steps), widest) << name_of(isa);
        ASSERT_EQ(unsetenv("SCREE_ISA"), 0);
    }
    if (before != nullptr) {
        ASSERT_EQ(setenv("SCREE_ISA", saved.c_str(), 1), 0);
    }
}

// One number for every compiler, optimisation level and machine. A change of the engine that is
// meant to change results changes it too; say so in the changelog.
TEST(WorldBits, AreTheSameForEveryCompiler)
{
    EXPECT_EQ(hash_after(mixed_world(60, 1), 3000), 12706408970301292088U);
}

}  // namespace
}  // namespace scree
