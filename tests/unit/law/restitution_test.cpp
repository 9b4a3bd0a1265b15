// Newton restitution R2: exact rebound speed, and never more energy than before.
#include "law/laws.hpp"
#include "law/restitution.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Restitution, NeverGainsEnergy)
{
    test::Random random(21);
    double worst = -1;
    for (int i = 0; i < 1000000; ++i) {
        auto c =
            test::random_problem(random, static_cast<test::ProblemClass>(i % test::class_count));
        const double e = i % 7 == 0 ? double(i % 2) : random.uniform();
        c = law::with_restitution(c, e);
        const auto out = law::solve<Law::max_dissipation>(c);
        const double scale = out.x.n * c.b.n + out.x.t * c.b.t + out.x.o * c.b.o;
        const double energy = law::energy(c, out.x);
        // Rounding of the energy's own terms, which cancel for e = 1.
        worst = std::max(worst, scale > 0 ? energy / scale : energy);
        ASSERT_LE(energy, 1e-12 * std::abs(scale) + 1e-300) << i;
    }
    EXPECT_LE(worst, 1e-12);
}

TEST(Restitution, ReversesTheNormalVelocity)
{
    test::Random random(22);
    for (int i = 0; i < 5000; ++i) {
        const auto c = test::random_problem(random, test::ProblemClass::physical_moderate);
        const double e = random.uniform();
        const ContactSolution s = solve_bouncing_contact(c, e);
        EXPECT_NEAR(s.certificate.velocity.n, e * c.b.n,
                    1e-12 * (std::abs(c.b.n) + std::abs(c.b.t) + std::abs(c.b.o)));
        EXPECT_LE(s.residual, 1e-13);
    }
}

// Putting β in the objective too (M2) would gain energy: the reason why R2 is the M1 form.
TEST(Restitution, WouldGainEnergyInFormM2)
{
    test::Random random(23);
    int gains = 0;
    for (int i = 0; i < 20000; ++i) {
        auto c = test::random_problem(random, test::ProblemClass::hyperbola);
        c = law::with_restitution(c, 0.9);
        auto mixed = c;
        mixed.b.n = c.beta;
        gains += law::energy(c, law::solve<Law::max_dissipation>(mixed).x) > 0;
    }
    EXPECT_GT(gains, 0);
}

TEST(Restitution, RefusesOtherCoefficients)
{
    const ContactProblem<double> c{{1, 0, 0, 3, 0, 3}, {1, 1, 0}, 1, 0.5};
    for (const double e : {-0.01, 1.01, HUGE_VAL, std::nan("")}) {
        EXPECT_THROW((void)solve_bouncing_contact(c, e), Error);
    }
}

}  // namespace
}  // namespace scree
