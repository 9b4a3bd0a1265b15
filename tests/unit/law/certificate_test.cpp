// The certificate accepts solutions, rejects everything else, and its energy gap is a true bound.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using test::ProblemClass;

TEST(Certificate, AcceptsSolutions)
{
    test::Random random(11);
    for (int i = 0; i < 20000; ++i) {
        const auto c =
            test::random_problem(random, static_cast<ProblemClass>(i % test::class_count));
        const ContactSolution s = solve_contact(c);
        EXPECT_LE(s.residual, 1e-12);
        EXPECT_GE(s.certificate.multiplier, 0);
        EXPECT_LE(s.certificate.energy, 1e-15 * static_cast<double>(test::Oracle(c).available()));
    }
}

// Points moved along the conic, into the cone, out of it or off the plane are no solutions.
TEST(Certificate, RejectsOtherPoints)
{
    test::Random random(12);
    int sliding = 0;
    for (int i = 0; i < 5000; ++i) {
        const auto c = test::random_problem(random, ProblemClass::physical_moderate);
        const ContactSolution s = solve_contact(c);
        if (s.state != ContactState::sliding) {
            continue;
        }
        ++sliding;
        const auto residual = [&](const ContactVector<double>& x) {
            return law::residual<Law::max_dissipation>(c, x);
        };
        EXPECT_GT(residual({s.x.n * 1.001, s.x.t, s.x.o}), 1e-5);
        EXPECT_GT(residual({s.x.n, s.x.t * 1.001, s.x.o * 1.001}), 1e-4);
        const auto red = law::reduce(c.A);
        const double turn = 1e-3;
        const math::plane::Vec<double> e =
            polar(math::plane::Vec<double>{s.x.t - turn * s.x.o, s.x.o + turn * s.x.t}).direction;
        const double r = c.mu * c.beta * red.inverse_nn / (1 + c.mu * dot(red.p, e));
        EXPECT_GT(residual({r / c.mu, r * e.t, r * e.o}), 1e-6);
        EXPECT_GT(residual({0, 0, 0}), 0.1);
    }
    EXPECT_GT(sliding, 1000);
}

// For any feasible point the gap bounds how much more could be dissipated.
TEST(Certificate, GapIsABound)
{
    test::Random random(13);
    int tight = 0;
    for (int i = 0; i < 12000; ++i) {
        const auto which = static_cast<ProblemClass>(i % test::class_count);
        const auto c = test::random_problem(random, which);
        if (c.beta <= 0) {
            continue;
        }
        const auto red = law::reduce(c.A);
        // A random feasible point: on the ray of a random angle, anywhere up to the conic.
        const Vec3<double> d = random.direction();
        const math::plane::Vec<double> e = polar(math::plane::Vec<double>{d.x, d.y}).direction;
        const double f = 1 + c.mu * dot(red.p, e);
        const double rho = c.mu * c.beta * red.inverse_nn;
        const double r =
            (f > 0 ? rho / f : 10 * rho) * (random.chance(0.5) ? 1.0 : random.uniform());
        const ContactVector<double> x{c.beta * red.inverse_nn - r * dot(red.p, e), r * e.t,
                                      r * e.o};
        const test::Oracle oracle(c);
        const double available = static_cast<double>(oracle.available());
        const double more =
            static_cast<double>(oracle.energy({x.n, x.t, x.o}) - oracle.energy(oracle.solve().x));
        const double gap = law::certify(c, x).gap;
        EXPECT_GE(gap, more * (1 - 1e-9) - 1e-9 * available)
            << test::class_names[static_cast<std::size_t>(which)];
        tight += gap < 10 * more + 1e-9 * available;
    }
    EXPECT_GT(tight, 2000);
}

// β = 0 and |κ| ≥ 1: also for points in the fan between the two rays, where descent may be inside
// only.
TEST(Certificate, GapIsABoundInTheFan)
{
    const ContactProblem<double> plain{{1, 1, 0, 2, 0, 1}, {0, -1, 0}, 0, 0};
    for (const double mu : {2.0, 100.0, 1e6}) {
        ContactProblem<double> c = plain;
        c.mu = mu;
        EXPECT_GE(certify(c, {0, 0, 0}).gap, 0.5);
        EXPECT_GE(certify(c, {0, 0, 0}).stationarity, 0.5);
    }
    test::Random random(14);
    for (int i = 0; i < 5000; ++i) {
        auto c = test::random_problem(random, ProblemClass::hyperbola);
        c.beta = c.b.n = 0;
        const auto red = law::reduce(c.A);
        const math::plane::Vec<double> kappa = c.mu * red.p;
        // A random point of the fan {|u| + κ·u ≤ 0}, now and then its apex.
        const Vec3<double> d = random.direction();
        math::plane::Vec<double> u = polar(math::plane::Vec<double>{d.x, d.y}).direction;
        if (dot(kappa, u) > -1 || i % 10 == 0) {
            u = {0, 0};
        }
        const double r = 0.01 * random.decades(-2, 2);
        const ContactVector<double> x{-r * dot(red.p, u), r * u.t, r * u.o};
        const test::Oracle oracle(c);
        const double available = static_cast<double>(oracle.available());
        const double more =
            static_cast<double>(oracle.energy({x.n, x.t, x.o}) - oracle.energy(oracle.solve().x));
        EXPECT_GE(law::certify(c, x).gap, more * (1 - 1e-9) - 1e-12 * available) << i;
    }
}

// The right-hand side cancels in the reduced problem: the residual must not be measured by what is
// left.
TEST(Certificate, BearsARightHandSideThatCancels)
{
    EXPECT_LE(law::residual<Law::max_dissipation>(
                  ContactProblem<double>{{49, 1, 0, 2, 0, 2}, {49, 1, 0}, 49, 0.5}, {1, 0, 0}),
              1e-15);
}

// x = 0 at β = 0 is right for an ellipse and wrong where a ray descends.
TEST(Certificate, ApexNeedsNoDescendingRay)
{
    ContactProblem<double> c{{1, 0.5, 0, 2, 0, 2}, {0, -1, 0}, 0, 1};
    EXPECT_EQ(certify(c, {0, 0, 0}).stationarity, 0);
    c.mu = 3;
    EXPECT_GT(certify(c, {0, 0, 0}).stationarity, 0.1);
    EXPECT_GT(certify(c, {0, 0, 0}).gap, 0);
    c.b.t = 1;
    EXPECT_EQ(certify(c, {0, 0, 0}).stationarity, 0);
    // β < 0 asks for zero.
    c.beta = -1;
    EXPECT_EQ(certify(c, {0, 0, 0}).plane, 0);
    EXPECT_EQ(certify(c, {0.1, 0, 0}).plane, 1);
}

}  // namespace
}  // namespace scree
