// Stress and wall loads against statics: chains and lattices with known forces, and small worlds at
// rest, whose walls carry their weight.
#include "analyse/stress.hpp"
#include "analyse/walls.hpp"

#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::analyse {
namespace {

void expect_vec(const Vec& a, const Vec& b, double accuracy)
{
    EXPECT_NEAR(a.x, b.x, accuracy);
    EXPECT_NEAR(a.y, b.y, accuracy);
    EXPECT_NEAR(a.z, b.z, accuracy);
}

TEST(Stress, AColumnCarriesWhatIsAbove)
{
    // A column of 5 spheres on a floor: the contact below sphere i carries 5 − i weights, and that
    // force crosses every height between the two centres.
    test::FrameData data;
    const double weight = 3;
    for (int i = 0; i < 5; ++i) {
        data.add(Shape::sphere(0.5), {0, 0, 0.5 + i});
    }
    const std::size_t floor = data.add_obstacle(Shape::half_space(), {0, 0, 0});
    for (std::size_t i = 0; i < 5; ++i) {
        const double force = weight * static_cast<double>(5 - i);
        data.touch(i, i == 0 ? floor : i - 1, {0, 0, 1.0 * static_cast<double>(i)}, {0, 0, 1},
                   {0, 0, force * data.time_step});
    }
    const auto carried = [&](double z) { return weight * (5 - std::floor(z + 0.5)); };
    for (const auto& [low, high] : {std::pair{0.0, 5.0}, {0.1, 0.3}, {1.2, 3.9}, {4.2, 4.4}}) {
        double mean = 0;
        for (int k = 0; k < 10000; ++k) {
            mean += carried(low + (high - low) * (k + 0.5) / 10000) / 10000;
        }
        const Region region{{-1, -2, low}, {1, 2, high}};
        const Stress s = stress(data.view(), region);
        EXPECT_NEAR(s.contact.zz, mean / 8, 1e-3 * mean);
        EXPECT_EQ(s.contact.xx, 0);
        EXPECT_NEAR(s.pressure, s.contact.zz / 3, 1e-15);
        EXPECT_NEAR(s.deviator, s.contact.zz, 1e-12);
    }
    // Beside the column there is none.
    EXPECT_EQ(stress(data.view(), {{1, 1, 0}, {2, 2, 5}}).contact.zz, 0);
}

TEST(Stress, OfAPressedLatticeIsTheSameWhereverTheRegionIs)
{
    test::FrameData data = test::simple_cubic(7);
    const double force = 2.5;
    data.touch_spheres(1e-9, force * data.time_step);
    for (const double at : {0.5, 1.0, 1.3}) {
        const Stress s = stress(data.view(), {{at, at, at}, {at + 3, at + 3, at + 3}});
        EXPECT_NEAR(s.contact.xx, force, 1e-12);
        EXPECT_NEAR(s.contact.yy, force, 1e-12);
        EXPECT_NEAR(s.contact.zz, force, 1e-12);
        EXPECT_NEAR(s.contact.xy, 0, 1e-12);
        EXPECT_NEAR(s.pressure, force, 1e-12);
        EXPECT_NEAR(s.deviator, 0, 1e-12);
    }
}

TEST(Stress, CountsSidewaysForcesAndMovingParticles)
{
    // The contact point is where the spheres met at the beginning of the step.
    test::FrameData data;
    const Vec v{3, -1, 2};
    const double h = data.time_step;
    data.add(Shape::sphere(0.5), Vec{1, 0, 0} + h * v, v);
    data.add(Shape::sphere(0.5), {0, 0, 0});
    data.touch(0, 1, {0.5, 0, 0}, {1, 0, 0}, {4 * h, 2 * h, 0});
    const Region region{{-2, -2, -2}, {2, 2, 2}};
    const Stress s = stress(data.view(), region);
    EXPECT_NEAR(s.contact.xx, 4.0 / 64, 1e-15);
    EXPECT_NEAR(s.contact.xy, 1.0 / 64, 1e-15);  // symmetric part of 2
    // Two masses of 1 whose velocities differ by v: Σ m v′⊗v′ = ½ v⊗v.
    EXPECT_NEAR(s.kinetic.xx, 4.5 / 64, 1e-15);
    EXPECT_NEAR(s.kinetic.xz, 3.0 / 64, 1e-15);
    EXPECT_NEAR(s.temperature, 14.0 / 4 / 3, 1e-14);
    expect_vec(s.velocity, 0.5 * v, 1e-15);
    EXPECT_EQ(s.mass, 2);
    EXPECT_NEAR(s.total.xx, s.kinetic.xx + s.contact.xx, 1e-15);
    EXPECT_THROW(stress(data.view(), everywhere), Error);
}

TEST(Stress, AGasHasThePressureOfItsTemperature)
{
    test::Random random(3);
    test::FrameData data;
    double mass = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec x = random.in_ball();
        const Vec u = random.in_ball();
        data.add(Shape::sphere(0.01), x, Vec{1, 2, 3} + u, i % 2 == 0 ? 1.0 : 4.0);
        mass += data.masses.back();
    }
    const Region region{{-1, -1, -1}, {1.1, 1, 1}};
    const Stress s = stress(data.view(), region);
    EXPECT_NEAR(s.pressure, mass / region.volume() * s.temperature, 1e-9);
    EXPECT_NEAR(s.temperature, 0.2, 0.01);  // a ball of velocities: ⅓⟨u²⟩ = ⅓ 3/5
    expect_vec(s.velocity, {1, 2, 3}, 0.03);
}

TEST(Stress, PeriodicContactsTakeTheNearestImage)
{
    test::FrameData data;
    data.add(Shape::sphere(0.5), {0.25, 0.5, 0.5});
    data.add(Shape::sphere(0.5), {3.25, 0.5, 0.5});
    const double h = data.time_step;
    data.touch(0, 1, {-0.25, 0.5, 0.5}, {1, 0, 0}, {5 * h, 0, 0});
    const Region box{{-4, 0, 0}, {4, 1, 1}};
    EXPECT_NEAR(stress(data.view(), box, {4, 0, 0}).contact.xx, 5.0 / 8, 1e-14);
    EXPECT_NEAR(stress(data.view(), box).contact.xx, -15.0 / 8, 1e-14);
    expect_vec(nearest_image({3.9, -2.1, 7}, {4, 4, 0}), {-0.1, 1.9, 7}, 1e-15);
}

TEST(Walls, AWorldAtRestLeansOnItsWalls)
{
    // A block that sticks to an inclined plane.
    World world(test::exact(1e-3));
    const double angle = 0.2;
    world.set_surface(0, 0, {0.8, 0});
    const Quat<double> tilt = test::about({0, 1, 0}, -angle);
    const BodyId plane = world.add(obstacle(Shape::half_space(), {0.3, 0.2, 0.1}, tilt));
    Body block = test::block({0.2, 0.1, 0.05}, {0, 0, 0}, tilt);
    const Vec normal = rotate(tilt, Vec{0, 0, 1});
    block.position = Vec{0.3, 0.2, 0.1} + rotate(tilt, Vec{0.4, 0.1, 0.025});
    block.id = 77;
    world.add(block);
    test::run(world, 50);

    const auto loads = wall_loads(world.frame());
    ASSERT_EQ(loads.size(), 1U);
    EXPECT_EQ(loads[0].id, plane);
    EXPECT_EQ(loads[0].contacts, 4U);
    const Body rest = world.body(77);
    const double weight = rest.mass->mass * test::g0;
    expect_vec(loads[0].force, {0, 0, -weight}, 1e-6 * weight);
    expect_vec(loads[0].torque, cross(rest.position - Vec{0.3, 0.2, 0.1}, Vec{0, 0, -weight}),
               1e-6 * weight);
    EXPECT_GT(dot(loads[0].force, normal), -weight);  // so friction took its part
}

TEST(Walls, MayMoveAndStandInAnyOrder)
{
    test::FrameData data;
    const double h = data.time_step;
    data.add(Shape::sphere(0.5), {0, 0, 0});
    const Vec v{2, 0, 0};
    const std::size_t late =
        data.add_obstacle(Shape::box(1, 1, 1), Vec{1, 0, 0} + h * v, {1, 0, 0, 0}, v);
    const std::size_t idle = data.add_obstacle(Shape::half_space(), {0, 0, -9});
    std::swap(data.ids[late], data.ids[idle]);
    data.touch(0, late, {0.5, 0.25, 0}, {-1, 0, 0}, {-3 * h, h, 0});
    data.touch(late, 0, {0.5, 0.25, 0.125}, {1, 0, 0}, {3 * h, 0, 0}, 0.1).touching = false;
    const auto loads = wall_loads(data.view());
    ASSERT_EQ(loads.size(), 2U);
    EXPECT_EQ(loads[0].id, data.ids[idle]);
    EXPECT_EQ(loads[0].contacts, 0U);
    expect_vec(loads[0].force, {0, 0, 0}, 0);
    EXPECT_EQ(loads[1].contacts, 1U);
    expect_vec(loads[1].force, {6, -1, 0}, 1e-14);
    expect_vec(loads[1].torque,
               cross(Vec{-0.5, 0.25, 0}, Vec{3, -1, 0}) +
                   cross(Vec{-0.5, 0.25, 0.125}, Vec{3, 0, 0}),
               1e-14);
}

}  // namespace
}  // namespace scree::analyse
