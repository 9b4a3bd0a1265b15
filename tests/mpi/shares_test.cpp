// Worlds of several ranks that are saved, share by share, and go on. Part of the program of
// ranks_test.cpp.
#include "mpi/rank_worlds.hpp"
#include "scree/error.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

using namespace scree;
using namespace scree::test;

namespace {

TEST(Ranks, ASavedWorldGoesOnToTheSameBits)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    World world = heap(s, 6, 4, 4, 9);
    world.distribute(all());
    run(world, 40 / shorter);
    const std::vector<Columns> shares = shares_of(world);
    std::vector<std::uint64_t> hashes;
    for (const Columns& share : shares) {
        hashes.push_back(state_hash_of(share));
        EXPECT_EQ(restored(share).state_hash(), hashes.back()) << "a share is not what was saved";
    }
    EXPECT_EQ(state_hash_of(hashes), world.state_hash());
    World alone = joined(shares);
    EXPECT_EQ(alone.body_count(), world.body_count());
    EXPECT_EQ(alone.dynamic_count(), world.dynamic_count());
    World again = joined(shares, all()->rank(), all()->size());
    again.distribute(all());
    EXPECT_EQ(again.state_hash(), world.state_hash());
    EXPECT_EQ(again.body_count(), world.body_count());
    EXPECT_EQ(again.dynamic_count(), world.dynamic_count());
    // By way of one process, too.
    World by_one = restored(columns_of(alone));
    EXPECT_EQ(by_one.state_hash(), alone.state_hash());
    by_one.set_settings(one_thread(by_one.settings()));
    by_one.distribute(all());
    run(world, 20 / shorter);
    run(again, 20 / shorter);
    run(by_one, 20 / shorter);
    run(alone, 20 / shorter);
    EXPECT_EQ(world.state_hash(), again.state_hash());
    EXPECT_EQ(world.state_hash(), by_one.state_hash());
    EXPECT_EQ(alone.steps(), world.steps());
    EXPECT_NEAR(alone.energy().potential, world.energy().potential,
                1e-3 * alone.energy().potential);
}

/// Shares that other numbers of ranks have saved: the same world, to the same bits.
TEST(Ranks, SharesOfAnyNumberOfRanksAreSharedOutAnew)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    s.period.x = 0.12;
    World world = heap(s, 6, 4, 4, 19);
    world.distribute(all());
    run(world, 20 / shorter);
    const std::vector<Columns> shares = shares_of(world);
    const int me = all()->rank(), n = all()->size();
    std::vector<World> again;
    for (int count = 2; count <= n; ++count) {
        std::vector<Columns> fewer;
        for (int r = 0; r < count; ++r) {
            fewer.push_back(columns_of(joined(shares, r, count)));
        }
        again.push_back(joined(fewer, me, n));
        again.back().distribute(all());
        EXPECT_EQ(again.back().dynamic_count(), world.dynamic_count());
        EXPECT_EQ(again.back().body_count(), world.body_count());
    }
    run(world, 3);
    for (World& other : again) {
        run(other, 3);
        EXPECT_EQ(other.state_hash(), world.state_hash());
    }
}

TEST(Ranks, SharesThatDoNotMakeUpAWorldAreRefused)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    World world = heap(s, 4, 3, 3, 9);
    world.distribute(all());
    run(world, 10);
    std::vector<Columns> shares = shares_of(world);
    std::vector<Columns> twice{shares.front(), shares.front()};
    EXPECT_THROW(joined(twice), Error);
    EXPECT_THROW(joined({columns_of(joined(shares))}), Error) << "no share";
    if (shares.size() > 1) {
        shares.pop_back();
        EXPECT_THROW(joined(shares), Error) << "the last one is missing";
    }
}

TEST(Ranks, ADamagedPartitionIsRefused)
{
    Settings s = one_thread({});
    s.time_step = 1e-3;
    World world = heap(s, 4, 3, 3, 9);
    world.distribute(all());
    run(world, 2);
    Columns columns = columns_of(joined(shares_of(world)));
    const auto partition = std::find_if(columns.begin(), columns.end(), [](const Column& c) {
        return c.name == "ranks/partition";
    });
    ASSERT_NE(partition, columns.end());
    // Behind the number of ranks, what was waited, and ten numbers: the axis of the first cut.
    const double damaged[]{7, -2, 0.5, std::numeric_limits<double>::quiet_NaN()};
    for (const double axis : damaged) {
        std::memcpy(&partition->bytes.at(12 * sizeof axis), &axis, sizeof axis);
        EXPECT_THROW(restored(columns).distribute(all()), Error) << axis;
    }
}

}  // namespace
