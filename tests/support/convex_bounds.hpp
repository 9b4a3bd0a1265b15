// Bounds of the signed distance of two convex bodies from both sides, with code of its own,
// whatever the narrow phase says. It is the largest separation s(n) along any direction n, so that
// every n gives a lower bound. Every point v of the difference A − B gives an upper one: |v| where
// the bodies are apart (the nearest point of a simplex, Gilbert, Johnson & Keerthi, in long
// double), and in penetration n·v for a whole cone of directions, with which a branch and bound
// over the sphere proves that there is no shallower way out. Spheres and capsules are a core, a
// point or a segment, with a ball around it, which only takes its radius off: cores are apart in
// most penetrations.
#pragma once

#include "unit/shapes/collide_oracle.hpp"

#include <array>
#include <queue>
#include <vector>

namespace scree::test {

/// The core of a bounded convex shape in space; positions relative to an origin near by.
template <class T> struct ConvexBody {
    ShapeKind kind;
    T x, y, z;
    T round = 0;  ///< radius of the ball around the core
    Vec3<T> centre, ax, ay, az;
    std::vector<Vec3<T>> corners;

    ConvexBody(const Solid& a, const Vec3<double>& origin)
        : kind(a.shape.kind), x(T(a.shape.size.x)), y(T(a.shape.size.y)), z(T(a.shape.size.z))
    {
        const Quat<Long> q = widen(a.pose.orientation);
        centre = narrow(widen(a.pose.position) - widen(origin));
        ax = narrow(rotate(q, LongVec{1, 0, 0}));
        ay = narrow(rotate(q, LongVec{0, 1, 0}));
        az = narrow(rotate(q, LongVec{0, 0, 1}));
        for (const Vec3<double>& corner : corners_of(a.shape)) {
            corners.push_back(narrow(widen(corner)));
        }
        if (kind == ShapeKind::sphere || kind == ShapeKind::capsule) {
            round = x;
        }
    }
    /// A triangle.
    ConvexBody(const LongVec& a, const LongVec& b, const LongVec& c)
        : kind(ShapeKind::polyhedron), x(1), y(0),
          z(0), centre{0, 0, 0}, ax{1, 0, 0}, ay{0, 1, 0}, az{0, 0, 1}, corners{narrow(a),
                                                                                narrow(b),
                                                                                narrow(c)}
    {
    }

    /// The core's point farthest along m.
    [[nodiscard]] Vec3<T> farthest(const Vec3<T>& m) const
    {
        using std::sqrt;
        const Vec3<T> l{dot(m, ax), dot(m, ay), dot(m, az)};
        const auto along = [](T v, T h) { return v < 0 ? -h : h; };
        Vec3<T> p{0, 0, 0};
        switch (kind) {
        case ShapeKind::sphere: break;
        case ShapeKind::box: p = {along(l.x, x), along(l.y, y), along(l.z, z)}; break;
        case ShapeKind::capsule: p = {along(l.x, y), 0, 0}; break;
        case ShapeKind::cylinder: {
            const T r = sqrt(l.y * l.y + l.z * l.z);
            p = {along(l.x, y), r > 0 ? x * (l.y / r) : T(0), r > 0 ? x * (l.z / r) : T(0)};
            break;
        }
        case ShapeKind::ellipsoid: {
            const Vec3<T> u{x * l.x, y * l.y, z * l.z};
            const T h = sqrt(dot(u, u));
            p = {x * (u.x / h), y * (u.y / h), z * (u.z / h)};
            break;
        }
        case ShapeKind::profile: {
            const T r = sqrt(l.x * l.x + l.y * l.y);
            p = l.x < 0 ? Vec3<T>{x * (l.x / r), x * (l.y / r), 0} : Vec3<T>{y, along(l.y, x), 0};
            p.z = along(l.z, z);
            break;
        }
        default: {
            T height = -std::numeric_limits<T>::infinity();
            for (const Vec3<T>& corner : corners) {
                const T h = dot(l, corner);
                if (h > height) {
                    height = h;
                    p = corner;
                }
            }
        }
        }
        return centre + p.x * ax + p.y * ay + p.z * az;
    }

private:
    static Vec3<T> narrow(const LongVec& v) { return {T(v.x), T(v.y), T(v.z)}; }
};

/// The point of the difference of the cores A − B that is least far along n.
template <class T>
Vec3<T> least_along(const ConvexBody<T>& a, const ConvexBody<T>& b, const Vec3<T>& n)
{
    return a.farthest(-n) - b.farthest(n);
}

/// The point nearest to the origin of the hull of up to four points, of which those stay that it is
/// made of: all faces, edges and corners are tried.
template <class T> Vec3<T> nearest_of_hull(std::vector<Vec3<T>>& points)
{
    const std::size_t count = points.size();
    Vec3<T> nearest{0, 0, 0};
    T least = std::numeric_limits<T>::infinity();
    unsigned chosen = 0;
    for (unsigned set = 1; set < (1U << count); ++set) {
        std::array<Vec3<T>, 4> p{};
        int k = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if ((set >> i & 1U) != 0) {
                p[static_cast<std::size_t>(k++)] = points[i];
            }
        }
        // The nearest point of the plane, line or space through them, by its coordinates.
        const Vec3<T> e = p[1] - p[0], f = p[2] - p[0], g = p[3] - p[0];
        std::array<T, 4> share{1, 0, 0, 0};
        if (k == 2) {
            share[1] = -dot(e, p[0]) / dot(e, e);
        } else if (k == 3) {
            const T ee = dot(e, e), ef = dot(e, f), ff = dot(f, f);
            const T pe = -dot(e, p[0]), pf = -dot(f, p[0]);
            const Vec3<T> n = cross(e, f);
            const T det = dot(n, n);
            share[1] = (ff * pe - ef * pf) / det;
            share[2] = (ee * pf - ef * pe) / det;
        } else if (k == 4) {
            const T det = dot(e, cross(f, g));
            share[1] = -dot(p[0], cross(f, g)) / det;
            share[2] = -dot(p[0], cross(g, e)) / det;
            share[3] = -dot(p[0], cross(e, f)) / det;
        }
        share[0] = 1 - share[1] - share[2] - share[3];
        Vec3<T> v{0, 0, 0};
        bool inside = true;
        for (int i = 0; i < k; ++i) {
            inside = inside && share[static_cast<std::size_t>(i)] >= 0;
            v = v + share[static_cast<std::size_t>(i)] * p[static_cast<std::size_t>(i)];
        }
        const T v2 = dot(v, v);
        if (inside && v2 < least) {
            least = v2;
            nearest = v;
            chosen = set;
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if ((chosen >> i & 1U) != 0) {
            points[kept++] = points[i];
        }
    }
    points.resize(kept);
    return nearest;
}

/// A point of the shape near one that may be outside of it.
inline LongVec pulled_in(const Solid& a, const LongVec& world)
{
    LongVec p = into(a, world);
    const Long x = a.shape.size.x, y = a.shape.size.y, z = a.shape.size.z;
    const auto shrink = [](Long& u, Long& v, Long r) {
        const Long now = std::hypot(u, v);
        if (now > r) {
            u *= r / now;
            v *= r / now;
        }
    };
    switch (a.shape.kind) {
    case ShapeKind::box:
        p = {std::clamp(p.x, -x, x), std::clamp(p.y, -y, y), std::clamp(p.z, -z, z)};
        break;
    case ShapeKind::cylinder:
        p.x = std::clamp(p.x, -y, y);
        shrink(p.y, p.z, x);
        break;
    case ShapeKind::profile:
        p.z = std::clamp(p.z, -z, z);
        if (p.x < 0) {
            shrink(p.x, p.y, x);
        } else {
            p.x = std::min(p.x, y);
            p.y = std::clamp(p.y, -x, x);
        }
        break;
    case ShapeKind::sphere: p = std::min(Long(1), x / length(p)) * p; break;
    case ShapeKind::capsule: {
        const LongVec on{std::clamp(p.x, -y, y), 0, 0};
        p = on + std::min(Long(1), x / length(p - on)) * (p - on);
        break;
    }
    case ShapeKind::ellipsoid:
        p = (1 / std::max(Long(1), length({p.x / x, p.y / y, p.z / z}))) * p;
        break;
    default: {
        // Towards the middle, until it is behind all faces.
        const LongVec middle = widen(inner_point(a.shape));
        Long share = 1;
        for (int i = 0; i < a.shape.solid->face_count; ++i) {
            LongVec first;
            const LongVec n = face_normal(a.shape, i, first);
            const Long room = dot(n, first - middle), out = dot(n, p - middle);
            share = out > room ? std::min(share, room / out) : share;
        }
        p = middle + share * (p - middle);
    }
    }
    return widen(a.pose.position) + rotate(widen(a.pose.orientation), p);
}

/// What is proved of the distance of two cores.
struct Bounds {
    Long below, above;
};

/// The distance of two cores, zero where they overlap, from a direction to start with.
inline Bounds distance_bounds(const ConvexBody<Long>& a, const ConvexBody<Long>& b,
                              const LongVec& start, Long size)
{
    std::vector<LongVec> simplex{least_along(a, b, start)};
    LongVec v = simplex[0];
    Bounds found{dot(start, v), length(v)};
    const Long least = 1e-18L * size;
    for (int i = 0; i < 200 && found.above > least && found.above - found.below > least; ++i) {
        const LongVec n = (1 / length(v)) * v;
        const LongVec w = least_along(a, b, n);
        found.below = std::max(found.below, dot(n, w));
        simplex.push_back(w);
        const LongVec next = nearest_of_hull(simplex);
        if (length(next) < found.above) {
            v = next;
            found.above = length(v);
        } else if (simplex.size() == 1 && is_zero(simplex[0] - v)) {
            break;
        } else {
            simplex = {v};  // which is a point of A − B as good as any
        }
        if (simplex.size() == 4) {
            break;
        }
    }
    return found;
}

/// Of a search for directions along which something is above a limit.
struct Search {
    bool proved = false;    ///< that there are none
    bool found = false;     ///< one was found
    double best = 0;        ///< what it has
    Vec3<double> normal{};  ///< the direction
    int looked = 0;         ///< directions looked at
};

/// Branch and bound over the unit sphere, in eight triangles that are halved where they are
/// longest. `look(n)` gives what is needed of a direction, `value` what it has there, and `above` a
/// bound of all directions in the cone of three.
template <class Look, class Value, class Above>
Search search_sphere(double limit, int most_looks, const Look& look, const Value& value,
                     const Above& above)
{
    using Seen = std::invoke_result_t<Look, Vec3<double>>;
    struct Cell {
        std::array<Vec3<double>, 3> n;
        std::array<Seen, 3> seen;
        double bound;
        bool operator<(const Cell& other) const { return bound < other.bound; }
    };
    Search search;
    std::priority_queue<Cell> open;
    const auto visit = [&](const Vec3<double>& n) {
        Seen seen = look(n);
        ++search.looked;
        const double v = value(n, seen);
        if (v > limit && (!search.found || v > search.best)) {
            search.found = true;
            search.best = v;
            search.normal = n;
        }
        return seen;
    };
    const auto add = [&](Cell cell) {
        cell.bound = above(cell.n, cell.seen);
        if (cell.bound > limit) {
            open.push(std::move(cell));
        }
    };
    for (int i = 0; i < 8; ++i) {
        Cell cell;
        cell.n = {Vec3<double>{(i & 1) != 0 ? 1.0 : -1.0, 0, 0},
                  Vec3<double>{0, (i & 2) != 0 ? 1.0 : -1.0, 0},
                  Vec3<double>{0, 0, (i & 4) != 0 ? 1.0 : -1.0}};
        for (std::size_t k = 0; k < 3; ++k) {
            cell.seen[k] = visit(cell.n[k]);
        }
        add(cell);
    }
    while (!open.empty() && !search.found && search.looked < most_looks) {
        const Cell cell = open.top();
        open.pop();
        std::size_t side = 0;
        double shortest = 2;
        for (std::size_t k = 0; k < 3; ++k) {
            const double c = dot(cell.n[k], cell.n[(k + 1) % 3]);
            if (c < shortest) {
                shortest = c;
                side = k;
            }
        }
        const std::size_t next = (side + 1) % 3;
        const Vec3<double> middle = normalised(cell.n[side] + cell.n[next]);
        const Seen seen = visit(middle);
        for (const std::size_t replaced : {side, next}) {
            Cell half = cell;
            half.n[replaced] = middle;
            half.seen[replaced] = seen;
            add(half);
        }
    }
    search.proved = open.empty() && !search.found;
    return search;
}

/// How far the plane through three directions is from the origin: their unit combinations have
/// coefficients whose sum is between 1 and its inverse.
inline double flatness(const std::array<Vec3<double>, 3>& n)
{
    const Vec3<double> c = cross(n[1] - n[0], n[2] - n[0]);
    return std::abs(dot(n[0], c)) / norm(c);
}

/// Whether two cores can be parted along any direction by less than −limit: looks for a separation
/// above `limit`. `inner` is a further point of A − B.
inline Search shallower_way_out(const ConvexBody<double>& a, const ConvexBody<double>& b,
                                double limit, const Vec3<double>& inner, int most_looks)
{
    using V = Vec3<double>;
    const auto look = [&](const V& n) { return least_along(a, b, n); };
    const auto value = [](const V& n, const V& w) { return dot(n, w); };
    // s(n) ≤ n·v for every v of A − B, and n is a combination of the corners: the least over
    // combinations v of the points seen of the greatest over corners, or some value near it.
    const auto above = [&](const std::array<V, 3>& n, const std::array<V, 3>& w) {
        std::array<std::array<double, 3>, 4> columns;
        std::size_t count = 0;
        double least = std::numeric_limits<double>::infinity();
        const auto consider = [&](double p, double q, double r) {
            least = std::min(least, std::max({p, q, r}));
        };
        const auto add = [&](const V& v) {
            const auto& c = columns[count++] = {dot(n[0], v), dot(n[1], v), dot(n[2], v)};
            consider(c[0], c[1], c[2]);
        };
        for (const V& v : w) {
            add(v);
        }
        add(inner);
        for (std::size_t i = 0; i < count && least > limit; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const auto &p = columns[i], &q = columns[j];
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::size_t m = (k + 1) % 3;
                    // Where the two corners k and m have the same.
                    const double from = p[k] - p[m], to = q[k] - q[m];
                    const double t = from / (from - to);
                    if (t > 0 && t < 1) {
                        consider(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]),
                                 p[2] + t * (q[2] - p[2]));
                    }
                }
            }
        }
        for (std::size_t i = 0; i < count && least > limit; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                for (std::size_t k = 0; k < j; ++k) {
                    // Where all three corners have the same.
                    const auto &p = columns[i], &q = columns[j], &r = columns[k];
                    const V one{p[0] - p[1], q[0] - q[1], r[0] - r[1]};
                    const V two{p[0] - p[2], q[0] - q[2], r[0] - r[2]};
                    const V share = cross(one, two);
                    const double sum = share.x + share.y + share.z;
                    if (share.x * sum > 0 && share.y * sum > 0 && share.z * sum > 0) {
                        const double x = share.x / sum, y = share.y / sum, z = share.z / sum;
                        consider(x * p[0] + y * q[0] + z * r[0], x * p[1] + y * q[1] + z * r[1],
                                 x * p[2] + y * q[2] + z * r[2]);
                    }
                }
            }
        }
        if (least <= 0) {
            return least;
        }
        // Far off, no direction has more than the length of v.
        return std::min({least / flatness(n), norm(w[0]), norm(w[1]), norm(w[2])});
    };
    return search_sphere(limit, most_looks, look, value, above);
}

}  // namespace scree::test
