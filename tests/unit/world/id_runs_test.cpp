#include "math/hash.hpp"
#include "world/id_runs.hpp"

#include <gtest/gtest.h>

#include <set>

namespace scree::world {
namespace {

// Against a set of all ids, in random order and with repetitions, until there is one run.
TEST(IdRuns, KnowWhatASetKnows)
{
    constexpr BodyId range = 300;
    IdRuns runs;
    std::set<BodyId> all;
    for (std::uint64_t k = 0; all.size() < range; ++k) {
        const BodyId id = 1000 + math::hash(k, 7) % range;
        runs.add(id);
        all.insert(id);
        std::size_t gaps = 0;
        for (BodyId other = 999; other <= 1000 + range; ++other) {
            ASSERT_EQ(runs.contains(other), all.count(other) > 0) << other << " after " << k;
            gaps += all.count(other) > 0 && all.count(other + 1) == 0 ? 1 : 0;
        }
        ASSERT_EQ(runs.size(), gaps) << "after " << k;
    }
    EXPECT_EQ(runs.size(), 1U);
}

// Runs of any length that meet, overlap and hold each other.
TEST(IdRuns, TakeRuns)
{
    constexpr BodyId range = 200;
    IdRuns runs;
    std::set<BodyId> all;
    for (std::uint64_t k = 0; all.size() < range; ++k) {
        const BodyId first = math::hash(k, 8) % range;
        const BodyId end = std::min(range, first + 1 + math::hash(k, 9) % 8);
        runs.add(first, end);
        for (BodyId id = first; id < end; ++id) {
            all.insert(id);
        }
        std::size_t gaps = 0;
        for (BodyId other = 0; other <= range; ++other) {
            ASSERT_EQ(runs.contains(other), all.count(other) > 0) << other << " after " << k;
            gaps += all.count(other) > 0 && all.count(other + 1) == 0 ? 1 : 0;
        }
        ASSERT_EQ(runs.size(), gaps) << "after " << k;
    }
}

TEST(IdRuns, BeginAtZero)
{
    IdRuns runs;
    EXPECT_FALSE(runs.contains(0));
    runs.add(1);
    EXPECT_FALSE(runs.contains(0));
    runs.add(0);
    EXPECT_TRUE(runs.contains(0));
    EXPECT_EQ(runs.size(), 1U);
}

}  // namespace
}  // namespace scree::world
