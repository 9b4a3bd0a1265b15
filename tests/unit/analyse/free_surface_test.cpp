// Surfaces of heaps whose shape is known: inclined planes, cones, drums.
#include "analyse/heap.hpp"

#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

using std::numbers::pi;

TEST(Heap, HasTheHighestTopOfEachBin)
{
    test::FrameData data;
    data.add(Shape::sphere(0.1), {0.25, 5, 1});
    data.add(Shape::sphere(0.3), {0.2, -5, 0.9});            // higher, by its radius
    data.add(Shape::ellipsoid(0.1, 0.1, 0.5), {1.1, 0, 2});  // upright
    data.add(Shape::box(0.2, 0.2, 0.2), {2.7, 0, 1}, {0, 0, 0}, 1,
             {std::cos(pi / 8), std::sin(pi / 8), 0, 0});  // on an edge
    data.add(Shape::sphere(0.1), {4.5, 0, 9});             // beyond
    data.add(Shape::sphere(0.1), {0.5, 0, 99});            // outside the region
    data.add_obstacle(Shape::sphere(5), {0.5, 0, 0});
    SurfaceOptions options{.from = 0, .to = 4, .bins = 4};
    options.region = {{-9, -9, -9}, {9, 9, 50}};
    const SurfaceProfile p = surface_profile(data.view(), options);
    EXPECT_EQ(p.position, (std::vector<double>{0.5, 1.5, 2.5, 3.5}));
    EXPECT_DOUBLE_EQ(p.height[0], 1.2);
    EXPECT_DOUBLE_EQ(p.height[1], 2.5);
    EXPECT_NEAR(p.height[2], 1 + 0.1 * std::sqrt(2.0), 1e-15);
    EXPECT_TRUE(std::isnan(p.height[3]));
    EXPECT_TRUE(std::isnan(p.deviation[0]));
    EXPECT_EQ(p.table().rows(), 4U);

    // Positions from a centre, x upwards, y along.
    SurfaceOptions other{.from = -6, .to = 6, .bins = 2, .up = 0, .axis = 1};
    other.centre = {0, 1, 0};
    const SurfaceProfile q = surface_profile(data.view(), other);
    EXPECT_DOUBLE_EQ(q.height[0], 4.6);  // the sphere beyond, at y − 1 = −1
    EXPECT_DOUBLE_EQ(q.height[1], 0.35);
}

TEST(Heap, StripsAreAveraged)
{
    test::FrameData data;
    data.add(Shape::sphere(0.5), {0.5, 0.5, 1});
    data.add(Shape::sphere(0.5), {0.5, 1.5, 2});
    data.add(Shape::sphere(0.5), {0.2, 1.2, 0});
    SurfaceOptions options{.from = 0, .to = 1, .bins = 1, .strips = 4};
    EXPECT_THROW(surface_profile(data.view(), options), Error);
    options.region = {{0, 0, -9}, {1, 4, 9}};
    const SurfaceProfile p = surface_profile(data.view(), options);
    EXPECT_DOUBLE_EQ(p.height[0], 2);
    EXPECT_DOUBLE_EQ(p.deviation[0], std::sqrt(0.5));
}

TEST(Heap, HasTheAnglesOfPlanesAndTheirErrors)
{
    test::Random random(12);
    for (const double angle : {-0.6, 0.0, 0.35, 1.0}) {
        test::FrameData exact, rough;
        for (int i = 0; i < 60; ++i) {
            const double x = -1 + (i + 0.5) / 30;
            exact.add(Shape::sphere(0.05), {x, 0, 3 + std::tan(angle) * x});
            exact.add(Shape::sphere(0.05), {x, 0, 2 + std::tan(angle) * x});
            const double noise = random.uniform(-0.1, 0.1);
            rough.add(Shape::sphere(0.05), {x, 0, 3 + std::tan(angle) * x + noise});
        }
        const SurfaceOptions options{.from = -1, .to = 1, .bins = 60};
        const SurfaceSlope s = surface_slope(surface_profile(exact.view(), options), -0.5, 0.5);
        EXPECT_EQ(s.line.points, 30U);
        EXPECT_NEAR(s.angle, angle, 1e-12);
        EXPECT_NEAR(s.line(0), 3.05, 1e-12);
        EXPECT_LT(s.angle_error, 1e-12);
        const SurfaceSlope r = surface_slope(surface_profile(rough.view(), options), -1, 1);
        EXPECT_LT(std::abs(r.angle - angle), 3 * r.angle_error);
        // Uniform noise of ±a: deviation a/√3; abscissae spread evenly over 2: Σx² = n/3.
        const double expected = 0.1 / std::sqrt(3.0) / std::sqrt(20.0);
        EXPECT_NEAR(r.line.slope_error / expected, 1, 0.25);
        EXPECT_NEAR(r.angle_error, r.line.slope_error * std::pow(std::cos(r.angle), 2), 1e-12);
    }
}

TEST(Heap, IsAConeByItsRadius)
{
    // Tops lie on a cone of 25° about a shifted vertical axis, with grains below them.
    test::Random random(4);
    test::FrameData data;
    const double slope = std::tan(25 * pi / 180), r = 0.01;
    const Vec centre{3, -2, 0};
    for (int i = 0; i < 20000; ++i) {
        const double radius = std::sqrt(random.uniform());
        const double turn = random.uniform(0, 2 * pi);
        const double depth = i % 2 == 0 ? 0.0 : random.uniform(0, 0.3);
        data.add(Shape::sphere(r), centre + Vec{radius * std::cos(turn), radius * std::sin(turn),
                                                slope * (1 - radius) - r - depth});
    }
    SurfaceOptions options{.from = 0, .to = 1.2, .bins = 60, .radial = true, .centre = centre};
    for (const int sectors : {1, 8}) {
        options.strips = sectors;
        const SurfaceProfile p = surface_profile(data.view(), options);
        const SurfaceSlope s = surface_slope(p, 0.1, 0.9);
        // The highest of a bin lies at its inner edge; the slope does not mind.
        EXPECT_NEAR(s.angle * 180 / pi, -25, 0.3) << sectors;
        EXPECT_NEAR(surface_front(p, 0.05), 1 - 0.05 / slope, 0.02) << sectors;
        EXPECT_TRUE(std::isnan(p.height.back()));
    }
}

TEST(Heap, HasFrontsBetweenBins)
{
    const double nan = std::nan("");
    SurfaceProfile p{{0.5, 1.5, 2.5, 3.5, 4.5}, {4, 3, 1, nan, nan}, {}};
    EXPECT_DOUBLE_EQ(surface_front(p, 2), 2);
    EXPECT_DOUBLE_EQ(surface_front(p, 3), 1.5);
    EXPECT_DOUBLE_EQ(surface_front(p, 1), 2.5);
    EXPECT_DOUBLE_EQ(surface_front(p, 0.1), 2.5);
    EXPECT_TRUE(std::isnan(surface_front(p, 5)));
}

TEST(Heap, WhatMakesNoSenseIsRefused)
{
    const test::FrameData data;
    EXPECT_THROW(surface_profile(data.view(), {.from = 1, .to = 1}), Error);
    EXPECT_THROW(surface_profile(data.view(), {.bins = 0}), Error);
    EXPECT_THROW(surface_profile(data.view(), {.up = 0, .axis = 0}), Error);
    EXPECT_THROW(surface_profile(data.view(), {.up = 3}), Error);
    EXPECT_NO_THROW(surface_profile(data.view(), {.up = 0, .axis = 0, .radial = true}));
    EXPECT_TRUE(std::isnan(surface_slope(surface_profile(data.view(), {}), 0, 1).angle));
}

}  // namespace
}  // namespace scree::analyse
