// Pairs that the narrow phase once got wrong, as the full draw found them (tests/full), or the like
// by hand. Each is held against bounds of its own, not against numbers.
#include "full/shape_proofs.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

using namespace test;
using V = Vec3<double>;

void expect_proved(const Solid& a, const Solid& b)
{
    const Proof proof = prove({a, b});
    EXPECT_FALSE(proof.missed);
    EXPECT_FALSE(proof.undecided);
    EXPECT_LE(proof.gap_error, 1e-12) << proof.note;
    EXPECT_LE(proof.point_error, 1e-6);
}

// Side by side and touching, while one's cap is a little lower than the other's: the caps share a
// sliver, along whose normal there is a deeper way out.
TEST(CollideCases, CylindersSideBySideAreNotOnTopOfEachOther)
{
    expect_proved(
        {{ShapeKind::cylinder, {0.75096067793464449, 0.27320065907384189, 0}},
         {{-0.95490745023441936, 0.16796536228635164, -1.1323099668874599},
          {0.70710678118654757, 0, 0.70710678118654757, 0}}},
        {{ShapeKind::cylinder, {0.24182245275328101, 0.25147418030192659, 0}},
         {{0.037875674290100525, 0.16796536228652093, -0.62317174170584444},
          {0.50000000000007205, -0.50000000000005485, 0.49999999999973477, 0.50000000000013833}}});
}

// A rod along the rim of a profile's arc: no curved surface follows a normal that turns about the
// rod.
TEST(CollideCases, ARodAlongARimFollowsTheRim)
{
    expect_proved(
        {{ShapeKind::capsule, {0, 0.42048467182594329, 0}},
         {{0.43836210946755377, -0.20053778360132105, 0.95071300686410642},
          {0.70710678118654757, 0, 0.70710678118654757, 0}}},
        {{ShapeKind::profile, {0.87521187378537157, 0.44262313417870569, 0.27199419368165573}},
         {{0.16636757562755533, 0.67467395824517462, 0.63766254119601284},
          {0.49999994224727562, 0.499999915577089, 0.50000014495421496, 0.49999999722138894}}});
}

// A flat side of which only an edge is beside the round part of a cap, and beyond it.
TEST(CollideCases, AnEdgeBesideARoundCapIsNotOnIt)
{
    expect_proved(
        {{ShapeKind::profile, {0.052294801962129406, 0.0348330340973797, 0.14869671367002535}},
         {{-0.057562653110889928, -0.41148328979782017, -1.1634899210964174}, {1, 0, 0, 0}}},
        {{ShapeKind::profile, {0.52825231537129214, 0.036427723745677903, 0.01993099369897039}},
         {{-0.057562653110889928, 0.27035076414347881, -0.48096764776336309},
          {0.70710678118654757, 0.70710678118654757, 0, 0}}});
}

// A capsule and a cylinder, or two cylinders, whose axes all but coincide: ends have normals that
// lead anywhere, the deepest point lies on both shapes all the same.
TEST(CollideCases, BarsOnOneAxisTouchAtAPointOfBoth)
{
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        const double off = i % 3 == 0 ? 0.0 : random.decades(-20, -7);
        const Quat<double> turned = random.orientation();
        const double roll = random.uniform(-1, 1);
        const V away = off * random.direction();
        const Shape first = i % 5 < 3 ? Shape::capsule(0.12, 0.3) : Shape::cylinder(0.2, 0.8);
        const Solid a{first, {away, turned}};
        const Solid b{Shape::cylinder(0.36, 1.7),
                      {{0, 0, 0}, turned * Quat<double>{std::sqrt(1 - roll * roll), roll, 0, 0}}};
        DrawnPair pair{a, b};
        pair.deep = true;
        const Proof proof = prove(pair);
        ASSERT_FALSE(proof.missed);
        ASSERT_LE(proof.gap_error, 1e-8) << off;
        ASSERT_LE(proof.point_error, 1e-6) << off;
    }
}

// Rods that cross at an angle of 1e-9: where they are nearest is a quotient of small differences.
TEST(CollideCases, RodsAlmostParallelAreNearestSomewhereOnBoth)
{
    expect_proved({{ShapeKind::capsule, {0, 0.65766646099422199, 0}},
                   {{0.21026053168274916, 0.11736658636185605, 1.063734290134509},
                    {0.70710678188963649, -1.4106531125638061e-09, 0.70710678048345865,
                     -1.6238493325063945e-09}}},
                  {{ShapeKind::capsule, {0, 0.33330451208417583, 0}},
                   {{0.21026053168274905, 0.11736658203415629, 0.31584085063488798},
                    {0.70710678118654757, 0, 0.70710678118654757, 0}}});
}

// Two segments that all but coincide: the normal is one across them, and the point goes with it.
TEST(CollideCases, CapsulesOnOneAxisTouchAcrossIt)
{
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const double off = random.decades(-20, -9);
        const Quat<double> turned = random.orientation();
        const V away = off * random.direction();
        const Solid a{Shape::capsule(0.3, 1), {away, turned}};
        const Solid b{Shape::capsule(0.1, 0.7), {{0, 0, 0}, turned}};
        DrawnPair pair{a, b};
        pair.deep = true;
        const Proof proof = prove(pair);
        ASSERT_FALSE(proof.missed);
        ASSERT_LE(proof.point_error, 1e-7) << off;
    }
}

/// Two triangles that meet in a ridge along y and fall away to both sides.
Shape ridge(double slope)
{
    const std::vector<V> points{{0, -1, 0}, {0, 1, 0}, {1, 0, -slope}, {-1, 0, -slope}};
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {0, 1, 3}};
    return Shape::mesh(points, triangles);
}

// A sharp corner that has come through a ridge would leave each triangle sideways, over the other
// one.
TEST(CollideCases, ACornerThroughARidgeLeavesItUpwards)
{
    const std::vector<V> spike{
        {0, 0, 0}, {0.2, 0.2, 1}, {-0.2, 0.2, 1}, {-0.2, -0.2, 1}, {0.2, -0.2, 1}};
    const Shape corner = Shape::polyhedron(spike);
    for (const double slope : {0.01, 0.1, 0.5}) {
        for (const double beside : {0.0, 1e-4, 1e-3}) {
            for (const double depth : {1e-6, 1e-4, 1e-2}) {
                const Solid a{corner, {{beside, 0.05, -slope * beside - depth}, {1, 0, 0, 0}}};
                const Solid b{ridge(slope), {{0, 0, 0}, {1, 0, 0, 0}}};
                Manifold m;
                collide::collide(a.shape, a.pose, b.shape, b.pose, 0.1, m);
                double least = 1;
                for (int k = 0; k < m.count; ++k) {
                    least = std::min(least, m.points[k].gap);
                    EXPECT_GT(m.points[k].normal.z, 0.5);
                }
                EXPECT_LE(least, -0.5 * depth) << slope << ' ' << beside;
                EXPECT_GE(least, -1.01 * depth) << slope << ' ' << beside;
            }
        }
    }
}

// Where a plate reaches over a triangle by little, the nearest way out of that triangle is
// sideways; the plate stays on its side all the same.
TEST(CollideCases, APlateOverManyTrianglesStaysOnItsSide)
{
    std::vector<V> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    constexpr std::uint32_t n = 6;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            points.push_back({0.05 * x - 0.15, 0.05 * y - 0.15, 0});
        }
    }
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t a = y * (n + 1) + x;
            triangles.push_back({a, a + 1, a + n + 1});
            triangles.push_back({a + 1, a + n + 2, a + n + 1});
        }
    }
    const Shape floor = Shape::mesh(points, triangles);
    const Shape plate = Shape::box(0.11, 0.21, 0.017);
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        const V tilt = random.vector(-6, -3.5);
        const Quat<double> turned{1, tilt.x, tilt.y, 0};
        const double x = random.uniform(-0.1, 0.1);
        const double y = random.uniform(-0.1, 0.1);
        const Pose pose{{x, y, 0.0085 - 0.0005}, turned};
        Manifold m;
        collide::collide(plate, pose, floor, {{0, 0, 0}, {1, 0, 0, 0}}, 0.01, m);
        ASSERT_GE(m.count, 1);
        for (int k = 0; k < m.count; ++k) {
            ASSERT_GT(m.points[k].normal.z, 0.9) << i;
            ASSERT_GT(m.points[k].gap, -0.002);
        }
    }
}

}  // namespace
}  // namespace scree
