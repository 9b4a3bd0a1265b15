// Distributions of sizes and orientations against their closed forms.
#include "scene/sizes.hpp"

#include "math/vec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace scree;
using namespace scree::scene;

constexpr int draws = 40000;

struct Moments {
    double mean = 0, deviation = 0, least = 1e300, most = 0;
};
Moments moments_of(const SizeTable& sizes, std::uint64_t seed = 7)
{
    Moments m;
    double square = 0;
    for (int i = 0; i < draws; ++i) {
        const double d = draw_diameter(sizes, seed, static_cast<std::uint64_t>(i));
        m.mean += d / draws;
        square += d * d / draws;
        m.least = std::min(m.least, d);
        m.most = std::max(m.most, d);
    }
    m.deviation = std::sqrt(square - m.mean * m.mean);
    return m;
}

TEST(Sizes, AreUniformBetweenTheirLimits)
{
    SizeTable s;
    s.kind = SizeKind::uniform;
    s.min = 1;
    s.max = 3;
    const Moments m = moments_of(s);
    EXPECT_NEAR(m.mean, 2, 0.015);
    EXPECT_NEAR(m.deviation, 2 / std::sqrt(12), 0.01);
    EXPECT_GE(m.least, 1);
    EXPECT_LE(m.most, 3);
}

TEST(Sizes, NormalAndLognormalHaveTheirMoments)
{
    for (const SizeKind kind : {SizeKind::normal, SizeKind::lognormal}) {
        SizeTable s;
        s.kind = kind;
        s.mean = 2;
        s.deviation = 0.4;
        const Moments m = moments_of(s);
        EXPECT_NEAR(m.mean, 2, 5 * 0.4 / std::sqrt(draws));
        EXPECT_NEAR(m.deviation, 0.4, 0.01);
    }
}

TEST(Sizes, LognormalIsSymmetricInTheLogarithm)
{
    SizeTable s;
    s.kind = SizeKind::lognormal;
    s.mean = 2;
    s.deviation = 1;
    const double median = 2 / std::sqrt(1 + 0.25);
    int below = 0;
    for (int i = 0; i < draws; ++i) {
        below += draw_diameter(s, 3, static_cast<std::uint64_t>(i)) < median ? 1 : 0;
    }
    EXPECT_NEAR(below / double(draws), 0.5, 0.013);
}

TEST(Sizes, AreCutOff)
{
    SizeTable s;
    s.kind = SizeKind::normal;
    s.mean = 1;
    s.deviation = 0.5;
    s.min = 0.8;
    s.max = 1.1;
    const Moments m = moments_of(s);
    EXPECT_GE(m.least, 0.8);
    EXPECT_LE(m.most, 1.1);
}

TEST(Sizes, SieveCurveComesBackByMass)
{
    SizeTable s;
    s.kind = SizeKind::sieve;
    s.curve = {{0.5, 0}, {1, 0.2}, {1.5, 0.7}, {2.5, 1}};
    double mass = 0;
    double below[4]{};
    for (int i = 0; i < 10 * draws; ++i) {
        const double d = draw_diameter(s, 11, static_cast<std::uint64_t>(i));
        ASSERT_GE(d, 0.5);
        ASSERT_LE(d, 2.5);
        mass += d * d * d;
        for (std::size_t k = 0; k < 4; ++k) {
            below[k] += d <= s.curve[k][0] ? d * d * d : 0;
        }
    }
    EXPECT_NEAR(below[1] / mass, 0.2, 0.01);
    EXPECT_NEAR(below[2] / mass, 0.7, 0.01);
}

TEST(Sizes, OrientationsHaveNoPreferredDirection)
{
    double xx = 0, xz = 0, z = 0;
    for (int i = 0; i < draws; ++i) {
        const Quat<double> q = draw_orientation(5, static_cast<std::uint64_t>(i), 0);
        ASSERT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
        const Vec3<double> u = rotate(q, Vec3<double>{1, 0, 0});
        xx += u.x * u.x / draws;
        xz += u.x * u.z / draws;
        z += u.z / draws;
    }
    EXPECT_NEAR(xx, 1.0 / 3, 0.008);
    EXPECT_NEAR(xz, 0, 0.008);
    EXPECT_NEAR(z, 0, 0.015);
}

}  // namespace
