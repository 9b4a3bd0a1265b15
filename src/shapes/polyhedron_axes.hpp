// Candidates for the best normal where one of the two shapes is a polyhedron. Its edges are too
// many to try all cross products with those of the other. So the faces come first, and from the
// best of them a climb: of the cross products of edges near the points that face each other the
// best, from there on again, until none is better. On the sphere of normals this goes from corner
// to corner of the cells in which the separation is smooth.
#pragma once

#include "shapes/separation.hpp"

namespace scree::shapes {

/// Straight edges near where a shape faces a direction: direction and a point of each. A polyhedron
/// touches with an edge only along directions between the normals of its two faces, m·left ≥ 0 and
/// m·right ≥ 0.
struct NearEdges {
    static constexpr int capacity = 32;
    int count = 0;
    Vec d[capacity], p[capacity], left[capacity], right[capacity];

    [[nodiscard]] SCREE_HD bool may_touch(int i, const Vec& m) const
    {
        return dot(m, left[i]) >= -1e-9 && dot(m, right[i]) >= -1e-9;
    }
};

SCREE_LONG void near_edges(const Placed& c, const Vec& m, NearEdges& out)
{
    out.count = 0;
    if (c.solid == nullptr) {
        out.count = kinks_of(c, out.d);
        const Vec p = support(c, m);
        for (int i = 0; i < out.count; ++i) {
            out.p[i] = p;
            out.left[i] = out.right[i] = {0, 0, 0};
        }
        return;
    }
    const Polyhedron& s = *c.solid;
    const Vec local = to_local(c, m);
    const double top = dot(local, s.vertices()[s.farthest(local)]) - 1e-6 * s.radius;
    for (int i = 0; i < s.edge_count && out.count < NearEdges::capacity; ++i) {
        const Polyhedron::Edge& edge = s.edges()[i];
        if (dot(local, s.vertices()[edge.from]) >= top ||
            dot(local, s.vertices()[edge.to]) >= top) {
            const Vec d = edge.direction;
            out.d[out.count] = to_world(c, d);
            out.p[out.count] = c.centre + to_world(c, corner_of(c, edge.from));
            out.left[out.count] = to_world(c, cross(d, s.planes()[edge.left].normal));
            out.right[out.count] = to_world(c, cross(s.planes()[edge.right].normal, d));
            ++out.count;
        }
    }
}

/// The best normal that is reached from one by cross products of edges.
SCREE_LONG Normal climb(const Placed& a, const Placed& b, Normal best, double margin)
{
    NearEdges of_a, of_b;
    for (int step = 0; step < 32; ++step) {
        near_edges(a, -best.n, of_a);
        near_edges(b, best.n, of_b);
        const Normal from = best;
        for (int i = 0; i < of_a.count; ++i) {
            for (int j = 0; j < of_b.count; ++j) {
                const Vec c = cross(of_a.d[i], of_b.d[j]);
                const Vec up = dot(c, from.n) < 0 ? -c : c;
                const double length2 = dot(c, c);
                if (!(length2 > 1e-16) || !of_a.may_touch(i, -up) || !of_b.may_touch(j, up)) {
                    continue;
                }
                const Vec n = (1 / math::sqrt(length2)) * up;
                // Any two points are at least as far apart along n as the shapes.
                if (dot(n, of_a.p[i] - of_b.p[j]) <= best.s + margin) {
                    continue;
                }
                const double s = separation(a, b, n);
                if (s > best.s + margin) {
                    best = {n, s};
                }
            }
        }
        if (!(best.s > from.s)) {
            break;
        }
    }
    return best;
}

/// Of the faces of a polyhedron that which is farthest from the other shape. `sign` turns outward
/// normals to those of the contact: −1 for the first shape, 1 for the second.
SCREE_LONG void try_faces(const Placed& own, const Placed& other, double sign, double margin,
                          Normal& best)
{
    if (own.solid == nullptr) {
        return;
    }
    const Vec towards = other.centre - own.centre;
    for (int f = 0; f < own.solid->face_count; ++f) {
        const Polyhedron::Plane& plane = own.solid->planes()[f];
        const Vec up = to_world(own, plane.normal);
        const double centre = dot(up, towards) - own.size.x * plane.offset;
        if (centre - other.inner <= best.s + margin) {
            continue;
        }
        const double s = centre - support_value(other, -up);
        if (s > best.s + margin) {
            best = {sign * up, s};
        }
    }
}

/// The same as best_axis for pairs with a polyhedron.
SCREE_LONG Normal best_polyhedron_axis(const Placed& a, const Placed& b, double limit,
                                       double margin)
{
    Normal best{{0, 0, 1}, -std::numeric_limits<double>::infinity()};
    try_faces(a, b, -1, margin, best);
    try_faces(b, a, 1, margin, best);
    const Placed& other = a.solid == nullptr ? a : b;
    if (other.solid == nullptr && other.kind != ShapeKind::capsule) {
        Vec d[3];
        const int kinks = kinks_of(other, d);
        for (int i = 0; i < kinks; ++i) {
            try_axis(a, b, d[i], true, margin, best);
        }
    }
    return best.s > limit ? best : climb(a, b, best, margin);
}

}  // namespace scree::shapes
