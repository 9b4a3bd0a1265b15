// Two capsules: the nearest points of two segments, and the half spheres at the ends, as far as
// these are within reach: of two that are nearly parallel, the ends of the stretch they share.
#pragma once

#include "shapes/manifold_reduction.hpp"

namespace scree::shapes {

/// The nearest points of two segments c ± h d (d unit), as positions along them.
SCREE_LONG void nearest_on_segments(const Vec& between, const Vec& da, double ha, const Vec& db,
                                    double hb, double& ta, double& tb)
{
    const double c = dot(da, db), pa = dot(between, da), pb = dot(between, db);
    const Vec turn = cross(da, db);
    const double det = dot(turn, turn);
    // |between + ta da − tb db|² is least at ta = c tb − pa, tb = c ta + pb.
    // The first is (c pb − pa) / (1 − c²), without a difference of what is almost equal.
    ta = det > 1e-24 ? clamped(-dot(cross(between, db), turn) / det, -ha, ha)
                     : clamped(-pa, -ha, ha);
    tb = c * ta + pb;
    if (tb < -hb || tb > hb) {
        tb = clamped(tb, -hb, hb);
        ta = clamped(c * tb - pa, -ha, ha);
    }
}

SCREE_LONG void collide_capsules(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                                 double reach, Manifold& out)
{
    const double ha = a.size.y, hb = b.size.y, rounds = a.size.x + b.size.x;
    const Vec da = rotate(pa.orientation, Vec{1, 0, 0}), db = rotate(pb.orientation, Vec{1, 0, 0});
    const Vec between = pa.position - pb.position;
    const double far = ha + hb + rounds + reach;
    if (dot(between, between) > far * far) {
        return;
    }
    double ta = 0, tb = 0;
    nearest_on_segments(between, da, ha, db, hb, ta, tb);
    // The normal is across a segment that is touched between its ends.
    Vec d = between + ta * da - tb * db;
    const bool inner_a = lane::abs(ta) < ha, inner_b = lane::abs(tb) < hb;
    if (inner_a) {
        d = d - dot(d, da) * da;
    }
    if (inner_b) {
        d = d - dot(d, db) * db;
    }
    const Vec turn = cross(da, db);
    const double size = most(ha, hb), apart = norm(d);
    const double turned = norm(turn);
    Vec n = across(da);
    if (inner_a && inner_b && turned > 1e-14 && turned * size > apart) {
        // Known better than the direction between points so near.
        n = direction_of(turn);
        n = dot(n, d) < 0 ? -n : n;
    } else if (apart > (rounds > 0 ? 1e-9 : 1e-14) * size) {
        n = direction_of(d);
    } else if (!inner_a || !inner_b) {
        // An end that touches: away from its segment, across the other where that is inner.
        Vec end = (inner_b ? 0.0 : sign_of(tb)) * db - (inner_a ? 0.0 : sign_of(ta)) * da;
        for (int twice = 0; twice < 2 && norm(end) > 1e-14; ++twice) {
            if (inner_a) {
                end = end - dot(end, da) * da;
            }
            if (inner_b) {
                end = end - dot(end, db) * db;
            }
            // Of nearly parallel segments little is left, which is across only to rounding.
            if (norm(end) > 1e-14) {
                n = end = direction_of(end);
            }
        }
    }
    if (!inner_a && !inner_b) {
        // Each segment goes on from its end on its own side, to rounding of the places.
        const Vec on_a = -sign_of(ta) * da, on_b = sign_of(tb) * db;
        n = dot(n, on_a) < 0 ? direction_of(n - dot(n, on_a) * on_a) : n;
        n = dot(n, on_b) < 0 ? direction_of(n - dot(n, on_b) * on_b) : n;
    }
    const double s = apart > 0 ? dot(n, d) : 0.0;
    if (s - rounds > reach) {
        return;
    }
    const double size_noise = same_gap * size;
    Gather all;
    double lowest = std::numeric_limits<double>::infinity();
    int deepest = 0;
    // The half spheres at the ends beside the other segment: in a step the touch may move there.
    const auto add_end = [&](double at_a, double at_b, std::uint32_t name) {
        const Vec off = between + at_a * da - at_b * db;
        const double length = norm(off);
        if (length > 1e-12 * size) {
            const Vec m = (1 / length) * off;
            const Vec xa = between + at_a * da - a.size.x * m, xb = at_b * db + b.size.x * m;
            if (length - rounds < lowest) {
                lowest = length - rounds;
                deepest = all.count;
            }
            all.add(pb.position + 0.5 * (xa + xb), m, length - rounds, name);
        }
    };
    const double c = dot(da, db), along_a = dot(between, da), along_b = dot(between, db);
    const double edge = 1e-9 * size;  // so that of two ends beside each other one counts
    for (std::uint32_t i = 0; i < 2; ++i) {
        const double end_a = i == 0 ? -ha : ha, end_b = i == 0 ? -hb : hb;
        const double at_b = c * end_a + along_b, at_a = c * end_b - along_a;
        if (ha > 0 && lane::abs(at_b) <= hb + edge) {
            add_end(end_a, clamped(at_b, -hb, hb), i << 16 | 2);
        }
        if (hb > 0 && lane::abs(at_a) < ha - edge) {
            add_end(clamped(at_a, -ha, ha), end_b, 0x00020000U | i);
        }
    }
    for (int i = 0; i < all.count; ++i) {
        all.points[i].gap = most(all.points[i].gap, s - rounds);
    }
    if (lowest <= s - rounds + size_noise) {
        // The normal is known better where the segments nearly meet; the point goes with it.
        ContactPoint& end = all.points[deepest];
        end.point = end.point + (0.5 * (b.size.x - a.size.x)) * (n - end.normal);
        end.gap = s - rounds;
        end.normal = n;
    } else {
        const Vec xa = between + ta * da - a.size.x * n, xb = tb * db + b.size.x * n;
        all.add(pb.position + 0.5 * (xa + xb), n, s - rounds, 0x00020002);
    }
    reduce(all, reach, size_noise, out);
}

}  // namespace scree::shapes
