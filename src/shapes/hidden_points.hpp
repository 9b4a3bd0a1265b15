// Obstacles made of several shapes: which contact points of one member lie under another and are no
// part of the obstacle's surface. A small ball, the probe, is laid onto the member at the contact
// point. Where it is clear of the other member, the point is open. Where it is not, the point may
// still be at the foot of a corner between the two, on a face that goes on outside; then the probe,
// slid away from the other member, is clear of it and lies on the same face as before. A surface
// without edges or faces is open where it is outside. If not, the point is covered: inside the
// other member, or on an edge that the other's face runs into.
#pragma once

#include "shapes/collide_simple.hpp"

namespace scree::shapes {

/// In parts of the dynamic body's bounding radius: the probe; how far it slides (a body may be in
/// the other member by almost as much and still stand on a corner's foot); how far surfaces may
/// miss each other and still count as level; slots between members that are narrower are none.
inline constexpr double probe_radius = 1e-3, probe_slide = 0.02, level_within = 1e-10,
                        slot_width = 1e-4;
/// Normals that differ by less are those of one flat face.
inline constexpr double flat_within = 1e-6;

/// A shape in the world.
struct Member {
    Shape shape;
    Pose pose;
};

/// Where a ball is nearest to a shape; the gap is infinite if that is farther than `reach`.
SCREE_LONG ContactPoint lay(double radius, const Vec& centre, const Member& on, double reach)
{
    Manifold at;
    collide_convex_shapes(Shape::sphere(radius), {centre, {1, 0, 0, 0}}, on.shape, on.pose, reach,
                          at);
    return at.count > 0
               ? at.points[0]
               : ContactPoint{centre, {0, 0, 0}, std::numeric_limits<double>::infinity(), 0};
}

/// Whether `other` covers the contact point of `own`, given as a point of its surface and the
/// normal there, for a body of this bounding radius.
SCREE_LONG bool covers(const Member& other, const Member& own, const Vec& point, const Vec& normal,
                       double radius)
{
    const double probe = probe_radius * radius, slide = probe_slide * radius;
    const double level = level_within * radius, slot = slot_width * radius;
    const double reach = 4 * slide;
    // A point of a manifold may lie on a face that leans from the manifold's normal.
    const Vec above = point + probe * normal;
    const ContactPoint laid = lay(probe, above, own, reach);
    const Vec n = laid.normal, q = above - laid.gap * n;
    const ContactPoint near = lay(probe, q, other, reach);
    if (!(near.gap <= level) || !(laid.gap <= reach)) {
        return false;
    }
    const double along = dot(near.normal, n);
    if (along < 0 && near.gap + probe * (1 - along) > slot) {
        return false;  // it faces the point across a slot
    }
    // A smooth surface has but one normal where it is outside of the other member.
    const ShapeKind kind = own.shape.kind;
    if (near.gap + 2 * probe > level &&
        (kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::ellipsoid) &&
        lay(probe, q - probe * n, other, reach).gap + probe > level) {
        return false;
    }
    // Away from the other member: as its surface looks from a little above.
    const Vec facing = lay(probe, q + slide * n, other, reach).normal;
    const Vec aside = facing - dot(facing, n) * n;
    if (norm(aside) <= 1e-9) {
        return dot(facing, n) < 0 || near.gap < -level;
    }
    const Vec away = slide * normalised(aside);
    const auto flat = [&](const Member& m, const Vec& centre, const Vec& as) {
        return norm(lay(probe, centre, m, reach).normal - as) <= flat_within;
    };
    const ContactPoint slid = lay(probe, q + away, own, reach);
    Vec there = q + away;
    if (slid.gap <= reach && norm(slid.normal - n) > flat_within) {
        // Beyond an edge of its own face: laid back onto that, if it has come along it.
        const Vec laid_back = there - (probe + slid.gap) * slid.normal + probe * n;
        there = dot(laid_back - q, away) > 0.5 * slide * slide ? laid_back : there;
    }
    if (flat(own, there, n) && lay(probe, there, other, reach).gap >= -level) {
        return false;
    }
    // Where the two are level, the one whose face goes on stays.
    return near.gap < -level || flat(other, q - away, near.normal);
}

}  // namespace scree::shapes
