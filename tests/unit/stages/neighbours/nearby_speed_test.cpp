// How fast bodies are near a place: never less than the fastest within half a block, hardly ever
// more than that of those within one and a half.
#include "stages/neighbours/nearby_speed.hpp"

#include "math/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::collide {
namespace {

TEST(NearbySpeed, KnowsTheFastestNearby)
{
    constexpr double edge = 0.3;
    constexpr std::size_t n = 3000;
    std::vector<shapes::Ball> balls;
    std::vector<double> speeds;
    for (std::size_t i = 0; i < n; ++i) {
        // About the origin, where blocks have negative numbers too, and some on their borders.
        shapes::Ball ball{math::uniform(7, i, 0, -2, 2), math::uniform(7, i, 1, -2, 2),
                          math::uniform(7, i, 2, -1, 1), 0.05};
        if (i % 10 == 0) {
            ball.x = edge * std::round(ball.x / edge);
            ball.y = -0.0;
        }
        balls.push_back(ball);
        speeds.push_back(i % 7 == 0 ? 0 : std::exp(math::uniform(7, i, 3, -5, 2)));
    }
    std::vector<std::uint32_t> table(neighbours::NearbySpeed::entries(n));
    const neighbours::NearbySpeed bustle(table.data(), table.size());
    for (std::size_t i = 0; i < n; ++i) {
        bustle.note(balls[i], edge, speeds[i]);
    }
    bustle.note(balls[0], edge, std::nan(""));  // says nothing

    std::size_t more = 0;
    for (const shapes::Ball& a : balls) {
        double within_half = 0, within_more = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const double away = std::max({std::abs(a.x - balls[j].x), std::abs(a.y - balls[j].y),
                                          std::abs(a.z - balls[j].z)});
            within_half = away < 0.499 * edge ? std::max(within_half, speeds[j]) : within_half;
            within_more = away < 1.501 * edge ? std::max(within_more, speeds[j]) : within_more;
        }
        const double known = bustle.near(a, edge);
        EXPECT_GE(known, (1 - 1e-6) * within_half);
        more += known > (1 + 1e-6) * within_more ? 1 : 0;
    }
    EXPECT_LT(more, n / 10);  // blocks that share entries
}

}  // namespace
}  // namespace scree::collide
