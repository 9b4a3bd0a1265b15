// Packing measures on lattices and small arrangements whose answers are known in closed form.
#include "analyse/packing.hpp"

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

void expect_tensor(const Tensor& a, const Tensor& b, double accuracy)
{
    EXPECT_NEAR(a.xx, b.xx, accuracy);
    EXPECT_NEAR(a.xy, b.xy, accuracy);
    EXPECT_NEAR(a.xz, b.xz, accuracy);
    EXPECT_NEAR(a.yy, b.yy, accuracy);
    EXPECT_NEAR(a.yz, b.yz, accuracy);
    EXPECT_NEAR(a.zz, b.zz, accuracy);
}

TEST(Tensor, HasThePrincipalValuesOfRotatedDiagonals)
{
    test::Random random(1);
    const Vec diagonals[] = {{3, 2, 1}, {1, 1, 1}, {2, 2, -5}, {1e6, 1, 1e-6}, {0, 0, 0}};
    for (const Vec& d : diagonals) {
        for (int k = 0; k < 20; ++k) {
            const Quat<double> q = random.orientation();
            const Vec x = rotate(q, Vec{1, 0, 0}), y = rotate(q, Vec{0, 1, 0}),
                      z = rotate(q, Vec{0, 0, 1});
            const Tensor a = d.x * dyad(x, x) + d.y * dyad(y, y) + d.z * dyad(z, z);
            const Principal p = principal(a);
            const double size = std::abs(d.x) + std::abs(d.z) + 1e-300;
            const double expected[] = {d.x, d.y, d.z};
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(p.values[i], expected[i], 4e-15 * size);
                const Vec v = p.directions[i];
                const Vec av{a.xx * v.x + a.xy * v.y + a.xz * v.z,
                             a.xy * v.x + a.yy * v.y + a.yz * v.z,
                             a.xz * v.x + a.yz * v.y + a.zz * v.z};
                EXPECT_LE(norm(av - p.values[i] * v), 1e-14 * size);
                EXPECT_NEAR(norm(v), 1, 1e-14);
                EXPECT_NEAR(dot(v, p.directions[(i + 1) % 3]), 0, 1e-14);
            }
        }
    }
    EXPECT_NEAR(deviator({5, 0, 0, 2, 0, 2}), 3, 1e-14);
    EXPECT_NEAR(deviator({7, 0, 0, 7, 0, 7}), 0, 1e-14);
    // Pure shear: principal values ±τ.
    EXPECT_NEAR(deviator({0, 1, 0, 0, 0, 0}), std::sqrt(3.0), 1e-14);
}

TEST(Packing, OfASimpleCubicLatticeIsExact)
{
    const int n = 5;
    test::FrameData data = test::simple_cubic(n);
    data.touch_spheres(1e-9, 2);
    const Packing p = packing(data.view());
    EXPECT_EQ(p.particles, 125U);
    EXPECT_EQ(p.contacts, 3U * 25 * 4);
    EXPECT_EQ(p.loaded, p.contacts);
    EXPECT_EQ(p.wall_contacts, 0U);
    EXPECT_DOUBLE_EQ(p.contacts_per_particle, 2 * 300.0 / 125);
    EXPECT_DOUBLE_EQ(p.coordination, 2 * 300.0 / 125);
    // Corners 3, edges 4, faces 5, inside 6.
    EXPECT_EQ(p.histogram, (std::vector<std::size_t>{0, 0, 0, 8, 36, 54, 27}));
    EXPECT_EQ(p.rattlers, 0U);
    expect_tensor(p.fabric, {1.0 / 3, 0, 0, 1.0 / 3, 0, 1.0 / 3}, 1e-14);
    EXPECT_NEAR(p.fabric_principal.values[0], 1.0 / 3, 1e-14);

    const Packing core = packing(data.view(), {{0.5, 0.5, 0.5}, {3.5, 3.5, 3.5}});
    EXPECT_EQ(core.particles, 27U);
    EXPECT_DOUBLE_EQ(core.coordination, 6);
    EXPECT_EQ(core.histogram.back(), 27U);
}

TEST(Packing, FaceCentredLatticeTouchesTwelve)
{
    test::FrameData data = test::face_centred_cubic(3);
    data.touch_spheres(1e-9);
    const double a = std::sqrt(2.0);
    const Region inner{{0.4 * a, 0.4 * a, 0.4 * a}, {2.1 * a, 2.1 * a, 2.1 * a}};
    const Packing p = packing(data.view(), inner);
    EXPECT_GT(p.particles, 10U);
    EXPECT_DOUBLE_EQ(p.coordination, 12);
    EXPECT_EQ(p.loaded, 0U);
    const Packing without = packing(data.view(), inner, 4);
    EXPECT_EQ(without.rattlers, 0U);
    EXPECT_NEAR(packing(data.view()).fabric.xx, 1.0 / 3, 1e-14);
}

TEST(Packing, TellsWallsPointsAndRattlersApart)
{
    // A triangle of three particles on a floor; a tail of two hangs on one of them, and one floats.
    test::FrameData data;
    for (int i = 0; i < 6; ++i) {
        data.add(Shape::sphere(0.5), {1.0 * i, 0, 0.5});
    }
    const std::size_t floor = data.add_obstacle(Shape::half_space(), {0, 0, 0});
    const Vec up{0, 0, 1}, x{1, 0, 0}, y{0, 1, 0};
    data.touch(0, 1, {0, 0, 0.5}, x);
    data.touch(1, 2, {0, 0, 0.5}, x, {0.1, 0, 0});
    data.touch(1, 2, {0, 0.1, 0.5}, x);  // a second point of the same two
    data.touch(2, 0, {0, 0, 0.5}, y, {0, 0, 0}, -1e-3);
    data.touch(0, floor, {0, 0, 0}, up, {0, 0, 1}, -2e-3);
    data.touch(2, 3, {2.5, 0, 0.5}, x);
    data.touch(3, 4, {3.5, 0, 0.5}, x);
    data.touch(4, 5, {4.5, 0, 0.5}, x, {0, 0, 0}, 0.1).touching = false;
    Contact stale = data.contacts.front();
    stale.second = 999;  // of a body that is gone
    data.contacts.push_back(stale);

    const Packing p = packing(data.view());
    EXPECT_EQ(p.particles, 6U);
    EXPECT_EQ(p.contacts, 6U);
    EXPECT_EQ(p.wall_contacts, 1U);
    EXPECT_EQ(p.loaded, 2U);
    EXPECT_DOUBLE_EQ(p.contacts_per_particle, 14.0 / 6);
    EXPECT_EQ(p.histogram, (std::vector<std::size_t>{1, 1, 2, 2}));
    EXPECT_DOUBLE_EQ(p.coordination, 11.0 / 6);
    EXPECT_DOUBLE_EQ(p.coordination_between_particles, 10.0 / 6);
    EXPECT_EQ(p.rattlers, 3U);
    EXPECT_DOUBLE_EQ(p.coordination_without_rattlers, 7.0 / 3);
    EXPECT_EQ(packing(data.view(), everywhere, 0).rattlers, 0U);
    EXPECT_EQ(packing(data.view(), everywhere, 3).rattlers, 6U);
    EXPECT_TRUE(std::isnan(packing(data.view(), everywhere, 3).coordination_without_rattlers));
    EXPECT_DOUBLE_EQ(p.deepest.depth, 2e-3);
    EXPECT_EQ(p.deepest.first, data.ids[0]);
    EXPECT_EQ(p.deepest.second, data.ids[floor]);
    expect_tensor(p.fabric, {5.0 / 6, 0, 0, 1.0 / 6, 0, 0}, 1e-15);
    EXPECT_DOUBLE_EQ(std::abs(p.fabric_principal.directions[0].x), 1);
}

TEST(Packing, HasTheSolidFractionOfLattices)
{
    // Whole periods hold the same volume wherever the region starts.
    const test::FrameData cubic = test::simple_cubic(6);
    const SolidFraction sc = solid_fraction(cubic.view(), {{0.77, 1.21, 0.9}, {3.77, 4.21, 3.9}});
    EXPECT_NEAR(sc.fraction, pi / 6, 1e-5);
    EXPECT_NEAR(sc.fraction_by_centre, pi / 6, 1e-12);
    EXPECT_NEAR(sc.space, 27, 1e-12);

    const double a = std::sqrt(2.0);
    const test::FrameData dense = test::face_centred_cubic(4);
    const SolidFraction fcc =
        solid_fraction(dense.view(), {{0.6 * a, 0.83 * a, 0.7 * a}, {2.6 * a, 2.83 * a, 2.7 * a}});
    EXPECT_NEAR(fcc.fraction, pi / std::sqrt(18.0), 1e-5);
    EXPECT_NEAR(fcc.fraction_by_centre, pi / std::sqrt(18.0), 1e-12);
}

TEST(Packing, LeavesObstaclesOutOfTheSolidFraction)
{
    test::FrameData data;
    data.add(Shape::sphere(0.5), {1, 1, 1});
    data.add(Shape::sphere(0.5), {2, 1, 1});  // half of it lies in the region
    data.add_obstacle(Shape::box(1, 2, 2), {0.5, 3, 1});
    const SolidFraction f = solid_fraction(data.view(), {{0, 0, 0}, {2, 4, 2}});
    EXPECT_NEAR(f.space, 16 - 4, 1e-12);
    EXPECT_NEAR(f.particles, pi / 6 * 1.5, 1e-12);
    EXPECT_NEAR(f.fraction, pi / 4 / 12, 1e-12);
    EXPECT_NEAR(f.fraction_by_centre, pi / 6 / 12, 1e-12);
    EXPECT_THROW(solid_fraction(data.view(), everywhere), Error);
}

TEST(Packing, KnowsTheAxesOfShapes)
{
    const auto expect = [](const Shape& shape, const Vec& axis) {
        const Vec u = axis_of(shape);
        EXPECT_EQ(u.x, axis.x) << name_of(shape.kind);
        EXPECT_EQ(u.y, axis.y) << name_of(shape.kind);
        EXPECT_EQ(u.z, axis.z) << name_of(shape.kind);
    };
    expect(Shape::sphere(1), {0, 0, 0});
    expect(Shape::box(1, 1, 1), {0, 0, 0});
    expect(Shape::box(1, 1, 2), {0, 0, 1});
    expect(Shape::box(1, 3, 2), {0, 1, 0});
    expect(Shape::box(3, 1, 3), {0, 1, 0});
    expect(Shape::capsule(1, 0.1), {1, 0, 0});
    expect(Shape::cylinder(1, 3), {1, 0, 0});
    expect(Shape::cylinder(1, 0.5), {1, 0, 0});
    expect(Shape::ellipsoid(1, 2, 1.5), {0, 1, 0});
    expect(Shape::ellipsoid(2, 2, 1), {0, 0, 1});
    expect(Shape::profile(1, 4, 1), {1, 0, 0});
}

TEST(Packing, MeasuresOrientationOrder)
{
    test::Random random(9);
    const Shape rod = Shape::capsule(0.1, 1);
    test::FrameData parallel, flat, isotropic;
    const Vec direction = random.direction();
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        const double turn = pi * i / n;
        parallel.add(rod, {0, 0, 0}, {0, 0, 0}, 1,
                     orientation_of_x((i % 2 == 0 ? 1.0 : -1.0) * direction));
        flat.add(rod, {0, 0, 0}, {0, 0, 0}, 1,
                 orientation_of_x({std::cos(turn), std::sin(turn), 0}));
        isotropic.add(rod, {0, 0, 0}, {0, 0, 0}, 1, orientation_of_x(random.direction()));
    }
    parallel.add(Shape::sphere(1), {0, 0, 0});
    const OrientationOrder p = orientation_order(parallel.view());
    EXPECT_EQ(p.particles, static_cast<std::size_t>(n));
    EXPECT_NEAR(p.order, 1, 1e-12);
    EXPECT_NEAR(std::abs(dot(p.director, direction)), 1, 1e-12);
    EXPECT_NEAR(p.principal.values[2], -0.5, 1e-12);
    const OrientationOrder f = orientation_order(flat.view());
    expect_tensor(f.nematic, {0.25, 0, 0, 0.25, 0, -0.5}, 1e-12);
    EXPECT_NEAR(orientation_order(isotropic.view()).order, 0, 3 / std::sqrt(1.0 * n));
    EXPECT_EQ(orientation_order(isotropic.view(), {{1, 1, 1}, {2, 2, 2}}).particles, 0U);
}

TEST(Packing, NothingGivesNotANumber)
{
    const test::FrameData none;
    const Packing p = packing(none.view());
    EXPECT_EQ(p.particles, 0U);
    EXPECT_TRUE(std::isnan(p.coordination));
    EXPECT_TRUE(std::isnan(p.fabric.xx));
    EXPECT_EQ(p.deepest.depth, 0);
    EXPECT_TRUE(std::isnan(orientation_order(none.view()).order));
}

}  // namespace
}  // namespace scree::analyse
