// Time series come back as written, survive a killed writer, and their statistics agree with closed
// forms and with processes of known correlation. Straight lines are fitted to known scatter.
#include "analyse/series.hpp"

#include "scree/error.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string message_of(std::string_view text)
{
    try {
        parse_series(text, "run.csv");
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

/// Normally distributed, by the sum of twelve.
double normal(test::Random& random)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += random.uniform();
    }
    return sum;
}

TEST(Series, HasNamesUnitsAndNumbers)
{
    const Series s = parse_series("time [s], particles ,kinetic energy [J],gap / radius\r\n"
                                  "# a remark\n"
                                  "0,1,2.5e-3,\n"
                                  "\n"
                                  "1e-4,2,-inf,7\r\n",
                                  "run.csv");
    ASSERT_EQ(s.columns.size(), 4U);
    EXPECT_EQ(s.columns[0].name, "time");
    EXPECT_EQ(s.columns[0].unit, "s");
    EXPECT_EQ(s.columns[1].name, "particles");
    EXPECT_EQ(s.columns[1].unit, "");
    EXPECT_EQ(s.columns[2].name, "kinetic energy");
    EXPECT_EQ(s.columns[3].name, "gap / radius");
    EXPECT_EQ(s.rows(), 2U);
    EXPECT_FALSE(s.truncated);
    EXPECT_EQ(s.column("time").values, (std::vector<double>{0, 1e-4}));
    EXPECT_EQ(s.column("kinetic energy").values, (std::vector<double>{2.5e-3, -infinity}));
    EXPECT_TRUE(std::isnan(s.column("gap / radius").values[0]));
    try {
        (void)s.column("mass");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("\"kinetic energy\""), std::string::npos) << e.what();
    }
}

TEST(Series, WhatIsWrittenComesBack)
{
    test::Random random(3);
    Series s;
    s.columns = {{"time", "s"}, {"particles", ""}, {"mass flow", "kg/s"}};
    for (int i = 0; i < 200; ++i) {
        s.columns[0].values.push_back(i * 0.1);
        s.columns[1].values.push_back(i);
        s.columns[2].values.push_back(i % 50 == 7 ? nan : random.decades(-300, 300));
    }
    const Series back = parse_series(series_csv(s), "memory");
    ASSERT_EQ(back.columns.size(), 3U);
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(back.columns[c].name, s.columns[c].name);
        EXPECT_EQ(back.columns[c].unit, s.columns[c].unit);
        ASSERT_EQ(back.columns[c].values.size(), 200U);
        for (std::size_t i = 0; i < 200; ++i) {
            const double a = s.columns[c].values[i], b = back.columns[c].values[i];
            EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
        }
    }
}

TEST(Series, ALineThatWasCutIsLeftOutWhereverTheCutIs)
{
    const std::string whole = "time [s],v [m/s]\n0,1.25\n0.5,-3.75\n";
    const std::size_t first = whole.find("0,1.25\n") + 7;
    for (std::size_t size = first; size <= whole.size(); ++size) {
        const Series s = parse_series(whole.substr(0, size), "run.csv");
        const bool complete = size == whole.size();
        EXPECT_EQ(s.rows(), complete ? 2U : 1U) << size;
        EXPECT_EQ(s.truncated, size != first && !complete) << size;
        EXPECT_EQ(s.column("v").values[0], 1.25);
    }
}

TEST(Series, ComplaintsSayWhere)
{
    EXPECT_NE(message_of("time [s],v\n0,1\n1,x\n").find("run.csv:3: column \"v\" is \"x\""),
              std::string::npos);
    EXPECT_NE(message_of("time [s],v\n0,1,2\n").find("run.csv:2: 3 cells"), std::string::npos);
    EXPECT_NE(message_of("time [s],v\n0,1e999\n").find("run.csv:2"), std::string::npos);
    EXPECT_NE(message_of("").find("run.csv: no line with the names"), std::string::npos);
    EXPECT_THROW(csv_header(std::vector<Column>{{"a,b", ""}}), Error);
    EXPECT_THROW(csv_header(std::vector<Column>{{"a", "m]"}}), Error);
    EXPECT_THROW(csv_header(std::vector<Column>{{"", "m"}}), Error);
    Series uneven;
    uneven.columns = {{"time", "s", {0, 1}}, {"v", "m/s", {0}}};
    EXPECT_THROW(series_csv(uneven), Error);
}

TEST(Series, HasTheMeanOfALineOnUnevenTimes)
{
    // The trapezoidal rule integrates a line exactly, however the times are spaced.
    const std::vector<double> time{0, 0.1, 0.15, 0.7, 1.1, 2, 2.5, 9};
    std::vector<double> v;
    for (const double t : time) {
        v.push_back(3 - 2 * t);
    }
    v[2] = nan;  // left out
    const Statistics s = statistics(time, v, 0.05, 3);
    EXPECT_EQ(s.samples, 5U);
    EXPECT_EQ(s.from, 0.1);
    EXPECT_EQ(s.to, 2.5);
    EXPECT_NEAR(s.mean, 3 - 2 * 1.3, 1e-14);
    EXPECT_NEAR(s.trend.slope, -2, 1e-14);
    EXPECT_NEAR(s.trend.intercept, 3, 1e-14);
    EXPECT_EQ(s.least, 3 - 2 * 2.5);
    EXPECT_EQ(s.most, 3 - 2 * 0.1);
}

TEST(Series, DeviationOverTimeDoesNotDependOnSampling)
{
    // A sine over whole periods, sampled more densely in its first half: mean 0, deviation 1/√2.
    std::vector<double> time, v;
    for (double t = 0; t < 5; t += 1e-3) {
        time.push_back(t);
    }
    for (double t = 5; t < 10.0005; t += 5e-3) {
        time.push_back(t);
    }
    for (const double t : time) {
        v.push_back(std::sin(2 * std::numbers::pi * t));
    }
    const Statistics s = statistics(time, v);
    EXPECT_NEAR(s.mean, 0, 1e-5);
    EXPECT_NEAR(s.deviation, std::numbers::sqrt2 / 2, 1e-3);
}

TEST(Series, SaysWhatFewSamplesTell)
{
    const std::vector<double> time{1, 2}, v{4, 6};
    const Statistics one = statistics(time, v, 0, 1.5);
    EXPECT_EQ(one.mean, 4);
    EXPECT_TRUE(std::isnan(one.deviation));
    EXPECT_TRUE(std::isnan(one.error));
    EXPECT_TRUE(std::isnan(one.trend.slope));
    const Statistics two = statistics(time, v);
    EXPECT_EQ(two.mean, 5);
    EXPECT_DOUBLE_EQ(two.deviation, std::numbers::sqrt2);
    EXPECT_DOUBLE_EQ(two.error, 1);
    EXPECT_THROW(statistics(time, v, 3, 4), Error);
    EXPECT_THROW(statistics(std::vector<double>{1, 1}, v), Error);
}

TEST(Series, HasTheErrorOfCorrelatedNoise)
{
    // v_i = ρ v_{i−1} + noise has the mean's error σ/√n √((1 + ρ)/(1 − ρ)) for large n.
    for (const double rho : {0.0, 0.5, 0.9, 0.97}) {
        test::Random random(11);
        const int n = 1 << 16;
        std::vector<double> v;
        double x = 0, squares = 0;
        for (int i = 0; i < n; ++i) {
            x = rho * x + normal(random);
            v.push_back(x);
            squares += x * x;
        }
        const double expected = std::sqrt(squares / n / n) * std::sqrt((1 + rho) / (1 - rho));
        EXPECT_NEAR(block_error(v) / expected, 1, 0.15) << rho;
    }
}

TEST(Fit, KnownScatterGivesKnownErrors)
{
    // ±d about a line, alternating: the residuals' sum of squares is known in closed form.
    const std::size_t n = 1000;
    const double d = 0.3;
    std::vector<double> x, y;
    double xx = 0;
    for (std::size_t i = 0; i < n; ++i) {
        x.push_back(100 + static_cast<double>(i));
        y.push_back(7 + 0.25 * x[i] + (i % 4 == 0 || i % 4 == 3 ? d : -d));
        xx += (static_cast<double>(i) - 499.5) * (static_cast<double>(i) - 499.5);
    }
    x.push_back(nan);
    y.push_back(0);
    const LinearFit fit = fit_line(x, y);
    EXPECT_EQ(fit.points, n);
    EXPECT_NEAR(fit.slope, 0.25, 1e-12);
    EXPECT_NEAR(fit.intercept, 7, 1e-9);
    EXPECT_NEAR(fit.scatter, d * std::sqrt(1000.0 / 998), 1e-12);
    EXPECT_NEAR(fit.slope_error, fit.scatter / std::sqrt(xx), 1e-14);
    EXPECT_NEAR(fit.intercept_error, fit.scatter * std::sqrt(1e-3 + 599.5 * 599.5 / xx), 1e-12);
    EXPECT_NEAR(fit(200), 57, 1e-9);
}

TEST(Fit, TheErrorIsTheScatterOfRepeatedFits)
{
    test::Random random(5);
    const int repeats = 2000;
    double squares = 0, mean_error = 0;
    for (int k = 0; k < repeats; ++k) {
        std::vector<double> x, y;
        for (int i = 0; i < 20; ++i) {
            x.push_back(0.1 * i);
            y.push_back(1 - 2 * x.back() + 0.5 * normal(random));
        }
        const LinearFit fit = fit_line(x, y);
        squares += (fit.slope + 2) * (fit.slope + 2) / repeats;
        mean_error += fit.slope_error / repeats;
    }
    EXPECT_NEAR(mean_error / std::sqrt(squares), 1, 0.06);
}

TEST(Fit, TooFewPointsHaveNoError)
{
    EXPECT_TRUE(std::isnan(fit_line(std::vector<double>{1, 1}, std::vector<double>{2, 3}).slope));
    const LinearFit two = fit_line(std::vector<double>{1, 3}, std::vector<double>{2, 3});
    EXPECT_EQ(two.slope, 0.5);
    EXPECT_EQ(two.intercept, 1.5);
    EXPECT_TRUE(std::isnan(two.slope_error));
}

}  // namespace
}  // namespace scree::analyse
