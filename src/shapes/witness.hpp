// Proofs: the two points that the best normal joins. If they lie on both shapes, no other normal
// nearby has a larger separation.
#pragma once

#include "shapes/clip.hpp"
#include "shapes/separation.hpp"

namespace scree::shapes {

/// How far points may lie beside each other and yet prove a separation s: cores that are s apart
/// are then farther apart by 1e-14 of their size at most.
SCREE_HD double slack_of(double s, double size)
{
    return 1e-12 * size + (s > 0 ? math::sqrt(2e-14 * size * s) : 0.0);
}

/// The point of a polygon or segment nearest to m, seen along n.
SCREE_LONG Vec nearest_on_feature(const Feature& f, const Vec& m, const Vec& n)
{
    Vec nearest = f.p[0];
    double least2 = std::numeric_limits<double>::infinity();
    bool inside = f.count > 2, has_area = false;
    const double facing = f.count > 2 ? sign_of(dot(n, f.normal)) : 1.0;
    for (int i = 0; i < (f.count == 2 ? 1 : f.count); ++i) {
        const Vec p = f.p[i], d = f.p[i + 1 == f.count ? 0 : i + 1] - p;
        const Vec flat = d - dot(d, n) * n;
        const double length2 = dot(flat, flat);
        const double t = length2 > 0 ? clamped(dot(m - p, flat) / length2, 0, 1) : 0.0;
        const Vec q = p + t * d;
        const Vec off = q - m;
        const double off2 = dot(off, off) - dot(off, n) * dot(off, n);
        const double in = facing * dot(cross(n, d), m - p);
        inside = inside && in >= 0;
        has_area = has_area || in > 0;
        if (off2 < least2) {
            least2 = off2;
            nearest = q;
        }
    }
    if (inside && has_area) {
        return m - (dot(m - f.p[0], f.normal) / dot(n, f.normal)) * n;
    }
    return nearest;
}

/// Whether p is where the polygon stands for a disc or half a disc.
SCREE_HD bool on_round_part(const Feature& f, const Vec& p)
{
    return f.round_part && dot(p - f.middle, f.straight) <= 0;
}

/// The point nearest to m, seen along n, of a feature or of the round cap that it stands for.
SCREE_LONG Vec nearest_on_cap(const Feature& f, double r, const Vec& m, const Vec& n)
{
    if (!on_round_part(f, m)) {
        return nearest_on_feature(f, m, n);
    }
    Vec d = m - f.middle;
    d = d - dot(d, n) * n;
    const double off = norm(d);
    const Vec q = off > r ? f.middle + (r / off) * d : m;
    return q - (dot(q - f.middle, f.normal) / dot(n, f.normal)) * n;
}

/// What is left of a segment or polygon where (p − at)·towards ≤ 0.
SCREE_LONG Feature cut_by_plane(const Feature& f, const Vec& at, const Vec& towards)
{
    Feature out;
    out.normal = f.normal;
    for (int i = 0; i < f.count; ++i) {
        const int j = i + 1 == f.count ? 0 : i + 1;
        const double di = dot(f.p[i] - at, towards), dj = dot(f.p[j] - at, towards);
        if (di <= 0) {
            out.p[out.count++] = f.p[i];
        }
        if ((di <= 0) != (dj <= 0) && (f.count > 2 || i == 0)) {
            out.p[out.count++] = f.p[i] + (di / (di - dj)) * (f.p[j] - f.p[i]);
        }
    }
    return out;
}

/// Whether a feature meets the disc (or half disc) that a polygon stands for, seen along n; with
/// the point `on` the disc and the point of `other`.
SCREE_LONG bool meets_round_part(const Feature& disc, double r, const Feature& other, const Vec& n,
                                 double tolerance, Vec& on, Vec& at)
{
    const Feature part =
        is_zero(disc.straight) ? other : cut_by_plane(other, disc.middle, disc.straight);
    if (part.count == 0) {
        return false;
    }
    const Vec q = part.count == 1 ? part.p[0] : nearest_on_feature(part, disc.middle, n);
    const Vec d = q - disc.middle;
    if (norm(d - dot(d, n) * n) > r + tolerance) {
        return false;
    }
    at = q;
    on = q - (dot(d, disc.normal) / dot(n, disc.normal)) * n;
    return true;
}

/// Whether a feature is a point on the rim of a round cap, and the rim's direction there: only
/// along it does the point follow when the normal turns.
SCREE_HD bool on_rim(const Placed& c, const Feature& f, const Vec& n, Vec& along)
{
    const bool cylinder = c.kind == ShapeKind::cylinder;
    if (f.count != 1 || !(cylinder || (c.kind == ShapeKind::profile && f.whole >= 48))) {
        return false;
    }
    along = direction_of(cross(cylinder ? c.ax : c.az, n));
    return true;
}

/// How far apart two points are seen along n, which are d apart.
SCREE_HD double distance_across(const Vec& d, const Vec& n) { return norm(d - dot(d, n) * n); }

/// Two points that a normal joins, xa − xb = s n, if they are `proved` to lie on both shapes.
struct Witness {
    Touch points;
    bool proved;
};

/// What is left of d, the way across n between a point and a point or edge beside it. Along the rim
/// of a round cap the point follows the normal, which can close the rest.
SCREE_HD double distance_off_rims(const Placed& a, const Placed& b, const Feature& fa,
                                  const Feature& fb, const Vec& n, const Vec& d, const Vec& edge)
{
    Vec rim_a, rim_b;
    const bool a_on_rim = on_rim(a, fa, n, rim_a), b_on_rim = on_rim(b, fb, n, rim_b);
    if (!a_on_rim && !b_on_rim) {
        return norm(d);
    }
    const Vec rim = a_on_rim ? rim_a : rim_b;
    const bool is_edge = fa.count == 2 || fb.count == 2;
    const Vec second = is_edge ? edge : (a_on_rim && b_on_rim ? rim_b : rim);
    const bool both = norm(cross(rim, second)) > 0.1;
    return both ? math::abs(dot(d, edge)) : norm(d - dot(d, rim) * rim);
}

/// The witness of a point and whatever faces it.
SCREE_HD Witness witness_of_point(const Placed& a, const Placed& b, const Feature& fa,
                                  const Feature& fb, const Normal& best, double tight, double loose)
{
    const Vec n = best.n;
    const bool of_a = fa.count == 1;
    const Vec p = of_a ? fa.p[0] : fb.p[0];
    const Feature& other = of_a ? fb : fa;
    const bool smooth = a.kind == ShapeKind::ellipsoid || b.kind == ShapeKind::ellipsoid;
    const Vec q = other.count == 1 ? other.p[0] : nearest_on_feature(other, p, n);
    const Vec way = p - q, d = way - dot(way, n) * n;
    double off = norm(d);
    double tolerance = tight;
    if (other.count > 2 && off > 0 && on_round_part(other, p)) {
        off = most(0, distance_across(p - other.middle, n) - (of_a ? b.size.x : a.size.x));
    } else if (other.count <= 2 && off <= loose) {
        const Vec edge = other.count == 2 ? direction_of(other.p[1] - other.p[0]) : Vec{0, 0, 0};
        if (!smooth) {
            off = distance_off_rims(a, b, fa, fb, n, d, edge);
        } else if (other.count == 1) {
            tolerance = loose;
        } else {
            off = math::abs(dot(d, edge));
        }
    }
    Touch points{of_a ? p : p + best.s * n, of_a ? p - best.s * n : p, fa.whole, fb.whole};
    // The points are moved to lie on one line along n.
    if (other.count == 1 && off <= tolerance) {
        const Vec between = fa.p[0] - fb.p[0];
        const Vec side = 0.5 * (between - dot(between, n) * n);
        points.xa = fa.p[0] - side;
        points.xb = points.xa - best.s * n;
    }
    return {points, off <= tolerance};
}

/// Where two segments cross.
SCREE_HD Witness witness_of_crossing(const Feature& fa, const Feature& fb, const Vec& n,
                                     double tight)
{
    double ta = 0, tb = 0;
    cross_point(fa, fb, ta, tb);
    const Vec xa = fa.p[0] + clamped(ta, 0, 1) * (fa.p[1] - fa.p[0]);
    const Vec xb = fb.p[0] + clamped(tb, 0, 1) * (fb.p[1] - fb.p[0]);
    return {{xa, xb, fa.whole, fb.whole}, distance_across(xa - xb, n) <= tight};
}

/// What two segments or polygons share seen along n.
SCREE_HD Touches shared_touches(const Feature& fa, const Feature& fb, const Vec& n, double tight)
{
    Touches shared;
    if (fa.count > 2) {
        clip_to_face(fa, fb, n, tight, false, shared);
    } else if (fb.count > 2) {
        clip_to_face(fb, fa, n, tight, true, shared);
    } else {
        overlap_of_segments(fa, fb, n, tight, 0, tight, shared);
    }
    return shared;
}

/// The deepest of what they share, which must not be farther apart than `deep`.
SCREE_HD Witness witness_of_touches(const Touches& shared, const Feature& fa, const Feature& fb,
                                    const Vec& n, double tight, double deep)
{
    Vec xa = shared.t[0].xa, xb = shared.t[0].xb;
    for (int i = 1; i < shared.count; ++i) {
        const Touch& t = shared.t[i];
        if (dot(n, t.xa - t.xb) < dot(n, xa - xb)) {
            xa = t.xa;
            xb = t.xb;
        }
    }
    return {{xa, xb, fa.whole, fb.whole},
            distance_across(xa - xb, n) <= tight && dot(n, xa - xb) <= deep};
}

/// The caps of two cylinders, beyond the polygons that stand for them: the middle of what the discs
/// share on the line of their centres.
SCREE_HD Witness witness_of_discs(const Feature& fa, double ra, const Feature& fb, double rb,
                                  const Normal& best, double tight)
{
    const Vec n = best.n;
    Vec d = fb.middle - fa.middle;
    d = d - dot(d, n) * n;
    const double apart = norm(d);
    const double t = 0.5 * (most(apart - rb, -ra) + least(ra, apart + rb));
    const Vec q = fa.middle + (apart > 0 ? t / apart : 0.0) * d;
    const Vec xb = q - (dot(q - fb.middle, fb.normal) / dot(n, fb.normal)) * n;
    return {{xb + best.s * n, xb, fa.whole, fb.whole}, apart <= ra + rb + tight};
}

/// By projections in turn onto what the polygons stand for.
SCREE_HD Witness witness_by_projections(const Feature& fa, double ra, const Feature& fb, double rb,
                                        const Vec& n, double tight, double deep)
{
    Touch points{fa.p[0], fb.p[0], fa.whole, fb.whole};
    for (int i = 0; i < 60; ++i) {
        points.xa = nearest_on_cap(fa, ra, points.xb, n);
        points.xb = nearest_on_cap(fb, rb, points.xa, n);
        if (distance_across(points.xa - points.xb, n) <= tight) {
            return {points, dot(n, points.xa - points.xb) <= deep};
        }
    }
    return {points, false};
}

/// The two points that the normal joins. That they are proved to lie on both shapes makes it the
/// best normal (at least nearby).
SCREE_LONG Witness witness(const Placed& a, const Placed& b, const Normal& best, double size,
                           double flat)
{
    const Vec n = best.n;
    const double tight = slack_of(best.s, size), deep = best.s + 1e-12 * size;
    const Feature fa = feature_of(a, -n, flat), fb = feature_of(b, n, flat);
    if (fa.count == 1 || fb.count == 1) {
        return witness_of_point(a, b, fa, fb, best, tight, 1e-6 * size);
    }
    if (fa.count == 2 && fb.count == 2) {
        const Vec da = fa.p[1] - fa.p[0], db = fb.p[1] - fb.p[0];
        const double turned = norm(cross(da, db)) / (norm(da) * norm(db));
        if (turned > 1e-8) {
            const Witness crossing = witness_of_crossing(fa, fb, n, tight);
            if (crossing.proved || turned > 1e-4) {
                return crossing;
            }
        }
    }
    const Touches shared = shared_touches(fa, fb, n, tight);
    if (shared.count > 0) {
        return witness_of_touches(shared, fa, fb, n, tight, deep);
    }
    const double ra = a.size.x, rb = b.size.x;
    if (a.kind == ShapeKind::cylinder && b.kind == ShapeKind::cylinder && fa.round_part &&
        fb.round_part) {
        const Witness discs = witness_of_discs(fa, ra, fb, rb, best, tight);
        if (discs.proved) {
            return discs;
        }
    }
    Touch t{fa.p[0], fb.p[0], fa.whole, fb.whole};
    if ((fa.round_part && meets_round_part(fa, ra, fb, n, tight, t.xa, t.xb)) ||
        (fb.round_part && meets_round_part(fb, rb, fa, n, tight, t.xb, t.xa))) {
        return {t, dot(n, t.xa - t.xb) <= deep};
    }
    return witness_by_projections(fa, ra, fb, rb, n, tight, deep);
}

}  // namespace scree::shapes
