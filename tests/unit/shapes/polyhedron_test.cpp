// Polyhedra: hulls against a search of all planes, mass properties against closed forms, contacts
// against a search of all directions that can be the best.
#include "scree/error.hpp"
#include "scree/query.hpp"
#include "shapes/hull.hpp"
#include "unit/shapes/collide_oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace scree {
namespace {

using namespace test;
using V = Vec3<double>;

/// The outward planes through three of the points that have no point in front, by search.
std::vector<LongVec> all_faces(const std::vector<V>& points)
{
    std::vector<LongVec> normals;
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            for (std::size_t k = j + 1; k < n; ++k) {
                const LongVec a = widen(points[i]);
                const LongVec c = cross(widen(points[j]) - a, widen(points[k]) - a);
                if (!(length(c) > 1e-9L)) {
                    continue;
                }
                const LongVec up = unit(c);
                Long top = 0, bottom = 0;
                for (const V& p : points) {
                    top = std::max(top, dot(up, widen(p) - a));
                    bottom = std::min(bottom, dot(up, widen(p) - a));
                }
                for (const auto& [flat, m] :
                     {std::pair(top <= 1e-12L, up), std::pair(bottom >= -1e-12L, -up)}) {
                    const bool fresh =
                        std::none_of(normals.begin(), normals.end(), [m = m](const LongVec& known) {
                            return length(known - m) < 1e-9L;
                        });
                    if (flat && fresh) {
                        normals.push_back(m);
                    }
                }
            }
        }
    }
    return normals;
}

TEST(Hull, FacesAreAllPlanesWithoutAPointInFront)
{
    Random random(11);
    for (int i = 0; i < 400; ++i) {
        const Shape shape = random_polyhedron(random, {1, random.uniform(0.3, 1), 1});
        const std::vector<V> corners = corners_of(shape);
        const std::vector<LongVec> expected = all_faces(corners);
        const auto faces = faces_of(shape);
        ASSERT_EQ(faces.size(), expected.size()) << i;
        std::set<std::size_t> used;
        for (std::size_t f = 0; f < faces.size(); ++f) {
            const V n = shape.solid->planes()[f].normal;
            ASSERT_TRUE(std::any_of(expected.begin(), expected.end(), [&](const LongVec& m) {
                return length(m - widen(n)) < 1e-12L;
            }));
            used.insert(faces[f].begin(), faces[f].end());
            // Counter-clockwise, and convex.
            for (std::size_t k = 0; k < faces[f].size(); ++k) {
                const auto at = [&](std::size_t j) {
                    return corners[faces[f][j % faces[f].size()]];
                };
                ASSERT_GT(dot(cross(at(k + 1) - at(k), at(k + 2) - at(k + 1)), n), 0);
            }
        }
        ASSERT_EQ(used.size(), corners.size());
        ASSERT_EQ(shape.solid->vertex_count - shape.solid->edge_count + shape.solid->face_count, 2);
    }
}

TEST(Hull, LeavesOutWhatIsNoCorner)
{
    // A cube with points inside of it, on its faces and edges, and all of them twice.
    std::vector<V> points;
    for (int x = 0; x <= 4; ++x) {
        for (int y = 0; y <= 4; ++y) {
            for (int z = 0; z <= 8; ++z) {
                points.push_back({0.1 * (x % 5), 0.1 * (y % 5), 0.1 * (z % 5)});
            }
        }
    }
    const Shape cube = Shape::polyhedron(points);
    EXPECT_EQ(corners_of(cube).size(), 8U);
    EXPECT_EQ(faces_of(cube).size(), 6U);
    EXPECT_EQ(cube.solid->edge_count, 12);
}

// What single precision leaves of a turned brick has six faces still; its corners are kept to the
// bit, and made of these again it is the same block of memory.
TEST(Hull, RoundedCoordinatesGiveWholeFaces)
{
    Random random(12);
    for (int i = 0; i < 300; ++i) {
        const Quat<double> q = random.orientation();
        const V off = 2.0 * random.direction();
        const V half{1, random.decades(-1, 0), random.decades(-2, 0)};
        std::vector<V> points;
        for (int k = 0; k < 8; ++k) {
            const V p =
                rotate(q, V{(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                            (k & 4) != 0 ? half.z : -half.z}) +
                off;
            points.push_back({static_cast<double>(static_cast<float>(p.x)),
                              static_cast<double>(static_cast<float>(p.y)),
                              static_cast<double>(static_cast<float>(p.z))});
        }
        const Shape brick = Shape::polyhedron(points);
        ASSERT_EQ(faces_of(brick).size(), 6U) << i;
        const std::vector<V> corners = corners_of(brick);
        ASSERT_EQ(corners.size(), 8U);
        for (std::size_t k = 0; k < 8; ++k) {
            ASSERT_TRUE(is_zero(corners[k] - points[k]));
        }
        ASSERT_EQ(Shape::polyhedron(corners).solid, brick.solid);
    }
}

TEST(Hull, HoldsManyPoints)
{
    Random random(13);
    std::vector<V> points;
    for (int i = 0; i < 1000; ++i) {
        points.push_back(random.direction());
    }
    for (int i = 0; i < 100000; ++i) {
        points.push_back(0.97 * random.in_ball());
    }
    const Shape ball = Shape::polyhedron(points);
    EXPECT_EQ(corners_of(ball).size(), 1000U);
    // All but a few are triangles; some four points are in a plane to within the tolerance.
    EXPECT_EQ(1000U + faces_of(ball).size(), 2U + ball.solid->edge_count);
    EXPECT_GT(faces_of(ball).size(), 1980U);
    EXPECT_EQ(Shape::polyhedron(corners_of(ball)).solid, ball.solid);
    for (int i = 0; i < 100; ++i) {
        points.push_back(1.2 * random.direction());
    }
    EXPECT_NO_THROW((void)Shape::polyhedron(points));
}

std::string complaint_about(const std::vector<V>& points)
{
    try {
        (void)Shape::polyhedron(points);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Hull, SaysWhatIsWrong)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto expect = [](const std::vector<V>& points, std::string_view part) {
        EXPECT_NE(complaint_about(points).find(part), std::string::npos) << complaint_about(points);
    };
    expect({}, "4 points");
    expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "4 points");
    expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, nan, 1}}, "point 4");
    expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e300}}, "point 4");
    expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.2, 0.3, 0}}, "flat");
    expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-8}}, "flat");
    expect({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, "flat");
    expect(std::vector<V>(10, {1, 2, 3}), "flat");
    Random random(14);
    std::vector<V> many, coin;
    for (int i = 0; i < 1100; ++i) {
        many.push_back(random.direction());
    }
    expect(many, "1024");
    for (int i = 0; i < 17; ++i) {
        const double t = 0.1 * i, u = (1 - t * t) / (1 + t * t), v = 2 * t / (1 + t * t);
        coin.push_back({u, v, 0});
        coin.push_back({u, v, 1});
    }
    expect(coin, "16");
    EXPECT_NE(problems_with({ShapeKind::polyhedron, {1, 0, 0}}), "");
    Shape shape = Shape::polyhedron(std::vector<V>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    EXPECT_EQ(problems_with(shape), "");
    shape.size.x = 0;
    EXPECT_NE(problems_with(shape), "");
}

void expect_near(const MassProperties& m, const MassProperties& expected)
{
    const Sym3<double>&a = m.inertia, &b = expected.inertia;
    const double trace = b.xx + b.yy + b.zz;
    EXPECT_NEAR(m.mass, expected.mass, 1e-12 * expected.mass);
    EXPECT_LE(norm(m.centre - expected.centre), 1e-12 * (1 + norm(expected.centre)));
    for (double Sym3<double>::*x : {&Sym3<double>::xx, &Sym3<double>::xy, &Sym3<double>::xz,
                                    &Sym3<double>::yy, &Sym3<double>::yz, &Sym3<double>::zz}) {
        EXPECT_NEAR(a.*x, b.*x, 1e-12 * trace);
    }
}

TEST(PolyhedronMass, AgreesWithClosedForms)
{
    Random random(15);
    const auto box_points = [](const V& half, const V& off) {
        std::vector<V> points;
        for (int k = 0; k < 8; ++k) {
            points.push_back(V{(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                               (k & 4) != 0 ? half.z : -half.z} +
                             off);
        }
        return points;
    };
    for (int i = 0; i < 100; ++i) {
        const V half{random.decades(-3, 0), random.decades(-3, 0), 1};
        const V off = random.direction();
        MassProperties expected =
            mass_properties(Shape::box(2 * half.x, 2 * half.y, 2 * half.z), 7);
        expected.centre = off;
        expect_near(mass_properties(Shape::polyhedron(box_points(half, off)), 7), expected);
        // Larger by a factor.
        const double k = random.uniform(0.1, 10);
        MassProperties large =
            mass_properties(Shape::box(2 * k * half.x, 2 * k * half.y, 2 * k * half.z), 7);
        large.centre = k * off;
        const Shape shape = scaled(Shape::polyhedron(box_points(half, off)), k);
        expect_near(mass_properties(shape, 7), large);
        EXPECT_NEAR(volume(shape), 8 * k * k * k * half.x * half.y * half.z, 1e-12 * volume(shape));
    }
    // The corner tetrahedron: mass 1/6, centre 1/4, ∫x² = 1/60, ∫xy = 1/120.
    const Shape corner =
        Shape::polyhedron(std::vector<V>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    const double m = 1.0 / 6, xx = 1.0 / 60 - m / 16, xy = 1.0 / 120 - m / 16;
    expect_near(mass_properties(corner, 1),
                {m, {0.25, 0.25, 0.25}, {2 * xx, -xy, -xy, 2 * xx, -xy, 2 * xx}});
    // The regular octahedron of edge a: mass √2/3 a³, moments m a²/10.
    const Shape octahedron = Shape::polyhedron(
        std::vector<V>{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}});
    const double a2 = 2, mass = 4.0 / 3;
    expect_near(mass_properties(octahedron, 1),
                {mass, {0, 0, 0}, {mass * a2 / 10, 0, 0, mass * a2 / 10, 0, mass * a2 / 10}});
}

/// The best separation of two polyhedra in penetration: one of the normals of all planes through
/// three corners of one of them, or of all pairs of lines through two.
Long best_of_all(const Solid& a, const Solid& b)
{
    Long best = -std::numeric_limits<Long>::infinity();
    const auto attempt = [&](const LongVec& n) {
        best = std::max({best, separation(a, b, n), separation(a, b, -n)});
    };
    std::vector<LongVec> lines[2];
    for (int s = 0; s < 2; ++s) {
        const Solid& c = s == 0 ? a : b;
        const std::vector<V> corners = corners_of(c.shape);
        for (const LongVec& n : all_faces(corners)) {
            attempt(rotate(widen(c.pose.orientation), n));
        }
        for (std::size_t i = 0; i < corners.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                lines[s].push_back(
                    rotate(widen(c.pose.orientation), widen(corners[i]) - widen(corners[j])));
            }
        }
    }
    for (const LongVec& p : lines[0]) {
        for (const LongVec& q : lines[1]) {
            const LongVec n = cross(p, q);
            if (length(n) > 1e-9L * length(p) * length(q)) {
                attempt(unit(n));
            }
        }
    }
    return best;
}

TEST(PolyhedronContact, DepthIsTheLeastOfAllDirections)
{
    Random random(16);
    for (int i = 0; i < 300; ++i) {
        Solid a{random_polyhedron(random, {1, 0.8, 0.6}), {}};
        Solid b{random_polyhedron(random, {0.9, 1, 0.5}), {}};
        const bool aligned = random.chance(0.4);
        a.pose = {{0, 0, 0}, random_orientation(random, aligned)};
        b.pose = {{0, 0, 0}, random_orientation(random, aligned)};
        const double small = std::min(least_width(a.shape), least_width(b.shape));
        const double depth = random.chance(0.3) ? random.uniform(0.1, 1) : random.decades(-9, -1);
        set_apart(a, b, random.direction(), -depth * small);
        Manifold m;
        shapes::collide(a.shape, a.pose, b.shape, b.pose, 10, m);
        ASSERT_GE(m.count, 1) << i;
        Long lowest = 1;
        for (int k = 0; k < m.count; ++k) {
            lowest = std::min<Long>(lowest, m.points[k].gap);
        }
        const Long expected = best_of_all(a, b);
        // What is beside the other may be apart after all, nearer than any plane says.
        if (expected <= 0) {
            ASSERT_NEAR(static_cast<double>(lowest), static_cast<double>(expected), 3e-12) << i;
        } else {
            ASSERT_GE(lowest, expected - 3e-12L);
        }
    }
}

}  // namespace
}  // namespace scree
