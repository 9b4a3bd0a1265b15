// Two capsules: the nearest points of two segments. Where these are nearly parallel there are two
// points of contact, at the ends of the stretch that they share.
#pragma once

#include "collide/clip.hpp"
#include "collide/gather.hpp"

namespace scree::collide {

/// The nearest points of two segments c ± h d (d unit), as positions along them.
SCREE_LONG void nearest_on_segments(const Vec& between, const Vec& da, double ha, const Vec& db,
                                    double hb, double& ta, double& tb)
{
    const double c = dot(da, db), pa = dot(between, da), pb = dot(between, db);
    const Vec turn = cross(da, db);
    const double det = dot(turn, turn);
    // |between + ta da − tb db|² is least at ta = c tb − pa, tb = c ta + pb.
    ta = det > 1e-24 ? clamped((c * pb - pa) / det, -ha, ha) : clamped(-pa, -ha, ha);
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
    } else if (apart > 1e-14 * size) {
        n = direction_of(d);
    } else if (!inner_a || !inner_b) {
        // An end that touches: away from its segment, across the other where that is inner.
        Vec end = (inner_b ? 0.0 : sign_of(tb)) * db - (inner_a ? 0.0 : sign_of(ta)) * da;
        if (inner_a) {
            end = end - dot(end, da) * da;
        }
        if (inner_b) {
            end = end - dot(end, db) * db;
        }
        n = norm(end) > 1e-14 ? direction_of(end) : n;
    }
    const double s = apart > 0 ? dot(n, d) : 0.0;
    if (s - rounds > reach) {
        return;
    }
    const double size_noise = same_gap * size;
    Gather all;
    Feature fa, fb;
    double lowest = std::numeric_limits<double>::infinity();
    int deepest = 0;
    if (turned <= 0.05 && ha > 0 && hb > 0 && lane::abs(dot(n, da)) <= 0.05 &&
        lane::abs(dot(n, db)) <= 0.05) {
        fa.count = fb.count = 2;
        fa.p[0] = between - ha * da;
        fa.p[1] = between + ha * da;
        fb.p[0] = -hb * db;
        fb.p[1] = hb * db;
        for (int i = 0; i < 2; ++i) {
            fa.corner[i] = fb.corner[i] = static_cast<Name>(i);
            fa.side[i] = fb.side[i] = 2;
        }
        fa.whole = fb.whole = 2;
        Touches touches;
        const double width = 0.01 * joint_radius(a.size.x, b.size.x) + 1e-6 * size;
        overlap_of_segments(fa, fb, n, width, 0.01 * size, 1e-12 * size, touches);
        for (int i = 0; i < touches.count; ++i) {
            const Touch& t = touches.t[i];
            const double gap = dot(n, t.xa - t.xb) - rounds;
            const Vec middle = 0.5 * (t.xa - a.size.x * n + t.xb + b.size.x * n);
            all.add(pb.position + middle, n, gap, static_cast<std::uint32_t>(t.a) << 16 | t.b);
            if (gap < lowest) {
                lowest = gap;
                deepest = i;
            }
        }
    }
    if (lowest <= s - rounds + size_noise) {
        all.points[deepest].gap = s - rounds;
    } else {
        const Vec xa = between + ta * da - a.size.x * n, xb = tb * db + b.size.x * n;
        all.add(pb.position + 0.5 * (xa + xb), n, s - rounds, 0x00020002);
    }
    reduce(all, reach, size_noise, out);
}

}  // namespace scree::collide
