// The closed form of round contacts against the laws that know nothing of it.
#include "law/laws.hpp"
#include "law/round.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using Vec = Vec3<double>;

/// What the closed form gives, having started from x0.
Vec round_impulse(const ContactProblem<double>& c, const Vec& x0)
{
    const Vec n{1, 0, 0};
    const Vec dv{c.A.nn * x0.x - c.b.n, c.A.tt * x0.y - c.b.t, c.A.tt * x0.z - c.b.o};
    return law::project_on_cone(n, law::trial_impulse(law::isotropic_block(c.A.nn, c.A.tt), n,
                                                      c.b.n - c.beta, c.mu, x0, x0.x, dv));
}

/// A is isotropic in the tangential plane; with and without a velocity that β asks for.
ContactProblem<double> random_round_problem(test::Random& random)
{
    ContactProblem<double> c{};
    c.A.nn = random.uniform(0.1, 10);
    c.A.tt = c.A.oo = c.A.nn * random.uniform(1, 5);
    c.b.n = random.uniform(-0.3, 1);
    c.b.t = random.uniform(-1, 1);
    c.b.o = random.uniform(-1, 1);
    c.beta = random.chance(0.5) ? c.b.n : c.b.n + random.uniform(-0.3, 0.3);
    c.mu = random.chance(0.1) ? 0 : random.uniform(0, 2);
    return c;
}

template <Law L> void expect_same(std::uint64_t seed)
{
    test::Random random(seed);
    int sticks = 0, slides = 0, separates = 0;
    for (int i = 0; i < 20000; ++i) {
        const ContactProblem<double> c = random_round_problem(random);
        const law::Outcome<double> other = law::solve<L>(c);
        const Vec x{other.x.n, other.x.t, other.x.o};
        Vec x0{0, 0, 0};
        if (i % 2 == 1) {
            x0.x = random.uniform(0, 1);
            x0.y = random.uniform(-1, 1);
            x0.z = random.uniform(-1, 1);
        }
        const Vec mine = round_impulse(c, x0);
        EXPECT_LE(norm(mine - x), 1e-13 * (norm(x) + norm(x0) + norm(Vec{c.b.n, c.b.t, c.b.o})))
            << "problem " << i;
        sticks += other.state == law::code<double>(ContactState::sticking) ? 1 : 0;
        slides += other.state == law::code<double>(ContactState::sliding) ? 1 : 0;
        separates += other.state == law::code<double>(ContactState::separating) ? 1 : 0;
    }
    EXPECT_GT(sticks, 1000);
    EXPECT_GT(slides, 1000);
    EXPECT_GT(separates, 1000);
}

TEST(Round, IsMaximumDissipation) { expect_same<Law::max_dissipation>(51); }
TEST(Round, IsCoulomb) { expect_same<Law::coulomb>(52); }

TEST(Round, ChangesAreVelocities)
{
    const auto A = law::isotropic_block(2.0, 7.0);
    EXPECT_NEAR(A.inverse_nn * 2, 1, 1e-15);
    EXPECT_NEAR(A.inverse_tt * 7, 1, 1e-15);
    // |(2·3, 7·1, 7·2)|²
    EXPECT_NEAR(law::squared_velocity(A, 3.0, Vec{3, 1, 2}), 36 + 49 + 196, 1e-12);
}

}  // namespace
}  // namespace scree
