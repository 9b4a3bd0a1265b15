// Two capsules: the nearest points of two segments, and the half spheres at the ends, as far as
// these are within reach: of two that are nearly parallel, the ends of the stretch they share.
#pragma once

#include "shapes/manifold_reduction.hpp"

namespace scree::shapes {

/// Two segments: middle ± h d. Places are seen from the middle of the second.
struct Segments {
    Vec between;    ///< from the middle of b to that of a
    Vec da, db;     ///< unit
    double ha, hb;  ///< half the lengths
};

/// Places along two segments, from their middles.
struct Places {
    double a, b;
};

/// The nearest points of two segments.
SCREE_LONG Places nearest_on_segments(const Segments& s)
{
    const double c = dot(s.da, s.db), pa = dot(s.between, s.da), pb = dot(s.between, s.db);
    const Vec turn = cross(s.da, s.db);
    const double det = dot(turn, turn);
    // |between + ta da − tb db|² is least at ta = c tb − pa, tb = c ta + pb.
    // The first is (c pb − pa) / (1 − c²), without a difference of what is almost equal.
    double ta = det > 1e-24 ? clamped(-dot(cross(s.between, s.db), turn) / det, -s.ha, s.ha)
                            : clamped(-pa, -s.ha, s.ha);
    double tb = c * ta + pb;
    if (tb < -s.hb || tb > s.hb) {
        tb = clamped(tb, -s.hb, s.hb);
        ta = clamped(c * tb - pa, -s.ha, s.ha);
    }
    return {ta, tb};
}

/// Where an end touches: away from its segment, across the other where that is touched between its
/// ends. Else the normal n as it is.
SCREE_HD Vec normal_at_end(const Segments& s, const Places& at, bool inner_a, bool inner_b, Vec n)
{
    Vec end = (inner_b ? 0.0 : sign_of(at.b)) * s.db - (inner_a ? 0.0 : sign_of(at.a)) * s.da;
    for (int twice = 0; twice < 2 && norm(end) > 1e-14; ++twice) {
        if (inner_a) {
            end = end - dot(end, s.da) * s.da;
        }
        if (inner_b) {
            end = end - dot(end, s.db) * s.db;
        }
        // Of nearly parallel segments little is left, which is across only to rounding.
        if (norm(end) > 1e-14) {
            n = end = direction_of(end);
        }
    }
    return n;
}

/// A normal, and the distance along it.
struct SegmentNormal {
    Vec n;
    double s;
};

/// The normal between the nearest points. Closer than `unsure` their difference has no direction.
SCREE_HD SegmentNormal normal_between(const Segments& s, const Places& at, double size,
                                      double unsure)
{
    // The normal is across a segment that is touched between its ends.
    Vec d = s.between + at.a * s.da - at.b * s.db;
    const bool inner_a = math::abs(at.a) < s.ha, inner_b = math::abs(at.b) < s.hb;
    if (inner_a) {
        d = d - dot(d, s.da) * s.da;
    }
    if (inner_b) {
        d = d - dot(d, s.db) * s.db;
    }
    const Vec turn = cross(s.da, s.db);
    const double apart = norm(d), turned = norm(turn);
    Vec n = across(s.da);
    if (inner_a && inner_b && turned > 1e-14 && turned * size > apart) {
        // Known better than the direction between points so near.
        n = direction_of(turn);
        n = dot(n, d) < 0 ? -n : n;
    } else if (apart > unsure) {
        n = direction_of(d);
    } else if (!inner_a || !inner_b) {
        n = normal_at_end(s, at, inner_a, inner_b, n);
    }
    if (!inner_a && !inner_b) {
        // Each segment goes on from its end on its own side, to rounding of the places.
        const Vec on_a = -sign_of(at.a) * s.da, on_b = sign_of(at.b) * s.db;
        n = dot(n, on_a) < 0 ? direction_of(n - dot(n, on_a) * on_a) : n;
        n = dot(n, on_b) < 0 ? direction_of(n - dot(n, on_b) * on_b) : n;
    }
    return {n, apart > 0 ? dot(n, d) : 0.0};
}

/// Points of the half spheres at the ends of capsules.
struct CapsuleEnds {
    PointPool all;
    double lowest = std::numeric_limits<double>::infinity();  ///< of their gaps
    int deepest = 0;                                          ///< where that is
};

/// The ends that are beside the other segment: in a step the touch may move there.
SCREE_HD CapsuleEnds ends_beside(const Segments& s, double ra, double rb, double size,
                                 const Vec& origin)
{
    CapsuleEnds ends;
    const double rounds = ra + rb;
    const auto add = [&](double at_a, double at_b, std::uint32_t name) {
        const Vec off = s.between + at_a * s.da - at_b * s.db;
        const double length = norm(off);
        if (length > 1e-12 * size) {
            const Vec m = (1 / length) * off;
            const Vec xa = s.between + at_a * s.da - ra * m, xb = at_b * s.db + rb * m;
            if (length - rounds < ends.lowest) {
                ends.lowest = length - rounds;
                ends.deepest = ends.all.count;
            }
            ends.all.add(origin + 0.5 * (xa + xb), m, length - rounds, name);
        }
    };
    const double c = dot(s.da, s.db), along_a = dot(s.between, s.da),
                 along_b = dot(s.between, s.db);
    const double edge = 1e-9 * size;  // so that of two ends beside each other one counts
    for (std::uint32_t i = 0; i < 2; ++i) {
        const double end_a = i == 0 ? -s.ha : s.ha, end_b = i == 0 ? -s.hb : s.hb;
        const double at_b = c * end_a + along_b, at_a = c * end_b - along_a;
        if (s.ha > 0 && math::abs(at_b) <= s.hb + edge) {
            add(end_a, clamped(at_b, -s.hb, s.hb), i << 16 | 2);
        }
        if (s.hb > 0 && math::abs(at_a) < s.ha - edge) {
            add(clamped(at_a, -s.ha, s.ha), end_b, 0x00020000U | i);
        }
    }
    return ends;
}

SCREE_LONG void collide_capsules(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                                 double reach, Manifold& out)
{
    const double ra = a.size.x, rb = b.size.x, rounds = ra + rb;
    const Segments axes{pa.position - pb.position, rotate(pa.orientation, Vec{1, 0, 0}),
                        rotate(pb.orientation, Vec{1, 0, 0}), a.size.y, b.size.y};
    const double far = axes.ha + axes.hb + rounds + reach;
    if (dot(axes.between, axes.between) > far * far) {
        return;
    }
    const Places at = nearest_on_segments(axes);
    const double size = most(axes.ha, axes.hb);
    const auto [n, s] = normal_between(axes, at, size, (rounds > 0 ? 1e-9 : 1e-14) * size);
    if (s - rounds > reach) {
        return;
    }
    const double size_noise = same_gap * size;
    CapsuleEnds ends = ends_beside(axes, ra, rb, size, pb.position);
    PointPool& all = ends.all;
    for (int i = 0; i < all.count; ++i) {
        all.points[i].gap = most(all.points[i].gap, s - rounds);
    }
    if (ends.lowest <= s - rounds + size_noise) {
        // The normal is known better where the segments nearly meet; the point goes with it.
        ContactPoint& end = all.points[ends.deepest];
        end.point = end.point + (0.5 * (rb - ra)) * (n - end.normal);
        end.gap = s - rounds;
        end.normal = n;
    } else {
        const Vec xa = axes.between + at.a * axes.da - ra * n, xb = at.b * axes.db + rb * n;
        all.add(pb.position + 0.5 * (xa + xb), n, s - rounds, 0x00020002);
    }
    reduce(all, reach, size_noise, out);
}

}  // namespace scree::shapes
