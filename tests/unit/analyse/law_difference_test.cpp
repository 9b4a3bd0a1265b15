// The contacts of a step as problems of their own: a world that has converged solves each of them,
// and what two laws make of them differs where theory says so.
#include "scree/analyse/law_difference.hpp"

#include "engine/emulation.hpp"
#include "scree/contact.hpp"
#include "scree/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace scree {
namespace {

/// Grains thrown into a corner that moves; the step after some of which it is looked at.
World crowd(Law law, bool round, int gpu = no_gpu)
{
    Settings settings;
    settings.law = law;
    settings.time_step = 1e-3;
    settings.tolerance = 1e-12;
    settings.sweeps = 20000;
    settings.region_pairs = 0;
    settings.gpu = gpu;
    World world(settings);
    world.set_surface(0, 0, {.friction = 0.5});
    Body floor = obstacle(Shape::half_space());
    floor.velocity = {0.3, 0.1, 0};
    world.add(floor);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < 24; ++i) {
        Body body;
        body.shape = round        ? Shape::sphere(0.05)
                     : i % 3 == 0 ? Shape::box(0.05, 0.03, 0.04)
                     : i % 3 == 1 ? Shape::ellipsoid(0.07, 0.03, 0.04)
                                  : Shape::capsule(0.03, 0.05);
        body.density = 1000;
        body.position = {0.13 * (i % 3), 0.13 * (i / 3 % 3), 0.08 + 0.14 * (i / 9)};
        Quat<double> q{uniform(random), uniform(random), uniform(random), uniform(random)};
        const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        body.orientation = {q.w / length, q.x / length, q.y / length, q.z / length};
        body.velocity = {uniform(random), uniform(random), uniform(random) - 2};
        body.angular_velocity = {5 * uniform(random), 5 * uniform(random), 5 * uniform(random)};
        world.add(body);
    }
    for (int k = 0; k < 60 || world.report().loaded_contacts < 8; ++k) {
        world.step();
    }
    return world;
}

double norm(const ContactVector<double>& x) { return std::hypot(x.n, x.t, x.o); }

TEST(Problems, AConvergedStepSolvesEachOfThem)
{
    for (const Law law : {Law::max_dissipation, Law::coulomb}) {
        for (const bool round : {false, true}) {
            World world = crowd(law, round);
            const std::vector<StepContact> contacts = world.contact_problems();
            EXPECT_EQ(contacts.size(), world.report().loaded_contacts);
            double largest = 0;
            for (const StepContact& c : contacts) {
                largest = std::max(largest, norm(c.impulse));
            }
            ASSERT_GT(largest, 0);
            for (const StepContact& c : contacts) {
                const ContactVector<double> x = solve_contact(c.problem, law).x;
                EXPECT_LT(norm({x.n - c.impulse.n, x.t - c.impulse.t, x.o - c.impulse.o}),
                          1e-7 * largest);
            }
        }
    }
}

TEST(Problems, SpheresDoNotTellTheLawsApart)
{
    World world = crowd(Law::max_dissipation, true);
    const analyse::LawDifference d = analyse::law_difference(world.contact_problems());
    EXPECT_GT(d.contacts, 7U);
    EXPECT_GT(d.sliding, 0U);
    EXPECT_EQ(d.differing, 0U);
    EXPECT_LT(d.largest, 1e-9);
    EXPECT_LT(std::fabs(d.energy), 1e-12);
}

TEST(Problems, OtherGrainsDoAndTheirNameIsRight)
{
    World world = crowd(Law::coulomb, false);
    const std::vector<StepContact> contacts = world.contact_problems();
    const analyse::LawDifference d = analyse::law_difference(contacts);
    EXPECT_EQ(d.contacts, contacts.size());
    EXPECT_GT(d.differing, 0U);
    EXPECT_LE(d.differing, d.sliding);
    EXPECT_GT(d.largest, 1e-3);
    EXPECT_GE(d.largest, d.mean);
    EXPECT_GT(d.energy, 0);  // maximum dissipation is what it says
    for (const StepContact& c : contacts) {
        const double most = -solve_contact(c.problem, Law::max_dissipation).certificate.energy;
        const double coulomb = -solve_contact(c.problem, Law::coulomb).certificate.energy;
        EXPECT_GE(most, coulomb - 1e-12 * std::fabs(most));
    }
}

/// One block, by hand: A couples normal and tangential directions.
TEST(Problems, HaveTheDifferenceWorkedOutByHand)
{
    const StepContact contact{{{1, 0.4, 0, 2, 0, 3}, {1, 0.9, 0.7}, 1, 0.3}, {}};
    const ContactVector<double> m = solve_contact(contact.problem, Law::max_dissipation).x;
    const ContactVector<double> c = solve_contact(contact.problem, Law::coulomb).x;
    const analyse::LawDifference d = analyse::law_difference({&contact, 1});
    EXPECT_EQ(d.sliding, 1U);
    EXPECT_EQ(d.differing, 1U);
    EXPECT_DOUBLE_EQ(d.mean, norm({m.n - c.n, m.t - c.t, m.o - c.o}) / norm(m));
    EXPECT_DOUBLE_EQ(d.largest, d.mean);
    EXPECT_NEAR(d.angle, std::fabs(std::atan2(m.o, m.t) - std::atan2(c.o, c.t)), 1e-12);
    const analyse::LawDifference nothing = analyse::law_difference({});
    EXPECT_EQ(nothing.contacts, 0U);
    EXPECT_EQ(nothing.energy, 0);
}

TEST(Problems, ADevicePosesTheSame)
{
    const auto impulses = [](const World& world) {
        std::vector<std::array<double, 5>> all;
        for (const StepContact& c : world.contact_problems()) {
            all.push_back({c.impulse.n, c.impulse.t, c.impulse.o, c.problem.b.t, c.problem.beta});
        }
        std::sort(all.begin(), all.end());
        return all;
    };
    for (const bool round : {false, true}) {
        EXPECT_EQ(impulses(crowd(Law::coulomb, round)),
                  impulses(crowd(Law::coulomb, round, emulated_gpu)));
    }
}

TEST(Problems, BelongToAStep)
{
    World world;
    EXPECT_THROW((void)world.contact_problems(), Error);
}

}  // namespace
}  // namespace scree
