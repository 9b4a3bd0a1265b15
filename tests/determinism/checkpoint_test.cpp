// A restored world goes on to the same bits: every hash and every report that follows is that of
// the world that was never interrupted. The oracle is that world itself.
#include "support/eventful_worlds.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <map>

namespace scree {
namespace {

using test::columns_of;
using test::world_of;

constexpr std::uint64_t length = 300 / test::shorter;
constexpr std::uint64_t continued = 60 / test::shorter;

std::uint64_t number(const std::vector<Column>& columns, const char* name)
{
    const Column& c = *find_column(columns, name);
    return c.type == ColumnType::u8 ? values_of<std::uint8_t>(c)[0]
                                    : values_of<std::uint64_t>(c)[0];
}

/// A run, with what it was at any time, and what it was saved as at some.
struct History {
    std::vector<std::uint64_t> hash;   ///< before step k, after what happens then
    std::vector<std::string> report;   ///< of step k
    std::vector<std::uint64_t> after;  ///< after step k
    std::map<std::uint64_t, std::vector<Column>> saved;
};

History run(int which, bool save)
{
    History run;
    World world = test::eventful_world(which);
    for (std::uint64_t k = 0; k < length; ++k) {
        test::happen(world, which, k);
        run.hash.push_back(world.state_hash());
        if (save && (k < 3 || test::draw(k, 50, 0, 1) < 0.08)) {
            run.saved[k] = columns_of(world);
        }
        run.report.push_back(test::text_of(world.step()));
        run.after.push_back(world.state_hash());
    }
    return run;
}

class Checkpoints : public ::testing::TestWithParam<int> {};

TEST_P(Checkpoints, GoOnToTheSameBits)
{
    const History all = run(GetParam(), true);
    bool gaps = false, orders = false, forces = false, copies = false;
    ASSERT_GT(all.saved.size(), length / 25);
    std::uint64_t lists = 0;
    for (const auto& [from, columns] : all.saved) {
        const std::uint64_t kept = number(columns, "world/lists_since_order");
        orders = orders || kept < lists;
        lists = kept;
        gaps = gaps || (find_column(columns, "gaps/place")->rows() > 0 &&
                        number(columns, "world/changed") == 0);
        forces = forces || find_column(columns, "forces/place")->rows() > 0;
        World world = world_of(columns);
        ASSERT_EQ(world.state_hash(), all.hash[from]) << from;
        const std::uint64_t until = std::min(length, from + continued);
        for (std::uint64_t k = from; k < until; ++k) {
            if (k > from) {
                test::happen(world, GetParam(), k);
                ASSERT_EQ(world.state_hash(), all.hash[k]) << "saved before step " << from;
            }
            const StepReport& report = world.step();
            ASSERT_EQ(test::text_of(report), all.report[k]) << from << ", step " << k;
            ASSERT_EQ(world.state_hash(), all.after[k]) << from << ", step " << k;
            copies = copies || report.split_copies > 0;
        }
    }
#ifdef __OPTIMIZE__
    // What had to be kept did occur.
    EXPECT_TRUE(copies);
    EXPECT_EQ(gaps && forces, GetParam() != 3);
    EXPECT_TRUE(orders);
#endif
}

TEST_P(Checkpoints, SavingChangesNothing)
{
    EXPECT_EQ(run(GetParam(), true).after, run(GetParam(), false).after);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Checkpoints, ::testing::Range(0, test::eventful_worlds));

TEST(Checkpoint, AnyNumberOfThreadsGoesOn)
{
    Settings s;
    s.time_step = 1e-3;
    s.sweeps = 8;
    s.threads = 1;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    for (std::size_t i = 0; i < 5000; ++i) {
        const double shift = 1e-3 * static_cast<double>(i % 7);
        world.add(test::sphere(0.01, {0.0195 * static_cast<double>(i % 20) + shift,
                                      0.0195 * static_cast<double>(i / 20 % 20),
                                      0.01 + 0.0195 * static_cast<double>(i / 400)}));
    }
    test::run(world, 10);
    const std::vector<Column> columns = columns_of(world);
    test::run(world, 10);
    EXPECT_GT(world.report().candidates, 1024U);
    for (const int threads : {1, 2, 3}) {
        World again = world_of(columns);
        s.threads = threads;
        again.set_settings(s);
        test::run(again, 10);
        EXPECT_EQ(again.settings().threads, threads);
        EXPECT_EQ(again.state_hash(), world.state_hash()) << threads << " threads";
    }
}

// Many gaps are closed by a new list, a few are not: how many there are is kept.
TEST(Checkpoint, GapsAreCountedOn)
{
    World world(test::exact(1e-5));
    for (BodyId i = 0; i < 300; ++i) {
        world.add(test::sphere(0.1, {static_cast<double>(i), 0, 0}));
    }
    world.step();
    const auto remove = [](World& from, BodyId first, BodyId last) {
        for (BodyId i = first; i < last; ++i) {
            from.remove(i);
        }
    };
    remove(world, 0, 40);
    World again = world_of(columns_of(world));
    for (World* w : {&world, &again}) {
        EXPECT_FALSE(w->step().list_rebuilt);
        remove(*w, 100, 140);
        EXPECT_TRUE(w->step().list_rebuilt);
    }
    EXPECT_EQ(again.state_hash(), world.state_hash());
}

TEST(Checkpoint, BodiesAreAsTheyWere)
{
    World world = test::eventful_world(0);
    test::run(world, 20);
    World again = world_of(columns_of(world));
    EXPECT_EQ(again.time(), world.time());
    EXPECT_EQ(again.body_count(), world.body_count());
    EXPECT_EQ(again.dynamic_count(), world.dynamic_count());
    EXPECT_EQ(again.energy().residual(), world.energy().residual());
    EXPECT_EQ(again.momentum().angular.x, world.momentum().angular.x);
    const Frame frame = world.frame();
    const Frame twin = again.frame();
    ASSERT_EQ(twin.ids.size(), frame.ids.size());
    for (std::size_t i = 0; i < frame.ids.size(); ++i) {
        EXPECT_EQ(twin.ids[i], frame.ids[i]);
        EXPECT_EQ(twin.masses[i], frame.masses[i]);
        EXPECT_EQ(twin.materials[i], frame.materials[i]);
        EXPECT_EQ(twin.shapes[i].kind, frame.shapes[i].kind);
        EXPECT_EQ(norm(twin.positions[i] - frame.positions[i]), 0);
    }
    // What belongs to the last step is not kept.
    EXPECT_TRUE(twin.contacts.empty());
    EXPECT_THROW((void)again.true_residual(), std::exception);
}

// Every column counts: another value in any one is another state.
TEST(Checkpoint, TheHashCoversEveryColumn)
{
    World world = test::eventful_world(0);
    for (std::uint64_t k = 0; k < 57; ++k) {
        test::happen(world, 0, k);
        world.step();
    }
    const std::vector<Column> columns = columns_of(world);
    EXPECT_GT(columns.size(), 60U);
    int other = 0;
    for (const char* name :
         {"settings/time_step", "settings/gravity", "settings/skin", "surfaces", "kinds/mass",
          "bodies/position", "bodies/velocity", "bodies/angular_velocity", "bodies/drift",
          "pairs/impulse", "pairs/feature", "forces/value", "gaps/radius", "world/time",
          "world/inserted", "world/next_id", "world/lists_since_order", "energy/normal_work"}) {
        std::vector<Column> changed = columns;
        for (Column& column : changed) {
            if (column.name == name) {
                ASSERT_FALSE(column.bytes.empty()) << name;
                column.bytes[column.bytes.size() - size_of(column.type)] ^= std::byte{2};
                EXPECT_NE(world_of(changed).state_hash(), world.state_hash()) << name;
                ++other;
            }
        }
    }
    EXPECT_EQ(other, 18);
}

}  // namespace
}  // namespace scree
