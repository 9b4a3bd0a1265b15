// Bounded convex shapes against meshes, triangle by triangle. Of two triangles that meet, the one
// that is not nearest would push aside a body that rolls or slides over their edge, as if the edge
// stuck out. So a normal counts only where it is one of the surface as a whole: at an edge it may
// lean over none of the edge's triangles, at a point over none of its edges. Where it does, and the
// surface goes on level or rises there, the triangle's own normal takes its place. What has come
// through the surface and is held by none of these is held by the triangle it is least deep behind.
#pragma once

#include "shapes/convex_pairs.hpp"
#include "shapes/mesh.hpp"

namespace scree::shapes {

/// A triangle as a flat polyhedron, its corners relative to an origin near both shapes. Names: its
/// corners 0, 1, 2, edges 3, 4, 5, faces 6 and 7.
class FlatTriangle {
public:
    SCREE_HD FlatTriangle(const Vec& a, const Vec& b, const Vec& c)
    {
        block_.v[0] = a;
        block_.v[1] = b;
        block_.v[2] = c;
        normal_ = direction_of(cross(b - a, c - a));
        Polyhedron& head = block_.head;
        head = {};
        head.vertex_count = 3;
        head.edge_count = 3;
        head.face_count = 2;
        head.corner_count = 6;
        head.centre = (1.0 / 3) * (a + b + c);
        block_.plane[0] = {normal_, 0};
        block_.plane[1] = {-normal_, 0};
        for (std::uint16_t k = 0; k < 3; ++k) {
            const std::uint16_t next = k == 2 ? 0 : k + 1;
            head.radius = most(head.radius, norm(block_.v[k] - head.centre));
            block_.edge[k] = {direction_of(block_.v[next] - block_.v[k]), k, next, 0, 1};
            block_.corner[k] = {k, k};
            // The other way round: 2, 1, 0.
            const std::uint16_t back = 2 - k;
            block_.corner[3 + k] = {back, static_cast<std::uint16_t>(back == 0 ? 2 : back - 1)};
        }
        block_.face_begin[0] = 0;
        block_.face_begin[1] = 3;
        block_.face_begin[2] = 6;
    }
    [[nodiscard]] SCREE_HD const Vec& normal() const { return normal_; }
    [[nodiscard]] SCREE_HD const Vec& corner(int k) const { return block_.v[k]; }
    /// Valid as long as this is.
    [[nodiscard]] SCREE_HD Placed placed() const
    {
        return {ShapeKind::polyhedron,
                {1, 0, 0},
                block_.head.centre,
                {1, 0, 0},
                {0, 1, 0},
                {0, 0, 1},
                0,
                0,
                block_.head.radius,
                0,
                &block_.head};
    }

private:
    /// Laid out as Polyhedron says.
    struct Block {
        Polyhedron head;
        Vec v[3];
        Polyhedron::Plane plane[2];
        Polyhedron::Edge edge[3];
        Polyhedron::Corner corner[6];
        std::uint16_t face_begin[3];
    };
    Block block_;
    Vec normal_;
};

/// What a mesh says of a normal at one of its features.
enum class Lean : unsigned char {
    none,     ///< it is one of the surface's own normals there
    onwards,  ///< it leans over a part of the surface that goes on level or rises
    beyond    ///< it leans over a part that falls away
};

/// A normal n, and the side `up` of the triangle it is on, at one of its corners (0, 1, 2) or edges
/// (3, 4, 5).
SCREE_LONG Lean lean_of(const Mesh& mesh, const Mesh::Triangle& t, int on, const Vec& n,
                        const Vec& up)
{
    const Vec* x = mesh.points();
    const bool edge = on >= 3;
    const Vec from = x[t.corner[edge ? on - 3 : on]];
    const Vec along = edge ? direction_of(x[t.corner[on == 5 ? 0 : on - 2]] - from) : Vec{0, 0, 0};
    const std::uint32_t at = edge ? t.edge[on - 3] : t.corner[on];
    const std::uint32_t* begin = (edge ? mesh.wing_begin() : mesh.spoke_begin()) + at;
    const std::uint32_t* ends = edge ? mesh.wings() : mesh.spokes();
    Lean lean = Lean::none;
    for (std::uint32_t k = begin[0]; k < begin[1]; ++k) {
        const Vec d = x[ends[k]] - from;
        const Vec out = d - dot(d, along) * along;
        const double level = mesh_level * norm(out);
        if (dot(n, out) > level) {
            if (dot(up, out) < -level) {
                return Lean::beyond;
            }
            lean = Lean::onwards;
        }
    }
    return lean;
}

/// Contact points of one shape with the triangles of a mesh, in the mesh's frame, relative to the
/// shape's position.
class MeshContacts {
public:
    SCREE_HD MeshContacts(const Shape& a, const Quat<double>& turned, const Mesh& mesh,
                          double scale, const Vec& origin, double reach)
        : mesh_(mesh), scale_(scale), origin_(origin), reach_(reach),
          body_(place(a, {{0, 0, 0}, turned}, {0, 0, 0})), radius_(bounding_radius(a))
    {
    }

    SCREE_LONG void take(std::uint32_t number)
    {
        const Mesh::Triangle& t = mesh_.triangles()[number];
        const auto corner = [&](int k) { return scale_ * mesh_.points()[t.corner[k]] - origin_; };
        if (body_.kind == ShapeKind::sphere) {
            take_sphere(t, corner(0), corner(1), corner(2));
        } else {
            take_convex(t, FlatTriangle(corner(0), corner(1), corner(2)));
        }
    }
    /// A corner that has come through a ridge leaves each triangle sooner sideways, over the other
    /// one, so that none has a contact. Of such triangles, if there is nothing else that holds the
    /// shape, the one counts which it is least deep behind.
    SCREE_LONG void take_through()
    {
        for (int k = 0; k < all.count; ++k) {
            if (all.points[k].gap < 0) {
                return;
            }
        }
        if (through_ != nullptr) {
            const double gap = shallowest_;
            add(*through_, 6, 0, through_point_ - (0.5 * gap) * through_up_, through_up_, gap);
        }
    }
    PointPool all;

private:
    SCREE_LONG void take_sphere(const Mesh::Triangle& t, const Vec& a, const Vec& b, const Vec& c)
    {
        const NearestOnTriangle near = nearest_on_triangle(a, b, c, {0, 0, 0});
        const Vec face = direction_of(cross(b - a, c - a));
        const double height = -dot(face, a);
        const Vec up = height < 0 ? -face : face;
        const double off = norm(near.point);
        Vec n = up;
        double d = math::abs(height);
        int on = 6;
        if (near.on < 6 && off > 0) {
            const Vec towards = (-1 / off) * near.point;
            if (norm(cross(towards, face)) > mesh_level) {
                n = towards;
                d = off;
                on = near.on;
            }
        }
        const double gap = d - body_.round;
        if (gap <= reach_ && (on == 6 || lean_of(mesh_, t, on, n, up) == Lean::none)) {
            add(t, on, 0, (-(body_.round + 0.5 * gap)) * n, n, gap);
        }
    }

    SCREE_LONG void take_convex(const Mesh::Triangle& t, const FlatTriangle& triangle)
    {
        const Vec face = triangle.normal();
        const double middle = dot(face, body_.centre - triangle.corner(0));
        const double above = middle - support_value(body_, -face) - body_.round;
        const double below = -middle - support_value(body_, face) - body_.round;
        if (above > reach_ || below > reach_) {
            return;
        }
        const Placed flat = triangle.placed();
        Manifold points;
        collide_convex(body_, flat, {0, 0, 0}, reach_, points);
        if (points.count == 0) {
            return;
        }
        const Vec n = points.points[0].normal;
        const bool level = norm(cross(n, face)) <= mesh_level;
        // The side that it is on, or less deep behind.
        const Vec up = (level ? dot(n, face) < 0 : above < below) ? -face : face;
        Lean lean = Lean::none;
        double lowest = points.points[0].gap;
        for (int k = 1; k < points.count; ++k) {
            lowest = least(lowest, points.points[k].gap);
        }
        if (!level) {
            lean = Lean::beyond;
            for (int k = 0; k < points.count; ++k) {
                if (points.points[k].gap <= lowest + same_gap * radius_) {
                    const int on = feature_at(triangle, points.points[k]);
                    lean = on == 6 ? Lean::none : least_lean(lean, lean_of(mesh_, t, on, n, up));
                }
            }
        }
        for (int k = 0; lean == Lean::none && k < points.count; ++k) {
            const ContactPoint& p = points.points[k];
            add(t, feature_at(triangle, p), p.feature >> 16U, p.point, n, p.gap);
        }
        if (level || (lean == Lean::onwards && dot(n, up) > mesh_level)) {
            take_level(t, flat, up);
        }
        if (lowest < 0 && most(above, below) > shallowest_) {
            shallowest_ = most(above, below);
            through_up_ = up;
            through_point_ = support(body_, -up) - body_.round * up;
            through_ = &t;
        }
    }

    /// All that the shape has over a triangle along its normal: of the points that the general
    /// method chooses, some may be at edges that are none.
    SCREE_LONG void take_level(const Mesh::Triangle& t, const Placed& flat, const Vec& up)
    {
        Touches touches;
        const double size = most(body_.large + body_.small, flat.large);
        touches_of(body_, flat, up, size, slack_of(0, size), touches);
        PointPool level;
        gather_touches(body_, flat, up, {0, 0, 0}, touches, level);
        for (int k = 0; k < level.count; ++k) {
            const ContactPoint& p = level.points[k];
            if (p.gap <= reach_) {
                add(t, static_cast<int>(p.feature & 0xffffU), p.feature >> 16U, p.point, up, p.gap);
            }
        }
    }

    SCREE_HD static Lean least_lean(Lean a, Lean b) { return a < b ? a : b; }

    /// What of the triangle a contact point lies on. Ellipsoids give no names.
    [[nodiscard]] SCREE_LONG int feature_at(const FlatTriangle& triangle,
                                            const ContactPoint& p) const
    {
        if (body_.kind != ShapeKind::ellipsoid) {
            return static_cast<int>(least(static_cast<double>(p.feature & 0xffffU), 6));
        }
        const Vec on = p.point - (0.5 * p.gap) * p.normal;
        const double close = 1e-6 * radius_;
        int nearest = 6;
        for (int k = 2; k >= 0; --k) {
            const Vec from = triangle.corner(k), d = on - from;
            const Vec side = triangle.corner(k == 2 ? 0 : k + 1) - from;
            const Vec off = d - (dot(d, side) / dot(side, side)) * side;
            nearest = dot(off, off) <= close * close && nearest == 6 ? 3 + k : nearest;
        }
        for (int k = 0; k < 3; ++k) {
            const Vec d = on - triangle.corner(k);
            nearest = dot(d, d) <= close * close ? k : nearest;
        }
        return nearest;
    }

    /// Points of features that triangles share come once. What is flat is no feature.
    SCREE_LONG void add(const Mesh::Triangle& t, int on, std::uint32_t own, const Vec& point,
                        const Vec& normal, double gap)
    {
        std::uint32_t id = t.facet;
        std::uint32_t kind = 0;
        if (on < 3) {
            id = t.corner[on];
            kind = 1;
            if (mesh_.flat_point()[id] != 0) {
                return;
            }
        } else if (on < 6) {
            id = t.edge[on - 3];
            kind = 2;
            if (mesh_.flat_edge()[id] != 0) {
                return;
            }
        }
        const std::uint32_t feature = (4 * id + kind) * 2654435761U ^ (own + 1) * 2246822519U;
        const double same = 1e-6 * radius_;
        for (int k = 0; k < all.count; ++k) {
            ContactPoint& p = all.points[k];
            const Vec d = p.point - point;
            const Vec turned = p.normal - normal;
            if (p.feature == feature ||
                (dot(d, d) <= same * same && dot(turned, turned) <= mesh_level * mesh_level)) {
                if (gap < p.gap - same_gap * radius_) {
                    p = {point, normal, gap, feature};
                }
                return;
            }
        }
        all.add(point, normal, gap, feature);
    }

    const Mesh& mesh_;
    double scale_;
    Vec origin_;
    double reach_;
    Placed body_;
    double radius_;
    const Mesh::Triangle* through_ = nullptr;  ///< the triangle of take_through
    double shallowest_ = -std::numeric_limits<double>::infinity();
    Vec through_up_{0, 0, 0}, through_point_{0, 0, 0};
};

/// A bounded shape (first) and a mesh.
SCREE_LONG void collide_mesh(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                             double reach, Manifold& out)
{
    const Quat<double>& q = pb.orientation;
    const Vec origin = rotate_back(q, pa.position - pb.position);
    const double radius = bounding_radius(a), scale = b.size.x;
    MeshContacts contacts(a, Quat<double>{q.w, -q.x, -q.y, -q.z} * pa.orientation, *b.surface,
                          scale, origin, reach);
    (void)for_triangles_near(*b.surface, (1 / scale) * origin, (radius + reach) / scale,
                             [&](std::uint32_t t) {
                                 contacts.take(t);
                                 return false;
                             });
    contacts.take_through();
    spread(contacts.all, reach, same_gap * radius, radius, out);
    for (int k = 0; k < out.count; ++k) {
        out.points[k].point = pa.position + rotate(q, out.points[k].point);
        out.points[k].normal = rotate(q, out.points[k].normal);
    }
}

}  // namespace scree::shapes
