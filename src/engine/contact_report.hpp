// A contact as users see it, from what a step leaves: for host and device alike.
#pragma once

#include "scree/world.hpp"
#include "shapes/manifold.hpp"
#include "stages/rows/gap_rule.hpp"
#include "state/views.hpp"

namespace scree::engine {

SCREE_HD Contact contact_at(const state::BodyView& bodies, state::BodyPair pair,
                            const shapes::ContactPoint& point, const Vec3<double>& impulse)
{
    const double r_a = bodies.ball[pair.first].r;
    const double r_b = bodies.ball[pair.second].r;
    return {bodies.id[pair.first],
            bodies.id[pair.second],
            point.point,
            point.normal,
            point.gap,
            rows::is_touching(point.gap, rows::radius_of_gap(r_a, r_b)),
            impulse};
}

/// The same for two spheres, of which the row has the normal and the first lever.
SCREE_HD Contact contact_of_spheres(const state::ModelView& model, const state::BodyView& bodies,
                                    state::BodyPair pair, const Vec3<double>& normal, double lever,
                                    const Vec3<double>& impulse)
{
    // The centre has moved on since.
    const shapes::Ball& ball = bodies.ball[pair.first];
    const Vec3<double> x = Vec3<double>{ball.x, ball.y, ball.z} -
                           model.settings.time_step * bodies.velocity[pair.first].v;
    return contact_at(bodies, pair, {x - lever * normal, normal, 2 * (lever - ball.r), 0}, impulse);
}

}  // namespace scree::engine
