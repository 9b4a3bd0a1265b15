// The feature of a shape that faces a direction: a face as a polygon, an edge or line of touch as a
// segment, or a point, each with names for its corners and sides that depend on the shape alone.
// Curved caps are polygons of points fixed to the body, so that a cylinder that stands keeps its
// points of contact.
#pragma once

#include "shapes/support.hpp"

namespace scree::shapes {

using Name = std::uint16_t;

struct Feature {
    static constexpr int capacity = most_face_corners + 1;  ///< a cut adds one
    int count = 0;          ///< 1 point, 2 segment, 3 or more: polygon, counter-clockwise
    Vec p[capacity];        ///< corners
    Name corner[capacity];  ///< their names
    Name side[capacity];    ///< the side from p[i] to p[i+1]
    Name whole = 0;         ///< the feature as such
    Vec normal{0, 0, 0};    ///< a polygon's outward unit normal
    /// The polygon stands for a disc around `middle`, or the half of it away from `straight`.
    bool round_part = false;
    Vec middle{0, 0, 0}, straight{0, 0, 0};
};

SCREE_HD void add_corner(Feature& f, const Placed& c, const Vec& p, int corner, int side)
{
    f.p[f.count] = c.centre + to_world(c, p);
    f.corner[f.count] = static_cast<Name>(corner);
    f.side[f.count] = static_cast<Name>(side);
    ++f.count;
}

/// Names of a box: corners 0…7 (bits: positive x, y, z), edges 16…27, faces 32…37.
SCREE_LONG void box_feature(const Placed& c, const Vec& m, double tolerance, Feature& f)
{
    const double v[3] = {m.x, m.y, m.z};
    const double half[3] = {c.size.x, c.size.y, c.size.z};
    bool free[3];
    int count = 0, bits = 0, top = 0;
    for (int i = 0; i < 3; ++i) {
        free[i] = math::abs(v[i]) <= tolerance;
        count += free[i] ? 1 : 0;
        bits |= v[i] >= 0 ? 1 << i : 0;
        top = math::abs(v[i]) > math::abs(v[top]) ? i : top;
    }
    const auto corner = [&](int b) {
        return Vec{(b & 1) != 0 ? half[0] : -half[0], (b & 2) != 0 ? half[1] : -half[1],
                   (b & 4) != 0 ? half[2] : -half[2]};
    };
    // The edge along axis i through corner b.
    const auto edge = [](int i, int b) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        return 16 + 4 * i + ((b >> j) & 1) + 2 * ((b >> k) & 1);
    };
    if (count >= 2) {
        const bool up = v[top] >= 0;
        // Counter-clockwise about the outward normal: j then k for +, k then j for −.
        const int j = 1 << ((top + (up ? 1 : 2)) % 3), k = 1 << ((top + (up ? 2 : 1)) % 3);
        const int base = up ? 1 << top : 0;
        const int ring[4] = {base, base | j, base | j | k, base | k};
        for (int i = 0; i < 4; ++i) {
            const int axis = (top + ((i % 2 == 0) == up ? 1 : 2)) % 3;
            add_corner(f, c, corner(ring[i]), ring[i], edge(axis, ring[i]));
        }
        f.whole = static_cast<Name>(32 + 2 * top + (up ? 1 : 0));
        const Vec axis = top == 0 ? c.ax : (top == 1 ? c.ay : c.az);
        f.normal = up ? axis : -axis;
    } else if (count == 1) {
        const int axis = free[0] ? 0 : (free[1] ? 1 : 2);
        const int from = bits & ~(1 << axis), to = bits | (1 << axis);
        const int name = edge(axis, bits);
        add_corner(f, c, corner(from), from, name);
        add_corner(f, c, corner(to), to, name);
        f.whole = static_cast<Name>(name);
    } else {
        add_corner(f, c, corner(bits), bits, 0);
        f.whole = static_cast<Name>(bits);
    }
}

/// Names of a cylinder: cap points 0…15, cap sides 16…31, caps 32, 33, line of touch 34 with ends
/// 36, 37, rim points 38, 39.
SCREE_LONG void cylinder_feature(const Placed& c, const Vec& m, double tolerance, Feature& f)
{
    constexpr double d = 0.70710678118654752;
    const double r = c.size.x, half = c.size.y;
    const double rho = math::sqrt(m.y * m.y + m.z * m.z);
    const int end = m.x >= 0 ? 1 : 0;
    const double x = end == 1 ? half : -half;
    if (rho <= tolerance) {
        const double u[8] = {1, d, 0, -d, -1, -d, 0, d};
        for (int i = 0; i < 8; ++i) {
            const int k = end == 1 ? i : (8 - i) % 8;
            const int side = end == 1 ? k : (k + 7) % 8;
            add_corner(f, c, {x, r * u[k], r * u[(k + 6) % 8]}, 8 * end + k, 16 + 8 * end + side);
        }
        f.whole = static_cast<Name>(32 + end);
        f.normal = end == 1 ? c.ax : -c.ax;
        f.round_part = true;
        f.middle = c.centre + x * c.ax;
        return;
    }
    const double y = r * (m.y / rho), z = r * (m.z / rho);
    if (math::abs(m.x) <= tolerance) {
        add_corner(f, c, {-half, y, z}, 36, 34);
        add_corner(f, c, {half, y, z}, 37, 34);
        f.whole = 34;
    } else {
        add_corner(f, c, {x, y, z}, 38 + end, 0);
        f.whole = static_cast<Name>(38 + end);
    }
}

/// Names of a profile: corners of the outline 0…6, plus 8 for the upper cap; sides 16…22 and 24…30;
/// upright edges 32…38, caps 40, 41, flat sides 42 (y < 0), 43 (y > 0), back 44, line of touch on
/// the arc 45 with ends 46, 47, points of the arc's rims 48, 49.
SCREE_LONG void profile_feature(const Placed& c, const Vec& m, double tolerance, Feature& f)
{
    constexpr double d = 0.70710678118654752;
    const double r = c.size.x, l = c.size.y, h = c.size.z;
    const double rho = math::sqrt(m.x * m.x + m.y * m.y);
    const int top = m.z >= 0 ? 1 : 0;
    const double z = top == 1 ? h : -h;
    // The outline, counter-clockwise seen from +z: back, then over the arc.
    const double ox[7] = {l, l, 0, -d * r, -r, -d * r, 0};
    const double oy[7] = {-r, r, r, d * r, 0, -d * r, -r};
    const auto outline = [&](int i, double at) { return Vec{ox[i], oy[i], at}; };
    if (rho <= tolerance) {
        for (int i = 0; i < 7; ++i) {
            const int k = top == 1 ? i : (7 - i) % 7;
            const int side = top == 1 ? k : (k + 6) % 7;
            add_corner(f, c, outline(k, z), 8 * top + k, 16 + 8 * top + side);
        }
        f.whole = static_cast<Name>(40 + top);
        f.normal = top == 1 ? c.az : -c.az;
        f.round_part = true;
        f.middle = c.centre + z * c.az;
        f.straight = c.ax;
        return;
    }
    const bool upright = math::abs(m.z) <= tolerance;
    // A flat part of the outline from i to j = i + 1, or one of its points.
    int i = -1, j = -1;
    Name flat = 0;
    if (math::abs(m.x) <= tolerance * 1.0 && math::abs(m.y) > math::abs(m.x)) {
        i = m.y > 0 ? 1 : 6;
        j = m.y > 0 ? 2 : 0;
        flat = m.y > 0 ? 43 : 42;
    } else if (m.x > 0 && math::abs(m.y) <= tolerance) {
        i = 0;
        j = 1;
        flat = 44;
    }
    if (i >= 0 && upright) {
        add_corner(f, c, outline(i, -h), i, 16 + i);
        add_corner(f, c, outline(j, -h), j, 32 + j);
        add_corner(f, c, outline(j, h), 8 + j, 24 + i);
        add_corner(f, c, outline(i, h), 8 + i, 32 + i);
        f.whole = flat;
        f.normal = flat == 44 ? c.ax : (flat == 43 ? c.ay : -c.ay);
    } else if (i >= 0) {
        const int side = 16 + 8 * top + i;
        add_corner(f, c, outline(i, z), 8 * top + i, side);
        add_corner(f, c, outline(j, z), 8 * top + j, side);
        f.whole = static_cast<Name>(side);
    } else if (m.x < 0) {
        const double x = r * (m.x / rho), y = r * (m.y / rho);
        if (upright) {
            add_corner(f, c, {x, y, -h}, 46, 45);
            add_corner(f, c, {x, y, h}, 47, 45);
            f.whole = 45;
        } else {
            add_corner(f, c, {x, y, z}, 48 + top, 0);
            f.whole = static_cast<Name>(48 + top);
        }
    } else {
        const int k = m.y >= 0 ? 1 : 0;
        if (upright) {
            add_corner(f, c, outline(k, -h), k, 32 + k);
            add_corner(f, c, outline(k, h), 8 + k, 32 + k);
            f.whole = static_cast<Name>(32 + k);
        } else {
            add_corner(f, c, outline(k, z), 8 * top + k, 0);
            f.whole = static_cast<Name>(8 * top + k);
        }
    }
}

/// Names of a polyhedron: its corners, then its edges, then its faces. A face or edge has a corner
/// that is farthest along m; of several that which is turned most towards m.
SCREE_LONG void polyhedron_feature(const Placed& c, const Vec& m, double tolerance, Feature& f)
{
    const Polyhedron& s = *c.solid;
    const Vec* v = s.vertices();
    const int lead = s.farthest(m);
    const double top = dot(m, v[lead]) - 1e-9 * s.radius;
    const std::uint16_t* begin = s.face_begin();
    int best = -1;
    double turned = math::sqrt(1 - tolerance * tolerance);
    for (int i = 0; i < s.face_count; ++i) {
        const double facing = dot(s.planes()[i].normal, m);
        if (facing < turned) {
            continue;
        }
        bool leads = false;
        for (int k = begin[i]; k < begin[i + 1] && !leads; ++k) {
            leads = dot(m, v[s.corners()[k].vertex]) >= top;
        }
        if (leads) {
            turned = facing;
            best = i;
        }
    }
    if (best >= 0) {
        const Polyhedron::Plane& plane = s.planes()[best];
        for (int k = begin[best]; k < begin[best + 1]; ++k) {
            const Polyhedron::Corner& at = s.corners()[k];
            // Exactly in the face's plane.
            const Vec p = v[at.vertex] - s.centre;
            const double below = plane.offset - dot(plane.normal, p);
            add_corner(f, c, c.size.x * (p + below * plane.normal), at.vertex,
                       s.vertex_count + at.edge);
        }
        f.whole = static_cast<Name>(s.vertex_count + s.edge_count + best);
        f.normal = to_world(c, plane.normal);
        return;
    }
    double least_slope = tolerance;
    for (int i = 0; i < s.edge_count; ++i) {
        // All but a few are steeper by far.
        if (math::abs(dot(m, s.edges()[i].direction)) > least_slope + 1e-9) {
            continue;
        }
        const Vec from = v[s.edges()[i].from], to = v[s.edges()[i].to];
        const double rise = math::abs(dot(m, to - from));
        if (most(dot(m, from), dot(m, to)) >= top && rise <= least_slope * norm(to - from)) {
            least_slope = rise / norm(to - from);
            best = i;
        }
    }
    if (best >= 0) {
        const Polyhedron::Edge& edge = s.edges()[best];
        const int name = s.vertex_count + best;
        add_corner(f, c, corner_of(c, edge.from), edge.from, name);
        add_corner(f, c, corner_of(c, edge.to), edge.to, name);
        f.whole = static_cast<Name>(name);
    } else {
        add_corner(f, c, corner_of(c, lead), lead, 0);
        f.whole = static_cast<Name>(lead);
    }
}

/// The feature of the core that faces the unit direction m: all of it that is flat to within the
/// tolerance (the sine of an angle, below 0.57).
SCREE_LONG Feature feature_of(const Placed& c, const Vec& m, double tolerance)
{
    Feature f;
    const Vec local = to_local(c, m);
    switch (c.kind) {
    case ShapeKind::box: box_feature(c, local, tolerance, f); break;
    case ShapeKind::cylinder: cylinder_feature(c, local, tolerance, f); break;
    case ShapeKind::profile: profile_feature(c, local, tolerance, f); break;
    case ShapeKind::polyhedron: polyhedron_feature(c, local, tolerance, f); break;
    case ShapeKind::capsule:
        if (math::abs(local.x) <= tolerance && c.size.y > 0) {
            add_corner(f, c, {-c.size.y, 0, 0}, 0, 2);
            add_corner(f, c, {c.size.y, 0, 0}, 1, 2);
            f.whole = 2;
        } else {
            add_corner(f, c, core_support(c, local), local.x >= 0 ? 1 : 0, 2);
            f.whole = f.corner[0];
        }
        break;
    default: add_corner(f, c, core_support(c, local), 0, 0); break;
    }
    return f;
}

}  // namespace scree::shapes
