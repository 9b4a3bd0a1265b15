// The frictionless and the projected law.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Frictionless, StopsTheApproachAndNothingElse)
{
    test::Random random(41);
    for (int i = 0; i < 2000; ++i) {
        const auto c = test::random_problem(random, test::ProblemClass::physical_moderate);
        const ContactSolution s = solve_contact(c, Law::frictionless);
        EXPECT_EQ(s.x.t, 0);
        EXPECT_EQ(s.x.o, 0);
        EXPECT_NEAR(s.x.n * c.A.nn, c.beta, 1e-15 * c.beta);
        EXPECT_LE(s.residual, 1e-15);
    }
    EXPECT_EQ(solve_contact({{1, 0, 0, 3, 0, 3}, {-1, 1, 0}, -1, 0.5}, Law::frictionless).state,
              ContactState::separating);
}

TEST(Projected, SatisfiesItsOwnConditions)
{
    test::Random random(42);
    for (int i = 0; i < 24000; ++i) {
        const auto which = static_cast<test::ProblemClass>(i % test::class_count);
        const auto c = test::random_problem(random, which);
        const ContactSolution s = solve_contact(c, Law::projected);
        EXPECT_LE(s.residual, which == test::ProblemClass::spd_1e8 ? 1e-7 : 1e-10)
            << test::class_names[static_cast<std::size_t>(which)] << " " << i;
    }
}

/// Row by row, as a game engine iterates.
ContactVector<double> projected_gauss_seidel(const ContactProblem<double>& c)
{
    ContactVector<double> x{0, 0, 0};
    const auto clamp = [](double value, double bound) {
        return value < -bound ? -bound : (value > bound ? bound : value);
    };
    for (int i = 0; i < 20000; ++i) {
        x.n = std::max(0.0, (c.beta - c.A.nt * x.t - c.A.no * x.o) / c.A.nn);
        x.t = clamp((c.b.t - c.A.nt * x.n - c.A.to * x.o) / c.A.tt, c.mu * x.n);
        x.o = clamp((c.b.o - c.A.no * x.n - c.A.to * x.t) / c.A.oo, c.mu * x.n);
    }
    return x;
}

TEST(Projected, IsWhatRowByRowIterationConvergesTo)
{
    test::Random random(43);
    int same = 0;
    for (int i = 0; i < 300; ++i) {
        auto c = test::random_problem(random, test::ProblemClass::physical_moderate);
        c.mu = std::min(c.mu, 0.6);  // with much friction the iteration may go round in circles
        const ContactSolution s = solve_contact(c, Law::projected);
        const ContactVector<double> x = projected_gauss_seidel(c);
        const double off = std::abs(s.x.n - x.n) + std::abs(s.x.t - x.t) + std::abs(s.x.o - x.o);
        if (off <= 1e-9 * x.n * (1 + c.mu)) {
            ++same;
            continue;
        }
        // Otherwise the iteration found another solution, of more energy.
        EXPECT_LE(law::residual<Law::projected>(c, x), 1e-9) << i;
        EXPECT_LT(s.certificate.energy, law::energy(c, x)) << i;
    }
    EXPECT_GE(same, 290);
}

TEST(Projected, LeavesTheConeByAtMostRootTwo)
{
    test::Random random(44);
    double most = 0;
    for (int i = 0; i < 20000; ++i) {
        const auto c = test::random_problem(random, test::ProblemClass::sphere);
        const ContactVector<double> x = solve_contact(c, Law::projected).x;
        most = std::max(most, std::sqrt(x.t * x.t + x.o * x.o) / (c.mu * x.n));
    }
    EXPECT_LE(most, std::sqrt(2.0) * (1 + 1e-14));
    EXPECT_GT(most, 1.4);
}

}  // namespace
}  // namespace scree
