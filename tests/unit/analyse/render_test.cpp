// Pictures: cameras that see everything, colours that mean something, and pixels where geometry
// says what they must be.
#include "analyse/force_rods.hpp"
#include "analyse/picture.hpp"
#include "analyse/png.hpp"
#include "analyse/render.hpp"

#include "scree/error.hpp"
#include "support/frames.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

namespace scree::analyse {
namespace {

constexpr Pixel white{255, 255, 255};

Pixel at(const Image& image, int column, int row)
{
    const auto i = 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                        static_cast<std::size_t>(column));
    return {image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
}

RenderOptions small(double azimuth = -90, double elevation = 0, double field_of_view = 0)
{
    RenderOptions o;
    o.width = o.height = 120;
    o.samples = 2;
    o.colour_by = ColourBy::plain;
    o.view.azimuth = azimuth;
    o.view.elevation = elevation;
    o.view.field_of_view = field_of_view;
    o.threads = 1;
    return o;
}

TEST(Camera, SeesEverythingAndNoMoreThanItMust)
{
    test::Random random(3);
    for (int k = 0; k < 60; ++k) {
        std::vector<PlacedShape> bodies;
        for (int i = 0; i < 12; ++i) {
            const double a = random.uniform(0.3, 1), b = random.uniform(0.3, 1);
            const Vec position = 4.0 * random.in_ball();
            bodies.push_back({i % 3 == 0   ? Shape::sphere(a)
                              : i % 3 == 1 ? Shape::capsule(a, 2 * b)
                                           : Shape::ellipsoid(a, b, a),
                              position, random.orientation()});
        }
        View view;
        view.azimuth = random.uniform(-180, 180);
        view.elevation = random.uniform(-80, 80);
        view.field_of_view = k % 3 == 0 ? 0 : random.uniform(5, 90);
        view.up = random.direction();
        const int width = k % 2 == 0 ? 300 : 500, height = 400;
        const int legend = k % 4 == 1 ? 70 : 0;
        Framing framing(view, width, height, legend);
        for (const PlacedShape& body : bodies) {
            framing.add(body);
        }
        const Camera camera = framing.camera();
        const BodyTree tree(bodies);
        // Lines across the picture, at a distance x from its middle: right, left, top, bottom.
        const auto touches = [&](int side, double x) {
            constexpr int rays = 4000;
            for (int i = 0; i < rays; ++i) {
                const double y = 2 * (i + 0.5) / rays - 1;
                const double sign = side % 2 == 0 ? 1 : -1;
                if (tree.blocked(side < 2 ? camera.ray(sign * x, y) : camera.ray(y, sign * x))) {
                    return true;
                }
            }
            return false;
        };
        std::array<bool, 4> filled{};
        for (int side = 0; side < 4; ++side) {
            const double room = side == 0 ? 1 - 2.0 * legend / width : 1;
            EXPECT_FALSE(touches(side, room / 1.0599)) << k << " side " << side;
            filled[static_cast<std::size_t>(side)] = touches(side, 0.998 * room / 1.06);
        }
        EXPECT_TRUE((filled[0] && filled[1]) || (filled[2] && filled[3])) << k;
    }
}

TEST(Camera, LooksFromTheDirectionAskedForWithUpUp)
{
    View view;
    view.azimuth = 90;
    view.elevation = 30;
    Framing framing(view, 100, 100);
    framing.add({-1, -1, -1}, {1, 1, 1});
    const Ray ray = framing.camera().ray(0, 0);
    EXPECT_NEAR(ray.direction.x, 0, 1e-12);
    EXPECT_NEAR(ray.direction.y, -std::cos(std::numbers::pi / 6), 1e-12);
    EXPECT_NEAR(ray.direction.z, -0.5, 1e-12);
    EXPECT_GT(framing.camera().ray(0, 1).direction.z, ray.direction.z);
    EXPECT_LT(framing.camera().ray(1, 0).direction.x, 0);  // x is to the left, seen from +y

    view.look_at = Vec{5, 6, 7};
    view.zoom = 3;
    Framing elsewhere(view, 100, 100);
    elsewhere.add({-1, -1, -1}, {1, 1, 1});
    const Ray middle = elsewhere.camera().ray(0, 0);
    EXPECT_LE(norm(cross(*view.look_at - middle.origin, middle.direction)), 1e-12);
}

/// OKLab of linear sRGB, by the matrices that lead there.
Vec oklab(const Light& c)
{
    const double r = static_cast<double>(c.r), g = static_cast<double>(c.g),
                 b = static_cast<double>(c.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

TEST(Colours, StepsOfTheScaleLookEqualAndGetLighter)
{
    constexpr int steps = 50;
    double length = 0;
    std::vector<double> parts;
    for (int i = 0; i <= steps; ++i) {
        const Light c = scale_colour(static_cast<double>(i) / steps);
        for (const float x : {c.r, c.g, c.b}) {
            EXPECT_GE(x, 0) << i;
            EXPECT_LE(x, 1) << i;
        }
        if (i > 0) {
            const Vec before = oklab(scale_colour(static_cast<double>(i - 1) / steps));
            parts.push_back(norm(oklab(c) - before));
            length += parts.back();
            EXPECT_GT(oklab(c).x, before.x) << i;
        }
    }
    for (const double part : parts) {
        EXPECT_NEAR(part, length / steps, 0.03 * length / steps);
    }
    EXPECT_GT(length, 0.5);
}

TEST(Colours, FollowQuantityIdMaterialAndMotion)
{
    test::FrameData data;
    for (int i = 0; i < 4; ++i) {
        data.add(Shape::sphere(0.5), {1.0 * i, 0, 2.0 * i}, {0, 1.0 * i, 0});
    }
    data.angular_velocities[2] = {3, 0, 4};
    data.materials[3] = 1;
    data.add_obstacle(Shape::box(1, 1, 1), {0, 0, -5});
    data.touch(0, 1, {0.5, 0, 0}, {-1, 0, 0});
    data.touch(1, 4, {0.5, 0, 0}, {-1, 0, 0});
    data.touch(1, 2, {0.5, 0, 0}, {-1, 0, 0}).touching = false;
    const Frame frame = data.view();
    const auto values = [&](ColourBy by) { return quantity_of(frame, by, {0, 0, 1}).values; };
    EXPECT_EQ(values(ColourBy::speed), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(values(ColourBy::angular_speed), (std::vector<double>{0, 0, 5, 0}));
    EXPECT_EQ(values(ColourBy::height), (std::vector<double>{0, 2, 4, 6}));
    EXPECT_EQ(values(ColourBy::coordination), (std::vector<double>{1, 2, 0, 0}));
    for (const double diameter : values(ColourBy::size)) {
        EXPECT_NEAR(diameter, 1, 1e-15);
    }
    EXPECT_TRUE(values(ColourBy::id).empty());

    const auto shown = [&](ColourBy by) {
        std::vector<std::string> names;
        const Quantity q = quantity_of(frame, by, {0, 0, 1});
        for (const Light& c : body_colours(frame, by, q, {0, 2})) {
            names.push_back(hex(to_pixel(c)));
        }
        return names;
    };
    const auto speed = shown(ColourBy::speed);
    EXPECT_EQ(speed[0], hex(to_pixel(scale_colour(0))));
    EXPECT_EQ(speed[1], hex(to_pixel(scale_colour(0.5))));
    EXPECT_EQ(speed[3], hex(to_pixel(scale_colour(1))));
    const auto material = shown(ColourBy::material);
    EXPECT_EQ(material[0], material[1]);
    EXPECT_NE(material[0], material[3]);
    const auto id = shown(ColourBy::id);
    EXPECT_EQ(std::set<std::string>(id.begin(), id.end()).size(), 5U);
    EXPECT_EQ(id[4], speed[4]);  // prescribed: grey in any case
    std::swap(data.ids[0], data.ids[1]);
    const auto swapped = shown(ColourBy::id);
    EXPECT_EQ(swapped[0], id[1]);
    EXPECT_EQ(swapped[1], id[0]);
}

TEST(Colours, BytesAreThoseOfSrgb)
{
    EXPECT_EQ(to_pixel({-1, 0.002f, 0.5f}), (Pixel{0, 7, 188}));  // 7 is 255 · 12.92 · 0.002
    EXPECT_EQ(to_pixel({0.2158605f, 1, 2}), (Pixel{128, 255, 255}));
}

TEST(ForceRods, JoinPointsAndOriginsAsThickAsForcesAre)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {0, 0, 0});
    data.add(Shape::sphere(0.5), {1.5, 0, 0});
    data.add(Shape::sphere(1), {50, 0, 0});  // touches the first across a periodic boundary
    data.add_obstacle(Shape::half_space(), {0, 0, -1});
    data.touch(0, 1, {1, 0, 0}, {-1, 0, 0}, {-0.02, 0, 0});  // 2 N
    data.touch(0, 3, {0, 0, -1}, {0, 0, 1}, {0, 0.03, 0.04});
    data.touch(0, 2, {-1, 0, 0}, {1, 0, 0}, {0.08, 0, 0});
    data.touch(1, 2, {2, 0, 0}, {1, 0, 0}, {1e-6, 0, 0});  // too small
    const std::vector<double> forces = quantity_of(data.view(), ColourBy::force, {0, 0, 1}).values;
    ASSERT_EQ(forces.size(), 4U);
    EXPECT_NEAR(forces[0], 2, 1e-12);
    EXPECT_NEAR(forces[1], 5, 1e-12);
    const std::vector<ForceRod> rods = force_rods(data.view(), 4);
    struct Expected {
        Vec from, to;
        double radius, force;
    };
    const Expected expected[] = {{{1, 0, 0}, {0, 0, 0}, 0.4 * 0.5 * std::sqrt(0.5), 2},
                                 {{1, 0, 0}, {1.5, 0, 0}, 0.4 * 0.5 * std::sqrt(0.5), 2},
                                 {{0, 0, -1}, {0, 0, 0}, 0.4, 5},
                                 {{-1, 0, 0}, {0, 0, 0}, 0.4, 8}};
    ASSERT_EQ(rods.size(), std::size(expected));
    for (std::size_t i = 0; i < rods.size(); ++i) {
        const PlacedShape& s = rods[i].shape;
        const Vec half = rotate(s.orientation, Vec{s.shape.size.y, 0, 0});
        EXPECT_LE(norm(s.position - half - expected[i].from), 1e-12) << i;
        EXPECT_LE(norm(s.position + half - expected[i].to), 1e-12) << i;
        EXPECT_NEAR(s.shape.size.x, expected[i].radius, 1e-12) << i;
        EXPECT_NEAR(rods[i].force, expected[i].force, 1e-12) << i;
    }
    EXPECT_TRUE(force_rods(test::FrameData().view(), 1).empty());
}

TEST(Render, ForcesShowInBodiesOfGlass)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {-1, 0, 0});
    data.add(Shape::sphere(1), {1, 0, 0});
    RenderOptions o = small();  // seen from −y, 2 · 60/1.06 pixels wide
    o.colour_by = ColourBy::force;
    const Image idle = render(data.view(), o);
    data.touch(0, 1, {0, 0, 0}, {-1, 0, 0}, {-1, 0, 0});
    const Image loaded = render(data.view(), o);
    EXPECT_GT(at(idle, 60, 60)[2], 200);
    const Pixel rod = at(loaded, 60, 60), beside = at(loaded, 45, 45);
    EXPECT_GT(rod[0], rod[2] + 60);  // yellow: the largest force there is
    EXPECT_EQ(beside, at(idle, 45, 45));
    EXPECT_NE(beside, white);
}

TEST(Render, ASphereIsARoundDisc)
{
    test::FrameData data;
    data.add(Shape::sphere(2), {5, 6, 7});
    const RenderOptions o = small();
    const Image image = render(data.view(), o);
    ASSERT_EQ(image.rgb.size(), 3U * 120 * 120);
    const double radius = 60 / 1.06;
    int wrong = 0;
    for (int row = 0; row < 120; ++row) {
        for (int column = 0; column < 120; ++column) {
            const double r = std::hypot(column + 0.5 - 60, row + 0.5 - 60);
            const bool coloured = !(at(image, column, row) == white);
            wrong += (r < radius - 0.8 && !coloured) || (r > radius + 0.8 && coloured) ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong, 0);
    // The sun is above, to the left.
    EXPECT_GT(at(image, 40, 40)[1], at(image, 80, 80)[1] + 40);
}

TEST(Render, ClippedBodiesAreCutOpen)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {0, 0, 0});
    RenderOptions o = small();  // seen from −y
    o.clip.low.y = 0.5;
    const Image image = render(data.view(), o);
    // The cut is a disc of radius √(1 − ¼), flat and evenly lit; the camera fits the body's box.
    const double radius = std::sqrt(0.75) * 60 / 1.06;
    std::set<int> shades;
    for (int row = 0; row < 120; ++row) {
        for (int column = 0; column < 120; ++column) {
            const double r = std::hypot(column + 0.5 - 60, row + 0.5 - 60);
            if (r < radius - 1) {
                shades.insert(at(image, column, row)[1]);
            } else if (r > radius + 1) {
                EXPECT_EQ(at(image, column, row), white);
            }
        }
    }
    EXPECT_LE(*shades.rbegin() - *shades.begin(), 12);
    o.clip.low.y = 2;
    EXPECT_THROW(render(data.view(), o), Error);
}

TEST(Render, FloorsShowShadesAndAreSeenFromAboveOnly)
{
    test::FrameData data;
    data.add(Shape::sphere(0.5), {0, 0, 1});
    const auto picture = [&](double elevation) {
        RenderOptions o = small(-90, elevation, 25);
        o.view.zoom = 0.4;
        return render(data.view(), o);
    };
    const Image alone = picture(30), alone_from_below = picture(-30);
    data.add_obstacle(Shape::half_space(), {0, 0, 0});
    const Image floor = picture(30);
    int darker = 0, brighter = 0;
    for (int row = 0; row < 120; ++row) {
        for (int column = 0; column < 120; ++column) {
            const int before = at(alone, column, row)[1], after = at(floor, column, row)[1];
            darker += after < before - 60 ? 1 : 0;
            brighter += after > before ? 1 : 0;
        }
    }
    EXPECT_GT(darker, 60);
    EXPECT_LT(darker, 1500);
    EXPECT_EQ(brighter, 0);
    EXPECT_EQ(picture(-30).rgb, alone_from_below.rgb);
    // A wall that stands upright is left out.
    data.orientations.back() = orientation_of_z({0, -1, 0});
    EXPECT_EQ(picture(30).rgb, alone.rgb);
}

TEST(Render, ObstaclesFade)
{
    test::FrameData data;
    data.add(Shape::sphere(1), {0, 0, 0});
    RenderOptions o = small();
    const Image alone = render(data.view(), o);
    data.add_obstacle(Shape::box(3, 0.5, 3), {0, -2, 0});  // in front of it
    const Image hidden = render(data.view(), o);
    o.obstacle_opacity = 0;
    EXPECT_EQ(render(data.view(), o).rgb, alone.rgb);
    o.obstacle_opacity = 0.4;
    const Image faded = render(data.view(), o);
    // The middle of the box, all of which is seen, over the sphere and beside it.
    EXPECT_NE(at(faded, 60, 60), at(faded, 20, 20));
    EXPECT_EQ(at(hidden, 60, 60), at(hidden, 20, 20));
    EXPECT_GT(at(faded, 20, 20)[1], at(hidden, 20, 20)[1]);
    EXPECT_LT(at(faded, 20, 20)[1], 255);
}

TEST(Render, TheSamePictureForAnyNumberOfThreads)
{
    test::Random random(5);
    test::FrameData data;
    for (int i = 0; i < 300; ++i) {
        const Vec position = 5.0 * random.in_ball();
        const Vec velocity = random.in_ball();
        data.add(i % 2 == 0 ? Shape::sphere(0.5) : Shape::box(0.7, 0.5, 0.9), position, velocity, 1,
                 random.orientation());
    }
    data.add_obstacle(Shape::half_space(), {0, 0, -5});
    data.add_obstacle(Shape::cylinder_wall(6), {0, 0, 0}, orientation_of_x({0, 0, 1}));
    RenderOptions o = small(-60, 20, 25);
    o.colour_by = ColourBy::speed;
    const Image one = render(data.view(), o);
    for (const int threads : {2, 5}) {
        o.threads = threads;
        EXPECT_EQ(render(data.view(), o).rgb, one.rgb) << threads;
    }
}

TEST(Render, FilmsShareCameraAndColours)
{
    test::FrameData early, late;
    early.add(Shape::sphere(1), {0, 0, 0}, {1, 0, 0});
    late.add(Shape::sphere(1), {10, 0, 0}, {2, 0, 0});
    RenderOptions o = small();
    o.colour_by = ColourBy::speed;
    Survey survey(o);
    survey.add(early.view());
    survey.add(late.view());
    EXPECT_EQ(survey.range().high, 2);
    const auto middle = [](const Image& image) {
        double sum = 0, count = 0;
        for (int row = 0; row < image.height; ++row) {
            for (int column = 0; column < image.width; ++column) {
                if (!(at(image, column, row) == white)) {
                    sum += column + 0.5;
                    count += 1;
                }
            }
        }
        return sum / count;
    };
    // 12 m fill 1/1.06 of the width: the centres are 5 m from the middle.
    const double metre = 120 / 1.06 / 12;
    EXPECT_NEAR(middle(render(early.view(), o, survey)), 60 - 5 * metre, 0.2);
    EXPECT_NEAR(middle(render(late.view(), o, survey)), 60 + 5 * metre, 0.2);
}

TEST(Picture, HoldsTheImageAndTheWords)
{
    const Image image{16, 16, std::vector<std::uint8_t>(3 * 16 * 16, 200)};
    const std::string bare = picture_svg(image, {});
    EXPECT_NE(bare.find("data:image/png;base64," +
                        base64(encode_png(image.width, image.height, image.rgb))),
              std::string::npos);
    EXPECT_EQ(bare.find("<text"), std::string::npos);
    const std::string svg = picture_svg(
        image,
        {.title = "a < b", .time = 0.25, .quantity = "speed", .unit = "m/s", .range = {0, 4}});
    for (const char* text : {">a &lt; b<", ">t = 0.25 s<", ">speed [m/s]<", ">4<"}) {
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    }
}

TEST(Render, BadOptionsAreRefusedTogether)
{
    test::FrameData data;
    EXPECT_THROW(render(data.view(), small()), Error);  // nothing to be seen
    data.add(Shape::sphere(1), {0, 0, 0});
    data.add(Shape::sphere(1), {std::nan(""), 0, 0});
    EXPECT_NO_THROW(render(data.view(), small()));
    RenderOptions o = small();
    o.width = 3;
    o.samples = 0;
    o.view.zoom = -1;
    try {
        render(data.view(), o);
        FAIL();
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("3 × 120 pixels"), std::string::npos) << text;
        EXPECT_NE(text.find("samples = 0"), std::string::npos) << text;
        EXPECT_NE(text.find("zoom = -1"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace scree::analyse
