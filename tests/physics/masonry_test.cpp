// Masonry of polyhedra: what stands by equilibrium has to stand, and what cannot has to fall.
// Larger ones, and for longer, in tests/full/masonry_full.cpp.
#include "support/masonry.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

TEST(Masonry, AWallOfBricksStands)
{
    auto m = wall(6, 4, 500);
    EXPECT_LT(m.way_after(3.0 / shorter), 1e-5);
    EXPECT_EQ(m.record.bad, 0);
}

// A half circle stands if it is thicker than 0.1136 of its mean radius (Milankovitch): the line of
// thrust has to find room.
TEST(Masonry, AThickArchStands)
{
    auto m = arch(0.3, 0.8, 500);
    EXPECT_LT(m.way_after(10.0 / shorter), 2e-5);
    EXPECT_EQ(m.record.bad, 0);
}
TEST(Masonry, AThinArchFalls) { EXPECT_GT(arch(0.05, 0.8, 500).way_after(1), 0.1); }
// Its feet push outwards with about a third of its weight.
TEST(Masonry, AnArchOnIceFalls) { EXPECT_GT(arch(0.3, 0.05, 500).way_after(1), 0.1); }

// A dome has hoops besides its arches and needs a thickness of 0.042 of its radius alone.
TEST(Masonry, ADomeStands)
{
    auto m = dome(3, 10, 0.3, 0.8, 200);
    EXPECT_LT(m.way_after(10.0 / shorter), 1e-5);
    EXPECT_EQ(m.record.bad, 0);
}
TEST(Masonry, ADomeOnIceFalls) { EXPECT_GT(dome(3, 8, 0.3, 0.02, 40).way_after(0.4), 0.05); }

// Each one pushes the next, at a speed that does not change after the first few: between once and
// four times √(g h) for these distances (Stronge and Shu, Proc. R. Soc. A 418, 155, 1988).
TEST(Masonry, DominoesFallOneAfterTheOther)
{
    const int count = shorter == 1 ? 20 : 8;
    const std::vector<double> down = dominoes(count, 0.1 + 0.05 * count);
    for (std::size_t i = 0; i < down.size(); ++i) {
        ASSERT_GT(down[i], i == 0 ? 0 : down[i - 1]) << i;
    }
    if (shorter == 1) {
        const double early = down[11] - down[7], late = down[17] - down[13];
        EXPECT_NEAR(late / early, 1, 0.15);
        const double speed = 4 * 0.02 / late;
        EXPECT_GT(speed, std::sqrt(g0 * 0.05));
        EXPECT_LT(speed, 4 * std::sqrt(g0 * 0.05));
    }
}

}  // namespace
}  // namespace scree::test
