// How far a body may stray before the neighbour list may miss a pair: given when the list is made,
// asked for in every step. Seen from a frame that moves with the mean velocity.
#pragma once

#include "exec/tree_sum.hpp"
#include "shapes/support.hpp"
#include "stages/neighbours/nearby_speed.hpp"
#include "state/views.hpp"

namespace scree::neighbours {

/// Whether a body may leave its allowance when it moves with its velocity for one step, and for
/// this much of a step more. One that is gone does not: it would seem to, seen from a frame that
/// moves.
struct LeavesSkin {
    double time_step = 0, margin = 0, fall = 0;
    Vec3<double> drift_velocity{0, 0, 0};

    LeavesSkin() = default;
    LeavesSkin(const Settings& settings, const Vec3<double>& drift, double more)
        : time_step(settings.time_step), margin(more),
          fall(more * time_step * time_step * norm(settings.gravity)), drift_velocity(drift)
    {
    }
    [[nodiscard]] SCREE_HD bool operator()(const state::BodyView& bodies, std::size_t i) const
    {
        const state::Displacement& d = bodies.drift[i];
        const auto allowance = static_cast<double>(d.allowance);
        const Vec3<double> way = time_step * (bodies.velocity[i].v - drift_velocity);
        const Vec3<double> end = Vec3<double>{d.x, d.y, d.z} + way;
        const double end2 = dot(end, end);
        if (4 * end2 + 4 * margin * margin * dot(way, way) + 4 * fall * fall <=
            allowance * allowance / 3) {
            return false;  // far from it, without a root
        }
        return math::sqrt(end2) + margin * norm(way) + fall > allowance &&
               state::is_alive(bodies.flags[i]);
    }
};

/// Sums over dynamic bodies: radius, velocity, its square, number.
using MotionSums = exec::Sums<6>;
SCREE_HD MotionSums motion_of(const state::BodyView& bodies, std::size_t i)
{
    const bool alive = state::is_alive(bodies.flags[i]);
    const Vec3<double>& v = bodies.velocity[i].v;
    return alive ? MotionSums{{bodies.ball[i].r, v.x, v.y, v.z, dot(v, v), 1}} : MotionSums{};
}

struct Means {
    double radius;
    Vec3<double> velocity;
    double speed;  ///< the root of the mean square, seen from the mean velocity
};
SCREE_HD Means means_of(const MotionSums& sums)
{
    const double count = sums.of[5];
    if (!(count > 0)) {
        return {0, {0, 0, 0}, 0};
    }
    const Vec3<double> v = (1 / count) * Vec3<double>{sums.of[1], sums.of[2], sums.of[3]};
    return {sums.of[0] / count, v, math::sqrt(shapes::most(sums.of[4] / count - dot(v, v), 0))};
}

/// Gives bodies their allowances: a part of their size, and more the faster they are, or those near
/// them. First all that are dynamic are noted, then each gets its own.
struct SkinRule {
    /// How many steps ahead a moving body's allowance looks.
    static constexpr double steps_ahead = 20;
    /// How long the blocks are in which bodies are near, in mean radii.
    static constexpr double block_radii = 4;
    double time_step, skin, fall;
    bool relaxed;  ///< in the middle of a step, with velocities that contacts have changed already
    NearbySpeed bustle;

    SkinRule(const Settings& settings, bool in_step, const NearbySpeed& zeros)
        : time_step(settings.time_step), skin(settings.skin),
          fall(3 * time_step * time_step * norm(settings.gravity)), relaxed(in_step), bustle(zeros)
    {
    }
    SCREE_HD void note(const state::BodyView& bodies, std::size_t i, const MotionSums& sums) const
    {
        if (state::is_alive(bodies.flags[i])) {
            const Means mean = means_of(sums);
            bustle.note(bodies.ball[i], block_radii * mean.radius, speed(bodies, i, mean));
        }
    }
    [[nodiscard]] SCREE_HD state::Displacement drift(const state::BodyView& bodies, std::size_t i,
                                                     const MotionSums& sums) const
    {
        const Means mean = means_of(sums);
        // A slow body may be hit by the fastest of those near it. One that is prescribed is not
        // hit, but may get another speed.
        const double common = state::is_dynamic(bodies.flags[i])
                                  ? bustle.near(bodies.ball[i], block_radii * mean.radius)
                                  : mean.speed;
        const double r = i < bodies.bounded_count ? bodies.ball[i].r : mean.radius;
        const double way = time_step * speed(bodies, i, mean);
        const double s = skin * r + fall +
                         shapes::least(steps_ahead * shapes::most(time_step * common, way),
                                       shapes::most(3 * way, 0.5 * r));
        return {0, 0, 0, static_cast<float>(s)};
    }

private:
    /// Seen from the mean velocity. A body that has just bounced is still on its way in.
    [[nodiscard]] SCREE_HD double speed(const state::BodyView& bodies, std::size_t i,
                                        const Means& mean) const
    {
        const double now = norm(bodies.velocity[i].v - mean.velocity);
        return relaxed ? shapes::most(norm(bodies.velocity_before[i].v - mean.velocity), now) : now;
    }
};

/// Slightly more than the allowance, which is a float, for its rounding and that of the drift.
SCREE_HD double margin_of(const state::Displacement& drift)
{
    return 1.001 * static_cast<double>(drift.allowance);
}
SCREE_HD shapes::Ball with_margin(const shapes::Ball& ball, const state::Displacement& drift)
{
    return {ball.x, ball.y, ball.z, ball.r + margin_of(drift)};
}

/// Whether a turning wall's surface moves under bodies; one that turns about its own axis stays.
SCREE_HD bool sweeps_space(const state::BodyView& bodies, std::size_t i, ShapeKind kind)
{
    const Vec3<double> w = rotate_back(bodies.orientation[i], bodies.velocity[i].w);
    switch (kind) {
    case ShapeKind::half_space: return w.x != 0 || w.y != 0;
    case ShapeKind::cylinder_wall: return w.y != 0 || w.z != 0;
    case ShapeKind::mesh: return w.x != 0 || w.y != 0 || w.z != 0;
    default: return false;
    }
}

/// Whether a ball with its margin may come to touch the wall k.
SCREE_HD bool near_wall(const state::BodyView& bodies, const state::Prototype* prototypes,
                        const shapes::Ball& ball, std::size_t k)
{
    const state::Prototype& wall = prototypes[bodies.prototype[k]];
    return sweeps_space(bodies, k, wall.shape.kind) ||
           shapes::is_near_wall(wall.shape, bodies.pose(k, wall), {ball.x, ball.y, ball.z},
                                ball.r + margin_of(bodies.drift[k]));
}

}  // namespace scree::neighbours
