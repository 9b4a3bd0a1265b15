// Rays against shapes: hits lie on the surface by a distance function of the test's own, normals
// are its gradient, rays that miss stay outside; the tree finds what a search of all bodies finds.
#include "analyse/body_tree.hpp"

#include "scree/query.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::analyse {
namespace {

/// Signed distance of a point to a bounded shape in its own frame: exact to first order at the
/// surface, of the right sign everywhere.
double distance(const Shape& shape, const Vec& p)
{
    const Vec& s = shape.size;
    switch (shape.kind) {
    case ShapeKind::sphere: return norm(p) - s.x;
    case ShapeKind::box:
        return std::max({std::abs(p.x) - s.x, std::abs(p.y) - s.y, std::abs(p.z) - s.z});
    case ShapeKind::capsule: {
        const double beyond = std::max(0.0, std::abs(p.x) - s.y);
        return std::sqrt(beyond * beyond + p.y * p.y + p.z * p.z) - s.x;
    }
    case ShapeKind::cylinder:
        return std::max(std::abs(p.x) - s.y, std::sqrt(p.y * p.y + p.z * p.z) - s.x);
    case ShapeKind::ellipsoid: {
        const double x = p.x / s.x, y = p.y / s.y, z = p.z / s.z;
        const double slope =
            std::sqrt(x * x / (s.x * s.x) + y * y / (s.y * s.y) + z * z / (s.z * s.z));
        return (x * x + y * y + z * z - 1) / (2 * slope);
    }
    case ShapeKind::polyhedron: {
        const std::vector<Vec> c = corners_of(shape);
        double height = -unbounded;
        for (const auto& face : faces_of(shape)) {
            const Vec n = normalised(cross(c[face[1]] - c[face[0]], c[face[2]] - c[face[0]]));
            height = std::max(height, dot(n, p - c[face[0]]));
        }
        return height;
    }
    default: {
        const double round = p.x < 0 ? std::sqrt(p.x * p.x + p.y * p.y) : std::abs(p.y);
        return std::max({round - s.x, p.x - s.y, std::abs(p.z) - s.z});
    }
    }
}

double size_of(const Shape& shape)
{
    return shape.kind == ShapeKind::polyhedron ? outer_radius(shape) : norm(shape.size);
}

Shape random_shape(test::Random& random)
{
    const double a = random.decades(-1, 1), b = random.decades(-1, 1), c = random.decades(-1, 1);
    switch (random.bits() % 7) {
    case 0: return Shape::sphere(a);
    case 1: return Shape::box(a, b, c);
    case 2: return Shape::capsule(a, b);
    case 3: return Shape::cylinder(a, b);
    case 4: return Shape::ellipsoid(a, b, c);
    case 5: return Shape::profile(a, b, c);
    default:
        return scaled(
            Shape::polyhedron(std::vector<Vec>{
                {a, 0, 0}, {-a, 0, 0}, {0, b, 0}, {0, -b, 0}, {0, 0, c}, {0, 0, -c}, {a, b, c}}),
            2);
    }
}

Ray towards(test::Random& random, const Vec& target, double far)
{
    Vec direction = random.direction();
    if (random.chance(0.2)) {  // along an axis
        direction = random.chance(0.5) ? Vec{0, 0, 1} : Vec{-1, 0, 0};
    }
    return {target - random.uniform(0.1, far) * direction, direction};
}

TEST(BodyTree, HitsLieOnTheSurfaceAndMissesStayOutside)
{
    test::Random random(11);
    int hits = 0, misses = 0;
    for (int k = 0; k < 3000; ++k) {
        const Shape shape = random_shape(random);
        const double size = size_of(shape);
        const Vec position = 10 * size * random.in_ball();
        const PlacedShape body{shape, position, random.orientation()};
        const BodyTree tree({body});
        const Vec target = position + 1.2 * size * random.in_ball();
        Ray ray = towards(random, target, 40 * size);
        ray.cut = false;
        const auto local = [&](double t) {
            return rotate_back(body.orientation, ray.origin + t * ray.direction - position);
        };
        if (distance(shape, local(0)) <= 0) {
            continue;
        }
        const double start = norm(ray.origin - position);
        const double tolerance = 1e-12 * (start + size);
        const Hit hit = tree.first(ray);
        EXPECT_EQ(static_cast<bool>(hit), tree.blocked(ray));
        const double end = hit ? hit.at : start + 3 * size;
        const double begin = std::max(0.0, start - 3 * size);
        for (int i = 0; i < 300; ++i) {
            const double t = begin + (end - begin) * (i + 0.5) / 300;
            ASSERT_GE(distance(shape, local(t)), -tolerance)
                << name_of(shape.kind) << " " << k << " at " << t << " of " << end;
        }
        if (!hit) {
            ++misses;
            continue;
        }
        ++hits;
        const Vec p = local(hit.at);
        EXPECT_LE(std::abs(distance(shape, p)), tolerance) << name_of(shape.kind) << " " << k;
        // The gradient, away from edges, where it jumps.
        const double h = 1e-6 * std::min({shape.size.x, shape.size.y > 0 ? shape.size.y : 1e9,
                                          shape.size.z > 0 ? shape.size.z : 1e9});
        const auto slope = [&](const Vec& e, double step) {
            return (distance(shape, p + step * e) - distance(shape, p - step * e)) / (2 * step);
        };
        const auto gradient = [&](double step) {
            return Vec{slope({1, 0, 0}, step), slope({0, 1, 0}, step), slope({0, 0, 1}, step)};
        };
        const Vec g = gradient(h);
        if (norm(g - gradient(4 * h)) < 1e-4) {
            EXPECT_LE(norm(g - outward_normal(shape, p)), 1e-4) << name_of(shape.kind) << " " << k;
            EXPECT_LE(dot(rotate(body.orientation, outward_normal(shape, p)), ray.direction), 1e-6);
        }
    }
    EXPECT_GT(hits, 800);
    EXPECT_GT(misses, 500);
}

/// All bodies one after the other, from the definition.
Hit search_all(const std::vector<PlacedShape>& bodies, const Ray& ray, std::uint32_t skip)
{
    Hit best;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const PlacedShape& b = bodies[i];
        const double near = dot(b.position - ray.origin, ray.direction);
        const Vec o = rotate_back(b.orientation, ray.origin + near * ray.direction - b.position);
        const Interval c = chord(b.shape, o, rotate_back(b.orientation, ray.direction));
        const double from = c.from + near, to = c.to + near;
        if (i == skip || c.empty() || to < ray.from || (from < ray.from && !ray.cut)) {
            continue;
        }
        const double at = std::max(from, ray.from);
        if (at < ray.to && at < best.at) {
            best = {i, at};
        }
    }
    return best;
}

void compare(const std::vector<PlacedShape>& bodies, test::Random& random, double size, int rays)
{
    const BodyTree tree(bodies);
    int hits = 0;
    for (int k = 0; k < rays; ++k) {
        const PlacedShape& some = bodies[random.bits() % bodies.size()];
        const Vec target = some.position + size_of(some.shape) * random.in_ball();
        Ray ray = towards(random, target, random.chance(0.5) ? size : 100 * size);
        ray.cut = random.chance(0.5);
        if (random.chance(0.3)) {
            ray.from = random.uniform(0, size);
            ray.to = ray.from + random.uniform(0, size);
        }
        const std::uint32_t skip = random.chance(0.5) ? no_body : tree.first(ray).body;
        const Hit expected = search_all(bodies, ray, skip);
        const Hit found = tree.first(ray, skip);
        ASSERT_EQ(found.body, expected.body) << k;
        EXPECT_EQ(tree.blocked(ray, skip), static_cast<bool>(expected));
        if (expected) {
            ++hits;
            EXPECT_NEAR(found.at, expected.at,
                        1e-11 * (expected.at + size) + 1e-14 * norm(ray.origin));
        }
    }
    EXPECT_GT(hits, rays / 50);
}

TEST(BodyTree, FindsWhatASearchOfAllBodiesFinds)
{
    test::Random random(12);
    for (const std::size_t count : {1U, 3U, 5U, 17U, 900U}) {
        std::vector<PlacedShape> bodies;
        for (std::size_t i = 0; i < count; ++i) {
            const Vec position = 30.0 * random.in_ball();
            const Shape shape = random_shape(random);
            bodies.push_back({shape, position, random.orientation()});
        }
        compare(bodies, random, 60, 1500);
    }
}

TEST(BodyTree, FindsTinyGrainsFarFromTheOriginBesideAHugeBody)
{
    test::Random random(13);
    const Vec far{3e5, -2e5, 1e5};
    std::vector<PlacedShape> bodies{{Shape::box(900, 900, 2), far - Vec{0, 0, 1}, {1, 0, 0, 0}}};
    for (int i = 0; i < 500; ++i) {
        const Vec offset = 0.1 * random.in_ball();
        bodies.push_back(
            {Shape::sphere(0.004), far + Vec{offset.x, offset.y, 0.1 + offset.z}, {1, 0, 0, 0}});
    }
    compare(bodies, random, 0.3, 1500);
}

TEST(BodyTree, FindsManyBodiesAtOnePlace)
{
    test::Random random(14);
    std::vector<PlacedShape> bodies;
    for (int i = 0; i < 1000; ++i) {
        bodies.push_back({Shape::sphere(0.1 + 0.001 * i), {1, 2, 3}, {1, 0, 0, 0}});
    }
    compare(bodies, random, 3, 300);
}

TEST(BodyTree, FindsNothingIfItIsEmpty)
{
    EXPECT_FALSE(BodyTree().first({{0, 0, 0}, {1, 0, 0}}));
    EXPECT_FALSE(BodyTree().blocked({{0, 0, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace scree::analyse
