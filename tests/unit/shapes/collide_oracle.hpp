// An oracle for the narrow phase, in long double and with code of its own: support functions, and
// membership of points in shapes. A contact point is proved by both: the separation along the
// normal is a lower bound of the distance, and witness points that lie in the shapes are an upper
// bound. In penetration a search over directions looks for a shallower way out.
#pragma once

#include "collide/clump_pairs.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {

using Long = long double;
using LongVec = Vec3<Long>;
using collide::Manifold;
using collide::Pose;

inline Long length(const LongVec& v) { return std::sqrt(dot(v, v)); }
inline LongVec unit(const LongVec& v) { return (1 / length(v)) * v; }
inline LongVec widen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Quat<Long> widen(const Quat<double>& q)
{
    const Long w = q.w, x = q.x, y = q.y, z = q.z, r = std::sqrt(w * w + x * x + y * y + z * z);
    return {w / r, x / r, y / r, z / r};
}

struct Solid {
    Shape shape;
    Pose pose;
};

inline LongVec into(const Solid& a, const LongVec& world)
{
    return rotate_back(widen(a.pose.orientation), world - widen(a.pose.position));
}

/// max m·x over the shape, relative to an origin; |m| = 1.
inline Long support_function(const Solid& a, const LongVec& m, const LongVec& origin)
{
    const LongVec l = rotate_back(widen(a.pose.orientation), m);
    const Long x = a.shape.size.x, y = a.shape.size.y, z = a.shape.size.z;
    Long h = 0;
    switch (a.shape.kind) {
    case ShapeKind::sphere: h = x; break;
    case ShapeKind::box:
        for (int i = 0; i < 8; ++i) {
            const Long corner =
                ((i & 1) ? x : -x) * l.x + ((i & 2) ? y : -y) * l.y + ((i & 4) ? z : -z) * l.z;
            h = i == 0 ? corner : std::max(h, corner);
        }
        break;
    case ShapeKind::capsule: h = x + y * std::abs(l.x); break;
    case ShapeKind::cylinder: h = y * std::abs(l.x) + x * std::hypot(l.y, l.z); break;
    case ShapeKind::ellipsoid:
        h = std::sqrt(x * x * l.x * l.x + y * y * l.y * l.y + z * z * l.z * l.z);
        break;
    case ShapeKind::profile: {
        const Long arc = l.x < 0 ? x * std::hypot(l.x, l.y) : x * std::abs(l.y);
        h = z * std::abs(l.z) + std::max(arc, y * l.x + x * std::abs(l.y));
        break;
    }
    case ShapeKind::polyhedron:
        h = -std::numeric_limits<Long>::infinity();
        for (const Vec3<double>& corner : corners_of(a.shape)) {
            h = std::max(h, dot(l, widen(corner)));
        }
        break;
    default: h = std::numeric_limits<Long>::infinity();
    }
    return h + dot(m, widen(a.pose.position) - origin);
}

/// The outward normal of a polyhedron's face, of any length, from its corners alone, and its first
/// corner.
inline LongVec face_normal(const Shape& shape, int face, LongVec& first)
{
    const Polyhedron& solid = *shape.solid;
    const auto corner = [&](int k) {
        return Long(shape.size.x) * widen(solid.vertices()[solid.corners()[k].vertex]);
    };
    const int begin = solid.face_begin()[face], end = solid.face_begin()[face + 1];
    first = corner(begin);
    LongVec n{0, 0, 0};
    for (int k = begin + 2; k < end; ++k) {
        n = n + cross(corner(k - 1) - first, corner(k) - first);
    }
    return n;
}

/// How far a point is outside the shape: an upper bound of its distance that is zero inside.
inline Long outside(const Solid& a, const LongVec& world)
{
    const LongVec p = into(a, world);
    const Long x = a.shape.size.x, y = a.shape.size.y, z = a.shape.size.z;
    const auto over = [](Long v, Long h) { return std::max(std::abs(v) - h, Long(0)); };
    switch (a.shape.kind) {
    case ShapeKind::sphere: return std::max(length(p) - x, Long(0));
    case ShapeKind::box: return over(p.x, x) + over(p.y, y) + over(p.z, z);
    case ShapeKind::capsule:
        return std::max(std::hypot(over(p.x, y), std::hypot(p.y, p.z)) - x, Long(0));
    case ShapeKind::cylinder: return over(p.x, y) + over(std::hypot(p.y, p.z), x);
    case ShapeKind::ellipsoid: {
        // Shrinking p onto the surface moves it by |p| (1 − 1/f); along the gradient it is less.
        const LongVec u{p.x / x, p.y / y, p.z / z};
        const Long f = length(u);
        const LongVec g{u.x / x, u.y / y, u.z / z};
        return f <= 1 ? Long(0) : Long(1.5) * (f - 1) * f / length(g);
    }
    case ShapeKind::profile: {
        const Long outline =
            p.x < 0 ? over(std::hypot(p.x, p.y), x) : over(p.y, x) + std::max(p.x - y, Long(0));
        return outline + over(p.z, z);
    }
    case ShapeKind::polyhedron: {
        Long sum = 0;
        for (int i = 0; i < a.shape.solid->face_count; ++i) {
            LongVec first;
            const LongVec n = face_normal(a.shape, i, first);
            sum += std::max(dot(n, p - first) / length(n), Long(0));
        }
        return sum;
    }
    default: return 0;
    }
}

/// Separation along n, from b towards a.
inline Long separation(const Solid& a, const Solid& b, const LongVec& n)
{
    const LongVec origin = widen(b.pose.position);
    return -support_function(a, -n, origin) - support_function(b, n, origin);
}

/// The best separation that a search finds: sampled directions, given ones, and random steps of
/// falling length around the best of them.
inline Long searched_separation(const Solid& a, const Solid& b, Random& random, int samples,
                                const Vec3<double>& also)
{
    LongVec best_n = unit(widen(also));
    Long best = separation(a, b, best_n);
    const auto attempt = [&](const LongVec& n) {
        const Long s = separation(a, b, n);
        if (s > best) {
            best = s;
            best_n = n;
        }
    };
    for (const Solid* c : {&a, &b}) {
        for (int i = 0; i < 6; ++i) {
            const Long sign = i < 3 ? 1 : -1;
            const LongVec e{i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0};
            attempt(rotate(widen(c->pose.orientation), e));
        }
    }
    for (int i = 0; i < samples; ++i) {
        attempt(unit(widen(random.direction())));
    }
    Long step = 0.3L;
    for (int i = 0; i < samples; ++i) {
        const LongVec from = best_n;
        attempt(unit(best_n + step * widen(random.direction())));
        step *= is_zero(from - best_n) ? 0.96L : 1.2L;
        step = std::max(step, Long(1e-9));
    }
    return best;
}

/// Greatest error of a manifold against what can be proved about it.
struct Findings {
    Long dual = 0;    ///< |gap − separation along the normal|, of the deepest point
    Long primal = 0;  ///< its witness points outside their shapes
    Long beside = 0;  ///< those of any point
    Long missed = 0;  ///< by how much a search found a better direction
    Long length = 0;  ///< | |n| − 1 |
};

inline Findings findings(const Solid& a, const Solid& b, const Manifold& m, Random& random,
                         int samples)
{
    Findings f;
    int deepest = 0;
    for (int i = 0; i < m.count; ++i) {
        deepest = m.points[i].gap < m.points[deepest].gap ? i : deepest;
        const LongVec n = widen(m.points[i].normal), p = widen(m.points[i].point);
        const Long half = m.points[i].gap / Long(2);
        f.length = std::max(f.length, std::abs(length(n) - 1));
        f.beside = std::max({f.beside, outside(a, p + half * n), outside(b, p - half * n)});
    }
    const auto& d = m.points[deepest];
    const LongVec p = widen(d.point), half = d.gap / Long(2) * widen(d.normal);
    f.primal = std::max(outside(a, p + half), outside(b, p - half));
    const LongVec n = unit(widen(d.normal));
    const Long s = separation(a, b, n);
    f.dual = std::abs(s - d.gap);
    if (samples > 0) {
        f.missed = searched_separation(a, b, random, samples, d.normal) - s;
    }
    return f;
}

/// All bounded kinds.
inline constexpr int bounded = 7;
inline ShapeKind bounded_kind(std::uint64_t i)
{
    return i < 6 ? static_cast<ShapeKind>(i) : ShapeKind::polyhedron;
}

/// The hull of a few random points, or a prism or double pyramid with parallel faces and edges.
inline Shape random_polyhedron(Random& random, const Vec3<double>& size)
{
    std::vector<Vec3<double>> points;
    const std::uint64_t which = random.bits() % 4;
    if (which <= 1) {
        // Not all of them near a plane.
        points = {{1, 0, -0.3}, {-0.8, 0.6, 0}, {-0.8, -0.6, 0.1}, {0, 0.1, 1}};
        const int count = static_cast<int>(random.bits() % 12);
        for (int i = 0; i < count; ++i) {
            points.push_back(random.direction());
        }
    } else {
        const int sides = 3 + static_cast<int>(random.bits() % 6);
        for (int i = 0; i < sides; ++i) {
            // A quarter of the circle from t = 0 to 1, turned.
            const int quarter = 4 * i / sides;
            const double t = 4.0 * i / sides - quarter;
            const double u = (1 - t * t) / (1 + t * t), v = 2 * t / (1 + t * t);
            const double x[4] = {u, -v, -u, v}, y[4] = {v, u, -v, -u};
            for (const double z : {-1.0, 1.0}) {
                points.push_back({x[quarter], y[quarter], which == 2 ? z : 0.0});
            }
        }
        if (which == 3) {
            points.push_back({0, 0, -1});
            points.push_back({0, 0, 1});
        }
    }
    const Vec3<double> off = random.chance(0.5) ? 0.3 * random.direction() : Vec3<double>{0, 0, 0};
    for (Vec3<double>& p : points) {
        p = Vec3<double>{size.x * p.x, size.y * p.y, size.z * p.z} + off;
    }
    return Shape::polyhedron(points);
}

/// A point inside of a shape, in its own frame.
inline Vec3<double> inner_point(const Shape& s)
{
    return s.kind == ShapeKind::polyhedron ? s.size.x * s.solid->centre : Vec3<double>{0, 0, 0};
}

/// A random bounded shape with aspect ratios up to 10^decades, about 1 across.
inline Shape random_shape(Random& random, ShapeKind kind, double decades)
{
    const double x = random.decades(-decades, 0);
    const double y = random.decades(-decades, 0);
    const double z = random.decades(-decades, 0);
    if (kind == ShapeKind::polyhedron) {
        return random_polyhedron(random, {x, y, z});
    }
    Shape s{kind, {x, y, z}};
    if (kind == ShapeKind::sphere) {
        s.size = {x, 0, 0};
    } else if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) {
        s.size = {x, y, 0};
    }
    return s;
}

/// Any orientation, or one of the 24 of a cube, or one of these turned by very little.
inline Quat<double> random_orientation(Random& random, bool aligned)
{
    if (!aligned) {
        return random.orientation();
    }
    Quat<double> q{1, 0, 0, 0};
    const double d = std::sqrt(0.5);
    const Quat<double> turns[3] = {{d, d, 0, 0}, {d, 0, d, 0}, {d, 0, 0, d}};
    const auto times = [](const Quat<double>& p, const Quat<double>& r) {
        const Vec3<double> u{p.x, p.y, p.z}, v{r.x, r.y, r.z};
        const Vec3<double> w = p.w * v + r.w * u + cross(u, v);
        return Quat<double>{p.w * r.w - dot(u, v), w.x, w.y, w.z};
    };
    for (int i = 0; i < 3; ++i) {
        if (random.chance(0.5)) {
            q = times(turns[i], q);
        }
    }
    if (random.chance(0.5)) {
        const Vec3<double> tilt = random.vector(-16, -2);
        q = times({1, tilt.x, tilt.y, tilt.z}, q);
    }
    const double r = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / r, q.x / r, q.y / r, q.z / r};
}

inline double least_width(const Shape& s)
{
    switch (s.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule: return s.size.x;
    case ShapeKind::cylinder: return std::min(s.size.x, s.size.y);
    case ShapeKind::profile: return std::min(s.size.x, s.size.z);
    case ShapeKind::polyhedron: return s.size.x * s.solid->half_width;
    default: return std::min({s.size.x, s.size.y, s.size.z});
    }
}

/// Moves a along n until the separation along n is s.
inline void set_apart(Solid& a, const Solid& b, const Vec3<double>& n, double s)
{
    const LongVec m = unit(widen(n));
    const Long now = separation(a, b, m);
    const LongVec p = widen(a.pose.position) + (s - now) * m;
    a.pose.position = {static_cast<double>(p.x), static_cast<double>(p.y),
                       static_cast<double>(p.z)};
}

}  // namespace scree::test
