// Every pair of bounded shapes against the oracle: random poses, poses with parallel faces and
// edges or nearly so, aspect ratios up to 1000, exact touch, shallow and deep penetration.
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree {
namespace {

using namespace test;

struct Draw {
    bool aligned, penetrating;
    double decades;
};

/// Two solids with a separation of some size along a direction, the rest of the pose random.
void draw_pair(Random& random, const Draw& draw, ShapeKind ka, ShapeKind kb, Solid& a, Solid& b)
{
    a.shape = random_shape(random, ka, draw.decades);
    b.shape = random_shape(random, kb, draw.decades);
    for (Shape* shape : {&a.shape, &b.shape}) {
        if (shape->kind == ShapeKind::capsule && random.chance(0.3)) {
            shape->size.x = 0;  // a thin rod
        }
    }
    a.pose.orientation = random_orientation(random, draw.aligned);
    b.pose.orientation = random_orientation(random, draw.aligned);
    b.pose.position = {0, 0, 0};
    a.pose.position = random.in_ball();
    Vec3<double> n = random.direction();
    if (draw.aligned) {
        const std::uint64_t k = random.bits() % 3;
        const double sign = random.sign();
        n = sign * rotate(b.pose.orientation,
                          Vec3<double>{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
    }
    double s = random.decades(-10, -1);
    if (random.chance(0.1)) {
        s = 0;
    }
    const double small = std::min(least_width(a.shape), least_width(b.shape));
    const double depth = small > 0 ? s * small : s * 0.1;
    set_apart(a, b, n, draw.penetrating ? -depth : s);
}

std::string name(const Solid& a, const Solid& b, int i)
{
    return std::string(name_of(a.shape.kind)) + "-" + std::string(name_of(b.shape.kind)) +
           ", draw " + std::to_string(i);
}

void expect_proved(const Draw& draw, int draws, std::uint64_t seed)
{
    for (std::uint64_t ka = 0; ka < bounded; ++ka) {
        for (std::uint64_t kb = ka; kb < bounded; ++kb) {
            Random random(seed + 16 * ka + kb);
            for (int i = 0; i < draws; ++i) {
                Solid a, b;
                draw_pair(random, draw, bounded_kind(ka), bounded_kind(kb), a, b);
                SCOPED_TRACE(name(a, b, i));
                Manifold m;
                collide::collide(a.shape, a.pose, b.shape, b.pose, 10, m);
                ASSERT_GE(m.count, 1);
                const Findings f = findings(a, b, m, random, 60);
                const Long size =
                    std::max(collide::bounding_radius(a.shape), collide::bounding_radius(b.shape));
                const Long gap = std::max(0.0, m.points[0].gap);
                ASSERT_LE(f.length, 2e-15);
                ASSERT_LE(f.dual, 1e-12L * size);
                ASSERT_LE(f.missed, 2e-12L * size);
                // Points may lie beside a face's edge by what a gap hides, and lines that are
                // almost parallel share a stretch.
                const Long beside = draw.aligned ? 1e-3L : 1e-10L;
                ASSERT_LE(f.primal, beside * size + 2e-7L * std::sqrt(gap * size));
                ASSERT_LE(f.beside, 1e-2L * size);
                for (int p = 0; p < m.count; ++p) {
                    for (int q = 0; q < p; ++q) {
                        ASSERT_NE(m.points[p].feature, m.points[q].feature);
                    }
                }
            }
        }
    }
}

TEST(Collide, FindsTheGapOfRandomPosesApart) { expect_proved({false, false, 1}, 300, 1000); }
TEST(Collide, FindsTheDepthOfRandomPosesThatPenetrate)
{
    expect_proved({false, true, 1}, 300, 2000);
}
TEST(Collide, FindsTheGapOfParallelPosesApart) { expect_proved({true, false, 1}, 300, 3000); }
TEST(Collide, FindsTheDepthOfParallelPosesThatPenetrate)
{
    expect_proved({true, true, 1}, 300, 4000);
}
TEST(Collide, BearsAspectRatiosUpToAThousand)
{
    expect_proved({false, false, 3}, 100, 5000);
    expect_proved({true, true, 3}, 100, 6000);
}

// Away from parallel poses the witness points of every contact point are exact.
TEST(Collide, WitnessPointsLieOnTheShapes)
{
    Random random(71);
    int checked = 0;
    for (int i = 0; i < 6000; ++i) {
        const auto ka = bounded_kind(random.bits() % bounded);
        const auto kb = bounded_kind(random.bits() % bounded);
        Solid a, b;
        draw_pair(random, {false, false, 1}, ka, kb, a, b);
        SCOPED_TRACE(name(a, b, i));
        Manifold m;
        collide::collide(a.shape, a.pose, b.shape, b.pose, 0.05, m);
        if (m.count == 0) {
            continue;
        }
        const Findings f = findings(a, b, m, random, 0);
        ASSERT_LE(f.primal, 1e-10L);
        ++checked;
    }
    EXPECT_GT(checked, 200);
}

// Any depth, down to coincident centres: finite, a unit normal, and no shallower way out.
TEST(Collide, DeepPenetrationIsSane)
{
    for (std::uint64_t ka = 0; ka < bounded; ++ka) {
        for (std::uint64_t kb = ka; kb < bounded; ++kb) {
            Random random(8000 + 16 * ka + kb);
            for (int i = 0; i < 40; ++i) {
                const bool aligned = random.chance(0.5);
                Solid a, b;
                a.shape = random_shape(random, bounded_kind(ka), 0.7);
                b.shape = random_shape(random, bounded_kind(kb), 0.7);
                a.pose.orientation = random_orientation(random, aligned);
                b.pose.orientation = random_orientation(random, aligned);
                const double off = random.chance(0.3) ? 0.0 : random.decades(-20, -1);
                const Vec3<double> middle{0.1, -0.2, 0.3};
                b.pose.position = middle - rotate(b.pose.orientation, inner_point(b.shape));
                a.pose.position = middle + off * random.direction() -
                                  rotate(a.pose.orientation, inner_point(a.shape));
                SCOPED_TRACE(name(a, b, i));
                Manifold m;
                collide::collide(a.shape, a.pose, b.shape, b.pose, 0, m);
                ASSERT_GE(m.count, 1);
                const Findings f = findings(a, b, m, random, 200);
                ASSERT_LE(f.length, 2e-15);
                ASSERT_LE(f.dual, 1e-12L);
                ASSERT_LE(f.missed, 1e-6L);
            }
        }
    }
}

Pose moved(const Pose& p, const Quat<double>& q, const Vec3<double>& t)
{
    const Vec3<double> u{q.x, q.y, q.z};
    const Vec3<double> v{p.orientation.x, p.orientation.y, p.orientation.z};
    const Vec3<double> w = q.w * v + p.orientation.w * u + cross(u, v);
    return {rotate(q, p.position) + t, {q.w * p.orientation.w - dot(u, v), w.x, w.y, w.z}};
}

TEST(Collide, SwappingTurnsNormalsRound)
{
    Random random(91);
    for (int i = 0; i < 3000; ++i) {
        const auto ka = bounded_kind(random.bits() % bounded);
        const auto kb = bounded_kind(random.bits() % bounded);
        Solid a, b;
        draw_pair(random, {random.chance(0.3), random.chance(0.5), 1}, ka, kb, a, b);
        SCOPED_TRACE(name(a, b, i));
        Manifold m, w;
        collide::collide(a.shape, a.pose, b.shape, b.pose, 0.1, m);
        collide::collide(b.shape, b.pose, a.shape, a.pose, 0.1, w);
        double m_gap = 1, w_gap = 1;
        for (int k = 0; k < m.count; ++k) {
            m_gap = std::min(m_gap, m.points[k].gap);
        }
        for (int k = 0; k < w.count; ++k) {
            w_gap = std::min(w_gap, w.points[k].gap);
        }
        ASSERT_NEAR(m_gap, w_gap, 3e-12);
        if (ka == kb) {
            continue;
        }
        ASSERT_EQ(m.count, w.count);
        for (int k = 0; k < m.count; ++k) {
            ASSERT_EQ(m.points[k].feature, w.points[k].feature);
            ASSERT_TRUE(is_zero(m.points[k].normal + w.points[k].normal));
            ASSERT_TRUE(is_zero(m.points[k].point - w.points[k].point));
            ASSERT_EQ(m.points[k].gap, w.points[k].gap);
        }
    }
}

TEST(Collide, MovingBothMovesTheContact)
{
    Random random(92);
    int compared = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto ka = bounded_kind(random.bits() % bounded);
        const auto kb = bounded_kind(random.bits() % bounded);
        Solid a, b;
        draw_pair(random, {false, random.chance(0.5), 1}, ka, kb, a, b);
        SCOPED_TRACE(name(a, b, i));
        const Quat<double> q = random.orientation();
        const Vec3<double> t = random.vector(-1, 1);
        Manifold m, w;
        collide::collide(a.shape, a.pose, b.shape, b.pose, 0.1, m);
        collide::collide(a.shape, moved(a.pose, q, t), b.shape, moved(b.pose, q, t), 0.1, w);
        // A gap that equals the reach may fall on either side.
        if (m.count != w.count) {
            continue;
        }
        for (int k = 0; k < m.count; ++k) {
            ++compared;
            EXPECT_NEAR(m.points[k].gap, w.points[k].gap, 2e-12);
            EXPECT_EQ(m.points[k].feature, w.points[k].feature);
            EXPECT_LE(norm(rotate(q, m.points[k].point) + t - w.points[k].point), 1e-6);
        }
    }
    EXPECT_GT(compared, 500);
}

TEST(Collide, ReachDecidesWhatIsReported)
{
    Random random(93);
    int none = 0, some = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto ka = bounded_kind(random.bits() % bounded);
        const auto kb = bounded_kind(random.bits() % bounded);
        Solid a, b;
        draw_pair(random, {random.chance(0.5), false, 1}, ka, kb, a, b);
        SCOPED_TRACE(name(a, b, i));
        Manifold all, few;
        collide::collide(a.shape, a.pose, b.shape, b.pose, 100, all);
        const double reach = random.decades(-6, 0);
        collide::collide(a.shape, a.pose, b.shape, b.pose, reach, few);
        double least_gap = all.points[0].gap;
        for (int k = 1; k < all.count; ++k) {
            least_gap = std::min(least_gap, all.points[k].gap);
        }
        for (int k = 0; k < few.count; ++k) {
            ASSERT_LE(few.points[k].gap, reach);
        }
        if (std::abs(least_gap - reach) > 1e-12) {
            ASSERT_EQ(few.count > 0, least_gap <= reach);
        }
        (few.count > 0 ? some : none) += 1;
    }
    EXPECT_GT(none, 100);
    EXPECT_GT(some, 100);
}

}  // namespace
}  // namespace scree
