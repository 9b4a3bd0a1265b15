// Proof that a normal in penetration is that of the least depth e, without a look at others: the
// ball of radius e about the origin lies in the difference A − B. What faces the normal is a flat
// part of the difference's surface. From there the difference holds a cone towards the ball inside
// of both shapes about their centres, and the cone holds the ball of radius e if the flat part
// goes on far enough to all sides.
#pragma once

#include "collide/feature.hpp"
#include "collide/separation.hpp"

namespace scree::collide {

/// Depths, relative to the width, that need no proof: normals that are the best nearby are off by
/// no more than twice their depth.
inline constexpr double trusted_depth = 1e-10;

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

/// Whether no other normal has a larger separation than this one, which is negative. False if that
/// is not seen at once.
SCREE_LONG bool is_least_depth(const Placed& a, const Placed& b, const Normal& best, double size)
{
    const Vec n = best.n, between = a.centre - b.centre;
    const double along = dot(n, between), depth = -best.s;
    const double behind = along + depth;
    if (!(behind > 2 * depth)) {
        return false;
    }
    const Feature fa = feature_of(a, -n, 1e-7), fb = feature_of(b, n, 1e-7);
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
    if (highest - lowest > best.s + 1e-11 * size) {
        return false;  // not flat
    }
    // At height z above the flat part, which holds a disc of radius r, the cone holds one of
    // r − (r + slope·behind) z/behind that needs to be √(2 depth z − z²).
    const double slope = (norm(between - along * n) - a.inner - b.inner) / behind;
    const double left = 1 - 2 * depth / behind;
    const double far = depth * (slope + lane::sqrt(slope * slope + left)) / left;
    return overlaps(fa, fb, -n, far) && overlaps(fb, fa, n, far);
}

}  // namespace scree::collide
