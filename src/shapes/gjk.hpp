// Directions to start from, for two convex cores: while they are apart the point of the difference
// A − B nearest to the origin (Gilbert, Johnson & Keerthi), else the face of a growing polytope in
// A − B with the least signed offset (expanding polytope; signed, so that the origin may lie on the
// surface or slightly outside). Both stop as soon as the separation along the direction is within a
// tolerance of the best possible; `refine` does the rest.
#pragma once

#include "shapes/separation.hpp"

namespace scree::shapes {

struct Simplex {
    int count = 0;
    Vec w[4];
};

SCREE_HD Vec nearest_on_segment(Simplex& x)
{
    const Vec d = x.w[1] - x.w[0];
    const double along = -dot(x.w[0], d), length2 = dot(d, d);
    if (along <= 0) {
        x.count = 1;
        return x.w[0];
    }
    if (along >= length2) {
        x.w[0] = x.w[1];
        x.count = 1;
        return x.w[0];
    }
    return x.w[0] + (along / length2) * d;
}

/// The nearest point to the origin of a triangle; the simplex shrinks to the part it lies on.
SCREE_LONG Vec nearest_on_triangle(Simplex& x)
{
    const Vec a = x.w[0], b = x.w[1], c = x.w[2];
    const Vec n = cross(b - a, c - a);
    const double n2 = dot(n, n);
    // Signed areas against the sides; all positive inside.
    const double u = dot(cross(b, c), n), v = dot(cross(c, a), n), w = dot(cross(a, b), n);
    const double long2 = most(dot(b - a, b - a), dot(c - a, c - a));
    if (n2 > 1e-24 * long2 * long2 && u > 0 && v > 0 && w > 0) {
        return (dot(a, n) / n2) * n;
    }
    const Vec corner[3] = {a, b, c};
    Simplex best;
    Vec nearest = a;
    double least2 = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        Simplex side;
        side.count = 2;
        side.w[0] = corner[i];
        side.w[1] = corner[(i + 1) % 3];
        const Vec p = nearest_on_segment(side);
        const double p2 = dot(p, p);
        if (p2 < least2) {
            least2 = p2;
            nearest = p;
            best = side;
        }
    }
    x = best;
    return nearest;
}

/// The same for a tetrahedron; `inside` if it holds the origin.
SCREE_LONG Vec nearest_on_tetrahedron(Simplex& x, bool& inside)
{
    const Simplex all = x;
    Vec nearest{0, 0, 0};
    double least2 = std::numeric_limits<double>::infinity();
    inside = true;
    for (int i = 0; i < 4; ++i) {
        const Vec a = all.w[(i + 1) % 4], b = all.w[(i + 2) % 4], c = all.w[(i + 3) % 4];
        const Vec n = cross(b - a, c - a);
        const Vec up = all.w[i] - a;
        const double apex = dot(n, up), origin = -dot(n, a);
        // A flat tetrahedron holds nothing.
        if (apex * origin > 0 && apex * apex > 1e-26 * dot(n, n) * dot(up, up)) {
            continue;
        }
        inside = false;
        Simplex face;
        face.count = 3;
        face.w[0] = a;
        face.w[1] = b;
        face.w[2] = c;
        const Vec p = nearest_on_triangle(face);
        const double p2 = dot(p, p);
        if (p2 < least2) {
            least2 = p2;
            nearest = p;
            x = face;
        }
    }
    return nearest;
}

enum class Verdict { apart, near, penetrating };

/// Searches for the nearest point of A − B; the best direction seen is in `best`. apart: a
/// separation above `limit` was found; near: `best` is within `tolerance` of the distance;
/// penetrating: the origin is inside, or too near to tell.
SCREE_LONG Verdict nearest_direction(const Placed& a, const Placed& b, double limit,
                                     double tolerance, double noise, Normal& best, Simplex& x)
{
    Vec w;
    const double first = separation(a, b, best.n, w);
    best.s = first;
    x.count = 1;
    x.w[0] = w;
    Vec v = w;
    double last2 = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 64; ++i) {
        const double v2 = dot(v, v);
        if (v2 <= noise * noise) {
            return Verdict::penetrating;
        }
        const double length = math::sqrt(v2);
        const Vec n = (1 / length) * v;
        const double s = separation(a, b, n, w);
        if (s > best.s) {
            best = {n, s};
            if (s > limit) {
                return Verdict::apart;
            }
        }
        if (length - s <= tolerance || v2 >= last2) {
            return Verdict::near;
        }
        for (int k = 0; k < x.count; ++k) {
            if (is_zero(x.w[k] - w)) {
                return Verdict::near;
            }
        }
        last2 = v2;
        x.w[x.count++] = w;
        bool inside = false;
        if (x.count == 2) {
            v = nearest_on_segment(x);
        } else if (x.count == 3) {
            v = nearest_on_triangle(x);
        } else {
            v = nearest_on_tetrahedron(x, inside);
        }
        if (inside) {
            return Verdict::penetrating;
        }
    }
    return Verdict::near;
}

/// Makes a tetrahedron of a smaller simplex with points of A − B. False if A − B is flat.
SCREE_LONG bool grow(const Placed& a, const Placed& b, double noise, Simplex& x)
{
    Vec w;
    if (x.count == 1) {
        const Vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < 6 && x.count == 1; ++i) {
            (void)separation(a, b, i < 3 ? axes[i] : -axes[i - 3], w);
            if (norm(w - x.w[0]) > noise) {
                x.w[x.count++] = w;
            }
        }
    }
    if (x.count == 2) {
        const Vec d = direction_of(x.w[1] - x.w[0]);
        const Vec p = across(d), q = cross(d, p);
        const Vec around[4] = {p, q, -p, -q};
        for (int i = 0; i < 4 && x.count == 2; ++i) {
            (void)separation(a, b, around[i], w);
            const Vec off = w - x.w[0];
            if (norm(off - dot(off, d) * d) > noise) {
                x.w[x.count++] = w;
            }
        }
    }
    if (x.count == 3) {
        const Vec n = direction_of(cross(x.w[1] - x.w[0], x.w[2] - x.w[0]));
        for (int i = 0; i < 2 && x.count == 3; ++i) {
            (void)separation(a, b, i == 0 ? n : -n, w);
            if (math::abs(dot(w - x.w[0], n)) > noise) {
                x.w[x.count++] = w;
            }
        }
    }
    return x.count == 4;
}

/// Directions worth a closer look, apart from the best one.
struct Starts {
    static constexpr int capacity = 12;
    int count = 0;
    Vec n[capacity];
    double depth[capacity];  ///< along each of them, at least
};

/// A convex polytope with corners on the surface of A − B, which grows until it is close enough to
/// the surface where that is nearest to the origin.
struct Polytope {
    static constexpr int most_corners = 60, most_faces = 2 * most_corners;
    struct Face {
        std::uint8_t i, j, k;
        Vec n;          ///< outward
        double offset;  ///< of its plane along n
    };
    int corners = 0, faces = 0;
    Vec corner[most_corners];
    Face face[most_faces];

    SCREE_HD void add_face(int i, int j, int k)
    {
        const Vec n = cross(corner[j] - corner[i], corner[k] - corner[i]);
        const double length = norm(n);
        Face f{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j),
               static_cast<std::uint8_t>(k), n, std::numeric_limits<double>::infinity()};
        if (length > 0) {
            f.n = (1 / length) * n;
            f.offset = dot(f.n, corner[i]);
        }
        face[faces++] = f;
    }

    /// Becomes a tetrahedron.
    SCREE_HD void start_with(const Vec w[4])
    {
        const Vec middle = 0.25 * (w[0] + w[1] + w[2] + w[3]);
        for (int i = 0; i < 4; ++i) {
            corner[i] = w[i];
        }
        corners = 4;
        const int around[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
        const Vec n0 = cross(corner[1] - corner[0], corner[2] - corner[0]);
        const bool turned = dot(n0, middle - corner[0]) > 0;
        for (const auto& t : around) {
            turned ? add_face(t[0], t[2], t[1]) : add_face(t[0], t[1], t[2]);
        }
    }

    /// The face whose plane is nearest to the origin.
    [[nodiscard]] SCREE_HD int nearest_face() const
    {
        int nearest = 0;
        for (int i = 1; i < faces; ++i) {
            nearest = face[i].offset < face[nearest].offset ? i : nearest;
        }
        return nearest;
    }

    /// Takes w in as a corner in place of the face `seen` and all others that see w. False if that
    /// leaves no polytope, or more faces than there is room for.
    SCREE_HD bool extend(const Vec& w, int seen, double noise)
    {
        // The rim of the hole: sides that only one of the faces taken away has.
        std::uint8_t rim[most_faces][2];
        int edges = 0;
        const auto toggle = [&](std::uint8_t p, std::uint8_t q) {
            for (int e = 0; e < edges; ++e) {
                if (rim[e][0] == q && rim[e][1] == p) {
                    --edges;
                    rim[e][0] = rim[edges][0];
                    rim[e][1] = rim[edges][1];
                    return;
                }
            }
            if (edges < most_faces) {
                rim[edges][0] = p;
                rim[edges][1] = q;
                ++edges;
            }
        };
        corner[corners] = w;
        int kept = 0;
        for (int i = 0; i < faces; ++i) {
            const Face g = face[i];
            if (i == seen || !math::finite(g.offset) || dot(g.n, w) > g.offset + 0.1 * noise) {
                toggle(g.i, g.j);
                toggle(g.j, g.k);
                toggle(g.k, g.i);
            } else {
                face[kept++] = g;
            }
        }
        faces = kept;
        if (faces + edges > most_faces) {
            return false;
        }
        for (int e = 0; e < edges; ++e) {
            add_face(rim[e][0], rim[e][1], corners);
        }
        if (faces == 0) {
            return false;
        }
        ++corners;
        return true;
    }
};

/// The better of `best` and both normals of the plane of A − B, which is flat.
SCREE_HD Normal best_of_plane(const Placed& a, const Placed& b, const Simplex& x, Normal best)
{
    if (x.count == 3) {
        const Vec n = direction_of(cross(x.w[1] - x.w[0], x.w[2] - x.w[0]));
        for (int i = 0; i < 2; ++i) {
            const Vec m = i == 0 ? n : -n;
            const double s = separation(a, b, m);
            if (s > best.s) {
                best = {m, s};
            }
        }
    }
    return best;
}

/// Towards faces that are no farther from the origin than `depth`, nearest first, each in another
/// direction.
SCREE_HD Starts starts_of(const Polytope& all, double depth)
{
    Starts starts;
    while (starts.count < Starts::capacity) {
        int nearest = -1;
        for (int i = 0; i < all.faces; ++i) {
            bool fresh = all.face[i].offset <= depth;
            for (int k = 0; k < starts.count; ++k) {
                fresh = fresh && dot(all.face[i].n, starts.n[k]) > -0.98;
            }
            if (fresh && (nearest < 0 || all.face[i].offset < all.face[nearest].offset)) {
                nearest = i;
            }
        }
        if (nearest < 0) {
            break;
        }
        starts.depth[starts.count] = all.face[nearest].offset;
        starts.n[starts.count++] = -all.face[nearest].n;
    }
    return starts;
}

/// Improves `best` to the direction of least penetration, to within `tolerance` of the depth.
/// Returns others that may turn out better if looked at closely.
SCREE_LONG Starts least_penetration(const Placed& a, const Placed& b, double tolerance,
                                    double noise, Simplex x, Normal& best)
{
    if (!grow(a, b, noise, x)) {
        best = best_of_plane(a, b, x, best);
        return {};
    }
    Polytope inner;
    inner.start_with(x.w);
    while (inner.corners < Polytope::most_corners) {
        const int nearest = inner.nearest_face();
        const Polytope::Face f = inner.face[nearest];
        if (!math::finite(f.offset)) {
            break;
        }
        Vec w;
        const Vec n = -f.n;
        const double s = separation(a, b, n, w);
        if (s > best.s) {
            best = {n, s};
        }
        // −best.s is a depth that is reached, f.offset one that cannot be undercut.
        if (-best.s - f.offset <= tolerance || -s - f.offset <= noise) {
            break;
        }
        if (!inner.extend(w, nearest, noise)) {
            break;
        }
    }
    return starts_of(inner, -best.s + tolerance);
}

}  // namespace scree::shapes
