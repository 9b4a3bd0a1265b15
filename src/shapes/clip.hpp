// Where two flat features rest on each other: the points of one clipped by the sides of the other,
// each with the pair of names of what touches there. The names do not depend on which of the two is
// clipped: corner on face, side across side, or face on corner.
#pragma once

#include "shapes/feature.hpp"

namespace scree::shapes {

/// A point of overlap: xa on the first feature, xb on the second, along one normal.
struct Touch {
    Vec xa, xb;
    Name a, b;
};

struct Touches {
    static constexpr int capacity = 2 * Feature::capacity;
    int count = 0;
    Touch t[capacity];
};

/// Clips `inc` (segment or polygon) to the prism over the polygon `ref` along n; `swapped` says
/// that ref is the second shape. Points farther out than `slack` are cut off.
SCREE_LONG void clip_to_face(const Feature& ref, const Feature& inc, const Vec& n, double slack,
                             bool swapped, Touches& out)
{
    struct Corner {
        Vec p;
        Name ref, inc;  // what touches here
        Name side;      // the side to the next corner: of inc, or of ref if `on_ref`
        bool on_ref;
    };
    constexpr int room = Touches::capacity;
    Corner ring[room], next[room];
    int count = inc.count;
    for (int i = 0; i < count; ++i) {
        ring[i] = {inc.p[i], ref.whole, inc.corner[i], inc.side[i], false};
    }
    const double facing = sign_of(dot(n, ref.normal));
    for (int k = 0; k < ref.count && count > 0; ++k) {
        const Vec from = ref.p[k], to = ref.p[k + 1 == ref.count ? 0 : k + 1];
        const Vec inwards = direction_of(facing * cross(n, to - from));
        int kept = 0;
        const int edges = count == 2 ? 1 : count;
        double d[room];
        for (int i = 0; i < count; ++i) {
            d[i] = dot(ring[i].p - from, inwards);
        }
        for (int i = 0; i < count; ++i) {
            const int j = i + 1 == count ? 0 : i + 1;
            const bool inside = d[i] >= -slack, next_inside = d[j] >= -slack;
            if (inside) {
                next[kept++] = ring[i];
            }
            if (i < edges && inside != next_inside && kept < room) {
                Corner cut = ring[i];
                const double t = clamped(d[i] / (d[i] - d[j]), 0, 1);
                cut.p = ring[i].p + t * (ring[j].p - ring[i].p);
                if (ring[i].on_ref) {
                    // Two sides of ref: its corner between them, on inc's face.
                    cut.inc = inc.whole;
                    cut.ref = ref.corner[ring[i].side == ref.side[k + 1 == ref.count ? 0 : k + 1]
                                             ? (k + 1 == ref.count ? 0 : k + 1)
                                             : k];
                } else {
                    cut.inc = ring[i].side;
                    cut.ref = ref.side[k];
                }
                // Leaving, the polygon goes on along ref's side; entering, along the old side.
                if (inside) {
                    cut.side = ref.side[k];
                    cut.on_ref = true;
                }
                next[kept++] = cut;
            }
        }
        // A segment whose first end was cut has its corners the wrong way round only if empty.
        count = kept;
        for (int i = 0; i < count; ++i) {
            ring[i] = next[i];
        }
        if (count >= room) {
            break;
        }
    }
    const double slope = dot(n, ref.normal);
    for (int i = 0; i < count && out.count < Touches::capacity; ++i) {
        const Vec p = ring[i].p;
        const Vec q = p - (dot(p - ref.p[0], ref.normal) / slope) * n;
        if (swapped) {
            out.t[out.count++] = {p, q, ring[i].inc, ring[i].ref};
        } else {
            out.t[out.count++] = {q, p, ring[i].ref, ring[i].inc};
        }
    }
}

/// Of two radii of curvature, that of their difference at a contact; 0 if either is sharp.
SCREE_HD double joint_radius(double a, double b) { return a > 0 && b > 0 ? a * b / (a + b) : 0.0; }

/// The stretch that two nearly parallel segments share seen along n: its two ends, or nothing. It
/// reaches only as far as the lines are within `width` of each other across n, so that it shrinks
/// to the crossing as they turn; shorter than `least_length` it is nothing.
SCREE_LONG void overlap_of_segments(const Feature& a, const Feature& b, const Vec& n, double width,
                                    double least_length, double slack, Touches& out)
{
    const Vec da = a.p[1] - a.p[0], db = b.p[1] - b.p[0];
    const Vec along = direction_of(da - dot(da, n) * n), side = cross(n, along);
    const int b0 = dot(db, along) >= 0 ? 0 : 1, b1 = 1 - b0;
    const double a_from = dot(a.p[0], along), a_to = dot(a.p[1], along);
    const double b_from = dot(b.p[b0], along), b_to = dot(b.p[b1], along);
    double from = most(a_from, b_from), to = least(a_to, b_to);
    if (!(to >= from - slack)) {
        return;
    }
    if (to < from) {
        from = to = 0.5 * (from + to);
    }
    // Which end of which segment bounds the stretch; where they are level the first's, whatever the
    // noise.
    bool of_a[2] = {a_from >= b_from - slack, a_to <= b_to + slack};
    bool cut[2] = {false, false};
    // The second line's offset to the side is linear along the stretch.
    const double slope = dot(b.p[b1] - b.p[b0], side) / (b_to - b_from);
    const double at_from = dot(b.p[b0] - a.p[0], side) + slope * (from - b_from);
    const double at_to = at_from + slope * (to - from);
    if (math::abs(at_from) > width || math::abs(at_to) > width) {
        if (at_from * at_to > 0 && math::abs(at_from) > width && math::abs(at_to) > width) {
            return;
        }
        const double middle = from - at_from / slope, reach = math::abs(width / slope);
        cut[0] = math::abs(at_from) > width;
        cut[1] = math::abs(at_to) > width;
        from = cut[0] ? middle - reach : from;
        to = cut[1] ? middle + reach : to;
    }
    if (to - from < least_length) {
        return;
    }
    for (int end = 0; end < 2; ++end) {
        const double at = end == 0 ? from : to;
        const double ta = clamped((at - a_from) / (a_to - a_from), 0, 1);
        const double tb = clamped((at - b_from) / (b_to - b_from), 0, 1);
        Name name_a = of_a[end] ? a.corner[end] : a.whole;
        Name name_b = of_a[end] ? b.whole : b.corner[end == 0 ? b0 : b1];
        if (cut[end]) {
            name_a = static_cast<Name>(a.whole | (end == 0 ? 0x4000 : 0x8000));
            name_b = b.whole;
        }
        out.t[out.count++] = {a.p[0] + ta * da, b.p[b0] + tb * (b.p[b1] - b.p[b0]), name_a, name_b};
    }
}

/// The nearest points of two lines that are not parallel, as parameters from 0 to 1 on the
/// segments.
SCREE_HD void cross_point(const Feature& a, const Feature& b, double& ta, double& tb)
{
    const Vec da = a.p[1] - a.p[0], db = b.p[1] - b.p[0], w = a.p[0] - b.p[0];
    const double aa = dot(da, da), ab = dot(da, db), bb = dot(db, db);
    const double det = aa * bb - ab * ab;
    ta = (ab * dot(db, w) - bb * dot(da, w)) / det;
    tb = (aa * dot(db, w) - ab * dot(da, w)) / det;
}

}  // namespace scree::shapes
