// The general method for two bounded shapes. It looks for the normal along which the cores are
// farthest apart, first among the normals on two kinks, then, if the features there do not meet,
// from a direction of GJK or EPA refined by Newton's method; see separation.hpp. A normal is
// accepted when there are points of both shapes that it joins, which proves it optimal. The
// manifold is what the features that face each other have in common.
#pragma once

#include "shapes/bar_ends.hpp"
#include "shapes/clip.hpp"
#include "shapes/gjk.hpp"
#include "shapes/least_depth_proof.hpp"
#include "shapes/manifold_reduction.hpp"
#include "shapes/polyhedron_axes.hpp"
#include "shapes/witness.hpp"

namespace scree::shapes {

/// Sines of angles up to which faces count as facing the normal: the face that clips, and the one
/// that is clipped by it.
inline constexpr double flat_tilt = 0.05, clipped_tilt = 0.5;

/// Radius of curvature across a line of touch; 0 for a sharp edge.
SCREE_HD double roundness(const Placed& c, const Feature& line)
{
    const bool curved = c.kind == ShapeKind::cylinder
                            ? line.whole == 34
                            : c.kind == ShapeKind::profile && line.whole == 45;
    return c.round + (curved ? c.size.x : 0.0);
}

/// Everything that two features share along n, but for the sides of two bars, of which add_ends has
/// the points.
SCREE_LONG void touches_of(const Placed& a, const Placed& b, const Vec& n, double size,
                           double slack, Touches& out)
{
    const Feature fa = feature_of(a, -n, flat_tilt), fb = feature_of(b, n, flat_tilt);
    const bool face_a = fa.count > 2, face_b = fb.count > 2;
    if (face_a || face_b) {
        const double off_a = face_a ? norm(cross(fa.normal, n)) : 2.0;
        const double off_b = face_b ? norm(cross(fb.normal, n)) : 2.0;
        if (off_a <= off_b + 1e-6) {
            clip_to_face(fa, face_b ? fb : feature_of(b, n, clipped_tilt), n, slack, false, out);
        } else {
            clip_to_face(fb, face_a ? fa : feature_of(a, -n, clipped_tilt), n, slack, true, out);
        }
    } else if (fa.count == 2 && fb.count == 2 && !(is_bar(a.kind) && is_bar(b.kind))) {
        const Vec da = fa.p[1] - fa.p[0], db = fb.p[1] - fb.p[0];
        const double turn = norm(cross(da, db));
        if (turn <= flat_tilt * norm(da) * norm(db)) {
            const double width =
                0.01 * joint_radius(roundness(a, fa), roundness(b, fb)) + 1e-6 * size;
            overlap_of_segments(fa, fb, n, width, 0.01 * size, slack, out);
        }
    }
}

/// Contact points with the rounding of both shapes, from the touches along n.
SCREE_LONG void gather_touches(const Placed& a, const Placed& b, const Vec& n, const Vec& origin,
                               const Touches& touches, PointPool& out)
{
    for (int i = 0; i < touches.count; ++i) {
        const Touch& t = touches.t[i];
        const Vec xa = t.xa - a.round * n, xb = t.xb + b.round * n;
        const double gap = dot(n, t.xa - t.xb) - a.round - b.round;
        const std::uint32_t name = static_cast<std::uint32_t>(t.a) << 16 | t.b;
        out.add(origin + 0.5 * (xa + xb), n, gap, name);
    }
}

/// The manifold of a normal. False if nothing proves that the normal is optimal; the manifold is
/// then filled only if `anyway`.
SCREE_LONG bool manifold_of(const Placed& a, const Placed& b, const Normal& best, double size,
                            const Vec& origin, double reach, bool anyway, Manifold& out)
{
    Touches touches;
    const double slack = slack_of(best.s, size);
    touches_of(a, b, best.n, size, slack, touches);
    double lowest = std::numeric_limits<double>::infinity();
    int deepest = 0;
    bool proved = false;
    for (int i = 0; i < touches.count; ++i) {
        const Vec d = touches.t[i].xa - touches.t[i].xb;
        const double gap = dot(best.n, d);
        if (gap < lowest) {
            lowest = gap;
            deepest = i;
        }
        // Points of both shapes are not less far apart along n.
        proved =
            proved || (math::abs(gap - best.s) <= 1e-12 * size && norm(d - gap * best.n) <= slack);
    }
    Touch closest{};
    if (!proved) {
        const Witness found = witness(a, b, best, size, 1e-9);
        proved = found.proved;
        if (!proved && !anyway) {
            return false;
        }
        // Almost flat on each other: where they would touch if they were.
        closest = proved ? found.points : witness(a, b, best, size, 1e-5).points;
    }
    PointPool all;
    gather_touches(a, b, best.n, origin, touches, all);
    const double gap = best.s - a.round - b.round;
    if (is_bar(a.kind) && is_bar(b.kind) && touches.count == 0) {
        add_ends(a, b, best.n, flat_tilt, origin, all);
        for (int i = 0; i < all.count; ++i) {
            if (all.points[i].gap < lowest - a.round - b.round) {
                lowest = all.points[i].gap + a.round + b.round;
                deepest = i;
            }
        }
    }
    for (int i = 0; i < all.count; ++i) {
        all.points[i].gap = most(all.points[i].gap, gap);
    }
    // Below this, differences of gaps do not choose between points.
    const double snap = same_gap * least(a.large, b.large);
    const Vec n = best.n;
    const Vec middle = origin + 0.5 * (closest.xa - a.round * n + closest.xb + b.round * n);
    if (lowest <= best.s + snap) {
        ContactPoint& p = all.points[deepest];
        p.gap = gap;
        // An end has a normal of its own, which is any if the axes meet: its point goes with it.
        p.point = norm(p.normal - n) > 1e-6 ? middle : p.point;
        p.normal = n;
    } else {
        std::uint32_t name = static_cast<std::uint32_t>(closest.a) << 16 | closest.b;
        if (a.kind == ShapeKind::ellipsoid || b.kind == ShapeKind::ellipsoid) {
            name = 0;
        }
        int at = all.count;
        for (int i = 0; i < all.count; ++i) {
            at = all.points[i].feature == name ? i : at;
        }
        all.points[at] = {middle, n, gap, name};
        all.count = at == all.count ? at + 1 : all.count;
    }
    reduce(all, reach, snap, out);
    return proved;
}

/// Improves the best normal by maxima near a direction: on each kink nearby, and between kinks.
SCREE_LONG void refine_near(const Placed& a, const Placed& b, const Vec& start, double near_kink,
                            double margin, Normal& best)
{
    const auto on_kink = [&](const Vec& d) {
        const double along = dot(start, d);
        if (math::abs(along) <= near_kink) {
            const Normal on = refine(a, b, normalised(start - along * d), &d);
            if (on.s > best.s + margin) {
                best = on;
            }
        }
    };
    if (a.solid == nullptr && b.solid == nullptr) {
        Vec d[6];
        const int ka = kinks_of(a, d);
        const int kinks = ka + kinks_of(b, d + ka);
        for (int i = 0; i < kinks; ++i) {
            on_kink(d[i]);
        }
    } else {
        NearEdges edges;
        for (int k = 0; k < 2; ++k) {
            near_edges(k == 0 ? a : b, k == 0 ? -start : start, edges);
            for (int i = 0; i < edges.count; ++i) {
                on_kink(edges.d[i]);
            }
        }
        const Normal climbed = climb(a, b, {start, separation(a, b, start)}, margin);
        if (climbed.s > best.s + margin) {
            best = climbed;
        }
    }
    const Normal between = refine(a, b, start, nullptr);
    if (between.s > best.s + margin) {
        best = between;
    }
}

/// Spheres and ellipsoids, whose separation is smooth.
SCREE_HD bool is_smooth(ShapeKind kind)
{
    return kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid;
}

/// Whether the list of normals on two kinks has the best one, however deep the shapes are in each
/// other: those with straight edges alone.
SCREE_HD bool is_listed(ShapeKind a, ShapeKind b)
{
    const auto straight = [](ShapeKind kind) {
        return kind == ShapeKind::box || kind == ShapeKind::capsule;
    };
    const auto flat = [](ShapeKind kind) {
        return kind == ShapeKind::box || kind == ShapeKind::polyhedron;
    };
    return (straight(a) && straight(b)) || (flat(a) && flat(b));
}

/// A normal to start from for two smooth shapes: that of the ellipsoid with the sum of their
/// squared matrices where it looks towards the other, (M_A + M_B)⁻¹ d.
SCREE_LONG Vec smooth_start(const Placed& a, const Placed& b, const Vec& towards)
{
    double m[6] = {0, 0, 0, 0, 0, 0};  // xx, yy, zz, xy, xz, yz
    for (int i = 0; i < 6; ++i) {
        const Placed& c = i < 3 ? a : b;
        if (c.kind != ShapeKind::ellipsoid) {
            continue;
        }
        const Vec e =
            i % 3 == 0 ? c.size.x * c.ax : (i % 3 == 1 ? c.size.y * c.ay : c.size.z * c.az);
        m[0] += e.x * e.x;
        m[1] += e.y * e.y;
        m[2] += e.z * e.z;
        m[3] += e.x * e.y;
        m[4] += e.x * e.z;
        m[5] += e.y * e.z;
    }
    const Vec x{m[0], m[3], m[4]}, y{m[3], m[1], m[5]}, z{m[4], m[5], m[2]};
    const Vec n = towards.x * cross(y, z) + towards.y * cross(z, x) + towards.z * cross(x, y);
    const double along = dot(n, towards);
    return along > 0 && math::finite(along) ? direction_of(n) : towards;
}

/// Whether the normal of a manifold is proved to be the best one, in penetration as well.
SCREE_LONG bool is_proved(const Placed& a, const Placed& b, const Normal& best, double size,
                          const Vec& origin, const Manifold& found)
{
    if (best.s > -trusted_depth * most(a.small, b.small)) {
        return true;
    }
    const double lowest = best.s - a.round - b.round + 1e-11 * size;
    Vec sum{0, 0, 0};
    int count = 0;
    for (int i = 0; i < found.count; ++i) {
        const ContactPoint& p = found.points[i];
        if (p.gap <= lowest) {
            sum = sum + (p.point - origin);
            ++count;
        }
    }
    const Vec middle = (1.0 / count) * sum + (0.5 * (a.round - b.round)) * best.n;
    return count > 0 && is_least_depth(a, b, best, middle, size);
}

/// Whether one of the directions may turn out better than the best one if looked at closely.
SCREE_HD bool has_rival(const Starts& others, const Normal& best, double size)
{
    bool rival = false;
    for (int i = 0; i < others.count; ++i) {
        rival =
            rival || (others.depth[i] < -best.s - 1e-10 * size && dot(others.n[i], best.n) < 0.98);
    }
    return rival;
}

SCREE_LONG void collide_convex(const Placed& a, const Placed& b, const Vec& origin, double reach,
                               Manifold& out)
{
    const double size = most(a.large + a.small, b.large + b.small);
    const double small = most(a.small, b.small);
    const double limit = reach + a.round + b.round;
    const Vec between = a.centre - b.centre;
    const double margin = 1e-14 * size;
    const Vec towards = is_zero(between) ? Vec{0, 0, 1} : direction_of(between);
    Normal best{towards, separation(a, b, towards)};
    if (best.s > limit) {
        return;
    }
    if (is_smooth(a.kind) && is_smooth(b.kind)) {
        const Normal top = refine(a, b, smooth_start(a, b, towards), nullptr, limit);
        if (top.s > limit ||
            (top.s > -0.1 * small && manifold_of(a, b, top, size, origin, reach, false, out))) {
            return;
        }
    }
    const Normal axis = a.solid == nullptr && b.solid == nullptr
                            ? best_axis(a, b, limit, margin)
                            : best_polyhedron_axis(a, b, limit, margin);
    if (axis.s > limit) {
        return;
    }
    // In shallow penetration a normal that joins two points is the best one; if there may be others
    // than those of the list, in very shallow penetration: two cylinders side by side may as well
    // be on top of each other. The climb of polyhedra does not look at the whole list.
    const double shallow = is_listed(a.kind, b.kind) ? -0.1 : -1e-6;
    const bool whole = is_listed(a.kind, b.kind) && a.solid == nullptr && b.solid == nullptr;
    if (math::finite(axis.s) && axis.s > shallow * small &&
        manifold_of(a, b, axis, size, origin, reach, false, out) &&
        (whole || is_proved(a, b, axis, size, origin, out))) {
        return;
    }
    Normal start = axis.s > best.s ? axis : best;
    const double noise = 1e-13 * size;
    constexpr double tolerances[3] = {1e-5, 1e-9, 1e-13};
    for (int level = 0; level < 3; ++level) {
        const double tolerance = tolerances[level];
        out.count = 0;
        Simplex x;
        Starts others;
        const Verdict verdict = nearest_direction(a, b, limit, tolerance * small, noise, start, x);
        if (verdict == Verdict::apart) {
            return;
        }
        if (verdict == Verdict::penetrating) {
            others = least_penetration(a, b, tolerance * small, noise, x, start);
        }
        best = axis;
        if (start.s > best.s + margin) {
            best = start;
        }
        refine_near(a, b, start.n, 0.02, margin, best);
        // Deep inside there may be several ways out that are almost as good.
        const bool deep = start.s < -0.1 * small;
        for (int i = 0; i < others.count && (deep || level > 0); ++i) {
            refine_near(a, b, others.n[i], 0.02, margin, best);
        }
        if (best.s > limit) {
            return;
        }
        if (manifold_of(a, b, best, size, origin, reach, level == 2, out) &&
            (level > 0 || deep ||
             (verdict == Verdict::penetrating && !has_rival(others, best, size)) ||
             is_proved(a, b, best, size, origin, out))) {
            return;
        }
        start = best;
    }
}

}  // namespace scree::shapes
