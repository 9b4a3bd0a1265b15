// Where a pair touches: the contact points of two bodies with gaps up to a reach, without those
// that another member of a group covers. For host and device alike.
#pragma once

#include "shapes/collide.hpp"
#include "shapes/sphere_pairs.hpp"
#include "shapes/support.hpp"
#include "stages/candidates/speculative_margin.hpp"

namespace scree::candidates {

/// Whether two bodies' balls are within reach; if so, the second one's pose, which has come with
/// its own place, is that of its image nearest to the first.
SCREE_HD bool bring_near(const state::ModelView& model, const state::BodyView& bodies,
                         state::BodyPair pair, double reach, shapes::Pose& pose)
{
    const shapes::Ball& a = bodies.ball[pair.first];
    const shapes::Ball& b = bodies.ball[pair.second];
    const Vec3<double> d = shapes::image_difference(a, b, model.box);
    const double near = a.r + b.r + reach;
    if (!(dot(d, d) <= near * near)) {
        return false;
    }
    pose.position = pose.position +
                    (Vec3<double>{a.x - d.x, a.y - d.y, a.z - d.z} - Vec3<double>{b.x, b.y, b.z});
    return true;
}

/// Whether a pair is a sphere and something whose distance has a closed form, in no group: they
/// touch in one point, which nothing covers.
SCREE_HD bool touches_once(const state::ModelView& model, const state::BodyView& bodies,
                           state::BodyPair pair)
{
    return (bodies.flags[pair.first] & state::flag_round) != 0 &&
           (bodies.flags[pair.second] & state::flag_grouped) == 0 &&
           shapes::has_closed_form(model.prototypes[bodies.prototype[pair.second]].shape.kind);
}

/// That point, the same as of find_points. Returns whether its gap is up to the reach.
SCREE_HD bool find_point(const state::ModelView& model, const state::BodyView& bodies,
                         state::BodyPair pair, double reach, shapes::ContactPoint& point)
{
    const state::Prototype& kind = model.prototypes[bodies.prototype[pair.second]];
    const shapes::Ball& a = bodies.ball[pair.first];
    const Vec3<double> centre =
        Vec3<double>{a.x, a.y, a.z} + Vec3<double>{0, 0, 0};  // without −0, as poses are
    shapes::Pose pose = bodies.pose(pair.second, kind);
    reach += turning_wall_margin(model, bodies, pair);
    const bool near = (bodies.flags[pair.second] & state::flag_wall) != 0
                          ? shapes::wall_distance(kind.shape, pose, centre) <= a.r + reach
                          : bring_near(model, bodies, pair, reach, pose);
    if (!near) {
        return false;
    }
    const Vec3<double> p = rotate_back(pose.orientation, centre - pose.position);
    return shapes::touch(a.r, centre, shapes::closed_form_distance(kind.shape, p), pose, reach,
                         point);
}

/// A body's shape where it is nearest to a point.
SCREE_LONG shapes::Member member_near(const state::ModelView& model, const state::BodyView& bodies,
                                      std::uint32_t body, const Vec3<double>& point)
{
    const state::Prototype& kind = model.prototypes[bodies.prototype[body]];
    shapes::Member member{kind.shape, bodies.pose(body, kind)};
    if ((bodies.flags[body] & state::flag_wall) == 0) {
        const shapes::Ball& b = bodies.ball[body];
        const Vec3<double> d =
            shapes::image_difference({point.x, point.y, point.z, 0}, b, model.box);
        member.pose.position = member.pose.position + ((point - d) - Vec3<double>{b.x, b.y, b.z});
    }
    return member;
}

/// Whether a contact point on the second body of pair p, a member of a group, is covered by another
/// member. Members that may cover it are near the first body and hence among its pairs, which
/// follow each other in the list.
SCREE_LONG bool is_covered(const state::ModelView& model, const state::BodyView& bodies,
                           const state::PairView& list, std::size_t p, const Vec3<double>& point,
                           const Vec3<double>& normal)
{
    const state::BodyPair pair = list.pair[p];
    const double radius = bodies.ball[pair.first].r;
    const std::uint32_t group = model.prototypes[bodies.prototype[pair.second]].group;
    const auto covered_by = [&](std::size_t k) {
        const std::uint32_t other = list.pair[k].second;
        if (k == p || model.prototypes[bodies.prototype[other]].group != group ||
            (bodies.flags[other] & state::flag_alive) == 0 ||
            model.prototypes[bodies.prototype[other]].shape.surface != nullptr) {
            return false;  // a surface has nothing under it
        }
        const shapes::Ball& b = bodies.ball[other];
        const Vec3<double> d =
            shapes::image_difference({point.x, point.y, point.z, 0}, b, model.box);
        const double far = b.r + 0.1 * radius;
        return ((bodies.flags[other] & state::flag_wall) != 0 || dot(d, d) <= far * far) &&
               shapes::covers(member_near(model, bodies, other, point),
                              member_near(model, bodies, pair.second, point), point, normal,
                              radius);
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
SCREE_LONG bool is_covered(const state::ModelView& model, const state::BodyView& bodies,
                           const state::PairView& list, std::size_t p)
{
    const shapes::Ball& a = bodies.ball[list.pair[p].first];
    const shapes::Ball& b = bodies.ball[list.pair[p].second];
    const Vec3<double> d = shapes::image_difference(a, b, model.box);
    const Vec3<double> n = shapes::round_contact(d, a.r, b.r).normal;
    return is_covered(model, bodies, list, p, (Vec3<double>{a.x, a.y, a.z} - d) + b.r * n, n);
}

/// Whether the contact of two spheres, pair p, is covered by a member of the second one's group.
SCREE_HD bool spheres_are_covered(const state::ModelView& model, const state::BodyView& bodies,
                                  const state::PairView& list, std::size_t p)
{
    return (bodies.flags[list.pair[p].second] & state::flag_grouped) != 0 &&
           is_covered(model, bodies, list, p);
}

/// A pair in the order in which its points are looked for: of two bodies that impulses move, first
/// the one whose kind comes first in the table, and of one kind the one with the lower id. Places
/// in memory, which follow from the bodies around, decide neither what is found nor how features
/// are named.
SCREE_HD state::BodyPair in_order_of_search(const state::ModelView& model,
                                            const state::BodyView& bodies, state::BodyPair pair)
{
    if (pair.second >= bodies.dynamic_count) {
        return pair;
    }
    const ShapeKind a = model.prototypes[bodies.prototype[pair.first]].shape.kind;
    const ShapeKind b = model.prototypes[bodies.prototype[pair.second]].shape.kind;
    const bool good =
        a == b ? bodies.id[pair.first] < bodies.id[pair.second] : shapes::in_order(a, b);
    return good ? pair : state::BodyPair{pair.second, pair.first};
}

/// Points of pair p, not of two spheres, with gaps up to the reach.
SCREE_LONG void find_points(const state::ModelView& model, const state::BodyView& bodies,
                            const state::PairView& list, std::size_t p, double reach,
                            shapes::Manifold& points)
{
    const state::BodyPair pair = in_order_of_search(model, bodies, list.pair[p]);
    const state::Prototype& kind_a = model.prototypes[bodies.prototype[pair.first]];
    const state::Prototype& kind_b = model.prototypes[bodies.prototype[pair.second]];
    const shapes::Ball& a = bodies.ball[pair.first];
    const shapes::Pose pose_a = bodies.pose(pair.first, kind_a);
    shapes::Pose pose_b = bodies.pose(pair.second, kind_b);
    const Vec3<double> own_place = pose_b.position;
    points.count = 0;
    reach += turning_wall_margin(model, bodies, pair);
    if ((bodies.flags[pair.second] & state::flag_wall) != 0) {
        if (!shapes::is_near_wall(kind_b.shape, pose_b, {a.x, a.y, a.z}, a.r + reach)) {
            return;
        }
    } else if (!bring_near(model, bodies, pair, reach, pose_b)) {
        return;
    }
    shapes::collide(kind_a.shape, pose_a, kind_b.shape, pose_b, reach, points);
    if (pair.first != list.pair[p].first) {
        // Back to the order of the list, and to its first body's own image.
        for (int k = 0; k < points.count; ++k) {
            shapes::ContactPoint& q = points.points[k];
            q.normal = -q.normal;
            q.point = q.point - (pose_b.position - own_place);
        }
    }
    if (kind_b.group != 0) {
        int open = 0;
        for (int k = 0; k < points.count; ++k) {
            const shapes::ContactPoint& q = points.points[k];
            if (!is_covered(model, bodies, list, p, q.point - (0.5 * q.gap) * q.normal, q.normal)) {
                points.points[open++] = q;
            }
        }
        points.count = open;
    }
}

/// The same for pairs whose bodies are there, with the reach that the pass asks for.
SCREE_LONG void find_candidate_points(const state::ModelView& model, const state::BodyView& bodies,
                                      const state::PairView& list, std::size_t p, double spare,
                                      shapes::Manifold& points)
{
    const state::BodyPair pair = list.pair[p];
    const double reach = candidate_margin(model, bodies, pair, spare);
    if (touches_once(model, bodies, pair)) {
        points.count = find_point(model, bodies, pair, reach, points.points[0]) ? 1 : 0;
        return;
    }
    find_points(model, bodies, list, p, reach, points);
    if ((bodies.flags[pair.first] & state::flag_round) != 0 && points.count > 1 &&
        model.prototypes[bodies.prototype[pair.second]].shape.parts == nullptr &&
        model.prototypes[bodies.prototype[pair.second]].shape.surface == nullptr) {
        points.count = 1;  // spheres touch convex shapes and round walls in one point
    }
}

}  // namespace scree::candidates
