// Shapes: names, complaints, and mass properties against numerical integration of the very solids
// that the oracle of the narrow phase knows.
#include "scree/error.hpp"
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace scree {
namespace {

using namespace test;

TEST(Shape, NamesAreDistinct)
{
    EXPECT_EQ(name_of(ShapeKind::sphere), "sphere");
    EXPECT_EQ(name_of(ShapeKind::profile), "profile");
    EXPECT_EQ(name_of(ShapeKind::sphere_wall), "sphere_wall");
    for (int i = 0; i < shape_kind_count; ++i) {
        for (int j = 0; j < i; ++j) {
            EXPECT_NE(name_of(static_cast<ShapeKind>(i)), name_of(static_cast<ShapeKind>(j)));
        }
    }
}

TEST(Shape, BadSizesAreNamed)
{
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(problems_with(Shape::sphere(1)), "");
    EXPECT_EQ(problems_with(Shape::capsule(0, 1)), "");
    EXPECT_EQ(problems_with(Shape::capsule(1, 0)), "");
    EXPECT_EQ(problems_with(Shape::half_space()), "");
    for (const double bad : {0.0, -1.0, nan, inf}) {
        EXPECT_NE(problems_with(Shape::sphere(bad)).find("sphere"), std::string::npos);
        EXPECT_NE(problems_with(Shape::box(1, bad, 1)).find("box"), std::string::npos);
        EXPECT_NE(problems_with(Shape::cylinder(1, bad)).find("cylinder"), std::string::npos);
        EXPECT_NE(problems_with(Shape::ellipsoid(1, 1, bad)).find("ellipsoid"), std::string::npos);
        EXPECT_NE(problems_with(Shape::profile(bad, 1, 1)).find("profile"), std::string::npos);
        EXPECT_NE(problems_with(Shape::cylinder_wall(bad)).find("wall"), std::string::npos);
        EXPECT_THROW((void)mass_properties(Shape::sphere(1), bad), Error);
    }
    EXPECT_NE(problems_with(Shape::capsule(-1, 1)), "");
    EXPECT_NE(problems_with(Shape::capsule(0, 0)), "");
    EXPECT_THROW((void)mass_properties(Shape::half_space(), 1), Error);
    EXPECT_THROW((void)mass_properties(Shape::box(1, 0, 1), 1), Error);
}

/// Moments of the solid, from chords along x over a grid in y and z that suits its outline.
struct Moments {
    Long volume = 0, x = 0, xx = 0, yy = 0, zz = 0;
};

Moments integrated(const Shape& shape)
{
    const Solid solid{shape, {{0, 0, 0}, {1, 0, 0, 0}}};
    const Vec3<double>& s = shape.size;
    const bool flat = shape.kind == ShapeKind::box || shape.kind == ShapeKind::profile;
    Long wide_y = s.x, wide_z = s.x;
    if (shape.kind == ShapeKind::box || shape.kind == ShapeKind::ellipsoid) {
        wide_y = s.y;
        wide_z = s.z;
    } else if (shape.kind == ShapeKind::profile) {
        wide_z = s.z;
    }
    const Long far = s.x + s.y + s.z;
    const auto end_of_chord = [&](Long y, Long z, Long way) {
        Long inside = 0, out = way * far;
        for (int i = 0; i < 40; ++i) {
            const Long middle = (inside + out) / 2;
            (outside(solid, {middle, y, z}) > 0 ? out : inside) = middle;
        }
        return inside;
    };
    constexpr int n = 48;
    const Long pi = std::numbers::pi_v<Long>;
    Moments m;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const Long u = (i + 0.5L) / n, v = (j + 0.5L) / n;
            Long y = 0, z = 0, area = 0;
            if (flat) {
                y = wide_y * std::sin(pi * (u - 0.5L));
                z = wide_z * (2 * v - 1);
                area = wide_y * pi * std::cos(pi * (u - 0.5L)) / n * 2 * wide_z / n;
            } else {
                const Long rho = std::sin(pi / 2 * u);
                y = wide_y * rho * std::cos(2 * pi * v);
                z = wide_z * rho * std::sin(2 * pi * v);
                area = wide_y * wide_z * rho * (pi / 2 * std::cos(pi / 2 * u) / n) * 2 * pi / n;
            }
            const Long from = end_of_chord(y, z, -1), to = end_of_chord(y, z, 1);
            const Long chord = to - from;
            m.volume += area * chord;
            m.x += area * (to * to - from * from) / 2;
            m.xx += area * (to * to * to - from * from * from) / 3;
            m.yy += area * chord * y * y;
            m.zz += area * chord * z * z;
        }
    }
    return m;
}

TEST(MassProperties, AgreeWithIntegration)
{
    const Shape shapes[] = {Shape::sphere(0.7),
                            Shape::box(0.4, 1.2, 2.2),
                            Shape::capsule(0.5, 1.6),
                            Shape::capsule(0.5, 0.1),
                            Shape::cylinder(0.6, 1),
                            Shape::cylinder(0.2, 2),
                            Shape::ellipsoid(1, 0.6, 0.3),
                            Shape::profile(0.5, 2, 0.6),
                            Shape::profile(1, 0.2, 3)};
    for (const Shape& shape : shapes) {
        SCOPED_TRACE(name_of(shape.kind));
        const double density = 1700;
        const MassProperties p = mass_properties(shape, density);
        const Moments m = integrated(shape);
        const double volume = static_cast<double>(m.volume);
        const double x = static_cast<double>(m.x / m.volume);
        const double xx = static_cast<double>(m.xx) - volume * x * x;
        const double yy = static_cast<double>(m.yy), zz = static_cast<double>(m.zz);
        const double tolerance = 1e-3;
        EXPECT_NEAR(p.mass, density * volume, tolerance * p.mass);
        EXPECT_NEAR(p.centre.x, x, tolerance * (shape.size.x + shape.size.y));
        EXPECT_EQ(p.centre.y, 0);
        EXPECT_EQ(p.centre.z, 0);
        EXPECT_NEAR(p.inertia.xx, density * (yy + zz), tolerance * p.inertia.xx);
        EXPECT_NEAR(p.inertia.yy, density * (xx + zz), tolerance * p.inertia.yy);
        EXPECT_NEAR(p.inertia.zz, density * (xx + yy), tolerance * p.inertia.zz);
        EXPECT_EQ(p.inertia.xy, 0);
        EXPECT_EQ(p.inertia.xz, 0);
        EXPECT_EQ(p.inertia.yz, 0);
    }
}

TEST(MassProperties, LimitsAreExact)
{
    // A capsule without length is a sphere, without radius a rod; a profile without length would be
    // half a cylinder, whose centre is 4r/(3π) from its flat side.
    const MassProperties pill = mass_properties(Shape::capsule(0.7, 0), 3);
    const MassProperties ball = mass_properties(Shape::sphere(0.7), 3);
    EXPECT_NEAR(pill.mass, ball.mass, 1e-15);
    EXPECT_NEAR(pill.inertia.yy, ball.inertia.yy, 1e-15);
    const MassProperties rod = mass_properties(Shape::capsule(0, 2), 3);
    EXPECT_EQ(rod.mass, 6);
    EXPECT_EQ(rod.inertia.xx, 0);
    EXPECT_NEAR(rod.inertia.yy, 2, 1e-15);
    const MassProperties half = mass_properties(Shape::profile(1, 1e-9, 1), 1);
    EXPECT_NEAR(half.centre.x, -4 / (3 * std::numbers::pi), 1e-8);
    EXPECT_NEAR(half.mass, std::numbers::pi / 2, 1e-8);
}

}  // namespace
}  // namespace scree
