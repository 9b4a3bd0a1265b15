// Volumes against closed forms, chords against a membership test of their own, and parts that must
// add up to the whole however a region is cut.
#include "analyse/solid.hpp"

#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

using std::numbers::pi;

const Shape bounded[] = {
    Shape::sphere(0.7),
    Shape::box(1, 0.6, 1.7),
    Shape::capsule(0.4, 1.1),
    Shape::cylinder(0.5, 1.3),
    Shape::ellipsoid(1, 0.6, 0.4),
    Shape::profile(0.5, 0.8, 0.9),
    Shape::polyhedron(std::vector<Vec>{
        {1, 0, 0}, {0, 0.9, 0}, {-0.8, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0.5, 0.5, -0.5}})};

/// Whether a point of the shape's frame lies inside, or in a wall's free space.
bool inside(const Shape& shape, const Vec& p)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::sphere_wall: return norm(p) < s.x;
    case ShapeKind::box: return std::abs(p.x) < s.x && std::abs(p.y) < s.y && std::abs(p.z) < s.z;
    case ShapeKind::capsule: {
        const double near = std::min(std::max(p.x, -s.y), s.y);
        return norm(p - Vec{near, 0, 0}) < s.x;
    }
    case ShapeKind::cylinder: return std::abs(p.x) < s.y && std::hypot(p.y, p.z) < s.x;
    case ShapeKind::ellipsoid: return norm(Vec{p.x / s.x, p.y / s.y, p.z / s.z}) < 1;
    case ShapeKind::profile: {
        const double across = p.x < 0 ? std::hypot(p.x, p.y) : std::abs(p.y);
        return std::abs(p.z) < s.z && p.x < s.y && across < s.x;
    }
    case ShapeKind::clump:
    case ShapeKind::mesh: return false;  // see its parts
    case ShapeKind::half_space: return p.z > 0;
    case ShapeKind::cylinder_wall: return std::hypot(p.y, p.z) < s.x;
    case ShapeKind::polyhedron: {
        const std::vector<Vec> c = corners_of(shape);
        for (const auto& face : faces_of(shape)) {
            const Vec n = cross(c[face[1]] - c[face[0]], c[face[2]] - c[face[0]]);
            if (dot(n, p - c[face[0]]) >= 0) {
                return false;
            }
        }
        return true;
    }
    }
    return false;
}

TEST(Solid, HasVolumesInClosedForm)
{
    EXPECT_NEAR(volume(Shape::sphere(2)), 32 * pi / 3, 1e-12);
    EXPECT_NEAR(volume(Shape::box(1, 2, 3)), 6, 1e-14);
    EXPECT_NEAR(volume(Shape::capsule(0.5, 2)), pi / 4 * 2 + pi / 6, 1e-14);
    EXPECT_EQ(volume(Shape::capsule(0, 2)), 0);
    EXPECT_NEAR(volume(Shape::cylinder(0.5, 2)), pi / 2, 1e-14);
    EXPECT_NEAR(volume(Shape::ellipsoid(1, 2, 3)), 8 * pi, 1e-13);
    EXPECT_NEAR(volume(Shape::profile(1, 2, 3)), 3 * (pi / 2 + 4), 1e-13);
    EXPECT_THROW(volume(Shape::half_space()), Error);
}

TEST(Solid, ChordsHoldExactlyThePointsInside)
{
    test::Random random(2);
    std::vector<Shape> shapes(std::begin(bounded), std::end(bounded));
    shapes.insert(shapes.end(),
                  {Shape::half_space(), Shape::cylinder_wall(0.8), Shape::sphere_wall(0.9)});
    int both = 0;
    for (const Shape& shape : shapes) {
        for (int k = 0; k < 300; ++k) {
            const Vec position = random.in_ball();
            const Quat<double> q = random.orientation();
            // Every third line runs along an axis of the shape.
            Vec d = 2.0 * random.direction();
            if (k % 3 == 0) {
                d = rotate(q, k % 9 == 0 ? Vec{1, 0, 0} : k % 9 == 3 ? Vec{0, 1, 0} : Vec{0, 0, 1});
            }
            const Vec p = position + random.in_ball();
            const Interval c = chord(shape, position, q, p, d);
            for (int i = 0; i < 50; ++i) {
                const double t = random.uniform(-2, 2);
                const bool in_chord = t > c.from && t < c.to;
                const bool near_end = std::abs(t - c.from) < 1e-9 || std::abs(t - c.to) < 1e-9;
                EXPECT_TRUE(near_end ||
                            inside(shape, rotate_back(q, p + t * d - position)) == in_chord)
                    << name_of(shape.kind) << " " << t << " " << c.from << " " << c.to;
                both += in_chord ? 1 : 0;
            }
        }
    }
    EXPECT_GT(both, 10000);
}

TEST(Solid, CutsSpheresByFaces)
{
    const Quat<double> q{1, 0, 0, 0};
    const double r = 0.7, ball = 4.0 / 3 * pi * r * r * r;
    const Shape sphere = Shape::sphere(r);
    const Region octant{{1, 2, 3}, {9, 9, 9}};
    EXPECT_NEAR(volume_inside(sphere, {5, 5, 5}, q, octant), ball, 1e-14);
    EXPECT_EQ(volume_inside(sphere, {0.2, 5, 5}, q, octant), 0);
    EXPECT_NEAR(volume_inside(sphere, {1, 5, 5}, q, octant), ball / 2, 1e-14);
    EXPECT_NEAR(volume_inside(sphere, {1, 2, 5}, q, octant), ball / 4, 1e-5 * ball);
    EXPECT_NEAR(volume_inside(sphere, {1, 9, 3}, q, octant), ball / 8, 1e-5 * ball);
    const double h = 0.3;  // a cap of this height is left
    EXPECT_NEAR(volume_inside(sphere, {5, 5, 3 - r + h}, q, octant), pi * h * h * (r - h / 3),
                1e-14);
    // Between two parallel faces.
    const Region slab{{-unbounded, -unbounded, -0.1}, {unbounded, unbounded, 0.2}};
    const auto below = [&](double z) { return pi * (r * r * z - z * z * z / 3); };
    EXPECT_NEAR(volume_inside(sphere, {0, 0, 0}, q, slab), below(0.2) - below(-0.1), 1e-14);
}

TEST(Solid, PartsAddUpToTheWhole)
{
    test::Random random(4);
    for (const Shape& shape : bounded) {
        const double whole = volume(shape);
        const double accuracy = shape.kind == ShapeKind::sphere ? 2e-5 : 2e-3;
        for (int k = 0; k < 40; ++k) {
            const Vec position = random.in_ball();
            const Quat<double> q = random.orientation();
            const Vec cut = position + 0.5 * random.in_ball();
            double sum = 0;
            for (int part = 0; part < 8; ++part) {
                Region region = everywhere;
                ((part & 1) != 0 ? region.low.x : region.high.x) = cut.x;
                ((part & 2) != 0 ? region.low.y : region.high.y) = cut.y;
                ((part & 4) != 0 ? region.low.z : region.high.z) = cut.z;
                const double v = volume_inside(shape, position, q, region);
                EXPECT_GE(v, 0);
                sum += v;
            }
            EXPECT_NEAR(sum / whole, 1, accuracy) << name_of(shape.kind) << " " << k;
        }
    }
}

TEST(Solid, HasPartsAsByCountingPoints)
{
    test::Random random(6);
    for (const Shape& shape : bounded) {
        for (int k = 0; k < 3; ++k) {
            const Vec position = 0.3 * random.in_ball();
            const Quat<double> q = random.orientation();
            const Region region{{-0.2, -0.5, -0.35}, {0.5, 0.3, 0.6}};
            constexpr int n = 60;
            int count = 0;
            for (int i = 0; i < n * n * n; ++i) {
                const Vec p{-0.2 + 0.7 * (i % n + 0.5) / n, -0.5 + 0.8 * (i / n % n + 0.5) / n,
                            -0.35 + 0.95 * (i / n / n + 0.5) / n};
                count += inside(shape, rotate_back(q, p - position)) ? 1 : 0;
            }
            const double counted = region.volume() * count / (n * n * n);
            EXPECT_NEAR(volume_inside(shape, position, q, region), counted, 3e-3 * region.volume())
                << name_of(shape.kind);
        }
    }
}

TEST(Solid, LeavesFreeVolumeBesideObstaclesThatAreApart)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {0, 0, 0});  // a particle takes no part
    data.add_obstacle(Shape::half_space(), {0, 0, 0});
    data.add_obstacle(Shape::cylinder_wall(10), {0, 0, 0});
    data.add_obstacle(Shape::sphere(0.5), {1, 1, 1});
    data.add_obstacle(Shape::capsule(0.2, 0.5), {3, 1, 1}, {0.6, 0, 0.8, 0});
    data.add_obstacle(Shape::sphere(0.5), {4, 1.5, 1});   // cut in half
    data.add_obstacle(Shape::sphere(0.5), {40, 1.5, 1});  // far away
    const Region region{{0, 0, 0}, {4, 2, 2}};
    EXPECT_NEAR(free_volume(data.view(), region),
                16 - pi / 6 - pi / 12 - volume(Shape::capsule(0.2, 0.5)), 1e-12);
}

TEST(Solid, LeavesFreeVolumeBesideUnionsAndWalls)
{
    const Region unit{{0, 0, 0}, {1, 1, 1}};
    test::FrameData boxes;
    boxes.add_obstacle(Shape::box(0.5, 0.5, 0.5), {0.25, 0.25, 0.25});
    boxes.add_obstacle(Shape::box(0.5, 0.5, 0.5), {0.5, 0.5, 0.5});
    EXPECT_NEAR(free_volume(boxes.view(), unit), 1 - 2 * 0.125 + 0.125 / 8, 1e-3);

    // The plane x + y + z = 1 cuts off a corner of 1/6; material lies below it.
    test::FrameData plane;
    plane.add_obstacle(Shape::half_space(), {1, 0, 0}, orientation_of_z({1, 1, 1}));
    EXPECT_NEAR(free_volume(plane.view(), unit), 5.0 / 6, 1e-3);
    // And a box that lies half in the wall's material.
    plane.add_obstacle(Shape::box(0.2, 0.2, 0.2), {1.0 / 3, 1.0 / 3, 1.0 / 3});
    EXPECT_NEAR(free_volume(plane.view(), unit), 5.0 / 6 - 0.004, 1e-3);

    test::FrameData drum;
    drum.add_obstacle(Shape::cylinder_wall(0.5), {0.5, 0.5, 0.5});
    EXPECT_NEAR(free_volume(drum.view(), unit), pi / 4, 1e-3);
    drum.add_obstacle(Shape::sphere_wall(0.5), {0.5, 0.5, 0.5});
    EXPECT_NEAR(free_volume(drum.view(), unit), pi / 6, 1e-3);

    EXPECT_THROW(free_volume(drum.view(), everywhere), Error);
}

}  // namespace
}  // namespace scree::analyse
