// Pairs that were no candidates and should have been: bodies whose velocity relaxation changed by
// more than was allowed for, and whether contacts of theirs were missed. For host and device alike.
#pragma once

#include "stages/candidates/pair_points.hpp"

namespace scree::candidates {

/// Marks a dynamic body whose velocity changed by more than was allowed for, and makes its reach
/// larger. Returns whether it did.
SCREE_HD bool surprise(const state::ModelView& model, const state::BodyView& bodies, std::size_t i,
                       double spare)
{
    const state::VelocityLine& now = bodies.velocity[i];
    const state::VelocityLine& before = bodies.velocity_before[i];
    const Vec3<double> dv = now.v - before.v;
    double change2 = dot(dv, dv);
    double swing = 0;
    if ((bodies.flags[i] & state::flag_round) == 0) {
        swing = model.prototypes[bodies.prototype[i]].swing;
        const double change = math::sqrt(change2) + swing * norm(now.w - before.w);
        change2 = change * change;
    }
    if (!(change2 > spare * spare)) {
        return false;
    }
    bodies.flags[i] |= state::flag_margin_exceeded;
    bodies.reach[i] =
        static_cast<float>(1.000001 * model.settings.time_step *
                           (norm(before.v) + swing * norm(before.w) + math::sqrt(change2) + spare));
    return true;
}

/// Whether the velocities after relaxation let two spheres without a candidate pass into each other
/// by more than the tolerance, were there nothing that covers one of them.
SCREE_HD bool spheres_missed(const state::ModelView& model, const state::BodyView& bodies,
                             state::BodyPair pair)
{
    const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
    if (!exceeds_margin(bodies, pair) || (both & state::flag_alive) == 0) {
        return false;
    }
    const shapes::Ball& a = bodies.ball[pair.first];
    const shapes::Ball& b = bodies.ball[pair.second];
    const Vec3<double> d = shapes::image_difference(a, b, model.box);
    const double near = a.r + b.r + coarse_margin(bodies.reach, pair);
    if (!(dot(d, d) <= near * near)) {
        return false;
    }
    const shapes::RoundContact<double> contact = shapes::round_contact(d, a.r, b.r);
    const Vec3<double> dv = bodies.velocity[pair.first].v - bodies.velocity[pair.second].v;
    return contact.gap + model.settings.time_step * dot(contact.normal, dv) < -1e-6 * a.r;
}

/// Whether the velocities after relaxation close a contact by more than the tolerance.
SCREE_HD bool passes(const state::ModelView& model, const state::BodyView& bodies,
                     state::BodyPair pair, const shapes::ContactPoint& q)
{
    const state::VelocityLine& a = bodies.velocity[pair.first];
    const state::VelocityLine& b = bodies.velocity[pair.second];
    const shapes::Ball& ball_a = bodies.ball[pair.first];
    const shapes::Ball& ball_b = bodies.ball[pair.second];
    const Vec3<double> lever_a = q.point - Vec3<double>{ball_a.x, ball_a.y, ball_a.z};
    const Vec3<double> lever_b =
        (bodies.flags[pair.second] & state::flag_wall) != 0
            ? q.point - Vec3<double>{ball_b.x, ball_b.y, ball_b.z}
            : lever_a + shapes::image_difference(ball_a, ball_b, model.box);
    const Vec3<double> dv = point_velocity(a.v, a.w, lever_a) - point_velocity(b.v, b.w, lever_b);
    return q.gap + model.settings.time_step * dot(q.normal, dv) < -1e-6 * ball_a.r;
}

/// Whether a pair that touches in one point, but is no candidate, was missed. One of the two was
/// surprised.
SCREE_HD bool point_missed(const state::ModelView& model, const state::BodyView& bodies,
                           state::BodyPair pair)
{
    shapes::ContactPoint point;
    return (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_alive) != 0 &&
           find_point(model, bodies, pair, coarse_margin(bodies.reach, pair), point) &&
           passes(model, bodies, pair, point);
}

/// The same for any pair p, which has `count` candidates.
SCREE_LONG bool is_missed(const state::ModelView& model, const state::BodyView& bodies,
                          const state::PairView& list, std::size_t p, int count)
{
    const state::BodyPair pair = list.pair[p];
    const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
    if ((both & state::flag_round) != 0) {
        // Two spheres touch in one point; other bodies may do so in more than were found.
        return count == 0 && spheres_missed(model, bodies, pair) &&
               !spheres_are_covered(model, bodies, list, p);
    }
    if (!exceeds_margin(bodies, pair) || (both & state::flag_alive) == 0) {
        return false;
    }
    if (touches_once(model, bodies, pair)) {
        return count == 0 && point_missed(model, bodies, pair);
    }
    shapes::Manifold points;
    find_points(model, bodies, list, p, coarse_margin(bodies.reach, pair), points);
    if (points.count <= count) {
        return false;
    }
    for (int k = 0; k < points.count; ++k) {
        if (passes(model, bodies, pair, points.points[k])) {
            return true;
        }
    }
    return false;
}

}  // namespace scree::candidates
