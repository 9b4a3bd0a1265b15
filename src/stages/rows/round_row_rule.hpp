// The rule that makes a round row whole, of two balls and their velocities.
#pragma once

#include "shapes/sphere_pairs.hpp"
#include "stages/rows/gap_rule.hpp"
#include "stages/rows/row.hpp"

namespace scree::rows {

/// What set-up learns of a contact.
template <class T> struct Prepared {
    T gap, radius, speed2;
    math::mask_of<T> bounces;
};

/// Makes a round row of two balls. On entry n is the vector between the centres, the levers are the
/// radii, the shift is the coefficient of restitution and the impulse that of the last step.
template <class T>
SCREE_HD Prepared<T> prepare(RoundRow<T>& c, const BodyVelocity<T>& a, const BodyVelocity<T>& b,
                             const StepConstants<T>& s)
{
    using namespace math;
    const auto touch = shapes::round_contact(c.n, c.lever_a, c.lever_b);
    c.n = touch.normal;
    Prepared<T> out;
    out.gap = touch.gap;
    out.radius = radius_of_gap(c.lever_a, c.lever_b);
    c.lever_a = c.lever_a + constant<T>(0.5) * out.gap;
    c.lever_b = c.lever_b + constant<T>(0.5) * out.gap;
    const Vec3<T> dv = relative_velocity(c, a, b);
    out.speed2 = dot(dv, dv);
    const T fall = select(b.inverse_mass == T(0), s.time_step * dot(c.n, s.gravity), T(0));
    c.shift = gap_term(s, out.gap, out.radius, c.shift, dot(c.n, dv), fall, out.bounces);
    c.weight = select(out.bounces, minus(c.weight), c.weight);
    const auto keep = dot(c.n, c.impulse) > T(0) && !out.bounces;
    c.impulse = {select(keep, c.impulse.x, T(0)), select(keep, c.impulse.y, T(0)),
                 select(keep, c.impulse.z, T(0))};
    return out;
}

}  // namespace scree::rows
