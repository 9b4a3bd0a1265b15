// Contact points on their way into a manifold: a list with room for more than a manifold holds, in
// which the deepest stay if there are still more, and the choice of a few of them: for convex
// shapes at most four, the deepest and those that span the largest area; for others, whose points
// have normals of their own, at most eight that differ most in place and normal.
#pragma once

#include "shapes/support.hpp"

namespace scree::shapes {

/// Gaps that differ by less than this part of the size do not choose between points: a round cap
/// that leans by no more keeps the points fixed to it. More makes manifolds steadier, and puts the
/// deepest point off by so much of the size.
inline constexpr double same_gap = 1e-9;

struct PointPool {
    static constexpr int capacity = 36;
    int count = 0;
    ContactPoint points[capacity];

    SCREE_HD void add(const Vec& point, const Vec& normal, double gap, std::uint32_t feature)
    {
        if (count < capacity) {
            points[count++] = {point, normal, gap, feature};
            return;
        }
        int highest = 0;
        for (int i = 1; i < capacity; ++i) {
            highest = points[i].gap > points[highest].gap ? i : highest;
        }
        if (gap < points[highest].gap) {
            points[highest] = {point, normal, gap, feature};
        }
    }
};

/// Twice the area of a triangle seen along n, without sign.
SCREE_HD double area_along(const Vec& a, const Vec& b, const Vec& c, const Vec& n)
{
    return math::abs(dot(cross(b - a, c - a), n));
}

/// Appends at most four of the points with gap ≤ reach to the manifold. `noise` is a length below
/// which differences do not decide, so that equal points are always chosen in the same order.
SCREE_LONG void reduce(PointPool& all, double reach, double noise, Manifold& out)
{
    int count = 0;
    for (int i = 0; i < all.count; ++i) {
        if (all.points[i].gap <= reach) {
            all.points[count++] = all.points[i];
        }
    }
    all.count = count;
    if (count <= Manifold::of_convex) {
        for (int i = 0; i < count; ++i) {
            out.points[i] = all.points[i];
        }
        out.count = count;
        return;
    }
    int chosen[4] = {0, 0, 0, 0};
    double least_gap = all.points[0].gap;
    for (int i = 1; i < count; ++i) {
        least_gap = least(least_gap, all.points[i].gap);
    }
    while (all.points[chosen[0]].gap > least_gap + noise) {
        ++chosen[0];
    }
    all.points[chosen[0]].gap = least_gap;
    const Vec first = all.points[chosen[0]].point;
    const Vec n = all.points[chosen[0]].normal;
    double best = -1;
    for (int i = 0; i < count; ++i) {
        const Vec d = all.points[i].point - first;
        const double far = norm(d - dot(d, n) * n);
        if (i != chosen[0] && far > best + noise) {
            best = far;
            chosen[1] = i;
        }
    }
    const Vec second = all.points[chosen[1]].point;
    const double width = most(best, noise);
    best = -1;
    for (int i = 0; i < count; ++i) {
        const double area = area_along(first, second, all.points[i].point, n);
        if (i != chosen[0] && i != chosen[1] && area > best + noise * width) {
            best = area;
            chosen[2] = i;
        }
    }
    // The fourth adds most to the triangle: it lies beyond one of its edges.
    const Vec third = all.points[chosen[2]].point;
    const double whole = area_along(first, second, third, n);
    best = -1;
    for (int i = 0; i < count; ++i) {
        if (i == chosen[0] || i == chosen[1] || i == chosen[2]) {
            continue;
        }
        const Vec p = all.points[i].point;
        const double area = area_along(first, second, p, n) + area_along(second, third, p, n) +
                            area_along(third, first, p, n) - whole;
        if (area > best + noise * width) {
            best = area;
            chosen[3] = i;
        }
    }
    for (int i = 0; i < 4; ++i) {
        out.points[i] = all.points[chosen[i]];
    }
    out.count = 4;
}

/// The same for points of a shape that is not convex: at most eight, the deepest first, then always
/// the one that is farthest from all that are chosen. A right angle between normals counts as a
/// distance of `size`.
SCREE_LONG void spread(PointPool& all, double reach, double noise, double size, Manifold& out)
{
    int deepest = -1, count = 0;
    double away[PointPool::capacity];  // squared, from the nearest that is chosen; < 0: chosen
    for (int i = 0; i < all.count; ++i) {
        const ContactPoint& p = all.points[i];
        if (p.gap <= reach) {
            all.points[count] = p;
            away[count] = std::numeric_limits<double>::infinity();
            deepest = deepest < 0 || p.gap < all.points[deepest].gap - noise ? count : deepest;
            ++count;
        }
    }
    out.count = 0;
    for (int next = deepest; next >= 0 && out.count < Manifold::capacity;) {
        const ContactPoint chosen = all.points[next];
        out.points[out.count++] = chosen;
        away[next] = -1;
        next = -1;
        for (int i = 0; i < count; ++i) {
            if (away[i] < 0) {
                continue;
            }
            const Vec d = all.points[i].point - chosen.point;
            const Vec turned = size * (all.points[i].normal - chosen.normal);
            away[i] = least(away[i], dot(d, d) + 0.5 * dot(turned, turned));
            next = next < 0 || away[i] > away[next] + noise * size ? i : next;
        }
    }
}

}  // namespace scree::shapes
