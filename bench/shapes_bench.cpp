// Nanoseconds per contact generated, for every pair of shapes: the narrow phase alone, one thread,
// on random pairs that just touch. Each round times every pair of kinds once, and the fastest
// counts.
#include "scree/query.hpp"
#include "shapes/collide.hpp"
#include "unit/shapes/collide_oracle.hpp"

#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <string>

namespace {

using namespace scree;
using test::Random;
using V = Vec3<double>;

constexpr int kinds = 12, bodies = 8, count = 256, rounds = 7;
constexpr ShapeKind order[kinds]{
    ShapeKind::sphere,     ShapeKind::box,           ShapeKind::capsule,     ShapeKind::cylinder,
    ShapeKind::ellipsoid,  ShapeKind::profile,       ShapeKind::polyhedron,  ShapeKind::clump,
    ShapeKind::half_space, ShapeKind::cylinder_wall, ShapeKind::sphere_wall, ShapeKind::mesh};

/// A floor of squares of 0.5 with hills.
Shape hills()
{
    std::vector<V> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    constexpr std::uint32_t n = 24;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            const double px = 0.5 * x - 6, py = 0.5 * y - 6;
            points.push_back({px, py, 0.1 * px * px - 0.05 * py * py});
        }
    }
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t a = y * (n + 1) + x;
            triangles.push_back({a, a + 1, a + n + 1});
            triangles.push_back({a + 1, a + n + 2, a + n + 1});
        }
    }
    return Shape::mesh(points, triangles);
}

Shape shape_of(Random& random, ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::half_space: return Shape::half_space();
    case ShapeKind::cylinder_wall: return Shape::cylinder_wall(20);
    case ShapeKind::sphere_wall: return Shape::sphere_wall(20);
    case ShapeKind::mesh: return hills();
    case ShapeKind::clump: {
        const std::vector<Part> parts{{Shape::sphere(0.5), {0.4, 0, 0}},
                                      {Shape::sphere(0.4), {-0.4, 0.2, 0}},
                                      {Shape::sphere(0.4), {-0.1, -0.5, 0.3}}};
        return scaled(Shape::clump(parts), random.uniform(0.9, 1.1));
    }
    default: return test::random_shape(random, kind, 0.3);
    }
}

/// Time that this thread has had, whatever else the machine does [s].
double seconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Pair {
    PlacedShape a, b;
};

/// Two shapes apart or in each other by up to a hundredth of their size.
Pair touching(Random& random, ShapeKind first, ShapeKind second)
{
    for (;;) {
        Pair p{{shape_of(random, first), {0, 0, 0}, random.orientation()},
               {shape_of(random, second), {0, 0, 0}, {1, 0, 0, 0}}};
        if (!is_wall(second)) {
            p.b.orientation = random.orientation();
        }
        V from{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        V way{0, 0, 1};
        double far = 8;
        if (!is_wall(second)) {
            from = 0.2 * random.in_ball();
            way = random.direction();
        } else if (second == ShapeKind::cylinder_wall || second == ShapeKind::sphere_wall) {
            far = 30;
            way = {0, 0, -1};
        }
        // Inside of curved walls bodies go outwards until they touch.
        const bool inside = far > 8;
        double low = 0, high = far;
        const auto gap_at = [&](double t) {
            p.a.position = from + (inside ? -t : t) * way;
            return signed_distance(p.a, p.b, 0.05);
        };
        for (int i = 0; i < 50; ++i) {
            const double t = (low + high) / 2;
            ((gap_at(t) > 0) == inside ? low : high) = t;
        }
        const double end = (low + high) / 2 + random.uniform(-0.01, 0.01);
        if (std::abs(gap_at(end)) < 0.02) {
            return p;
        }
    }
}

struct Timing {
    double best = 1e300;
    long points = 0;
};

std::string machine()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "unknown processor";
}

}  // namespace

int main()
{
    Random random(5);
    std::vector<Pair> pairs[bodies][kinds];
    Timing timing[bodies][kinds];
    for (int i = 0; i < bodies; ++i) {
        for (int j = i; j < kinds; ++j) {
            for (int k = 0; k < count; ++k) {
                pairs[i][j].push_back(touching(random, order[i], order[j]));
            }
        }
    }
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < bodies; ++i) {
            for (int j = i; j < kinds; ++j) {
                const double start = seconds();
                long points = 0;
                for (const Pair& p : pairs[i][j]) {
                    shapes::Manifold m;
                    shapes::collide(p.a.shape, {p.a.position, p.a.orientation}, p.b.shape,
                                    {p.b.position, p.b.orientation}, 0.02, m);
                    points += m.count;
                }
                const double took = seconds() - start;
                timing[i][j].best = std::min(timing[i][j].best, took);
                timing[i][j].points = points;
            }
        }
    }
    fmt::print("{}, {}, one thread, {} pairs of each kind\n", machine(), SCREE_COMPILER, count);
    const auto table = [&](const char* title, auto&& value) {
        fmt::print("\n{}\n{:13}", title, "");
        for (const ShapeKind kind : order) {
            fmt::print("{:>14}", name_of(kind));
        }
        fmt::print("\n");
        for (int i = 0; i < bodies; ++i) {
            fmt::print("{:13}", name_of(order[i]));
            for (int j = 0; j < kinds; ++j) {
                fmt::print("{:>14}", j < i ? "" : fmt::format("{:.1f}", value(timing[i][j])));
            }
            fmt::print("\n");
        }
    };
    table("ns per contact point generated",
          [](const Timing& t) { return 1e9 * t.best / static_cast<double>(t.points); });
    table("points per pair", [](const Timing& t) { return static_cast<double>(t.points) / count; });
}
