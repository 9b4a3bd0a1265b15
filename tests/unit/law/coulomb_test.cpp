// Coulomb: every solution found, each a solution, against a scan of the multiplier and known cases.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"
#include "support/paper.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using test::ProblemClass;

TEST(Coulomb, SolutionsSatisfyTheLaw)
{
    test::Random random(31);
    int several = 0;
    for (int i = 0; i < 24000; ++i) {
        const auto which = static_cast<ProblemClass>(i % test::class_count);
        const auto c = test::random_problem(random, which);
        const CoulombSolutions all = coulomb_solutions(c);
        ASSERT_FALSE(all.points.empty());
        for (const ContactSolution& s : all.points) {
            EXPECT_LE(s.residual, which == ProblemClass::spd_1e8 ? 1e-9 : 1e-11)
                << test::class_names[static_cast<std::size_t>(which)] << " " << i;
        }
        several += all.points.size() > 1;
        // The choice for simulations is the last, of least energy, and never beats the optimum.
        const ContactSolution chosen = solve_contact(c, Law::coulomb);
        EXPECT_NEAR(chosen.x.n, all.points.back().x.n, 1e-7 * chosen.x.n);
        const double available = static_cast<double>(test::Oracle(c).available());
        if (c.beta == c.b.n) {
            EXPECT_LE(solve_contact(c).certificate.energy,
                      chosen.certificate.energy + 1e-12 * available);
        }
    }
    EXPECT_GT(several, 20);
}

/// By how much |u|² exceeds (μ x_n)² at k, times det(H + k)², in numbers T; and of which size the
/// terms are that it is the difference of, in doubles.
template <class T> struct Excess {
    T value;
    double size;

    Excess(const law::Reduced<double>& red, math::plane::Vec<double> h,
           const ContactProblem<double>& c, double k)
    {
        const T tt = T(red.H.tt) + k, oo = T(red.H.oo) + k, to = red.H.to;
        const T ut = oo * h.t - to * h.o, uo = tt * h.o - to * h.t;
        const T free = T(c.beta) * red.inverse_nn;
        const T x = c.mu * (free * (tt * oo - to * to) - (red.p.t * ut + red.p.o * uo));
        value = ut * ut + uo * uo;
        value -= x > 0 ? x * x : 0;

        const auto rough = [](T v) { return std::abs(static_cast<double>(v)); };
        const double u = rough(oo * h.t) + rough(to * h.o) + rough(tt * h.o) + rough(to * h.t);
        const double p = std::abs(red.p.t) + std::abs(red.p.o);
        const double all = u + c.mu * (rough(free) * (rough(tt * oo) + rough(to * to)) + p * u);
        size = all * all;
    }
};

/// Sign changes of |u| − μ x_n over a fine grid of k, where x_n > 0: as many sliding solutions.
int sliding_solutions_by_scan(const ContactProblem<double>& c)
{
    const auto red = law::reduce(c.A);
    const auto h = law::reduced_rhs(red, c.b, c.beta);
    int count = 0;
    bool before = false;
    for (int i = -3000; i <= 3000; ++i) {
        const double k = (red.H.tt + red.H.oo) * std::exp2(i / 100.0);
        const Excess<double> rounded(red, h, c, k);
        const bool below = std::abs(rounded.value) > 1e-12 * rounded.size
                               ? rounded.value < 0
                               : Excess<test::Quad>(red, h, c, k).value < 0;
        // Where x_n < 0 the excess is positive, so no change is lost.
        count += i > -3000 && below != before;
        before = below;
    }
    return count;
}

TEST(Coulomb, NoSolutionIsMissing)
{
    test::Random random(32);
    int three = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto c = test::random_problem(random, i % 3 == 0 ? ProblemClass::spd_1e3
                                                               : ProblemClass::hyperbola);
        if (c.beta <= 0) {
            continue;
        }
        const CoulombSolutions all = coulomb_solutions(c);
        int sliding = 0;
        for (const ContactSolution& s : all.points) {
            sliding += s.state == ContactState::sliding;
        }
        const int scanned = sliding_solutions_by_scan(c);
        EXPECT_GE(sliding, scanned) << i;  // the scan may step over a close pair
        EXPECT_LE(sliding, scanned + 2) << i;
        three += all.points.size() == 3;
        EXPECT_EQ(all.points.size() % 2, 1u) << i;
    }
    EXPECT_GT(three, 5);
}

// β = 0 and |κ| > 1: sliding solutions lie on the two rays u = r e, where (H + k)r e = h gives r
// and k.
TEST(Coulomb, GrazingSolutionsLieOnTheRays)
{
    test::Random random(34);
    int sliding_expected = 0;
    for (int i = 0; i < 5000; ++i) {
        auto c = test::random_problem(random, ProblemClass::hyperbola);
        c.beta = c.b.n = 0;
        const auto red = law::reduce(c.A);
        const auto h = law::reduced_rhs(red, c.b, 0.0);
        const math::plane::Vec<double> kappa = c.mu * red.p;
        const double root = std::sqrt(dot(kappa, kappa) - 1);
        std::vector<ContactVector<double>> expected;
        bool close_call = false;
        for (const double sign : {-1.0, 1.0}) {
            const math::plane::Vec<double> e = polar((sign * root) * perp(kappa) - kappa).direction;
            const double r = dot(perp(e), h) / dot(perp(e), red.H * e);
            const double k = dot(e, h) / r - dot(e, red.H * e);
            close_call = close_call || std::abs(k) < 1e-6 * (red.H.tt + red.H.oo);
            if (r > 0 && k > 0) {
                expected.push_back({r / c.mu, r * e.t, r * e.o});
            }
        }
        if (close_call) {
            continue;
        }
        std::vector<ContactVector<double>> found;
        for (const ContactSolution& s : coulomb_solutions(c).points) {
            if (s.state == ContactState::sliding && s.x.n > 0) {
                found.push_back(s.x);
            }
        }
        ASSERT_EQ(found.size(), expected.size()) << i;
        for (const auto& x : expected) {
            EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const auto& y) {
                return std::abs(y.t - x.t) + std::abs(y.o - x.o) <=
                       1e-7 * (std::abs(x.t) + std::abs(x.o));
            })) << i;
        }
        sliding_expected += static_cast<int>(expected.size());
    }
    EXPECT_GT(sliding_expected, 500);
}

TEST(Coulomb, AcademicProblemHasThree)
{
    for (const auto& reading : {test::academic_orthonormal(), test::academic_as_printed()}) {
        const CoulombSolutions all = coulomb_solutions(reading.problem);
        ASSERT_EQ(all.points.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            test::expect_digits(all.points[i].x, reading.coulomb[i].x);
            EXPECT_NEAR(all.points[i].certificate.energy, reading.coulomb[i].energy, 1e-11);
            EXPECT_EQ(all.points[i].state, ContactState::sliding);
        }
        const ContactSolution best = solve_contact(reading.problem);
        test::expect_digits(best.x, reading.best.x);
        EXPECT_NEAR(best.certificate.energy, reading.best.energy, 1e-13);
    }
}

TEST(Coulomb, SpheresAgreeWithMaximumDissipation)
{
    test::Random random(33);
    for (int i = 0; i < 5000; ++i) {
        const auto c = test::random_problem(random, ProblemClass::sphere);
        const auto a = solve_contact(c);
        const auto b = solve_contact(c, Law::coulomb);
        // Erratum E10; with β ≠ b_n too, since nothing couples normal and tangential motion.
        EXPECT_NEAR(a.x.n, b.x.n, 1e-14 * a.x.n);
        EXPECT_NEAR(a.x.t, b.x.t, 1e-14 * a.x.n * (1 + c.mu));
        EXPECT_NEAR(a.x.o, b.x.o, 1e-14 * a.x.n * (1 + c.mu));
        EXPECT_EQ(a.state, b.state);
    }
}

TEST(Coulomb, ZeroIsListedOnlyWhenGrazing)
{
    ContactProblem<double> c{{1, 0.5, 0, 2, 0, 2}, {0, -1, 0}, 0, 3};
    CoulombSolutions all = coulomb_solutions(c);
    ASSERT_EQ(all.points.size(), 2u);
    EXPECT_EQ(all.points[0].x.n, 0);
    EXPECT_EQ(all.points[1].state, ContactState::sticking);
    c.beta = c.b.n = 1e-3;
    all = coulomb_solutions(c);
    for (const ContactSolution& s : all.points) {
        EXPECT_GT(s.x.n, 0);
    }
    c.beta = c.b.n = -1;
    all = coulomb_solutions(c);
    ASSERT_EQ(all.points.size(), 1u);
    EXPECT_EQ(all.points[0].state, ContactState::separating);
}

// κ = −t and H, h along t: every impulse between zero and sticking opposes the slip it leaves.
TEST(Coulomb, ContinuumIsASegment)
{
    ContactProblem<double> c{{1, -0.5, 0, 2, 0, 4}, {0, 1, 0}, 0, 2};
    const CoulombSolutions all = coulomb_solutions(c);
    ASSERT_TRUE(all.continuum.has_value());
    EXPECT_EQ(all.continuum->from.n, 0);
    EXPECT_NEAR(all.continuum->to.t, 1 / 1.75, 1e-15);
    EXPECT_NEAR(all.continuum->to.n, 0.5 / 1.75, 1e-15);
    EXPECT_EQ(all.points.size(), 2u);
    for (const double s : {0.25, 0.5, 0.75}) {
        const auto& to = all.continuum->to;
        const auto z = certify(c, {s * to.n, s * to.t, s * to.o});
        EXPECT_LE(z.slip_error + z.cone + z.plane, 1e-14);
    }
    c.mu *= 1 + 1e-12;
    EXPECT_FALSE(coulomb_solutions(c).continuum.has_value());
    c.mu *= 1 - 2e-12;
    EXPECT_FALSE(coulomb_solutions(c).continuum.has_value());
}

}  // namespace
}  // namespace scree
