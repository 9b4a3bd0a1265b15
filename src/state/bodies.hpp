// What is stored of bodies. Each column is named once, in `for_each_column`; resizing, permuting
// and hashing follow from that list.
//
// Order: dynamic bodies [0, dynamic_count), prescribed bounded bodies, walls. The velocity column
// is longer: behind the bodies come the copies of split bodies and idle lines for unused lanes.
#pragma once

#include "exec/memory.hpp"
#include "math/vec.hpp"
#include "scree/body.hpp"
#include "shapes/ball.hpp"
#include "shapes/manifold.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree::state {

/// All that a sphere's contact asks of a body, one cache line.
struct alignas(64) VelocityLine {
    Vec3<double> v;         ///< of the centre of mass [m/s]
    Vec3<double> w;         ///< angular [rad/s]
    double inverse_mass;    ///< 0 for prescribed bodies [1/kg]
    double inverse_moment;  ///< of a body whose inertia is the same about every axis [1/(kg m²)]
};

/// The inverse inertia tensor in the world frame, one cache line.
struct alignas(64) InertiaLine {
    Sym3<double> inverse;
    double unused[2];
};

/// How far a body has moved since the neighbour list was made, seen from a frame that moves with
/// Bodies::drift_velocity, and how far it may.
struct alignas(16) Displacement {
    float x, y, z;
    float allowance;
};

struct Force {
    Vec3<double> force{0, 0, 0}, torque{0, 0, 0};
    Vec3<double> impulse{0, 0, 0}, angular_impulse{0, 0, 0};
};

/// What bodies of a kind have in common. Kept once for all of them.
struct Prototype {
    Shape shape;
    Vec3<double> offset;   ///< of the shape's origin from the centre of mass, body frame
    double mass;           ///< infinite for prescribed bodies
    Sym3<double> inertia;  ///< about the centre of mass, body frame
    Sym3<double> inverse_inertia;
    double radius;  ///< bounding, about the centre of mass
    double swing;   ///< how much farther than the surface's nearest point its farthest is
    MaterialId material;
    std::uint8_t flags;   ///< round, prescribed, wall, grouped
    std::uint32_t group;  ///< of obstacles; 0: none
    std::uint32_t users;  ///< bodies that have it
};

enum BodyFlag : std::uint8_t {
    flag_alive = 1,
    flag_round = 2,  ///< a sphere about its centre of mass with equal moments
    flag_prescribed = 4,
    flag_wall = 8,
    flag_turning = 16,  ///< prescribed, with an angular velocity, or a mesh
    flag_margin_exceeded =
        32,             ///< its velocity changed more in relaxation than its reach allowed for
    flag_grouped = 64,  ///< member of a group of obstacles
    flag_ghost = 128    ///< another rank's, which counts it
};

/// A removed body leaves a gap, which is not alive, until the next list is made.
SCREE_HD bool is_alive(std::uint8_t flags) { return (flags & flag_alive) != 0; }
SCREE_HD bool is_dynamic(std::uint8_t flags)
{
    return (flags & (flag_alive | flag_prescribed)) == flag_alive;
}
/// Dynamic, and counted by this rank.
SCREE_HD bool is_own(std::uint8_t flags)
{
    return (flags & (flag_alive | flag_prescribed | flag_ghost)) == flag_alive;
}

/// Which bodies lie together, in this order; the removed ones are dropped.
enum class BodyClass : std::uint8_t { dynamic, prescribed, wall, removed };
SCREE_HD BodyClass body_class(std::uint8_t flags)
{
    return !is_alive(flags)           ? BodyClass::removed
           : is_dynamic(flags)        ? BodyClass::dynamic
           : (flags & flag_wall) == 0 ? BodyClass::prescribed
                                      : BodyClass::wall;
}

/// Lines behind the bodies and their copies that lanes without a contact use, one for each lane of
/// a block. Nothing acts on them; they have a mass, so that no block is singular.
inline constexpr std::size_t idle_lines = 8;
SCREE_HD VelocityLine idle_velocity() { return {{0, 0, 0}, {0, 0, 0}, 1, 1}; }
SCREE_HD InertiaLine idle_inertia() { return {{1, 0, 0, 1, 0, 1}, {0, 0}}; }

struct Bodies {
    std::vector<BodyId> id;
    std::vector<shapes::Ball> ball;
    std::vector<Quat<double>> orientation;
    std::vector<VelocityLine> velocity;
    std::vector<VelocityLine> velocity_before;  ///< at the beginning of the step
    std::vector<Displacement> drift;
    std::vector<std::uint32_t> prototype;
    std::vector<std::uint8_t> flags;   ///< of BodyFlag
    std::vector<float> reach;          ///< how far its surface may move in a step [m]; not state
    std::vector<InertiaLine> inertia;  ///< empty while all bodies are round
    std::vector<Force> force;          ///< empty while no force is set

    /// Mean velocity of the dynamic bodies when the list was made: what flows together stays
    /// together [m/s].
    Vec3<double> drift_velocity{0, 0, 0};
    std::size_t dynamic_count = 0;  ///< slots, removed ones included
    std::size_t bounded_count = 0;  ///< dynamic and prescribed bodies that are no walls

    [[nodiscard]] std::size_t count() const { return id.size(); }
    /// Where the shape's own frame is.
    [[nodiscard]] shapes::Pose pose(std::size_t i, const Prototype& kind) const
    {
        const Vec3<double> x{ball[i].x, ball[i].y, ball[i].z};
        return {x + rotate(orientation[i], kind.offset), orientation[i]};
    }

    /// Makes lines behind the bodies: for this many copies, and idle ones for lanes without a
    /// contact, of each part of the list.
    void fit_lines(std::size_t copies, std::size_t parts = 1)
    {
        const auto extend = [&](auto& column, const auto& idle) {
            exec::fit(column, count() + copies + idle_lines * parts);
            std::fill(column.begin() + static_cast<std::ptrdiff_t>(count()), column.end(), idle);
        };
        extend(velocity, idle_velocity());
        extend(velocity_before, idle_velocity());
        if (!inertia.empty()) {
            extend(inertia, idle_inertia());
        }
    }

    template <class F> void for_each_column(F&& f)
    {
        f(id);
        f(ball);
        f(orientation);
        f(velocity);
        f(velocity_before);
        f(drift);
        f(prototype);
        f(flags);
        f(reach);
        if (!inertia.empty()) {
            f(inertia);
        }
        if (!force.empty()) {
            f(force);
        }
    }
};

inline VelocityLine line_of(const Prototype& kind, const Vec3<double>& velocity,
                            const Vec3<double>& angular_velocity)
{
    const bool prescribed = (kind.flags & flag_prescribed) != 0;
    const bool round = (kind.flags & flag_round) != 0;
    return {velocity, angular_velocity, prescribed ? 0 : 1 / kind.mass,
            round ? kind.inverse_inertia.xx : (prescribed ? 0 : 1)};
}

/// Of a body of this kind that has just come.
inline std::uint8_t flags_of(const Prototype& kind, const Vec3<double>& angular_velocity)
{
    const bool turning = (kind.flags & flag_prescribed) != 0 &&
                         (norm(angular_velocity) > 0 || kind.shape.surface != nullptr);
    return static_cast<std::uint8_t>(kind.flags | flag_alive | (turning ? flag_turning : 0));
}

}  // namespace scree::state
