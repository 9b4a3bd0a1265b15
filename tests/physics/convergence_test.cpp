// Errors at δt, δt/2, δt/4 against exact motions: the step is of first order, free rotation that
// carries momentum of second. Prints the table.
#include "support/exact_motions.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

namespace scree::test {
namespace {

void expect_order(const char* name, double order, double h, const std::function<double(double)>& f)
{
    const double error[3] = {f(h), f(h / 2), f(h / 4)};
    const double slope[2] = {std::log2(error[0] / error[1]), std::log2(error[1] / error[2])};
    std::printf("%-28s dt %.1e: errors %.3e %.3e %.3e, slopes %.3f %.3f\n", name, h, error[0],
                error[1], error[2], slope[0], slope[1]);
    EXPECT_NEAR(slope[0], order, 0.15) << name;
    EXPECT_NEAR(slope[1], order, 0.15) << name;
}

TEST(Convergence, IsOfFirstOrderInTheTimeStep)
{
    expect_order("sliding, then rolling", 1, 2e-3, sliding_then_rolling);
    expect_order("bouncing", 1, 2e-3, bouncing);
    expect_order("swinging loaded ball", 1, 1e-3, swinging);
    expect_order("free precession, Euler", 1, 2e-3,
                 [](double h) { return precessing(Rotation::semi_implicit_euler, h); });
    expect_order("free precession, momentum", 2, 1e-2,
                 [](double h) { return precessing(Rotation::momentum, h); });
}

}  // namespace
}  // namespace scree::test
