// Small worlds for physics tests.
#pragma once

#include "math/tensor.hpp"
#include "math/vec.hpp"
#include "scree/world.hpp"

#include <cmath>

namespace scree::test {

using Vec = Vec3<double>;
inline constexpr double g0 = 9.81;

/// Long runs are cut short by this where code is not optimised, which takes thirty times as long,
/// or where a tool looks at every access.
#if defined(__OPTIMIZE__) && !defined(SCREE_SHORT_TESTS)
inline constexpr int shorter = 1;
#else
inline constexpr int shorter = 10;
#endif

/// Contacts solved to rounding, on one thread, so that closed forms hold to the last digits.
inline Settings exact(double time_step, const Vec& gravity = {0, 0, -g0})
{
    Settings s;
    s.time_step = time_step;
    s.gravity = gravity;
    s.threads = 1;
    s.sweeps = 5000;
    s.tolerance = 1e-13;
    return s;
}

inline void run(World& world, long steps)
{
    for (long i = 0; i < steps; ++i) {
        world.step();
    }
}

inline Body sphere(double radius, const Vec& position, const Vec& velocity = {0, 0, 0},
                   const Vec& angular_velocity = {0, 0, 0})
{
    Body b;
    b.shape = Shape::sphere(radius);
    b.position = position;
    b.velocity = velocity;
    b.angular_velocity = angular_velocity;
    return b;
}

inline Body block(const Vec& edges, const Vec& position, const Quat<double>& q = {1, 0, 0, 0})
{
    Body b;
    b.shape = Shape::box(edges.x, edges.y, edges.z);
    b.position = position;
    b.orientation = q;
    return b;
}

inline Quat<double> about(const Vec& axis, double angle)
{
    const Vec n = std::sin(angle / 2) * normalised(axis);
    return {std::cos(angle / 2), n.x, n.y, n.z};
}

/// The centre of mass of a body as the world shows it.
inline Vec centre_of(const Body& b) { return b.position + rotate(b.orientation, b.mass->centre); }

/// Iω in the world frame.
inline Vec spin_of(const Body& b)
{
    return rotate(b.orientation, b.mass->inertia * rotate_back(b.orientation, b.angular_velocity));
}

/// What is missing in the ledger's sums over all steps; a world starts empty.
inline double missing(const EnergyLedger& e)
{
    return e.kinetic + e.potential -
           (e.inserted - e.removed + e.force_work + e.wall_work + e.normal_work + e.friction_work +
            e.gyroscopic_work + e.rotation_error + e.gravity_error + e.periodic_wrap);
}

}  // namespace scree::test
