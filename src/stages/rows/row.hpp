// One row in registers, of either kind, with the velocities of its bodies.
#pragma once

#include "math/vec.hpp"
#include "scree/types.hpp"

namespace scree::rows {

template <class T> struct BodyVelocity {
    Vec3<T> v, w;
    T inverse_mass, inverse_moment;
};

template <class T> struct RoundRow {
    Vec3<T> n, impulse;
    T lever_a, lever_b, shift, mu, weight;
};

template <class T> struct GeneralRow {
    Vec3<T> n, t, lever_a, lever_b;
    DelassusBlock<T> A;
    ContactVector<T> impulse;
    T shift, objective_shift, mu, weight;
};

/// δv = (v_a − v_b) − (ρ_a ω_a + ρ_b ω_b) × n
template <class T>
SCREE_HD Vec3<T> relative_velocity(const RoundRow<T>& c, const BodyVelocity<T>& a,
                                   const BodyVelocity<T>& b)
{
    const Vec3<T> spin = mad(c.lever_a, a.w, c.lever_b * b.w);
    return (a.v - b.v) - cross(spin, c.n);
}

template <class T>
SCREE_HD Vec3<T> relative_velocity(const GeneralRow<T>& c, const BodyVelocity<T>& a,
                                   const BodyVelocity<T>& b)
{
    return point_velocity(a.v, a.w, c.lever_a) - point_velocity(b.v, b.w, c.lever_b);
}

}  // namespace scree::rows
