// Cell averages against sums by hand and by brute force; heat maps hold the right pixels.
#include "analyse/maps.hpp"

#include "analyse/axes.hpp"
#include "analyse/heat_map.hpp"
#include "analyse/solid.hpp"
#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

using std::numbers::pi;

TEST(Maps, TwoParticlesInACell)
{
    test::FrameData data;
    data.add(Shape::sphere(0.1), {0.5, 0.5, 3}, {1, 2, 2});
    data.add(Shape::sphere(0.2), {0.9, 0.1, -4}, {1, -2, 2});
    data.add(Shape::sphere(0.1), {2.5, 1.5, 0}, {0, 0, -7});
    data.angular_velocities = {{3, 0, 4}, {-3, 0, 4}, {0, 1, 0}};
    data.add_obstacle(Shape::sphere(0.3), {1.5, 0.5, 0});
    CellGrid grid{.region = {{0, 0, -5}, {3, 2, 5}}, .columns = 3, .rows = 2};
    CellAverages averages(grid);
    averages.add(data.view());
    EXPECT_EQ(averages.count(), (std::vector<double>{2, 0, 0, 0, 0, 1}));
    const Vec v = averages.velocity()[0];
    EXPECT_EQ(v.x, 1);
    EXPECT_EQ(v.y, 0);
    EXPECT_EQ(v.z, 2);
    EXPECT_NEAR(averages.speed()[0], std::sqrt(5.0), 1e-15);
    EXPECT_EQ(averages.mean_speed()[0], 3);
    EXPECT_NEAR(averages.temperature()[0], 4.0 / 3, 1e-15);
    EXPECT_EQ(averages.angular_speed()[0], 4);
    EXPECT_EQ(averages.mean_angular_speed()[0], 5);
    EXPECT_EQ(averages.angular_velocity()[5].y, 1);
    EXPECT_NEAR(averages.solid_fraction()[0], 4 * pi / 3 * (0.001 + 0.008) / 10, 1e-15);
    EXPECT_EQ(averages.solid_fraction()[1], 0);
    for (const double empty : {averages.speed()[1], averages.mean_speed()[2],
                               averages.temperature()[3], averages.angular_velocity()[4].x}) {
        EXPECT_TRUE(std::isnan(empty));
    }
    EXPECT_EQ(averages.speed()[5], 7);

    // A second frame in which the first cell holds one particle more: weighted by count.
    test::FrameData more;
    more.add(Shape::sphere(0.1), {0.5, 0.5, 0}, {7, 0, 2});
    averages.add(more.view());
    EXPECT_EQ(averages.velocity()[0].x, 3);
    EXPECT_EQ(averages.count()[0], 1.5);
}

TEST(Maps, OtherAxesAndBruteForce)
{
    test::Random random(8);
    test::FrameData data;
    for (int i = 0; i < 3000; ++i) {
        const Vec x = random.in_ball();
        const Vec v = random.in_ball();
        data.add(Shape::sphere(0.01), x, v);
    }
    // z to the right, x upwards; y ignored but for its range.
    const CellGrid grid{.region = {{-0.5, -0.8, -1}, {0.7, 0.4, 0.5}},
                        .columns = 7,
                        .rows = 5,
                        .first = 2,
                        .second = 0};
    CellAverages averages(grid);
    averages.add(data.view());
    const auto counts = averages.count();
    const auto velocities = averages.velocity();
    const auto temperatures = averages.temperature();
    const double dz = 1.5 / 7, dx = 1.2 / 5;
    for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 7; ++column) {
            double count = 0, square = 0;
            Vec sum{0, 0, 0};
            const auto cell = static_cast<std::size_t>(column + 7 * row);
            EXPECT_NEAR(grid.middle(2, cell), -1 + (column + 0.5) * dz, 1e-12);
            EXPECT_NEAR(grid.middle(0, cell), -0.5 + (row + 0.5) * dx, 1e-12);
            for (std::size_t i = 0; i < data.ids.size(); ++i) {
                const Vec& p = data.positions[i];
                if (std::abs(p.z - grid.middle(2, cell)) < dz / 2 &&
                    std::abs(p.x - grid.middle(0, cell)) < dx / 2 && p.y >= -0.8 && p.y < 0.4) {
                    ++count;
                    sum = sum + data.velocities[i];
                    square += dot(data.velocities[i], data.velocities[i]);
                }
            }
            EXPECT_EQ(counts[cell], count);
            ASSERT_GT(count, 0);
            const Vec mean = (1 / count) * sum;
            EXPECT_LE(norm(velocities[cell] - mean), 1e-14);
            EXPECT_NEAR(temperatures[cell], (square / count - dot(mean, mean)) / 3, 1e-14);
        }
    }
}

TEST(Maps, BordersAndTheThirdAxis)
{
    CellGrid grid{.region = {{0, 0, 0}, {1, 1, 1}}, .columns = 10, .rows = 10};
    EXPECT_EQ(grid.cell_of({0, 0, 0}), 0U);
    EXPECT_EQ(grid.cell_of({std::nextafter(1, 0), 0, 0}), 9U);
    EXPECT_FALSE(grid.cell_of({1, 0, 0}));
    EXPECT_FALSE(grid.cell_of({0, 0, 1}));
    grid.region.high.z = unbounded;
    CellAverages averages(grid);
    test::FrameData data;
    data.add(Shape::sphere(0.1), {0, 0, 1e9});
    averages.add(data.view());
    EXPECT_EQ(averages.count()[0], 1);
    EXPECT_TRUE(std::isnan(averages.solid_fraction()[0]));
    grid.region.high.x = unbounded;
    EXPECT_THROW(CellAverages{grid}, Error);
    EXPECT_THROW((CellAverages{{.region = {{0, 0, 0}, {1, 1, 1}}, .columns = 0}}), Error);
    EXPECT_THROW((CellAverages{{.region = {{0, 0, 0}, {1, 1, 1}}, .first = 1}}), Error);
    EXPECT_THROW((CellAverages{{.region = {{0, 0, 0}, {1, 1, 1}}, .second = 3}}), Error);
}

TEST(Maps, TheTableHasALineForEveryCell)
{
    test::FrameData data;
    data.add(Shape::sphere(0.1), {0.5, 0.5, 0.5}, {1, 2, 3});
    CellAverages averages({.region = {{0, 0, 0}, {2, 3, 1}}, .columns = 2, .rows = 3});
    averages.add(data.view());
    const Series back = parse_series(series_csv(averages.table()), "map.csv");
    ASSERT_EQ(back.rows(), 6U);
    EXPECT_EQ(back.column("x").values, (std::vector<double>{0.5, 1.5, 0.5, 1.5, 0.5, 1.5}));
    EXPECT_EQ(back.column("y").values, (std::vector<double>{0.5, 0.5, 1.5, 1.5, 2.5, 2.5}));
    EXPECT_EQ(back.column("velocity z").values[0], 3);
    EXPECT_TRUE(std::isnan(back.column("velocity z").values[1]));
    EXPECT_EQ(back.column("particles").values[5], 0);
}

/// Lightness of sRGB in Oklab, and its two other coordinates.
Vec oklab(const Pixel& rgb)
{
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double r = linear(rgb[0] / 255.0), g = linear(rgb[1] / 255.0), b = linear(rgb[2] / 255.0);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

TEST(Colours, LightnessGrowsEvenlyAndStepsLookAlike)
{
    const int n = 20;
    double shortest = 1, longest = 0;
    for (int i = 0; i < n; ++i) {
        const Vec a = oklab(colour(ColourMap::sequential, 1.0 * i / n));
        const Vec b = oklab(colour(ColourMap::sequential, (i + 1.0) / n));
        EXPECT_NEAR(b.x - a.x, 0.66 / n, 0.15 * 0.66 / n) << i;
        shortest = std::min(shortest, norm(b - a));
        longest = std::max(longest, norm(b - a));
    }
    EXPECT_LT(longest, 1.5 * shortest);
    EXPECT_EQ(colour(ColourMap::sequential, -3), colour(ColourMap::sequential, 0));
    EXPECT_EQ(colour(ColourMap::sequential, 7), colour(ColourMap::sequential, 1));
}

TEST(Colours, DivergingOnesAreEquallyDarkOnBothSides)
{
    for (const double t : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}) {
        const Vec a = oklab(colour(ColourMap::diverging, t));
        const Vec b = oklab(colour(ColourMap::diverging, 1 - t));
        EXPECT_NEAR(a.x, b.x, 0.01) << t;
    }
    const Vec middle = oklab(colour(ColourMap::diverging, 0.5));
    EXPECT_NEAR(std::hypot(middle.y, middle.z), 0, 2e-3);
    EXPECT_LT(oklab(colour(ColourMap::diverging, 0.1)).z, -0.08);  // blue
    EXPECT_GT(oklab(colour(ColourMap::diverging, 0.9)).y, 0.08);   // red
}

TEST(HeatMaps, OutlinesAreSilhouettes)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {0, 0, 0});
    const Quat<double> turned{std::cos(pi / 8), 0, 0, std::sin(pi / 8)};  // 45° about z
    data.add_obstacle(Shape::sphere(0.5), {1, 1, 0});
    data.add_obstacle(Shape::box(2, 2, 2), {5, 0, 0}, turned);
    data.add_obstacle(Shape::half_space(), {0, 0, 0});
    data.add_obstacle(Shape::cylinder_wall(3), {0, 0, 0}, orientation_of_x({0, 0, -1}));
    data.add_obstacle(Shape::cylinder_wall(3), {0, 0, 0}, orientation_of_x({0, 1, 0}));
    data.add_obstacle(Shape::sphere(0.5), {100, 1, 0});
    const CellGrid grid{.region = {{-9, -9, -9}, {9, 9, 9}}};
    const auto found = outlines(data.view(), grid);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_TRUE(found[0].filled);
    for (const svg::Point& p : found[0].points) {
        EXPECT_NEAR(std::hypot(p.x - 1, p.y - 1), 0.5, 1e-12);
    }
    EXPECT_GT(found[0].points.size(), 100U);
    const double r = std::sqrt(2.0);
    ASSERT_EQ(found[1].points.size(), 5U);  // four corners, the first one again
    for (const svg::Point& p : found[1].points) {
        EXPECT_NEAR(std::abs(p.x - 5) + std::abs(p.y), r, 1e-12);
        EXPECT_NEAR(std::min(std::abs(p.x - 5), std::abs(p.y)), 0, 1e-12);
    }
    EXPECT_FALSE(found[2].filled);
    EXPECT_NEAR(std::hypot(found[2].points[0].x, found[2].points[0].y), 3, 1e-12);
}

TEST(HeatMaps, PicturesAreCleanAndSmall)
{
    HeatMap map{.grid = {.region = {{0, 0, 0}, {3, 1.3, 1}}}, .quantity = "a < b"};
    for (std::size_t i = 0; i < map.grid.cells(); ++i) {
        map.values.push_back(i % 7 == 0 ? std::nan("") : std::sin(0.01 * static_cast<double>(i)));
        map.arrows.push_back({1, map.values.back(), 0});
    }
    const std::string svg = heat_map_svg(map);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("\"inf"), std::string::npos);
    EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
    EXPECT_NE(svg.find("x [m]"), std::string::npos);
    EXPECT_NE(svg.find("data:image/png;base64,"), std::string::npos);
    EXPECT_LT(svg.size(), 150000U);

    // One value everywhere, and none at all.
    map.arrows.clear();
    map.title = "title";
    std::fill(map.values.begin(), map.values.end(), -2.0);
    EXPECT_EQ(heat_map_svg(map).find("nan"), std::string::npos);
    std::fill(map.values.begin(), map.values.end(), std::nan(""));
    EXPECT_EQ(heat_map_svg(map).find("nan"), std::string::npos);
    map.values.pop_back();
    EXPECT_THROW(heat_map_svg(map), Error);
}

TEST(HeatMaps, ColourBarsBeginWhereTheyShould)
{
    HeatMap map{.grid = {.region = {{5, 5, 0}, {6, 6, 1}}, .columns = 2, .rows = 1},
                .values = {0.1, 1},
                .quantity = "v"};
    EXPECT_NE(heat_map_svg(map).find(">0.0<"), std::string::npos);
    map.values = {0.8, 1};
    EXPECT_EQ(heat_map_svg(map).find(">0.0<"), std::string::npos);
    map.colours = ColourMap::diverging;
    EXPECT_NE(heat_map_svg(map).find(">−1.0<"), std::string::npos);
    map.low = 0.6;
    EXPECT_EQ(heat_map_svg(map).find(">−1.0<"), std::string::npos);
}

// Rounding leaves ticks no room between values that differ in their last digit.
TEST(Axis, OfWhatHardlyChanges)
{
    const double value = 0.0033510321638291125;
    for (const double change : {0.0, 0x1p-52, 0x1p-51, 0x1p-48, 1e-9, 1.0}) {
        const svg::Axis axis = svg::linear_axis(value, value * (1 + change), "V", "m^3", 6);
        for (std::size_t k = 1; k < axis.ticks.size(); ++k) {
            EXPECT_GT(axis.ticks[k].value, axis.ticks[k - 1].value) << change;
        }
        EXPECT_TRUE(axis.ticks.size() > 1 || change < 1e-12) << change;
    }
}

}  // namespace
}  // namespace scree::analyse
