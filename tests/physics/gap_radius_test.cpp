// Gaps and penetrations are relative to the bounding radius of the smaller body, whichever of the
// two that is: a large ball on a small prescribed body is judged as a small ball is.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace scree::test {
namespace {

constexpr double edge = 0.1, small_radius = 0.0866025403784;  // of a cube and of the ball around it

/// A ball of 1 m over the upper face of a prescribed cube of 10 cm.
struct LargeOnSmall {
    explicit LargeOnSmall(double gap, Settings settings = exact(1e-3, {0, 0, 0})) : world(settings)
    {
        world.set_surface(0, 0, {0.5, 0});
        world.add(obstacle(Shape::box(edge, edge, edge)));
        ball = world.add(sphere(1, {0, 0, edge / 2 + 1 + gap}));
        world.step();
    }
    [[nodiscard]] std::size_t touching_in_frame() const
    {
        const auto contacts = world.frame().contacts;
        return static_cast<std::size_t>(std::count_if(contacts.begin(), contacts.end(),
                                                      [](const Contact& c) { return c.touching; }));
    }
    [[nodiscard]] bool is_deep() const
    {
        return world.report()[Condition::deep_penetration].count > 0;
    }

    World world;
    BodyId ball = 0;
};

TEST(GapRadius, ReportsAndFramesCountTheSameContacts)
{
    for (const double part : {1.5e-5, 2.5e-5}) {
        const LargeOnSmall near(part * small_radius, exact(1e-3));
        const std::size_t expected = part < 2e-5 ? 1 : 0;
        EXPECT_EQ(near.world.report().contacts, expected) << part;
        EXPECT_EQ(near.touching_in_frame(), expected) << part;
    }
}

TEST(GapRadius, SlackIsOfTheSmallerBody)
{
    Settings s = exact(1e-3, {0, 0, 0});
    s.slack = 1e-5;
    const double penetration = 3e-5 * small_radius;
    const LargeOnSmall inside(-penetration, s);
    EXPECT_GT(inside.world.body(inside.ball).velocity.z, 0);
}

TEST(GapRadius, CorrectionStopsAtAPartOfTheSmallerBody)
{
    const Settings s = exact(1e-3, {0, 0, 0});
    const LargeOnSmall inside(-0.5 * small_radius, s);
    EXPECT_NEAR(inside.world.body(inside.ball).velocity.z,
                s.error_reduction * s.correction_limit * small_radius / s.time_step,
                1e-9 / s.time_step);
}

TEST(GapRadius, DeepIsRelativeToTheSmallerBody)
{
    EXPECT_TRUE(LargeOnSmall(-0.06 * small_radius).is_deep());
    EXPECT_FALSE(LargeOnSmall(-0.04 * small_radius).is_deep());
}

}  // namespace
}  // namespace scree::test
