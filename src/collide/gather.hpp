// Contact points on their way into a manifold: a list with room for more than a manifold holds, in
// which the deepest stay if there are still more, and the choice of at most four of them: the
// deepest, and those that span the largest area.
#pragma once

#include "collide/support.hpp"

namespace scree::collide {

/// Gaps that differ by less than this part of the size do not choose between points: a round cap
/// that leans by no more keeps the points fixed to it. More makes manifolds steadier, and puts the
/// deepest point off by so much of the size.
inline constexpr double same_gap = 1e-9;

struct Gather {
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
    return lane::abs(dot(cross(b - a, c - a), n));
}

/// Appends at most four of the points with gap ≤ reach to the manifold. `noise` is a length below
/// which differences do not decide, so that equal points are always chosen in the same order.
SCREE_LONG void reduce(Gather& all, double reach, double noise, Manifold& out)
{
    int count = 0;
    for (int i = 0; i < all.count; ++i) {
        if (all.points[i].gap <= reach) {
            all.points[count++] = all.points[i];
        }
    }
    all.count = count;
    if (count <= Manifold::capacity) {
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

}  // namespace scree::collide
