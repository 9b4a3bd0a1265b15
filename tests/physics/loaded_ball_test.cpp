// A ball whose centre of mass lies off its middle rocks on a plane without slipping. With tilt φ
// and offset d,  ½ J(φ) φ̇² − m g d cos φ = const,  J = I + m (R² + d² − 2 R d cos φ).
#include "support/loaded_ball.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

TEST(LoadedBall, SmallSwingsHaveThePeriodOfTheLinearOne)
{
    const LoadedBall ball;
    const double h = 2e-4;
    LoadedBallWorld scene(ball, h, 0.02);
    double before = 0.02;
    double first = 0;
    double last = 0;
    int crossings = 0;
    while (scene.world.time() < 4) {
        scene.world.step();
        const double now = scene.tilt();
        if (now * before < 0) {
            last = scene.world.time() - h * now / (now - before);
            first = crossings == 0 ? last : first;
            ++crossings;
        }
        before = now;
    }
    const double J = ball.I + ball.m * (ball.R - ball.d) * (ball.R - ball.d);
    const double half_period = std::acos(-1.0) * std::sqrt(J / (ball.m * g0 * ball.d));
    ASSERT_GE(crossings, 6);
    // φ²/16 of amplitude, and O(δt²) of semi-implicit Euler's period.
    EXPECT_NEAR((last - first) / (crossings - 1), half_period, 2e-3 * half_period);
}

TEST(LoadedBall, RollsWithoutSlipAndFollowsTheExactSwing)
{
    const LoadedBall ball;
    const double h = 1e-4;
    LoadedBallWorld scene(ball, h, 1.0);
    for (int i = 0; i < 8000; ++i) {
        scene.world.step();
    }
    EXPECT_NEAR(scene.tilt(), ball.exact_tilt(1.0, 0.8), 2e-2);
    // Rolling: x of the middle follows the tilt.
    const Body b = scene.world.body(scene.id);
    EXPECT_NEAR(b.position.x, ball.R * (scene.tilt() - 1.0), 1e-4);
    EXPECT_NEAR(b.position.z, ball.R, 1e-6);
}

}  // namespace
}  // namespace scree::test
