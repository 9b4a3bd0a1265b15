// Our own sine, exponential and logarithm against those of the system's library, whose last digit
// may differ.
#include "math/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace scree::math;

TEST(Elementary, AgreesWithTheLibraryWithinAFewUnitsOfTheLastPlace)
{
    for (int i = -4000; i <= 4000; ++i) {
        const double x = 0.0137 * i;
        EXPECT_NEAR(sine(x), std::sin(x), 4e-16 * (1 + std::abs(x))) << x;
        EXPECT_NEAR(cosine(x), std::cos(x), 4e-16 * (1 + std::abs(x))) << x;
        EXPECT_NEAR(exponential(x), std::exp(x), 5e-16 * std::exp(x)) << x;
        const double y = std::exp(1.7 * x);
        EXPECT_NEAR(logarithm(y), std::log(y), 3e-16 * (1 + std::abs(std::log(y)))) << y;
        EXPECT_NEAR(cube_root(y), std::cbrt(y), 6e-16 * std::cbrt(y)) << y;
    }
}

TEST(Elementary, QuarterTurnsAreExact)
{
    for (int k = -8; k <= 8; ++k) {
        EXPECT_EQ(sin_turns(k), 0);
        EXPECT_EQ(std::abs(sin_turns(k + 0.25)), 1);
        EXPECT_EQ(std::abs(cos_turns(k)), 1);
        EXPECT_EQ(cos_turns(k + 0.25), 0);
        EXPECT_EQ(sin_turns(k + 0.25), 1);
        EXPECT_EQ(sin_turns(k - 0.25), -1);
        EXPECT_EQ(cos_turns(k + 0.5), -1);
    }
}

TEST(Elementary, BearsTheEndsOfTheRange)
{
    EXPECT_EQ(exponential(0), 1);
    EXPECT_EQ(exponential(-2000), 0);
    EXPECT_TRUE(std::isinf(exponential(2000)));
    EXPECT_EQ(logarithm(1), 0);
    EXPECT_EQ(cube_root(0), 0);
    EXPECT_NEAR(cube_root(1e-300), 1e-100, 1e-115);
}

}  // namespace
