#include "state/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace scree {
namespace {

TEST(Memory, ForgetsTheFirstAndKeepsTheRest)
{
    const std::size_t least = least_forgotten;
    least_forgotten = 1 << 16;
    std::vector<std::uint64_t> v(100'000, 7);
    const std::uint64_t* at = v.data();
    const std::size_t bytes = forget(v, 60'000);
    least_forgotten = least;
    // All but the parts of pages at both ends.
    EXPECT_LE(bytes, 60'000 * sizeof v[0]);
    EXPECT_GT(bytes, 60'000 * sizeof v[0] - 3 * 4096);
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < 60'000; ++i) {
        ASSERT_TRUE(v[i] == 0 || v[i] == 7);
        zeros += v[i] == 0 ? 1 : 0;
    }
    EXPECT_EQ(zeros * sizeof v[0], bytes);
    for (std::size_t i = 60'000; i < v.size(); ++i) {
        ASSERT_EQ(v[i], 7U);
    }
    std::fill(v.begin(), v.end(), 8);  // it can be used as before
    EXPECT_EQ(v.data(), at);
    EXPECT_EQ(v[30'000], 8U);
}

TEST(Memory, KeepsWhatIsLittle)
{
    std::vector<std::uint64_t> v(100'000, 7);
    EXPECT_EQ(forget(v, v.size()), 0U);
    EXPECT_EQ(std::count(v.begin(), v.end(), 7), 100'000);
}

TEST(Memory, GrowsByLittle)
{
    std::vector<int> v;
    std::size_t moves = 0;
    for (std::size_t n = 1; n <= 100'000; ++n) {
        const std::size_t capacity = v.capacity();
        grow(v, n);
        v.back() = static_cast<int>(n);
        moves += v.capacity() != capacity ? 1 : 0;
        ASSERT_EQ(v.size(), n);
        ASSERT_LE(v.capacity(), n + n / 16 + 65);
    }
    EXPECT_LT(moves, 150U);
    EXPECT_EQ(v[4999], 5000);
}

}  // namespace
}  // namespace scree
