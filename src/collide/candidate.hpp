// The verbs of the stage narrow_phase on one body or one pair, for host and device alike: how far a
// body may move in a step, whether a pair may touch, where, and whether it was missed.
#pragma once

#include "collide/candidates.hpp"
#include "collide/clump_pairs.hpp"
#include "collide/sphere_pairs.hpp"
#include "collide/support.hpp"
#include "state/views.hpp"

namespace scree::collide {

/// Says how far a body's surface may move in a step that begins with this velocity.
SCREE_HD void set_reach(const ModelView& model, const BodyView& bodies, std::size_t i,
                        const VelocityLine& line, double spare)
{
    double speed = norm(line.v) + spare;
    if ((bodies.flags[i] & flag_round) == 0) {
        speed += model.prototypes[bodies.prototype[i]].swing * norm(line.w);
    }
    bodies.reach[i] = static_cast<float>(1.000001 * model.settings.time_step * speed);
}

/// Keeps a body's velocity of the beginning of the step, and sets its reach.
SCREE_HD void begin_step(const ModelView& model, const BodyView& bodies, std::size_t i,
                         double spare)
{
    const VelocityLine line = bodies.velocity[i];
    bodies.velocity_before[i] = line;
    set_reach(model, bodies, i, line, spare);
}

/// The farthest that relative motion can close the pair's gap in this step.
SCREE_HD double closing_reach(const ModelView& model, const BodyView& bodies, BodyPair pair,
                              double spare)
{
    const VelocityLine& a = bodies.velocity_before[pair.first];
    const VelocityLine& b = bodies.velocity_before[pair.second];
    const auto turning = [&](std::uint32_t body, const Vec& w) {
        const bool round = (bodies.flags[body] & flag_round) != 0;
        return round ? 0 : model.prototypes[bodies.prototype[body]].swing * norm(w);
    };
    const double speed = norm(a.v - b.v) + (turning(pair.first, a.w) + turning(pair.second, b.w));
    return model.settings.time_step * (speed + 2 * spare);
}

/// How far a wall that turns comes towards a body in this step.
SCREE_HD double turning_wall_reach(const ModelView& model, const BodyView& bodies, BodyPair pair)
{
    const std::uint8_t flags = bodies.flags[pair.second];
    if ((flags & flag_wall) == 0 || (flags & flag_turning) == 0) {
        return 0;
    }
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const double lever = norm(Vec{a.x - b.x, a.y - b.y, a.z - b.z}) + a.r;
    return model.settings.time_step * norm(bodies.velocity_before[pair.second].w) * lever;
}

/// Whether two spheres may touch in this step: along the line of their centres, at the velocities
/// before and, in a further pass, after relaxation. `limit` is the sum of radii and what relaxation
/// may add. Other motion only takes them apart: their distance is convex in time.
SCREE_HD bool may_close(const BodyView& bodies, BodyPair pair, const Vec& d, double d2,
                        double limit, double h, bool relaxed)
{
    const auto rate = [&](const VelocityLine* velocity) {
        return dot(d, velocity[pair.first].v - velocity[pair.second].v);
    };
    double closing = rate(bodies.velocity_before);
    if (relaxed) {
        const double after = rate(bodies.velocity);
        closing = after < closing ? after : closing;
    }
    return d2 + h * closing <= limit * lane::sqrt(d2);
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
    return {h, 2 * h * least_spare_speed(settings), spare, pass != Pass::first};
}

/// Whether two spheres, d apart and with this sum of radii, are candidates; `coarse` is what their
/// reaches allow, `keep` whether they are for sure if these do.
SCREE_HD unsigned spheres_meet(const Closing& step, const BodyView& bodies, BodyPair pair,
                               const Vec& d, double sum, double coarse, bool keep)
{
    const Nearness<double> by_place = nearness(d, sum, step.always, coarse);
    // One branch that is hardly ever taken, instead of two that are a coin's toss.
    if (by_place.unclear) {
        const double limit = sum + 2 * step.h * step.spare;
        return may_close(bodies, pair, d, dot(d, d), limit, step.h, step.relaxed) || keep ? 1 : 0;
    }
    return by_place.near ? 1 : 0;
}

/// The same as closing_reach without knowing their relative motion.
SCREE_HD double coarse_reach(const BodyView& bodies, BodyPair pair)
{
    return static_cast<double>(bodies.reach[pair.first]) +
           static_cast<double>(bodies.reach[pair.second]);
}

/// Up to which gap pairs that are not two spheres are candidates.
SCREE_HD double candidate_reach(const ModelView& model, const BodyView& bodies, BodyPair pair,
                                double spare)
{
    const std::uint8_t either = bodies.flags[pair.first] | bodies.flags[pair.second];
    return (either & flag_surprised) != 0 ? coarse_reach(bodies, pair)
                                          : closing_reach(model, bodies, pair, spare);
}

/// Whether two bodies' balls are within reach; if so, the second one's pose, which has come with
/// its own place, is that of its image nearest to the first.
SCREE_HD bool bring_near(const ModelView& model, const BodyView& bodies, BodyPair pair,
                         double reach, Pose& pose)
{
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const Vec d = image_difference(a, b, model.box);
    const double near = a.r + b.r + reach;
    if (!(dot(d, d) <= near * near)) {
        return false;
    }
    pose.position = pose.position + (Vec{a.x - d.x, a.y - d.y, a.z - d.z} - Vec{b.x, b.y, b.z});
    return true;
}

/// Whether a pair is a sphere and something whose distance has a closed form, in no group: they
/// touch in one point, which nothing covers.
SCREE_HD bool touches_once(const ModelView& model, const BodyView& bodies, BodyPair pair)
{
    return (bodies.flags[pair.first] & flag_round) != 0 &&
           (bodies.flags[pair.second] & flag_grouped) == 0 &&
           has_closed_form(model.prototypes[bodies.prototype[pair.second]].shape.kind);
}

/// That point, the same as of find_points. Returns whether its gap is up to the reach.
SCREE_HD bool find_point(const ModelView& model, const BodyView& bodies, BodyPair pair,
                         double reach, ContactPoint& point)
{
    const Prototype& kind = model.prototypes[bodies.prototype[pair.second]];
    const Ball& a = bodies.ball[pair.first];
    const Vec centre = Vec{a.x, a.y, a.z} + Vec{0, 0, 0};  // without −0, as poses are
    Pose pose = bodies.pose(pair.second, kind);
    reach += turning_wall_reach(model, bodies, pair);
    const bool near = (bodies.flags[pair.second] & flag_wall) != 0
                          ? wall_distance(kind.shape, pose, centre) <= a.r + reach
                          : bring_near(model, bodies, pair, reach, pose);
    if (!near) {
        return false;
    }
    const Vec p = rotate_back(pose.orientation, centre - pose.position);
    return touch(a.r, centre, closed_form_distance(kind.shape, p), pose, reach, point);
}

/// A body's shape where it is nearest to a point.
SCREE_LONG Member member_near(const ModelView& model, const BodyView& bodies, std::uint32_t body,
                              const Vec& point)
{
    const Prototype& kind = model.prototypes[bodies.prototype[body]];
    Member member{kind.shape, bodies.pose(body, kind)};
    if ((bodies.flags[body] & flag_wall) == 0) {
        const Ball& b = bodies.ball[body];
        const Vec d = image_difference({point.x, point.y, point.z, 0}, b, model.box);
        member.pose.position = member.pose.position + ((point - d) - Vec{b.x, b.y, b.z});
    }
    return member;
}

/// Whether a contact point on the second body of pair p, a member of a group, is covered by another
/// member. Members that may cover it are near the first body and hence among its pairs, which
/// follow each other in the list.
SCREE_LONG bool is_covered(const ModelView& model, const BodyView& bodies, const PairView& list,
                           std::size_t p, const Vec& point, const Vec& normal)
{
    const BodyPair pair = list.pair[p];
    const double radius = bodies.ball[pair.first].r;
    const std::uint32_t group = model.prototypes[bodies.prototype[pair.second]].group;
    const auto covered_by = [&](std::size_t k) {
        const std::uint32_t other = list.pair[k].second;
        if (k == p || model.prototypes[bodies.prototype[other]].group != group ||
            (bodies.flags[other] & flag_alive) == 0 ||
            model.prototypes[bodies.prototype[other]].shape.surface != nullptr) {
            return false;  // a surface has nothing under it
        }
        const Ball& b = bodies.ball[other];
        const Vec d = image_difference({point.x, point.y, point.z, 0}, b, model.box);
        const double far = b.r + 0.1 * radius;
        return ((bodies.flags[other] & flag_wall) != 0 || dot(d, d) <= far * far) &&
               covers(member_near(model, bodies, other, point),
                      member_near(model, bodies, pair.second, point), point, normal, radius);
    };
    std::size_t begin = p;
    while (begin > 0 && list.pair[begin - 1].first == pair.first) {
        --begin;
    }
    for (std::size_t k = begin; k < list.count && list.pair[k].first == pair.first; ++k) {
        if (covered_by(k)) {
            return true;
        }
    }
    return false;
}

/// The same for the contact of two spheres.
SCREE_LONG bool is_covered(const ModelView& model, const BodyView& bodies, const PairView& list,
                           std::size_t p)
{
    const Ball& a = bodies.ball[list.pair[p].first];
    const Ball& b = bodies.ball[list.pair[p].second];
    const Vec d = image_difference(a, b, model.box);
    const Vec n = round_contact(d, a.r, b.r).normal;
    return is_covered(model, bodies, list, p, (Vec{a.x, a.y, a.z} - d) + b.r * n, n);
}

/// A pair in the order in which its points are looked for: of two bodies that impulses move, first
/// the one whose kind comes first in the table, and of one kind the one with the lower id. Places
/// in memory, which follow from the bodies around, decide neither what is found nor how features
/// are named.
SCREE_HD BodyPair in_order_of_search(const ModelView& model, const BodyView& bodies, BodyPair pair)
{
    if (pair.second >= bodies.dynamic_count) {
        return pair;
    }
    const ShapeKind a = model.prototypes[bodies.prototype[pair.first]].shape.kind;
    const ShapeKind b = model.prototypes[bodies.prototype[pair.second]].shape.kind;
    const bool good = a == b ? bodies.id[pair.first] < bodies.id[pair.second] : in_order(a, b);
    return good ? pair : BodyPair{pair.second, pair.first};
}

/// Points of pair p, not of two spheres, with gaps up to the reach.
SCREE_LONG void find_points(const ModelView& model, const BodyView& bodies, const PairView& list,
                            std::size_t p, double reach, Manifold& points)
{
    const BodyPair pair = in_order_of_search(model, bodies, list.pair[p]);
    const Prototype& kind_a = model.prototypes[bodies.prototype[pair.first]];
    const Prototype& kind_b = model.prototypes[bodies.prototype[pair.second]];
    const Ball& a = bodies.ball[pair.first];
    const Pose pose_a = bodies.pose(pair.first, kind_a);
    Pose pose_b = bodies.pose(pair.second, kind_b);
    const Vec own_place = pose_b.position;
    points.count = 0;
    reach += turning_wall_reach(model, bodies, pair);
    if ((bodies.flags[pair.second] & flag_wall) != 0) {
        if (!is_near_wall(kind_b.shape, pose_b, {a.x, a.y, a.z}, a.r + reach)) {
            return;
        }
    } else if (!bring_near(model, bodies, pair, reach, pose_b)) {
        return;
    }
    collide(kind_a.shape, pose_a, kind_b.shape, pose_b, reach, points);
    if (pair.first != list.pair[p].first) {
        // Back to the order of the list, and to its first body's own image.
        for (int k = 0; k < points.count; ++k) {
            ContactPoint& q = points.points[k];
            q.normal = -q.normal;
            q.point = q.point - (pose_b.position - own_place);
        }
    }
    if (kind_b.group != 0) {
        int open = 0;
        for (int k = 0; k < points.count; ++k) {
            const ContactPoint& q = points.points[k];
            if (!is_covered(model, bodies, list, p, q.point - (0.5 * q.gap) * q.normal, q.normal)) {
                points.points[open++] = q;
            }
        }
        points.count = open;
    }
}

/// The same for pairs whose bodies are there, with the reach that the pass asks for.
SCREE_LONG void find_candidate_points(const ModelView& model, const BodyView& bodies,
                                      const PairView& list, std::size_t p, double spare,
                                      Manifold& points)
{
    const BodyPair pair = list.pair[p];
    const double reach = candidate_reach(model, bodies, pair, spare);
    if (touches_once(model, bodies, pair)) {
        points.count = find_point(model, bodies, pair, reach, points.points[0]) ? 1 : 0;
        return;
    }
    find_points(model, bodies, list, p, reach, points);
    if ((bodies.flags[pair.first] & flag_round) != 0 && points.count > 1 &&
        model.prototypes[bodies.prototype[pair.second]].shape.parts == nullptr &&
        model.prototypes[bodies.prototype[pair.second]].shape.surface == nullptr) {
        points.count = 1;  // spheres touch convex shapes and round walls in one point
    }
}

/// Marks a dynamic body whose velocity changed by more than was allowed for, and makes its reach
/// larger. Returns whether it did.
SCREE_HD bool surprise(const ModelView& model, const BodyView& bodies, std::size_t i, double spare)
{
    const VelocityLine& now = bodies.velocity[i];
    const VelocityLine& before = bodies.velocity_before[i];
    const Vec dv = now.v - before.v;
    double change2 = dot(dv, dv);
    double swing = 0;
    if ((bodies.flags[i] & flag_round) == 0) {
        swing = model.prototypes[bodies.prototype[i]].swing;
        const double change = lane::sqrt(change2) + swing * norm(now.w - before.w);
        change2 = change * change;
    }
    if (!(change2 > spare * spare)) {
        return false;
    }
    bodies.flags[i] |= flag_surprised;
    bodies.reach[i] =
        static_cast<float>(1.000001 * model.settings.time_step *
                           (norm(before.v) + swing * norm(before.w) + lane::sqrt(change2) + spare));
    return true;
}

/// Whether one of the two changed its velocity by more than was allowed for: only then a pair can
/// have been missed.
SCREE_HD bool is_surprised(const BodyView& bodies, BodyPair pair)
{
    return ((bodies.flags[pair.first] | bodies.flags[pair.second]) & flag_surprised) != 0;
}

/// Whether the velocities after relaxation let two spheres without a candidate pass into each other
/// by more than the tolerance, were there nothing that covers one of them.
SCREE_HD bool spheres_missed(const ModelView& model, const BodyView& bodies, BodyPair pair)
{
    const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
    if (!is_surprised(bodies, pair) || (both & flag_alive) == 0) {
        return false;
    }
    const Ball& a = bodies.ball[pair.first];
    const Ball& b = bodies.ball[pair.second];
    const Vec d = image_difference(a, b, model.box);
    const double near = a.r + b.r + coarse_reach(bodies, pair);
    if (!(dot(d, d) <= near * near)) {
        return false;
    }
    const RoundContact<double> contact = round_contact(d, a.r, b.r);
    const Vec dv = bodies.velocity[pair.first].v - bodies.velocity[pair.second].v;
    return contact.gap + model.settings.time_step * dot(contact.normal, dv) < -1e-6 * a.r;
}

/// Whether the velocities after relaxation close a contact by more than the tolerance.
SCREE_HD bool passes(const ModelView& model, const BodyView& bodies, BodyPair pair,
                     const ContactPoint& q)
{
    const VelocityLine& a = bodies.velocity[pair.first];
    const VelocityLine& b = bodies.velocity[pair.second];
    const Ball& ball_a = bodies.ball[pair.first];
    const Ball& ball_b = bodies.ball[pair.second];
    const Vec lever_a = q.point - Vec{ball_a.x, ball_a.y, ball_a.z};
    const Vec lever_b = (bodies.flags[pair.second] & flag_wall) != 0
                            ? q.point - Vec{ball_b.x, ball_b.y, ball_b.z}
                            : lever_a + image_difference(ball_a, ball_b, model.box);
    const Vec dv = point_velocity(a.v, a.w, lever_a) - point_velocity(b.v, b.w, lever_b);
    return q.gap + model.settings.time_step * dot(q.normal, dv) < -1e-6 * ball_a.r;
}

/// Whether a pair that touches in one point, but is no candidate, was missed. One of the two was
/// surprised.
SCREE_HD bool point_missed(const ModelView& model, const BodyView& bodies, BodyPair pair)
{
    ContactPoint point;
    return (bodies.flags[pair.first] & bodies.flags[pair.second] & flag_alive) != 0 &&
           find_point(model, bodies, pair, coarse_reach(bodies, pair), point) &&
           passes(model, bodies, pair, point);
}

/// The same for any pair p, which has `count` candidates.
SCREE_LONG bool is_missed(const ModelView& model, const BodyView& bodies, const PairView& list,
                          std::size_t p, int count)
{
    const BodyPair pair = list.pair[p];
    const std::uint8_t either = bodies.flags[pair.first] | bodies.flags[pair.second];
    const std::uint8_t both = bodies.flags[pair.first] & bodies.flags[pair.second];
    if ((both & flag_round) != 0) {
        // Two spheres touch in one point; other bodies may do so in more than were found.
        return count == 0 && spheres_missed(model, bodies, pair) &&
               ((either & flag_grouped) == 0 || !is_covered(model, bodies, list, p));
    }
    if (!is_surprised(bodies, pair) || (both & flag_alive) == 0) {
        return false;
    }
    if (touches_once(model, bodies, pair)) {
        return count == 0 && point_missed(model, bodies, pair);
    }
    Manifold points;
    find_points(model, bodies, list, p, coarse_reach(bodies, pair), points);
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

}  // namespace scree::collide
