// The general method for two bounded shapes. It looks for the normal along which the cores are
// farthest apart, first among the normals on two kinks, then, if the features there do not meet,
// from a direction of GJK or EPA refined by Newton's method; see separation.hpp. A normal is
// accepted when there are points of both shapes that it joins, which proves it optimal. The
// manifold is what the features that face each other have in common.
#pragma once

#include "collide/clip.hpp"
#include "collide/gather.hpp"
#include "collide/gjk.hpp"

namespace scree::collide {

/// Sines of angles up to which faces count as facing the normal: the face that clips, and the one
/// that is clipped by it.
inline constexpr double flat_tilt = 0.05, clipped_tilt = 0.5;

/// Everything that two features share along n.
SCREE_LONG void touches_of(const Placed& a, const Placed& b, const Vec& n, double slack,
                           Touches& out)
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
    } else if (fa.count == 2 && fb.count == 2) {
        const Vec da = fa.p[1] - fa.p[0], db = fb.p[1] - fb.p[0];
        const double turn = norm(cross(da, db));
        if (turn <= flat_tilt * norm(da) * norm(db)) {
            overlap_of_segments(fa, fb, n, slack, out);
        }
    }
}

/// The point of a polygon or segment nearest to m, seen along n.
SCREE_LONG Vec nearest_on_feature(const Feature& f, const Vec& m, const Vec& n)
{
    Vec nearest = f.p[0];
    double least2 = std::numeric_limits<double>::infinity();
    bool inside = f.count > 2;
    const double facing = f.count > 2 ? sign_of(dot(n, f.normal)) : 1.0;
    for (int i = 0; i < (f.count == 2 ? 1 : f.count); ++i) {
        const Vec p = f.p[i], d = f.p[i + 1 == f.count ? 0 : i + 1] - p;
        const Vec flat = d - dot(d, n) * n;
        const double length2 = dot(flat, flat);
        const double t = length2 > 0 ? clamped(dot(m - p, flat) / length2, 0, 1) : 0.0;
        const Vec q = p + t * d;
        const Vec off = q - m;
        const double off2 = dot(off, off) - dot(off, n) * dot(off, n);
        inside = inside && facing * dot(cross(n, d), m - p) >= 0;
        if (off2 < least2) {
            least2 = off2;
            nearest = q;
        }
    }
    if (inside) {
        return m - (dot(m - f.p[0], f.normal) / dot(n, f.normal)) * n;
    }
    return nearest;
}

/// The two points that the normal joins: xa − xb = s n. True if they are found to lie on both
/// shapes, which makes n the best normal (at least nearby).
SCREE_LONG bool witness(const Placed& a, const Placed& b, const Normal& best, double size,
                        Touch& out)
{
    const Vec n = best.n;
    const double tight = 1e-12 * size, loose = 1e-6 * size;
    const Feature fa = feature_of(a, -n, 1e-9), fb = feature_of(b, n, 1e-9);
    out = {fa.p[0], fb.p[0], fa.whole, fb.whole};
    const auto lateral = [&](const Vec& p, const Vec& q) {
        const Vec d = p - q;
        return norm(d - dot(d, n) * n);
    };
    const auto smooth = [](const Placed& c, const Feature& f) {
        return f.count == 1 && (c.kind == ShapeKind::ellipsoid || c.kind == ShapeKind::cylinder ||
                                (c.kind == ShapeKind::profile && f.whole >= 48));
    };
    const double tolerance = smooth(a, fa) || smooth(b, fb) ? loose : tight;
    if (fa.count == 1 || fb.count == 1) {
        const bool of_a = fa.count == 1;
        const Vec p = of_a ? fa.p[0] : fb.p[0];
        const Feature& other = of_a ? fb : fa;
        Vec q = other.count == 1 ? other.p[0] : nearest_on_feature(other, p, n);
        double off = lateral(p, q);
        if (other.disc && off > 0) {
            const double r = of_a ? b.size.x : a.size.x;
            off = most(0, lateral(p, other.middle) - r);
        }
        // The points are moved to lie on one line along n.
        if (other.count == 1 && off <= tolerance) {
            const Vec d = fa.p[0] - fb.p[0];
            const Vec side = 0.5 * (d - dot(d, n) * n);
            out.xa = fa.p[0] - side;
            out.xb = out.xa - best.s * n;
        } else {
            out.xa = of_a ? p : p + best.s * n;
            out.xb = of_a ? p - best.s * n : p;
        }
        return off <= tolerance;
    }
    if (fa.count == 2 && fb.count == 2) {
        const Vec da = fa.p[1] - fa.p[0], db = fb.p[1] - fb.p[0];
        if (norm(cross(da, db)) > 1e-8 * norm(da) * norm(db)) {
            double ta = 0, tb = 0;
            cross_point(fa, fb, ta, tb);
            const double ca = clamped(ta, 0, 1), cb = clamped(tb, 0, 1);
            out.xa = fa.p[0] + ca * da;
            out.xb = fb.p[0] + cb * db;
            return lateral(out.xa, out.xb) <= tight;
        }
    }
    Touches shared;
    if (fa.count > 2 && (!fa.disc || fb.count > 2)) {
        clip_to_face(fa, fb, n, tight, false, shared);
    } else if (fb.count > 2) {
        clip_to_face(fb, fa, n, tight, true, shared);
    } else {
        overlap_of_segments(fa, fb, n, tight, shared);
    }
    if (shared.count > 0) {
        // The middle of what they share.
        Vec xa{0, 0, 0}, xb{0, 0, 0};
        for (int i = 0; i < shared.count; ++i) {
            xa = xa + shared.t[i].xa;
            xb = xb + shared.t[i].xb;
        }
        out.xa = (1.0 / shared.count) * xa;
        out.xb = (1.0 / shared.count) * xb;
        return lateral(out.xa, out.xb) <= tight;
    }
    if (fa.disc || fb.disc) {
        // Between the polygon and the circle around it.
        const bool of_a = fa.disc;
        const Vec m = of_a ? fa.middle : fb.middle;
        const double r = of_a ? a.size.x : b.size.x;
        Vec q = nearest_on_feature(of_a ? fb : fa, m, n);
        double off = lateral(m, q) - r;
        if (fa.disc && fb.disc) {
            Vec d = fb.middle - fa.middle;
            d = d - dot(d, n) * n;
            const double apart = norm(d);
            off = apart - a.size.x - b.size.x;
            q = fb.middle - (b.size.x / apart) * d;
        }
        out.xa = of_a ? q + best.s * n : q;
        out.xb = of_a ? q : q - best.s * n;
        return off <= tight;
    }
    return false;
}

/// Contact points with the rounding of both shapes, from the touches along n.
SCREE_LONG void gather_touches(const Placed& a, const Placed& b, const Vec& n, const Vec& origin,
                               const Touches& touches, Gather& out)
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
    touches_of(a, b, best.n, 1e-12 * size, touches);
    double lowest = std::numeric_limits<double>::infinity();
    int deepest = 0;
    for (int i = 0; i < touches.count; ++i) {
        const double gap = dot(best.n, touches.t[i].xa - touches.t[i].xb);
        if (gap < lowest) {
            lowest = gap;
            deepest = i;
        }
    }
    bool proved = lowest <= best.s + 1e-12 * size;
    Touch closest{};
    if (!proved) {
        proved = witness(a, b, best, size, closest);
        if (!proved && !anyway) {
            return false;
        }
    }
    Gather all;
    gather_touches(a, b, best.n, origin, touches, all);
    const double gap = best.s - a.round - b.round;
    if (lowest <= best.s + 1e-9 * size) {
        all.points[deepest].gap = gap;
    } else {
        const Vec n = best.n;
        const Vec middle = origin + 0.5 * (closest.xa - a.round * n + closest.xb + b.round * n);
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
    reduce(all, reach, 1e-9 * size, out);
    return proved;
}

/// Improves the best normal by maxima near a direction: on each kink nearby, and between kinks.
SCREE_LONG void refine_near(const Placed& a, const Placed& b, const Vec& start, double near_kink,
                            double margin, Normal& best)
{
    Vec d[6];
    const int ka = kinks_of(a, d);
    const int kinks = ka + kinks_of(b, d + ka);
    for (int i = 0; i < kinks; ++i) {
        const double along = dot(start, d[i]);
        if (lane::abs(along) <= near_kink) {
            const Normal on = refine(a, b, normalised(start - along * d[i]), &d[i]);
            if (on.s > best.s + margin) {
                best = on;
            }
        }
    }
    const Normal between = refine(a, b, start, nullptr);
    if (between.s > best.s + margin) {
        best = between;
    }
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
    const Normal axis = best_axis(a, b, margin);
    if (axis.s > limit) {
        return;
    }
    // In shallow penetration a normal that joins two points is the best one.
    if (lane::finite(axis.s) && axis.s > -0.1 * small &&
        manifold_of(a, b, axis, size, origin, reach, false, out)) {
        return;
    }
    Normal start = axis.s > best.s ? axis : best;
    const double noise = 1e-13 * size;
    for (double tolerance = 1e-5; tolerance > 1e-13; tolerance *= 1e-4) {
        Simplex x;
        const Verdict verdict = nearest_direction(a, b, limit, tolerance * small, noise, start, x);
        if (verdict == Verdict::apart) {
            return;
        }
        if (verdict == Verdict::penetrating) {
            least_penetration(a, b, tolerance * small, noise, x, start);
        }
        best = axis;
        if (start.s > best.s + margin) {
            best = start;
        }
        refine_near(a, b, start.n, 0.02, margin, best);
        if (best.s > limit) {
            return;
        }
        const bool last = tolerance < 1e-12;
        if (manifold_of(a, b, best, size, origin, reach, last, out)) {
            return;
        }
        start = best;
    }
}

}  // namespace scree::collide
