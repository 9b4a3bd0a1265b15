// The paper's route: right where it works, and it fails where errata E5 and E6 say.
#include "law/paper_quartic.hpp"

#include "scree/contact.hpp"
#include "support/compare.hpp"
#include "support/paper.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using test::ProblemClass;

/// Share of sliding problems on which the route finds nothing or something else.
double failure_rate(ProblemClass which, int count)
{
    test::Random random(51);
    int sliding = 0, failed = 0;
    while (sliding < count) {
        auto c = test::random_problem(random, which);
        c.beta = c.b.n;
        const ContactSolution s = solve_contact(c);
        if (s.state != ContactState::sliding) {
            continue;
        }
        ++sliding;
        const auto x = law::paper_quartic_slide(c);
        const double size = std::abs(s.x.n) + std::abs(s.x.t) + std::abs(s.x.o);
        failed +=
            !x || !(std::abs(x->n - s.x.n) + std::abs(x->t - s.x.t) + std::abs(x->o - s.x.o) <=
                    1e-6 * size);
    }
    return double(failed) / count;
}

TEST(PaperQuartic, SolvesTheAcademicProblem)
{
    for (const auto& reading : {test::academic_orthonormal(), test::academic_as_printed()}) {
        const auto x = law::paper_quartic_slide(reading.problem);
        ASSERT_TRUE(x.has_value());
        EXPECT_NEAR(x->n, reading.best.x.n, 1e-6);
        EXPECT_NEAR(x->t, reading.best.x.t, 1e-6);
        EXPECT_NEAR(x->o, reading.best.x.o, 1e-6);
    }
}

TEST(PaperQuartic, MostlyWorksOnGeneralProblems)
{
    EXPECT_LT(failure_rate(ProblemClass::physical_moderate, 2000), 0.1);
}

TEST(PaperQuartic, FailsForSpheresAndTinyFriction)
{
    EXPECT_GT(failure_rate(ProblemClass::sphere, 500), 0.9);
    EXPECT_GT(failure_rate(ProblemClass::tiny_mu, 500), 0.2);
}

}  // namespace
}  // namespace scree
