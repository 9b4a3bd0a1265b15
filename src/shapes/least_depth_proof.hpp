// Proofs that a normal in penetration is that of the least depth e, without a look at others: the
// ball of radius e about the origin lies in the difference A − B. It does so if one of the shapes
// holds a ball of that radius that touches its surface where the normal joins the two, from within.
// Else what faces the normal may be a flat part of the difference's surface. From there the
// difference holds a cone towards the ball inside of both shapes about their centres, and the cone
// holds the ball of radius e if the flat part goes on far enough to all sides. Edges and rims that
// cross make a part of the surface that is curved at most, with much the same cone.
#pragma once

#include "shapes/feature.hpp"
#include "shapes/separation.hpp"
#include "shapes/witness.hpp"

namespace scree::shapes {

/// Depths, relative to the width, that need no proof: normals that are the best nearby are off by
/// no more than twice their depth.
inline constexpr double trusted_depth = 1e-10;

/// Whether a core holds a ball that touches its surface from within, to within `slack`.
SCREE_LONG bool holds_ball(const Placed& c, const Vec& middle, double radius, double slack)
{
    const Vec p = to_local(c, middle - c.centre);
    const Vec& s = c.size;
    const double x = math::abs(p.x), y = math::abs(p.y), z = math::abs(p.z);
    double within = 0;
    switch (c.kind) {
    case ShapeKind::box: within = least(s.x - x, least(s.y - y, s.z - z)); break;
    case ShapeKind::cylinder: within = least(s.y - x, s.x - math::sqrt(y * y + z * z)); break;
    case ShapeKind::ellipsoid:
        // The least radius of curvature.
        return radius * c.large <= c.small * c.small;
    case ShapeKind::profile:
        within = s.x - (p.x < 0 ? math::sqrt(x * x + y * y) : y);
        within = least(within, least(s.y - p.x, s.z - z));
        break;
    case ShapeKind::polyhedron: {
        const Polyhedron::Plane* plane = c.solid->planes();
        within = radius;
        for (int i = 0; i < c.solid->face_count && within >= radius - slack; ++i) {
            within = least(within, s.x * plane[i].offset - dot(plane[i].normal, p));
        }
        break;
    }
    default: return false;
    }
    return within >= radius - slack;
}

/// Whether another feature overlaps this one, seen along the direction it faces, by `far` or more
/// across each of its sides.
SCREE_LONG bool overlaps(const Feature& own, const Feature& other, const Vec& facing, double far)
{
    for (int i = 0; i < own.count && own.count > 1; ++i) {
        const Vec side = own.p[i + 1 == own.count ? 0 : i + 1] - own.p[i];
        const Vec out = cross(side, facing);
        double within = dot(out, own.p[i] - other.p[0]);
        for (int k = 1; k < other.count; ++k) {
            within = most(within, dot(out, own.p[i] - other.p[k]));
        }
        if (!(within > 0 && within * within >= far * far * dot(out, out))) {
            return false;
        }
    }
    return true;
}

/// Whether the flat part of the difference that faces a normal is wide enough, at `depth` behind
/// which the centres' difference lies `behind`, and `beside` it.
SCREE_LONG bool is_wide(const Feature& fa, const Feature& fb, const Vec& n, double depth,
                        double behind, double beside, double slack)
{
    if (fa.count + fb.count < 4) {
        return false;
    }
    double highest = dot(n, fa.p[0]), lowest = dot(n, fb.p[0]);
    for (int i = 1; i < fa.count; ++i) {
        highest = most(highest, dot(n, fa.p[i]));
    }
    for (int i = 1; i < fb.count; ++i) {
        lowest = least(lowest, dot(n, fb.p[i]));
    }
    if (highest - lowest > slack - depth) {
        return false;  // not flat
    }
    // At height z above the flat part, which holds a disc of radius r, the cone holds one of
    // r − (r + slope·behind) z/behind that needs to be √(2 depth z − z²).
    const double slope = beside / behind;
    const double left = 1 - 2 * depth / behind;
    const double far = depth * (slope + math::sqrt(slope * slope + left)) / left;
    return overlaps(fa, fb, -n, far) && overlaps(fb, fa, n, far);
}

/// Of an edge or a rim at one of its points: the direction along it, and k for which the support
/// function about the point is k b² or more, b the direction's part along it. 0 if it is neither.
SCREE_LONG double edge_at(const Placed& c, const Feature& f, const Vec& n, const Vec& point,
                          Vec& along)
{
    if (f.count == 2) {
        const Vec d = f.p[1] - f.p[0];
        along = direction_of(d);
        const double at = dot(point - f.p[0], along);
        return least(at, norm(d) - at);
    }
    if (on_rim(c, f, n, along)) {
        return 0.5 * (c.kind == ShapeKind::profile ? least(c.size.x, c.size.y) : c.size.x);
    }
    return 0;
}

/// Whether no other normal has a larger separation than this one, which joins points of the cores
/// on both sides of a middle. False if that is not seen at once.
SCREE_LONG bool is_least_depth(const Placed& a, const Placed& b, const Normal& best,
                               const Vec& middle, double size)
{
    const double depth = -best.s, slack = 1e-11 * size;
    const Vec n = best.n, half = (0.5 * depth) * n;
    if (holds_ball(a, middle + half, depth, slack) || holds_ball(b, middle - half, depth, slack)) {
        return true;
    }
    const Vec between = a.centre - b.centre;
    const double along = dot(n, between), behind = along + depth;
    if (!(behind > 4 * depth)) {
        return false;
    }
    const double beside = norm(between - along * n) - a.inner - b.inner;
    const Feature fa = feature_of(a, -n, 1e-7), fb = feature_of(b, n, 1e-7);
    if (is_wide(fa, fb, n, depth, behind, beside, slack)) {
        return true;
    }
    // Across each other: the difference's support function about the point s n, along a unit m
    // whose part beside n is t, is k t² or more.
    Vec da{0, 0, 0}, db{0, 0, 0};
    const double k =
        least(edge_at(a, fa, n, middle - half, da), edge_at(b, fb, n, middle + half, db));
    if (!(k > 0)) {
        return false;
    }
    const double t2 = 2 * depth / (k * (1 - math::abs(dot(da, db))));
    return t2 < 0.5 && 0.7 * behind - math::sqrt(t2) * most(beside, 0) > 2 * depth;
}

}  // namespace scree::shapes
