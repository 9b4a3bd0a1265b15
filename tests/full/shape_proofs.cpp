#include "full/shape_proofs.hpp"

#ifdef SCREE_FCL
#include "support/fcl_oracle.hpp"
#endif

#include <algorithm>
#include <cmath>

namespace scree::test {

namespace {

/// A depth is proved to be the least to within this part of the size, and a place in a curved wall
/// the farthest.
constexpr double resolved = 1e-8;

/// What the narrow phase says.
struct Answer {
    Manifold points;
    int deepest = 0;

    Answer(const DrawnPair& pair, double reach)
    {
        shapes::collide(pair.a.shape, pair.a.pose, pair.b.shape, pair.b.pose, reach, points);
        for (int i = 1; i < points.count; ++i) {
            deepest = points.points[i].gap < points.points[deepest].gap ? i : deepest;
        }
    }
    /// Of points that are equally deep takes the one whose normal parts two convex shapes best.
    void take_best(const Solid& a, const Solid& b)
    {
        const auto parted = [&](int i) {
            return separation(a, b, unit(widen(points.points[i].normal)));
        };
        for (int i = deepest + 1; i < points.count; ++i) {
            if (points.points[i].gap == gap() && parted(i) > parted(deepest)) {
                deepest = i;
            }
        }
    }
    [[nodiscard]] bool none() const { return points.count == 0; }
    [[nodiscard]] double gap() const { return points.points[deepest].gap; }
    [[nodiscard]] LongVec normal() const { return unit(widen(points.points[deepest].normal)); }
    [[nodiscard]] LongVec on_a() const { return witness(0.5L); }
    [[nodiscard]] LongVec on_b() const { return witness(-0.5L); }

private:
    [[nodiscard]] LongVec witness(Long part) const
    {
        const auto& p = points.points[deepest];
        return widen(p.point) + part * p.gap * widen(p.normal);
    }
};

bool is_curved_wall(ShapeKind kind)
{
    return kind == ShapeKind::cylinder_wall || kind == ShapeKind::sphere_wall;
}

double size_of(const DrawnPair& pair)
{
    const double a = shapes::outer_radius(pair.a.shape);
    const Shape& b = pair.b.shape;
    const double wall = is_curved_wall(b.kind) ? b.size.x : 0.0;
    return std::max(a, is_wall(b.kind) ? wall : shapes::outer_radius(b));
}

/// Larger and smaller reaches must give the same contact, or none.
void prove_reach(const DrawnPair& pair, double gap, double size, Proof& proof)
{
    const double by = 1e-9 * size;
    const Answer near(pair, std::max(0.0, gap + by));
    if (near.none()) {
        proof.missed = true;
        proof.note += " missed within reach";
    } else {
        const double error = std::abs(near.gap() - gap) / size;
        if (error > proof.gap_error) {
            proof.gap_error = error;
            proof.note += " gap depends on reach";
        }
    }
    if (gap > by && !Answer(pair, gap - by).none()) {
        proof.gap_error = std::max(proof.gap_error, 1.0);
        proof.note += " beyond reach";
    }
}

#ifdef SCREE_FCL
void ask_other(const DrawnPair& pair, const ConvexBody<Long>& a, const ConvexBody<Long>& b,
               double gap, double size, Proof& proof)
{
    const FclAnswer answer = ask_fcl(pair.a, pair.b);
    proof.fcl_known = answer.known && !pair.deep;
    proof.fcl_failed = answer.failed;
    if (!answer.known || answer.failed) {
        return;
    }
    proof.fcl_error = std::abs(answer.gap - gap) / size;
    if (answer.has_normal) {
        const LongVec n = unit(widen(answer.normal));
        const Long s = dot(n, least_along(a, b, n)) - a.round - b.round;
        const double better = static_cast<double>(s - gap) / size;
        if (better > proof.gap_error) {
            proof.gap_error = better;
            proof.note += " FCL has a better normal";
        }
    }
}
#endif

/// Two convex shapes.
void prove_convex(const DrawnPair& pair, Answer answer, double size, Proof& proof)
{
    answer.take_best(pair.a, pair.b);
    const double gap = answer.gap();
    const LongVec n = answer.normal();
    const ConvexBody<Long> a(pair.a, pair.b.pose.position), b(pair.b, pair.b.pose.position);
    const Long rounds = a.round + b.round, s = dot(n, least_along(a, b, n));
    const LongVec xa = answer.on_a(), xb = answer.on_b();
    const Long beside = outside(pair.a, xa) + outside(pair.b, xb);
    proof.point_error = static_cast<double>(beside) / size;
    // A pair of points of the cores.
    const LongVec joint = pulled_in(pair.a, xa) - pulled_in(pair.b, xb) + rounds * n;
    const auto note_error = [&](Long error, const char* why) {
        if (error > proof.gap_error * size) {
            proof.gap_error = static_cast<double>(error) / size;
            proof.note += why;
        }
    };
    note_error(std::abs(gap - (s - rounds)), "");
    if (s > 0) {
        Bounds d = distance_bounds(a, b, n, size);
        d.above = std::min(d.above, length(joint));
        note_error(std::max(std::abs(gap - (d.below - rounds)), std::abs(gap - (d.above - rounds))),
                   " bounds");
        if (d.above > 1e-3L * size) {
            proof.normal_error =
                static_cast<double>(std::sqrt(std::max(Long(0), 2 * (d.above - s) / d.above)));
        }
    } else {
        const ConvexBody<double> wide_a(pair.a, pair.b.pose.position),
            wide_b(pair.b, pair.b.pose.position);
        const Vec3<double> inner{static_cast<double>(joint.x), static_cast<double>(joint.y),
                                 static_cast<double>(joint.z)};
        const double core = static_cast<double>(s);
        const double limit = core + (pair.deep ? 1e-6 : resolved) * size;
        const Search search = shallower_way_out(wide_a, wide_b, limit, inner, 20000);
        if (search.found) {
            note_error(search.best - core, " shallower way out");
        }
        proof.undecided = !search.found && !search.proved;
    }
#ifdef SCREE_FCL
    if (pair.ask_fcl) {
        ask_other(pair, a, b, gap, size, proof);
    }
#endif
}

/// The greatest distance of a body's points from the wall's axis or centre, from a direction where
/// it is great: climbs always.
Long farthest_from_axis(const ConvexBody<Long>& a, LongVec m, const LongVec& axis, LongVec& at)
{
    Long far = 0;
    for (int i = 0; i < 400; ++i) {
        at = a.farthest(m);
        const LongVec radial = at - dot(at, axis) * axis;
        const Long now = length(radial);
        if (!(now > far)) {
            break;
        }
        far = now;
        m = (1 / far) * radial;
    }
    return far;
}

/// Whether a body has no point farther from a line than a limit, by halving arcs.
Search farther_from_line(const ConvexBody<double>& a, const Vec3<double>& u, const Vec3<double>& v,
                         double limit)
{
    struct Arc {
        Vec3<double> from, to;
        double h_from, h_to;
    };
    Search search;
    const auto height = [&](const Vec3<double>& m) {
        ++search.looked;
        const double h = dot(m, a.farthest(m));
        if (h > limit && h > search.best) {
            search.found = true;
            search.best = h;
        }
        return h;
    };
    const Vec3<double> round[4] = {u, v, -u, -v};
    std::vector<Arc> open;
    for (int i = 0; i < 4; ++i) {
        open.push_back(
            {round[i], round[(i + 1) % 4], height(round[i]), height(round[(i + 1) % 4])});
    }
    while (!open.empty() && !search.found && search.looked < 20000) {
        const Arc arc = open.back();
        open.pop_back();
        const Vec3<double> sum = arc.from + arc.to;
        const double top = std::max(arc.h_from, arc.h_to);
        if (!(top > 0 ? top > limit * 0.5 * norm(sum) : top > limit)) {
            continue;
        }
        const Vec3<double> middle = normalised(sum);
        const double h = height(middle);
        open.push_back({arc.from, middle, arc.h_from, h});
        open.push_back({middle, arc.to, h, arc.h_to});
    }
    search.proved = open.empty() && !search.found;
    return search;
}

Search farther_from_point(const ConvexBody<double>& a, double limit)
{
    using V = Vec3<double>;
    const auto look = [&](const V& n) { return dot(n, a.farthest(n)); };
    const auto value = [](const V&, double h) { return h; };
    const auto above = [](const std::array<V, 3>& n, const std::array<double, 3>& h) {
        const double top = std::max({h[0], h[1], h[2]});
        return top > 0 ? top / flatness(n) : top;
    };
    return search_sphere(limit, 20000, look, value, above);
}

/// Convex parts in front of a half-space or inside of a curved wall.
void prove_wall(const DrawnPair& pair, const Answer& answer, double size, Proof& proof)
{
    const Solid& wall = pair.b;
    const double gap = answer.gap();
    const Quat<Long> q = widen(wall.pose.orientation);
    const LongVec u = rotate(q, LongVec{1, 0, 0}), v = rotate(q, LongVec{0, 1, 0}),
                  up = rotate(q, LongVec{0, 0, 1});
    Long least = std::numeric_limits<Long>::infinity();
    const Long radius = wall.shape.size.x;
    const std::vector<Solid> parts = parts_of(pair.a);
    if (wall.shape.kind == ShapeKind::half_space) {
        for (const Solid& part : parts) {
            least = std::min(least, -support_function(part, -up, widen(wall.pose.position)));
        }
        proof.normal_error = static_cast<double>(length(cross(answer.normal(), up)));
    } else {
        const bool tube = wall.shape.kind == ShapeKind::cylinder_wall;
        const LongVec axis = tube ? u : LongVec{0, 0, 0};
        for (const Solid& part : parts) {
            const ConvexBody<Long> body(part, wall.pose.position);
            LongVec at{0, 0, 0};
            const Long far = farthest_from_axis(body, -answer.normal(), axis, at) + body.round;
            least = std::min(least, radius - far);
        }
        // The normal is that at the point it was given at.
        const LongVec at = answer.on_a() - widen(wall.pose.position);
        proof.normal_error =
            static_cast<double>(length(cross(answer.normal(), unit(at - dot(at, axis) * axis))));
        const double limit = static_cast<double>(radius - std::min(least, Long(gap))) +
                             resolved * std::max(size, wall.shape.size.x);
        for (const Solid& part : parts) {
            const ConvexBody<double> body(part, wall.pose.position);
            const Vec3<double> across_u{static_cast<double>(v.x), static_cast<double>(v.y),
                                        static_cast<double>(v.z)};
            const Vec3<double> across_v{static_cast<double>(up.x), static_cast<double>(up.y),
                                        static_cast<double>(up.z)};
            const double core = limit - body.round;
            const Search search = tube ? farther_from_line(body, across_u, across_v, core)
                                       : farther_from_point(body, core);
            if (search.found) {
                least = std::min(least, radius - search.best - body.round);
                proof.note += " farther point";
            }
            proof.undecided = proof.undecided || (!search.found && !search.proved);
        }
    }
    proof.gap_error = static_cast<double>(std::abs(least - gap)) / size;
    Long beside = std::numeric_limits<Long>::infinity();
    for (const Solid& part : parts) {
        beside = std::min(beside, outside(part, answer.on_a()));
    }
    proof.point_error = static_cast<double>(beside) / size;
    proof.gap = gap;
}

/// How deep two convex bodies that overlap are in each other, or more; of a triangle, along its
/// normal.
double depth_of(const Solid& a, const Solid* b, const ConvexBody<Long>& body,
                const ConvexBody<Long>& triangle)
{
    if (b != nullptr) {
        Manifold points;
        shapes::collide(a.shape, a.pose, b->shape, b->pose, 0, points);
        double least = 0;
        for (int i = 0; i < points.count; ++i) {
            least = std::min(least, points.points[i].gap);
        }
        return -least;
    }
    const auto& x = triangle.corners;
    const LongVec n = unit(cross(x[1] - x[0], x[2] - x[0]));
    return static_cast<double>(body.round - std::max(dot(n, least_along(body, triangle, n)),
                                                     -dot(n, least_along(body, triangle, -n))));
}

/// How far two cores are apart at least: along a direction, between their middles, and along the
/// normal of a triangle.
Long parted(const ConvexBody<Long>& a, const ConvexBody<Long>& b, const LongVec& direction)
{
    const auto along = [&](const LongVec& n) { return dot(n, least_along(a, b, n)); };
    Long least = along(direction);
    if (b.corners.size() == 3) {
        const auto& x = b.corners;
        const LongVec n = unit(cross(x[1] - x[0], x[2] - x[0]));
        least = std::max({least, along(n), along(-n),
                          along(unit(a.centre - Long(1) / 3 * (x[0] + x[1] + x[2])))});
    }
    return least;
}

/// Clumps and meshes: while they are apart, the least of all pairs of parts; where they are no
/// deeper in each other than a tenth of their width, there must be a contact.
void prove_parts(const DrawnPair& pair, const Answer& answer, double size, Proof& proof)
{
    const Vec3<double>& origin = pair.b.pose.position;
    const std::vector<Solid> of_a = parts_of(pair.a);
    std::vector<Solid> of_b;
    std::vector<ConvexBody<Long>> first, second;
    for (const Solid& part : of_a) {
        first.emplace_back(part, origin);
    }
    const double gap = answer.none() ? 0.1 * size : answer.gap();
    if (pair.b.shape.kind == ShapeKind::mesh) {
        const std::vector<Vec3<double>> points = points_of(pair.b.shape);
        const Quat<Long> q = widen(pair.b.pose.orientation);
        const LongVec middle = widen(pair.a.pose.position) - widen(origin);
        const Long far = shapes::outer_radius(pair.a.shape) + std::max(0.0, gap) + 1e-6 * size;
        for (const auto& t : triangles_of(pair.b.shape)) {
            const LongVec x = rotate(q, widen(points[t[0]])), y = rotate(q, widen(points[t[1]])),
                          z = rotate(q, widen(points[t[2]]));
            const LongVec c = Long(1) / 3 * (x + y + z);
            const Long r = std::max({length(x - c), length(y - c), length(z - c)});
            if (length(middle - c) <= far + r) {
                second.emplace_back(x, y, z);
            }
        }
    } else {
        of_b = parts_of(pair.b);
        for (const Solid& part : of_b) {
            second.emplace_back(part, origin);
        }
    }
    const LongVec start = answer.none() ? LongVec{0, 0, 1} : answer.normal();
    Long below = std::numeric_limits<Long>::infinity(), above = below;
    const Long near = std::max(gap, 0.0) + 1e-6 * size;
    double deepest = 0, normal = -1;
    bool deep = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < second.size(); ++j) {
            const ConvexBody<Long>&a = first[i], &b = second[j];
            const Long rounds = a.round + b.round;
            const Long least = parted(a, b, start) - rounds;
            if (least > near) {
                below = std::min(below, least);
                continue;
            }
            const Bounds d = distance_bounds(a, b, start, size);
            below = std::min(below, d.below - rounds);
            above = std::min(above, d.above - rounds);
            // The normal is that of any two parts that are as near as it was said.
            if (d.above > 1e-3L * size && d.below - rounds < gap + 2e-9L * size) {
                const Long s = dot(start, least_along(a, b, start));
                const auto angle =
                    static_cast<double>(std::sqrt(std::max(Long(0), 2 * (d.above - s) / d.above)));
                normal = normal < 0 ? angle : std::min(normal, angle);
            }
            if (d.below - rounds <= 0 && !deep) {
                const Solid* other = of_b.empty() ? nullptr : &of_b[j];
                const double depth = depth_of(of_a[i], other, a, b);
                const double small = least_width(of_a[i].shape);
                deepest = std::max(deepest, depth);
                deep =
                    depth >
                    0.1 * (other == nullptr ? small : std::min(small, least_width(other->shape)));
            }
        }
    }
    if (deep) {
        proof.skipped = true;
    } else if (answer.none()) {
        proof.missed = below <= 0;
        proof.note += proof.missed ? " missed" : "";
        proof.skipped = !proof.missed;  // out of reach
    } else if (below > 0) {
        proof.gap_error =
            static_cast<double>(std::max(std::abs(gap - below), std::abs(gap - above))) / size;
        proof.normal_error = normal;
    } else {
        // Neither apart nor deeper than any two parts.
        proof.gap_error = std::max({0.0, gap, -deepest - gap}) / size;
    }
}

}  // namespace

bool fcl_is_here()
{
#ifdef SCREE_FCL
    return true;
#else
    return false;
#endif
}

Proof prove(const DrawnPair& pair)
{
    Proof proof;
    const double size = size_of(pair);
    const ShapeKind kind = pair.b.shape.kind;
    const bool parts = pair.a.shape.kind == ShapeKind::clump || kind == ShapeKind::clump;
    const Answer answer(pair, kind == ShapeKind::mesh ? 0.2 : 1e3);
    if (kind == ShapeKind::mesh || (parts && !is_wall(kind))) {
        prove_parts(pair, answer, size, proof);
    } else if (answer.none()) {
        proof.missed = true;
        proof.note = " missed";
    } else if (kind == ShapeKind::half_space || is_curved_wall(kind)) {
        prove_wall(pair, answer, size, proof);
    } else {
        prove_convex(pair, answer, size, proof);
    }
    if (!answer.none() && !proof.skipped) {
        proof.gap = answer.gap();
        prove_reach(pair, proof.gap, size, proof);
    }
    return proof;
}

}  // namespace scree::test
