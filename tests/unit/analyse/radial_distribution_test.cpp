// g(r) against brute force, an ideal gas and lattices, and pictures of curves that are clean.
#include "analyse/radial_distribution.hpp"

#include "analyse/curves.hpp"
#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

using std::numbers::pi;

test::FrameData gas(int particles, const Vec& edge, double diameter, std::uint64_t seed)
{
    test::Random random(seed);
    test::FrameData data;
    for (int i = 0; i < particles; ++i) {
        const double x = random.uniform(0, edge.x);
        const double y = random.uniform(0, edge.y);
        const double z = random.uniform(0, edge.z);
        data.add(Shape::sphere(diameter / 2), {x, y, z});
    }
    return data;
}

TEST(RadialDistribution, AgreesWithBruteForceInThePapersForm)
{
    test::FrameData data = gas(400, {3, 2, 1}, 0.2, 5);
    data.shapes[7] = Shape::box(0.1, 0.1, 0.1);
    data.add_obstacle(Shape::sphere(1), {1, 1, 0.5});
    const Region region{{0.5, 0.3, 0.1}, {2.9, 2, 0.9}};
    const RadialOptions options{.r_max = 4, .bins = 40};
    const RadialDistribution g = radial_distribution(data.view(), region, options);

    std::vector<Vec> inside;
    double diameters = 0;
    for (std::size_t i = 0; i < data.dynamic_count; ++i) {
        if (region.contains(data.positions[i])) {
            inside.push_back(data.positions[i]);
            diameters += i == 7 ? std::cbrt(6 / pi * 0.001) : 0.2;
        }
    }
    const auto n = static_cast<double>(inside.size());
    const double d = diameters / n, width = 4 * d / 40;
    EXPECT_EQ(g.particles, inside.size());
    EXPECT_NEAR(g.diameter, d, 1e-15);
    EXPECT_NEAR(g.density, n / (2.4 * 1.7 * 0.8), 1e-12);
    std::vector<double> histogram(40, 0);
    for (const Vec& a : inside) {
        for (const Vec& b : inside) {
            const double r = norm(a - b);
            if (&a != &b && r < 4 * d) {
                histogram[static_cast<std::size_t>(r / width)] += 1;
            }
        }
    }
    ASSERT_EQ(g.paper.size(), 40U);
    for (std::size_t k = 0; k < 40; ++k) {
        const double r0 = width * static_cast<double>(k), r1 = r0 + width;
        const double expected = 4 * pi / 3 * g.density * (std::pow(r1, 3) - std::pow(r0, 3));
        EXPECT_NEAR(g.paper[k], histogram[k] / n / expected, 1e-9) << k;
        EXPECT_NEAR(g.r[k], 0.1 * (static_cast<double>(k) + 0.5), 1e-12);
        // Shells wider than the box's least edge cannot be corrected.
        EXPECT_EQ(std::isnan(g.corrected[k]), r1 > 0.8) << k;
    }
}

TEST(RadialDistribution, AnIdealGasGivesOne)
{
    // The mean over many gases, within its standard error; pairs near the border of one gas are not
    // independent.
    const int gases = 60, bins = 12;
    const double edges = 2 + 1 + 1.5, faces = 2 * 1 + 1 * 1.5 + 2 * 1.5, volume = 3, n = 400;
    std::vector<double> sum(bins, 0), squares(bins, 0), paper(bins, 0), r;
    for (int k = 0; k < gases; ++k) {
        const test::FrameData data =
            gas(static_cast<int>(n), {2, 1, 1.5}, 0.1, static_cast<std::uint64_t>(100 + k));
        const RadialDistribution g = radial_distribution(data.view(), {{0, 0, 0}, {2, 1, 1.5}},
                                                         {.r_max = 7.5, .bins = bins});
        for (std::size_t i = 0; i < bins; ++i) {
            sum[i] += g.corrected[i] / gases;
            squares[i] += g.corrected[i] * g.corrected[i] / gases;
            paper[i] += g.paper[i] / gases;
        }
        r = g.r;
    }
    for (std::size_t i = 0; i < bins; ++i) {
        const double error = std::sqrt((squares[i] - sum[i] * sum[i]) / gases);
        EXPECT_LT(error, i < 3 ? 0.05 : 0.01);
        EXPECT_LT(std::abs(sum[i] - 1), 3.5 * error) << i;
        // What the border takes from the paper's form is known: the mean part of a shifted box
        // that lies in the box.
        const double d = 0.1 * r[i];
        const double kept =
            1 - (faces * d / 2 - 2 * edges * d * d / (3 * pi) + d * d * d / (4 * pi)) / volume;
        EXPECT_NEAR(paper[i], kept * (n - 1) / n, 3.5 * error + 3e-3) << i;
    }
    EXPECT_LT(paper.back(), 0.6);
}

TEST(RadialDistribution, AgreesWithTwoParticlesByHand)
{
    test::FrameData data;
    data.add(Shape::sphere(0.1), {0.5, 0.5, 1});
    data.add(Shape::sphere(0.1), {0.8, 0.9, 1});  // 0.5 apart: 2.5 diameters
    const RadialDistribution g =
        radial_distribution(data.view(), {{0, 0, 0}, {1, 2, 3}}, {.r_max = 4, .bins = 4});
    const double shell = 4 * pi / 3 * (0.216 - 0.064), volume = 6, room = 0.7 * 1.6 * 3;
    EXPECT_NEAR(g.paper[2], 1 / (2 / volume * shell), 1e-12);
    EXPECT_NEAR(g.corrected[2], 2 / room / (2 / (volume * volume) * shell), 1e-12);
    EXPECT_NEAR(g.error[2], g.corrected[2], 1e-12);
    EXPECT_NEAR(g.neighbours[2], volume / room, 1e-12);
    EXPECT_EQ(g.neighbours[1], 0);
}

TEST(RadialDistribution, LatticesHaveTheirShellsOfNeighbours)
{
    struct Shell {
        double r, up_to;  ///< neighbours within r
    };
    const auto expect = [](const test::FrameData& data, const Region& region,
                           const std::vector<Shell>& shells) {
        const RadialDistribution g =
            radial_distribution(data.view(), region, {.r_max = 2.4, .bins = 240});
        for (const Shell& s : shells) {
            const auto bin = static_cast<std::size_t>(s.r * 100);
            EXPECT_NEAR(g.neighbours[bin], s.up_to, 1e-9) << s.r;
        }
        // Between shells there is nothing.
        EXPECT_EQ(g.corrected[120], 0);
        EXPECT_EQ(g.paper[120], 0);
        EXPECT_EQ(g.error[120], 0);
        EXPECT_NEAR(g.diameter, 1, 1e-12);
    };
    const double h = -0.25;  // faces of the region lie between lattice planes
    expect(test::simple_cubic(8), {{h, h, h}, {8 + h, 8 + h, 8 + h}},
           {{0.9, 0}, {1.2, 6}, {1.6, 18}, {1.9, 26}, {2.1, 32}});
    const double a = std::sqrt(2.0);
    expect(test::face_centred_cubic(6), {{h, h, h}, {6 * a + h, 6 * a + h, 6 * a + h}},
           {{0.9, 0}, {1.2, 12}, {1.6, 18}, {1.9, 42}, {2.1, 54}});
}

TEST(RadialDistribution, IsTheSameWhateverTheOrderAndTheUnit)
{
    test::FrameData data = gas(500, {1, 1, 1}, 0.1, 8);
    const Region region{{0, 0, 0}, {1, 1, 1}};
    const RadialDistribution a = radial_distribution(data.view(), region);
    std::reverse(data.positions.begin(), data.positions.end());
    const RadialDistribution b = radial_distribution(data.view(), region);
    const RadialDistribution c =
        radial_distribution(data.view(), region, {.r_max = 2.5, .diameter = 0.2});
    for (std::size_t k = 0; k < a.r.size(); ++k) {
        EXPECT_EQ(a.paper[k], b.paper[k]);
        EXPECT_NEAR(a.paper[k], c.paper[k], 1e-9);
        EXPECT_NEAR(a.r[k], 2 * c.r[k], 1e-12);
    }
}

TEST(RadialDistribution, WhatMakesNoSenseIsRefused)
{
    const test::FrameData data = gas(10, {1, 1, 1}, 0.1, 8);
    const Region region{{0, 0, 0}, {1, 1, 1}};
    EXPECT_THROW(radial_distribution(data.view(), everywhere), Error);
    EXPECT_THROW(radial_distribution(data.view(), {{5, 5, 5}, {6, 6, 6}}), Error);
    EXPECT_THROW(radial_distribution(data.view(), region, {.r_max = 0}), Error);
    EXPECT_THROW(radial_distribution(data.view(), region, {.bins = 0}), Error);
    EXPECT_THROW(radial_distribution(data.view(), region, {.diameter = -1}), Error);
    EXPECT_EQ(radial_distribution(data.view(), region).table().rows(), 250U);
}

TEST(Curves, PicturesAreClean)
{
    CurvePicture picture{.title = "a & b", .x_name = "r", .y_name = "g(r)", .y_unit = "m"};
    Curve curve{.label = "one"};
    for (int i = 0; i < 50; ++i) {
        curve.x.push_back(0.1 * i);
        curve.y.push_back(i == 20 ? std::nan("") : std::sin(0.3 * i));
        curve.error.push_back(0.1);
    }
    for (const CurveStyle style : {CurveStyle::line, CurveStyle::points, CurveStyle::bars}) {
        curve.style = style;
        picture.curves.push_back(curve);
    }
    picture.references = {{1, "ideal gas"}, {2, "", true}};
    for (const bool log_x : {false, true}) {
        for (const bool log_y : {false, true}) {
            picture.log_x = log_x;
            picture.log_y = log_y;
            const std::string svg = curves_svg(picture);
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            EXPECT_EQ(svg.find("\"inf"), std::string::npos);
            EXPECT_EQ(svg.find("width=\"-"), std::string::npos);
            EXPECT_EQ(svg.find("height=\"-"), std::string::npos);
            EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
            EXPECT_NE(svg.find("ideal gas"), std::string::npos);
            EXPECT_NE(svg.find("g(r) [m]"), std::string::npos);
            EXPECT_NE(svg.find(">r<"), std::string::npos);  // no empty unit
        }
    }
    picture.curves = {{.label = "constant", .x = {1, 2}, .y = {3, 3}}, {.label = "none"}};
    EXPECT_EQ(curves_svg(picture).find("nan"), std::string::npos);
    picture.curves = {};
    EXPECT_EQ(curves_svg(picture).find("nan"), std::string::npos);
    picture.curves = {{.label = "uneven", .x = {1, 2}, .y = {3}}};
    EXPECT_THROW(curves_svg(picture), Error);
}

}  // namespace
}  // namespace scree::analyse
