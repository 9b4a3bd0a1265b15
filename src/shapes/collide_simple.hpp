// The narrow phase of convex shapes and walls: all contact points of two with a gap up to a reach,
// as a pure function of shapes and poses. Only + − × ÷ √ and comparisons, no memory but the stack,
// the same bits on every machine.
#pragma once

#include "shapes/capsule_pairs.hpp"
#include "shapes/convex_pairs.hpp"
#include "shapes/mesh_pairs.hpp"
#include "shapes/method_table.hpp"
#include "shapes/sphere_pairs.hpp"
#include "shapes/wall_pairs.hpp"

namespace scree::shapes {

/// Lets `ordered(a, pa, b, pb)` fill a manifold with the shapes in the order of the table, and
/// turns normals round where they came the other way.
template <class Ordered>
SCREE_HD void in_table_order(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                             Manifold& out, const Ordered& ordered)
{
    out.count = 0;
    if (in_order(a.kind, b.kind)) {
        ordered(a, pa, b, pb);
        return;
    }
    ordered(b, pb, a, pa);
    for (int i = 0; i < out.count; ++i) {
        out.points[i].normal = -out.points[i].normal;
    }
}

/// All contact points of two shapes, none of them a clump, whose kinds are in order.
SCREE_LONG void collide_ordered(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                                double reach, Manifold& out)
{
    switch (method_of(a.kind, b.kind)) {
    case Method::none: break;
    case Method::spheres:
        collide_spheres(a.size.x, pa.position, b.size.x, pb.position, reach, out);
        break;
    case Method::distance: collide_sphere_with(a.size.x, pa, b, pb, reach, out); break;
    case Method::capsules: collide_capsules(a, pa, b, pb, reach, out); break;
    case Method::plane: collide_half_space(a, pa, pb, reach, out); break;
    case Method::curved: collide_curved_wall(a, pa, b, pb, reach, out); break;
    case Method::mesh: collide_mesh(a, pa, b, pb, reach, out); break;
    case Method::convex: {
        const Vec between = pb.position - pa.position;
        const double far = bounding_radius(a) + bounding_radius(b) + reach;
        if (dot(between, between) <= far * far) {
            collide_convex(place(a, pa, pa.position), place(b, pb, pa.position), pa.position, reach,
                           out);
        }
        break;
    }
    }
}

/// All contact points of two shapes, none of them a clump, with gap ≤ reach, apart or in contact.
/// Normals point from b towards a. The shapes may come in either order: swapping them turns the
/// normals round. Features are (feature of the kind that comes first) × 2¹⁶ + (feature of the
/// other); of two shapes of one kind the first comes first, so that swapping these swaps the
/// halves.
SCREE_LONG void collide_convex_shapes(const Shape& a, const Pose& pa, const Shape& b,
                                      const Pose& pb, double reach, Manifold& out)
{
    in_table_order(a, pa, b, pb, out,
                   [&](const Shape& one, const Pose& p, const Shape& two, const Pose& q) {
                       collide_ordered(one, p, two, q, reach, out);
                   });
}

}  // namespace scree::shapes
