// How far two bodies may come towards each other in a step, and so up to which gap a pair is a
// candidate: the rule on one body or one pair, for host and device alike.
#pragma once

#include "stages/candidates/candidates.hpp"
#include "state/views.hpp"

namespace scree::candidates {

/// Says how far a body's surface may move in a step that begins with this velocity.
SCREE_HD void set_margin(const state::ModelView& model, const state::BodyView& bodies,
                         std::size_t i, const state::VelocityLine& line, double spare)
{
    double speed = norm(line.v) + spare;
    if ((bodies.flags[i] & state::flag_round) == 0) {
        speed += model.prototypes[bodies.prototype[i]].swing * norm(line.w);
    }
    bodies.reach[i] = static_cast<float>(1.000001 * model.settings.time_step * speed);
}

/// Keeps a body's velocity of the beginning of the step, and sets its reach.
SCREE_HD void begin_step(const state::ModelView& model, const state::BodyView& bodies,
                         std::size_t i, double spare)
{
    const state::VelocityLine line = bodies.velocity[i];
    bodies.velocity_before[i] = line;
    set_margin(model, bodies, i, line, spare);
}

/// The farthest that relative motion can close the pair's gap in this step.
SCREE_HD double closing_margin(const state::ModelView& model, const state::BodyView& bodies,
                               state::BodyPair pair, double spare)
{
    const state::VelocityLine& a = bodies.velocity_before[pair.first];
    const state::VelocityLine& b = bodies.velocity_before[pair.second];
    const auto turning = [&](std::uint32_t body, const Vec3<double>& w) {
        const bool round = (bodies.flags[body] & state::flag_round) != 0;
        return round ? 0 : model.prototypes[bodies.prototype[body]].swing * norm(w);
    };
    const double speed = norm(a.v - b.v) + (turning(pair.first, a.w) + turning(pair.second, b.w));
    return model.settings.time_step * (speed + 2 * spare);
}

/// How far a wall that turns comes towards a body in this step.
SCREE_HD double turning_wall_margin(const state::ModelView& model, const state::BodyView& bodies,
                                    state::BodyPair pair)
{
    const std::uint8_t flags = bodies.flags[pair.second];
    if ((flags & state::flag_wall) == 0 || (flags & state::flag_turning) == 0) {
        return 0;
    }
    const shapes::Ball& a = bodies.ball[pair.first];
    const shapes::Ball& b = bodies.ball[pair.second];
    const double lever = norm(Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z}) + a.r;
    return model.settings.time_step * norm(bodies.velocity_before[pair.second].w) * lever;
}

/// Whether two spheres may touch in this step: along the line of their centres, at the velocities
/// before and, in a further pass, after relaxation. `limit` is the sum of radii and what relaxation
/// may add. Other motion only takes them apart: their distance is convex in time.
SCREE_HD bool may_close(const state::BodyView& bodies, state::BodyPair pair, const Vec3<double>& d,
                        double d2, double limit, double h, bool relaxed)
{
    const auto rate = [&](const state::VelocityLine* velocity) {
        return dot(d, velocity[pair.first].v - velocity[pair.second].v);
    };
    double closing = rate(bodies.velocity_before);
    if (relaxed) {
        const double after = rate(bodies.velocity);
        closing = after < closing ? after : closing;
    }
    return d2 + h * closing <= limit * math::sqrt(d2);
}

/// What all pairs of a step's narrow phase have in common.
struct Closing {
    double h;       ///< time step
    double always;  ///< how far apart any two bodies count as candidates
    double spare;   ///< what relaxation may change velocities by
    bool relaxed;   ///< it has changed them already, in an earlier pass
};
inline Closing closing(const Settings& settings, double spare, Pass pass)
{
    const double h = settings.time_step;
    return {h, 2 * h * least_solver_speed(settings), spare, pass != Pass::first};
}

/// The same as closing_margin without knowing their relative motion: the sum of two reaches.
SCREE_HD double coarse_margin(const float* reach, state::BodyPair pair)
{
    return static_cast<double>(reach[pair.first]) + static_cast<double>(reach[pair.second]);
}

/// Whether one of the two changed its velocity by more than was allowed for: only then a pair can
/// have been missed.
SCREE_HD bool exceeds_margin(const state::BodyView& bodies, state::BodyPair pair)
{
    return ((bodies.flags[pair.first] | bodies.flags[pair.second]) & state::flag_margin_exceeded) !=
           0;
}

/// Whether two spheres within reach stay candidates however they move: in a further pass none is
/// lost that was found before, and a wide one takes all pairs of a body that was surprised.
SCREE_HD bool stays_candidate(Pass pass, bool was, bool surprised)
{
    return (pass == Pass::again && was) || (pass == Pass::wide && surprised);
}

/// Whether two spheres, d apart and with this sum of radii, are candidates; `coarse` is what their
/// reaches allow, `keep` whether they are for sure if these do.
SCREE_HD unsigned spheres_meet(const Closing& step, const state::BodyView& bodies,
                               state::BodyPair pair, const Vec3<double>& d, double sum,
                               double coarse, bool keep)
{
    const Nearness<double> by_place = nearness(d, sum, step.always, coarse);
    // One branch that is hardly ever taken, instead of two that are a coin's toss.
    if (by_place.unclear) {
        const double limit = sum + 2 * step.h * step.spare;
        return may_close(bodies, pair, d, dot(d, d), limit, step.h, step.relaxed) || keep ? 1 : 0;
    }
    return by_place.near ? 1 : 0;
}

/// Up to which gap pairs that are not two spheres are candidates.
SCREE_HD double candidate_margin(const state::ModelView& model, const state::BodyView& bodies,
                                 state::BodyPair pair, double spare)
{
    return exceeds_margin(bodies, pair) ? coarse_margin(bodies.reach, pair)
                                        : closing_margin(model, bodies, pair, spare);
}

}  // namespace scree::candidates
