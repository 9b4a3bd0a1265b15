// Boxes along the axes: bounds of bodies, and the box at which pictures cut them off.
#pragma once

#include "analyse/body_tree.hpp"
#include "collide/support.hpp"

namespace scree::analyse {

/// Empty if a lower coordinate is above its upper one.
struct Box {
    Vec lower, upper;
};
inline constexpr Box whole_space{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
inline constexpr Box no_space{whole_space.upper, whole_space.lower};

inline Box intersection(const Box& a, const Box& b)
{
    return {{std::max(a.lower.x, b.lower.x), std::max(a.lower.y, b.lower.y),
             std::max(a.lower.z, b.lower.z)},
            {std::min(a.upper.x, b.upper.x), std::min(a.upper.y, b.upper.y),
             std::min(a.upper.z, b.upper.z)}};
}
/// The least box that holds both.
inline Box joined(const Box& a, const Box& b)
{
    return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y),
             std::min(a.lower.z, b.lower.z)},
            {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y),
             std::max(a.upper.z, b.upper.z)}};
}
inline bool empty(const Box& a)
{
    return !(a.lower.x <= a.upper.x && a.lower.y <= a.upper.y && a.lower.z <= a.upper.z);
}
inline bool holds(const Box& a, const Vec& p)
{
    return a.lower.x <= p.x && a.lower.y <= p.y && a.lower.z <= p.z && a.upper.x >= p.x &&
           a.upper.y >= p.y && a.upper.z >= p.z;
}

/// The bounds of a body.
inline Box box_of(const Solid& solid)
{
    const collide::Placed placed =
        collide::place(solid.shape, {solid.position, solid.orientation}, {0, 0, 0});
    const auto reach = [&](const Vec& m) {
        return dot(collide::support(placed, m), m) + placed.round;
    };
    return {{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})},
            {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})}};
}

/// The part of a line inside a box, and the outward normal of the face where it enters.
struct Clipped {
    Interval part;
    Vec face;
};
inline Clipped clipped(const Box& box, const Vec& o, const Vec& d)
{
    const Interval x = in_slab(o.x, d.x, box.lower.x, box.upper.x);
    const Interval y = in_slab(o.y, d.y, box.lower.y, box.upper.y);
    const Interval z = in_slab(o.z, d.z, box.lower.z, box.upper.z);
    const auto against = [](double s) { return s > 0 ? -1.0 : 1.0; };
    Clipped c{common(x, common(y, z)), {against(d.x), 0, 0}};
    if (c.part.enter == z.enter) {
        c.face = {0, 0, against(d.z)};
    } else if (c.part.enter == y.enter) {
        c.face = {0, against(d.y), 0};
    }
    return c;
}

}  // namespace scree::analyse
