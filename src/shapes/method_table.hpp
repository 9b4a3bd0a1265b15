// Which method serves which pair of shapes.
//
//                 sphere  box  capsule  cylinder  ellipsoid  profile  polyh.  half_space  tube ball
//   sphere        S       D    D        D         G          D        D       D           D     D
//   box                   G    G        G         G          G        G       P           W     W
//   capsule                    C        G         G          G        G       P           W     W
//   cylinder                            G         G          G        G       P           W     W
//   ellipsoid                                     G          G        G       P           W     W
//   profile                                                  G        G       P           W     W
//   polyhedron                                                        G       P           W     W
//
//   Meshes have a method of their own (mesh_pairs.hpp) for every bounded shape.
//
//   S two spheres, D signed distance of the sphere's centre, C two segments, P feature against a
//   plane, W farthest points inside a curved wall, G general method for convex shapes, – walls
//   against walls. The table is symmetric; the first shape is the one that comes first here.
#pragma once

#include "math/lane.hpp"
#include "scree/shape.hpp"

namespace scree::shapes {

enum class Method : unsigned char {
    none,
    spheres,
    distance,
    capsules,
    plane,
    curved,
    convex,
    mesh
};

SCREE_HD constexpr Method method_of(ShapeKind a, ShapeKind b)
{
    constexpr Method O = Method::none, S = Method::spheres, D = Method::distance,
                     C = Method::capsules, P = Method::plane, W = Method::curved,
                     G = Method::convex;
    constexpr int kinds = 10;  // behind them are clumps, taken part by part, and meshes
    if (a == ShapeKind::mesh || b == ShapeKind::mesh) {
        return is_wall(a) ? Method::none : Method::mesh;
    }
    constexpr Method methods[kinds][kinds] = {
        {S, D, D, D, G, D, D, D, D, D},  // sphere
        {D, G, G, G, G, G, P, W, W, G},  // box
        {D, G, C, G, G, G, P, W, W, G},  // capsule
        {D, G, G, G, G, G, P, W, W, G},  // cylinder
        {G, G, G, G, G, G, P, W, W, G},  // ellipsoid
        {D, G, G, G, G, G, P, W, W, G},  // profile
        {D, P, P, P, P, P, O, O, O, P},  // half_space
        {D, W, W, W, W, W, O, O, O, W},  // cylinder_wall
        {D, W, W, W, W, W, O, O, O, W},  // sphere_wall
        {D, G, G, G, G, G, P, W, W, G},  // polyhedron
    };
    return methods[static_cast<int>(a)][static_cast<int>(b)];
}

/// Whether a shape's signed distance has a closed form, so that a sphere touches it in one point
/// that is found without a search.
SCREE_HD constexpr bool has_closed_form(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::box:
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::profile:
    case ShapeKind::half_space:
    case ShapeKind::cylinder_wall:
    case ShapeKind::sphere_wall: return true;
    default: return false;
    }
}

/// Whether a comes first: walls last, else by kind.
SCREE_HD constexpr bool in_order(ShapeKind a, ShapeKind b)
{
    return is_wall(b) || (a <= b && !is_wall(a));
}

}  // namespace scree::shapes
