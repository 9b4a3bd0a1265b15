// Clumps: mass properties of unions against closed forms, contacts against all pairs of parts.
#include "math/tensor.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"
#include "shapes/collide.hpp"
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace scree {
namespace {

using namespace test;
using V = Vec3<double>;
using std::numbers::pi;

TEST(Clump, PartsApartAreAddedUp)
{
    // A rod of three cubes: a box of 3 × 1 × 1, turned.
    const Quat<double> q{0.5, 0.5, 0.5, 0.5};  // x to y to z
    std::vector<Part> parts;
    for (int i = -1; i <= 1; ++i) {
        parts.push_back({Shape::box(1, 1, 1), {0.2, 1.0 * i, 0}, q});
    }
    const MassProperties m = mass_properties(Shape::clump(parts), 5);
    const MassProperties box = mass_properties(Shape::box(1, 3, 1), 5);
    EXPECT_NEAR(m.mass, box.mass, 1e-12 * box.mass);
    EXPECT_LE(norm(m.centre - V{0.2, 0, 0}), 1e-14);
    EXPECT_NEAR(m.inertia.xx, box.inertia.xx, 1e-12 * box.inertia.xx);
    EXPECT_NEAR(m.inertia.yy, box.inertia.yy, 1e-12 * box.inertia.xx);
    EXPECT_NEAR(m.inertia.zz, box.inertia.zz, 1e-12 * box.inertia.xx);
    EXPECT_NEAR(m.inertia.xy, 0, 1e-12);
}

// Two spheres of radius 1 whose centres are 2d apart: each is cut at a cap of height h = 1 − d.
TEST(Clump, OverlapsCountOnce)
{
    for (const V& axis : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}, V{0.6, 0, 0.8}}) {
        const double d = 0.6;
        const Shape pair = Shape::clump(
            std::vector<Part>{{Shape::sphere(1), d * axis}, {Shape::sphere(1), -d * axis}});
        // Of the ball cut at x = −d (its larger part): ∫ over x of the disc's area and its moments.
        const auto antiderivative = [](auto&& f, double from, double to) {
            double sum = 0;
            constexpr int n = 2000;
            for (int i = 0; i < n; ++i) {  // Simpson, exact for these polynomials of degree 4
                const double a = from + (to - from) * i / n, b = from + (to - from) * (i + 1) / n;
                sum += (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b));
            }
            return sum;
        };
        const double volume = 2 * antiderivative([](double x) { return pi * (1 - x * x); }, -d, 1);
        const double along =
            2 *
            antiderivative([&](double x) { return pi * (1 - x * x) * (x + d) * (x + d); }, -d, 1);
        const double across =
            2 * antiderivative([](double x) { return pi * (1 - x * x) * (1 - x * x) / 4; }, -d, 1);
        const MassProperties m = mass_properties(pair, 1);
        EXPECT_NEAR(m.mass, volume, 1e-7 * volume);
        EXPECT_LE(norm(m.centre), 1e-7);
        EXPECT_NEAR(dot(axis, m.inertia * axis), 2 * across, 1e-7 * volume);
        const V t = shapes::across(axis);
        EXPECT_NEAR(dot(t, m.inertia * t), along + across, 1e-7 * volume);
    }
    // Two boxes that overlap in a third of each.
    const Shape boxes = Shape::clump(std::vector<Part>{{Shape::box(0.3, 0.1, 0.2), {0.1, 0, 0}},
                                                       {Shape::box(0.3, 0.1, 0.2), {-0.1, 0, 0}}});
    const MassProperties m = mass_properties(boxes, 1),
                         box = mass_properties(Shape::box(0.5, 0.1, 0.2), 1);
    EXPECT_NEAR(m.mass, box.mass, 1e-8 * box.mass);
    EXPECT_NEAR(m.inertia.xx, box.inertia.xx, 1e-8 * box.inertia.zz);
    EXPECT_NEAR(m.inertia.zz, box.inertia.zz, 1e-8 * box.inertia.zz);
}

TEST(Clump, EqualPartsAreKeptOnce)
{
    const std::vector<Part> parts{{Shape::sphere(1), {0.5, 0, 0}},
                                  {Shape::sphere(1), {-0.5, 0, -0.0}}};
    const Shape a = Shape::clump(parts), b = Shape::clump(parts);
    EXPECT_EQ(a.parts, b.parts);
    EXPECT_EQ(Shape::clump(parts_of(a)).parts, a.parts);
    EXPECT_NEAR(volume(scaled(a, 2)), 8 * volume(a), 1e-13 * volume(a));
    EXPECT_EQ(outer_radius(a), 1.5);
}

TEST(Clump, SaysWhatIsWrong)
{
    const auto expect = [](const std::vector<Part>& parts, const char* part) {
        try {
            (void)Shape::clump(parts);
            ADD_FAILURE() << part;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    };
    const Shape ball = Shape::sphere(1);
    expect({}, "0 parts");
    expect(std::vector<Part>(257, {ball}), "257 parts");
    expect({{ball}, {Shape::half_space()}}, "part 2 of a clump is a half_space");
    expect({{Shape::clump(std::vector<Part>{{ball}})}}, "part 1 of a clump is a clump");
    expect({{Shape::sphere(-1)}}, "positive");
    expect({{ball, {0, 0, 0}, {2, 0, 0, 0}}}, "unit quaternion");
    expect({{ball, {std::numeric_limits<double>::infinity(), 0, 0}}}, "not finite");
    EXPECT_NE(problems_with({ShapeKind::clump, {1, 0, 0}}), "");
}

/// Two to five parts of any kind about the origin.
Shape random_clump(Random& random)
{
    std::vector<Part> parts;
    const std::uint64_t n = 2 + random.bits() % 4;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Shape shape = random_shape(random, bounded_kind(random.bits() % bounded), 0.3);
        const V at = 1.5 * random.in_ball();
        parts.push_back({scaled(shape, 0.5), at, random.orientation()});
    }
    return Shape::clump(parts);
}

// The nearest pair of parts is never hidden while the clumps are apart.
TEST(Clump, GapIsTheLeastOfAllParts)
{
    Random random(61);
    std::vector<Shape> clumps;
    for (int i = 0; i < 8; ++i) {
        clumps.push_back(random_clump(random));
    }
    int touching = 0;
    for (std::size_t i = 0; i < 3000; ++i) {
        const PlacedShape a{clumps[i % 8], {0, 0, 0}, random.orientation()};
        const V off = random.uniform(2, 4) * random.direction();
        const PlacedShape b{i % 3 == 0 ? random_shape(random, bounded_kind(i % bounded), 0.3)
                                       : clumps[i / 8 % 8],
                            off, random.orientation()};
        double least = std::numeric_limits<double>::infinity();
        const shapes::Pose pa{a.position, a.orientation}, pb{b.position, b.orientation};
        for (int k = 0; k < shapes::part_count(a.shape); ++k) {
            for (int l = 0; l < shapes::part_count(b.shape); ++l) {
                const shapes::PlacedPart p = shapes::part_of(a.shape, pa, k);
                const shapes::PlacedPart q = shapes::part_of(b.shape, pb, l);
                least = std::min(
                    least, signed_distance({p.shape, p.pose.position, p.pose.orientation},
                                           {q.shape, q.pose.position, q.pose.orientation}, 0.5));
            }
        }
        const double found = signed_distance(a, b, 0.5);
        if (least > 0.5) {
            EXPECT_GT(found, 0.5) << i;
        } else if (least > 0) {
            EXPECT_NEAR(found, least, 1e-13) << i;
        }
        const double back = signed_distance(b, a, 0.5);
        EXPECT_TRUE(back == found || std::abs(back - found) < 1e-12)
            << i << " " << found << " " << back;
        touching += least > 0 && least < 0.5 ? 1 : 0;
    }
    EXPECT_GT(touching, 400);
}

TEST(Clump, TouchesPartByPart)
{
    const Shape bell = Shape::clump(
        std::vector<Part>{{Shape::sphere(1), {0.8, 0, 0}}, {Shape::sphere(1), {-0.8, 0, 0}}});
    const shapes::Pose origin{{0, 0, 0}, {1, 0, 0, 0}};
    Manifold m;
    shapes::collide(bell, {{0, 0, 1.01}, {1, 0, 0, 0}}, Shape::half_space(), origin, 0.1, m);
    ASSERT_EQ(m.count, 2);
    for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(m.points[i].gap, 0.01, 1e-15);
        EXPECT_NEAR(std::abs(m.points[i].point.x), 0.8, 1e-15);
    }
    EXPECT_NE(m.points[0].feature, m.points[1].feature);
    // A ball in the notch between the two touches both, with normals of its own.
    const double height = std::sqrt(1.5 * 1.5 - 0.8 * 0.8);
    shapes::collide(Shape::sphere(0.5), {{0, 0, height}, {1, 0, 0, 0}}, bell, origin, 0.1, m);
    ASSERT_EQ(m.count, 2);
    for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(m.points[i].gap, 0, 1e-15);
        EXPECT_NEAR(m.points[i].normal.z, height / 1.5, 1e-15);
    }
    // Where two boxes overlap only the upper one is touched.
    const Shape step = Shape::clump(
        std::vector<Part>{{Shape::box(2, 2, 2), {0, 0, 0}}, {Shape::box(1, 1, 2.2), {0, 0, 0}}});
    shapes::collide(Shape::sphere(0.3), {{0.1, 0.1, 1.4}, {1, 0, 0, 0}}, step, origin, 0.5, m);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, 0, 1e-15);
}

// Four legs with four corners each: two points of each leg stay, with the same names however the
// table is moved a little.
TEST(Clump, ATableTouchesWithAllItsLegs)
{
    std::vector<Part> parts{{Shape::box(1, 1, 0.1), {0, 0, 0.55}}};
    for (const double x : {-0.4, 0.4}) {
        for (const double y : {-0.4, 0.4}) {
            parts.push_back({Shape::box(0.1, 0.1, 0.5), {x, y, 0.25}});
        }
    }
    const Shape table = Shape::clump(parts);
    const shapes::Pose origin{{0, 0, 0}, {1, 0, 0, 0}};
    std::vector<std::uint32_t> names;
    Random random(62);
    for (int i = 0; i < 20; ++i) {
        const V off = 1e-12 * random.in_ball();
        const V axis = 1e-12 * random.in_ball();
        Manifold m;
        shapes::collide(table, {off, {1, axis.x, axis.y, axis.z}}, Shape::half_space(), origin,
                        0.01, m);
        ASSERT_EQ(m.count, 8);
        int of_leg[2][2] = {};
        std::vector<std::uint32_t> now;
        for (int k = 0; k < m.count; ++k) {
            EXPECT_NEAR(m.points[k].gap, 0, 1e-11);
            ++of_leg[m.points[k].point.x > 0 ? 1 : 0][m.points[k].point.y > 0 ? 1 : 0];
            now.push_back(m.points[k].feature);
        }
        EXPECT_EQ(of_leg[0][0] * of_leg[0][1] * of_leg[1][0] * of_leg[1][1], 16);
        EXPECT_TRUE(names.empty() || names == now) << i;
        names = now;
    }
}

}  // namespace
}  // namespace scree
