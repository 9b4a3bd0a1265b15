// The separation of two convex cores along a unit normal n (from the second towards the first),
//
//   s(n) = −h_A(−n) − h_B(n),
//
// whose maximum over all n is the signed distance: positive apart, negative in penetration. Every n
// gives a lower bound, so that candidates can be compared without knowing where they come from. The
// support functions h are smooth but for kinks |n·d|, one for each straight edge direction d of a
// shape. Where two kinks meet there is a candidate in closed form (the axes of the separating axis
// theorem: normals of faces and cross products of edges); on one kink the maximum is that of a
// smooth function on a circle, away from all kinks that on a sphere, found by Newton's method.
#pragma once

#include "shapes/support.hpp"

namespace scree::shapes {

/// Support function of the core about its own centre, for |m| = 1.
SCREE_HD double support_value(const Placed& c, const Vec& m)
{
    const Vec& s = c.size;
    switch (c.kind) {
    case ShapeKind::box:
        return s.x * math::abs(dot(m, c.ax)) + s.y * math::abs(dot(m, c.ay)) +
               s.z * math::abs(dot(m, c.az));
    case ShapeKind::capsule: return s.y * math::abs(dot(m, c.ax));
    case ShapeKind::sphere: return 0;
    default: {
        const Vec local = to_local(c, m);
        return dot(local, core_support(c, local));
    }
    }
}

SCREE_HD double separation(const Placed& a, const Placed& b, const Vec& n)
{
    return dot(n, a.centre - b.centre) - support_value(a, -n) - support_value(b, n);
}

/// The same, with its gradient w = p_A(−n) − p_B(n), a point of the difference A − B.
SCREE_HD double separation(const Placed& a, const Placed& b, const Vec& n, Vec& w)
{
    w = support(a, -n) - support(b, n);
    return dot(n, w);
}

struct Normal {
    Vec n;
    double s;
};

/// Directions of straight edges of a shape that is no polyhedron.
SCREE_HD int kinks_of(const Placed& c, Vec d[3])
{
    d[0] = c.ax;
    d[1] = c.ay;
    d[2] = c.az;
    switch (c.kind) {
    case ShapeKind::box:
    case ShapeKind::profile: return 3;
    case ShapeKind::cylinder: return 1;
    case ShapeKind::capsule: return c.size.y > 0 ? 1 : 0;
    default: return 0;
    }
}

SCREE_HD void try_axis(const Placed& a, const Placed& b, const Vec& axis, bool both_ways,
                       double margin, Normal& best)
{
    const Vec n = dot(axis, a.centre - b.centre) < 0 ? -axis : axis;
    const double s = separation(a, b, n);
    if (s > best.s + margin) {
        best = {n, s};
    }
    if (both_ways) {
        const double back = separation(a, b, -n);
        if (back > best.s + margin) {
            best = {-n, back};
        }
    }
}

/// The best of the normals on two kinks, or one that is better than `limit`. A later candidate must
/// be better by `margin`.
SCREE_LONG Normal best_axis(const Placed& a, const Placed& b, double limit, double margin)
{
    Normal best{{0, 0, 1}, -std::numeric_limits<double>::infinity()};
    const bool both = a.kind == ShapeKind::profile || b.kind == ShapeKind::profile;
    Vec da[3], db[3];
    const int ka = kinks_of(a, da), kb = kinks_of(b, db);
    for (int i = 0; i < ka && a.kind != ShapeKind::capsule; ++i) {
        try_axis(a, b, da[i], both, margin, best);
    }
    for (int i = 0; i < kb && b.kind != ShapeKind::capsule; ++i) {
        try_axis(a, b, db[i], both, margin, best);
    }
    for (int i = 0; i < ka; ++i) {
        for (int j = 0; j < kb && !(best.s > limit); ++j) {
            const Vec c = cross(da[i], db[j]);
            const double length2 = dot(c, c);
            if (length2 > 1e-16) {
                try_axis(a, b, (1 / math::sqrt(length2)) * c, both, margin, best);
            }
        }
    }
    return best;
}

/// Adds the second derivatives of the support function at the unit direction m along t1 and t2.
SCREE_HD void add_curvature(const Placed& c, const Vec& m, const Vec& t1, const Vec& t2,
                            double& k11, double& k12, double& k22)
{
    if (c.kind != ShapeKind::cylinder && c.kind != ShapeKind::ellipsoid &&
        c.kind != ShapeKind::profile) {
        return;
    }
    const Vec lm = to_local(c, m), l1 = to_local(c, t1), l2 = to_local(c, t2);
    const Vec& s = c.size;
    if (c.kind == ShapeKind::ellipsoid) {
        const Vec p = core_support(c, lm);
        const double h = dot(p, lm);
        const Vec m1{s.x * l1.x, s.y * l1.y, s.z * l1.z}, m2{s.x * l2.x, s.y * l2.y, s.z * l2.z};
        const double p1 = dot(p, l1), p2 = dot(p, l2);
        k11 += (dot(m1, m1) - p1 * p1) / h;
        k12 += (dot(m1, m2) - p1 * p2) / h;
        k22 += (dot(m2, m2) - p2 * p2) / h;
        return;
    }
    // A circle of radius r: r t tᵀ/ρ with t the circle's tangent and ρ the length of m in its
    // plane.
    const bool cylinder = c.kind == ShapeKind::cylinder;
    if (!cylinder && lm.x >= 0) {
        return;
    }
    const double u = cylinder ? lm.y : lm.x, v = cylinder ? lm.z : lm.y;
    const double rho2 = u * u + v * v;
    if (rho2 < 1e-24) {
        return;
    }
    const double k = s.x / (rho2 * math::sqrt(rho2));
    const double a1 = cylinder ? u * l1.z - v * l1.y : u * l1.y - v * l1.x;
    const double a2 = cylinder ? u * l2.z - v * l2.y : u * l2.y - v * l2.x;
    k11 += k * a1 * a1;
    k12 += k * a1 * a2;
    k22 += k * a2 * a2;
}

/// Newton's method for the maximum of s from n, on the circle n ⊥ d if d is given (unit), else on
/// the sphere; it ends early where s > limit. Steps that do not improve are halved; the last ones,
/// below what s can resolve, are taken on trust.
SCREE_LONG Normal refine(const Placed& a, const Placed& b, const Vec& start, const Vec* d,
                         double limit = std::numeric_limits<double>::infinity())
{
    Vec n = start, w;
    double s = separation(a, b, n, w);
    double last = 1;
    for (int i = 0; i < 40 && !(s > limit); ++i) {
        const Vec t1 = d != nullptr ? cross(*d, n) : across(n);
        const Vec t2 = d != nullptr ? Vec{0, 0, 0} : cross(n, t1);
        double k11 = s, k12 = 0, k22 = s;
        add_curvature(a, -n, t1, t2, k11, k12, k22);
        add_curvature(b, n, t1, t2, k11, k12, k22);
        const double g1 = dot(w, t1), g2 = dot(w, t2);
        double x = 0, y = 0;
        if (d != nullptr) {
            x = k11 > 0 ? g1 / k11 : sign_of(g1) * 0.1;
        } else {
            // Shifted until it is positive definite.
            const double trace = k11 + k22;
            const double mean = trace / 2, half = (k11 - k22) / 2;
            const double lowest = mean - math::sqrt(half * half + k12 * k12);
            const double shift =
                lowest > 1e-14 * math::abs(trace) ? 0.0 : 1e-3 * math::abs(trace) - lowest;
            const double p = k11 + shift, q = k22 + shift;
            const double det = p * q - k12 * k12;
            if (!(det > 0)) {
                break;
            }
            x = (q * g1 - k12 * g2) / det;
            y = (p * g2 - k12 * g1) / det;
        }
        double length = math::sqrt(x * x + y * y);
        if (!math::finite(length) || length == 0) {
            break;
        }
        if (length > 0.5) {
            x *= 0.5 / length;
            y *= 0.5 / length;
            length = 0.5;
        }
        bool moved = false;
        for (int halving = 0; halving < 12; ++halving) {
            const Vec next = normalised(n + x * t1 + y * t2);
            Vec next_w;
            const double next_s = separation(a, b, next, next_w);
            if (next_s > s || length < 1e-7) {
                n = next;
                s = next_s;
                w = next_w;
                moved = true;
                break;
            }
            x *= 0.4;
            y *= 0.4;
            length *= 0.4;
        }
        if (!moved || length < 3e-16 || (length < 1e-9 && length > 0.3 * last)) {
            break;
        }
        last = length;
    }
    return {n, s};
}

}  // namespace scree::shapes
