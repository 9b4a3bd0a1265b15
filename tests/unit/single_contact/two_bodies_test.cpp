// From two bodies to the contact problem and back: conservation laws, the paper's rod, the
// reference values of a rotated box, and bad input.
#include "scree/two_bodies.hpp"

#include "math/vec.hpp"
#include "support/paper.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree {
namespace {

using Vec = Vec3<double>;

double kinetic_energy(const BodyState& body)
{
    const Vec w = rotate_back(body.orientation, body.angular_velocity);
    const auto rotation = [](double moment, double rate) {
        return rate == 0 ? 0 : moment * rate * rate;
    };
    return 0.5 * (body.mass * dot(body.velocity, body.velocity) + rotation(body.moments.x, w.x) +
                  rotation(body.moments.y, w.y) + rotation(body.moments.z, w.z));
}

Vec momentum(const BodyState& body) { return body.mass * body.velocity; }

Vec angular_momentum(const BodyState& body)
{
    const Vec w = rotate_back(body.orientation, body.angular_velocity);
    const Vec spin = rotate(body.orientation,
                            Vec{body.moments.x * w.x, body.moments.y * w.y, body.moments.z * w.z});
    return cross(body.position, momentum(body)) + spin;
}

// E(x) is the change of kinetic energy, momenta are conserved and A x − b is the relative velocity.
TEST(TwoBodies, ImpulsesConserveMomentumAndAccountForEnergy)
{
    test::Random random(61);
    for (int i = 0; i < 2000; ++i) {
        TwoBodies pair = test::random_pair(random, false);
        if (std::isinf(pair.second.mass)) {
            continue;
        }
        pair.first.angular_velocity = random.in_ball();
        pair.second.angular_velocity = random.in_ball();
        pair.second.velocity = random.in_ball();
        const ContactProblem<double> c = contact_problem(pair);
        const ContactVector<double> x = solve_contact(c).x;
        const TwoBodies after = after_impulse(pair, x);
        const double before_energy = kinetic_energy(pair.first) + kinetic_energy(pair.second);
        const double after_energy = kinetic_energy(after.first) + kinetic_energy(after.second);
        EXPECT_NEAR(after_energy - before_energy, certify(c, x).energy, 1e-12 * before_energy);
        const Vec dp = momentum(after.first) + momentum(after.second) - momentum(pair.first) -
                       momentum(pair.second);
        EXPECT_LE(norm(dp), 1e-13 * (norm(momentum(pair.first)) + norm(momentum(pair.second))));
        const Vec dl = angular_momentum(after.first) + angular_momentum(after.second) -
                       angular_momentum(pair.first) - angular_momentum(pair.second);
        EXPECT_LE(norm(dl), 1e-12 * (norm(angular_momentum(pair.first)) +
                                     norm(angular_momentum(pair.second))));
        const ContactVector<double> v = certify(c, x).velocity;
        const ContactProblem<double> next = contact_problem(after);
        const double scale = std::abs(c.b.n) + std::abs(c.b.t) + std::abs(c.b.o);
        EXPECT_NEAR(-next.b.n, v.n, 1e-12 * scale);
        EXPECT_NEAR(-next.b.t, v.t, 1e-12 * scale);
        EXPECT_NEAR(-next.b.o, v.o, 1e-12 * scale);
    }
}

TEST(TwoBodies, RotatedBoxUsesWorldInertia)
{
    TwoBodies pair;
    pair.first.mass = 1;
    pair.first.moments = {(1 + 1) / 12.0, (16 + 1) / 12.0, (16 + 1) / 12.0};
    const double half = std::numbers::pi / 4;
    pair.first.orientation = {std::cos(half), 0, 0, std::sin(half)};
    pair.first.position = {0, 0, 0.5};
    pair.first.velocity = {0, 0, -1};
    pair.frame = orthonormal_frame({0, 1.5, 0}, {0, 0, 1});
    const ContactVector<double> x = solve_contact(contact_problem(pair)).x;
    EXPECT_NEAR(x.n, 0.386364, 5e-7);
    EXPECT_NEAR(kinetic_energy(after_impulse(pair, x).first), 0.306818, 5e-7);
}

TEST(TwoBodies, ExternalImpulsesActFirst)
{
    TwoBodies pair = test::academic_bodies(true);
    const ContactProblem<double> moving = contact_problem(pair);
    pair.first.impulse = pair.first.mass * pair.first.velocity;
    pair.first.velocity = {0, 0, 0};
    const ContactProblem<double> pushed = contact_problem(pair);
    EXPECT_NEAR(pushed.b.n, moving.b.n, 1e-15);
    EXPECT_NEAR(pushed.b.t, moving.b.t, 1e-15);
    EXPECT_NEAR(pushed.b.o, moving.b.o, 1e-15);
}

TEST(Rod, MatrixIsThatOfErratumE7)
{
    for (int i = 1; i < 90; ++i) {
        const double theta = i * std::numbers::pi / 180;
        const double s = std::sin(theta), k = std::cos(theta);
        const ContactProblem<double> c = contact_problem(test::paradox_rod(theta, 1, 2));
        EXPECT_NEAR(c.A.nn, (1 + 3 * k * k) / 2, 1e-15);
        EXPECT_NEAR(c.A.nt, -3 * s * k / 2, 1e-15);
        EXPECT_NEAR(c.A.tt, (1 + 3 * s * s) / 2, 1e-15);
        EXPECT_NEAR(c.A.oo, 2, 1e-15);
        EXPECT_NEAR(c.A.no, 0, 1e-15);
        EXPECT_NEAR(c.A.to, 0, 1e-15);
        EXPECT_EQ(c.b.n, 0);
        EXPECT_EQ(c.b.t, 1);
    }
}

// Above μ*(θ) the impulse Λ₀ that stops the tip, below it nothing, down to 1e-12 from the edge.
TEST(Rod, JumpsAtTheCriticalFriction)
{
    for (int i = 1; i < 9000; ++i) {
        const double theta = i * 0.01 * std::numbers::pi / 180;
        const double critical = test::critical_friction(theta);
        const ContactVector<double> expected{3 * std::sin(2 * theta) / 8,
                                             (5 + 3 * std::cos(2 * theta)) / 8, 0};
        for (const double above : {1e-12, 1e-9, 1e-3, 1.0, 10.0}) {
            const ContactSolution s =
                solve_contact(contact_problem(test::paradox_rod(theta, critical * (1 + above))));
            ASSERT_EQ(s.state, ContactState::sticking) << theta;
            ASSERT_NEAR(s.x.n, expected.n, 1e-12 * expected.t);
            ASSERT_NEAR(s.x.t, expected.t, 1e-12 * expected.t);
            ASSERT_NEAR(s.x.o, 0, 1e-12 * expected.t);
        }
        for (const double below : {1e-12, 1e-9, 1e-3, 0.5, 1.0}) {
            const ContactSolution s =
                solve_contact(contact_problem(test::paradox_rod(theta, critical * (1 - below))));
            ASSERT_EQ(s.x.n, 0) << theta << " " << below;
            ASSERT_EQ(s.x.t, 0);
            ASSERT_FALSE(s.degenerate);
        }
        const ContactSolution edge =
            solve_contact(contact_problem(test::paradox_rod(theta, critical)));
        ASSERT_TRUE(edge.degenerate) << theta;
        ASSERT_TRUE(edge.x.n == 0 || std::abs(edge.x.n - expected.n) <= 1e-12 * expected.t);
    }
}

// The paper's claim: Λ₀ leads to a state with a non-impulsive reaction, zero does not (μ > μ*).
TEST(Rod, OnlyTheImpulseLeadsToAFiniteReaction)
{
    for (int i = 1; i < 90; ++i) {
        const double theta = i * std::numbers::pi / 180;
        const double critical = test::critical_friction(theta);
        const TwoBodies paradox = test::paradox_rod(theta, 1.1 * critical);
        const CoulombSolutions all = coulomb_solutions(contact_problem(paradox));
        ASSERT_EQ(all.points.size(), 2u);
        const Reaction none = non_impulsive_reaction(after_impulse(paradox, all.points[0].x));
        EXPECT_EQ(none.slip, Reaction::Slip::sliding);
        EXPECT_FALSE(none.exists);
        const Reaction stopped = non_impulsive_reaction(after_impulse(paradox, all.points[1].x));
        EXPECT_EQ(stopped.slip, Reaction::Slip::sticking);
        EXPECT_TRUE(stopped.exists);
        EXPECT_GE(stopped.force.n, 0);
        // Below μ* the rod slides on with λ_n = m g / (1 + 3c(c − μ s)) > 0.
        const TwoBodies harmless = test::paradox_rod(theta, 0.9 * critical);
        const Reaction sliding = non_impulsive_reaction(harmless);
        EXPECT_TRUE(sliding.exists);
        const double k = std::cos(theta), s = std::sin(theta);
        EXPECT_NEAR(sliding.force.n, 9.81 / (1 + 3 * k * (k - 0.9 * critical * s)),
                    1e-9 * sliding.force.n);
    }
}

TEST(TwoBodies, BadInputIsNamed)
{
    const auto message = [](auto change) {
        TwoBodies pair = test::paradox_rod(1, 0.5);
        change(pair);
        try {
            (void)contact_problem(pair);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const double nan = std::nan("");
    EXPECT_NE(message([](auto& p) { p.first.mass = 0; }).find("mass"), std::string::npos);
    EXPECT_NE(message([&](auto& p) { p.first.mass = nan; }).find("mass"), std::string::npos);
    EXPECT_NE(
        message([](auto& p) { p.first.moments.y = -1; }).find("first body: moment of inertia = -1"),
        std::string::npos);
    EXPECT_NE(message([&](auto& p) { p.second.velocity.z = nan; }).find("finite"),
              std::string::npos);
    EXPECT_NE(message([](auto& p) { p.first.orientation.w = 2; }).find("orientation"),
              std::string::npos);
    EXPECT_NE(message([](auto& p) { p.restitution = 1.5; }).find("restitution"), std::string::npos);
    EXPECT_NE(message([](auto& p) { p.mu = -1; }).find("mu"), std::string::npos);
    EXPECT_NE(message([](auto& p) { p.first = BodyState{}; }).find("immovable"), std::string::npos);
    EXPECT_THROW((void)orthonormal_frame({0, 0, 0}, {0, 0, 0}), Error);
    EXPECT_THROW((void)orthonormal_frame({0, 0, 0}, {0, 0, 1}, Vec{0, 0, 2}), Error);
}

}  // namespace
}  // namespace scree
