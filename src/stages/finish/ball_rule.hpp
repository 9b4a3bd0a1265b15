// What the end of a step does to a ball, templated on the scalar: a body whose moments are equal,
// and of any other body the part that does not turn. One body at a time on a device and where
// bodies differ from their neighbours, a pack of them where they are all alike.
#pragma once

#include "math/tensor.hpp"

namespace scree::finish {

/// Work of gravity in the step's mean velocity, and what a fall of one step makes of it by taking
/// the velocity at its end.
template <class T> struct FallWork {
    T work, error;
};
template <class T>
SCREE_HD FallWork<T> work_of_gravity(const T& h, const Vec3<T>& g, const T& inverse_mass,
                                     const Vec3<T>& before, const Vec3<T>& after)
{
    using namespace math;
    const auto moves = inverse_mass > T(0);
    const T mass = T(1) / inverse_mass;
    const T half = constant<T>(0.5) * h * mass;
    return {select(moves, half * dot(g, before + after), T(0)),
            select(moves, minus(half * dot(g, after - before)), T(0))};
}

template <class T> struct Energy {
    T kinetic, potential;
};
/// Of a centre of mass.
template <class T>
SCREE_HD Energy<T> energy_of_centre(const Vec3<T>& g, const Vec3<T>& x, const Vec3<T>& v,
                                    const T& inverse_mass)
{
    using namespace math;
    const auto moves = inverse_mass > T(0);
    const T mass = T(1) / inverse_mass;
    return {select(moves, constant<T>(0.5) * mass * dot(v, v), T(0)),
            select(moves, T(0) - mass * dot(g, x), T(0))};
}
template <class T> SCREE_HD math::mask_of<T> is_finite(const Vec3<T>& x, const Vec3<T>& w)
{
    return math::finite(x.x + x.y + x.z + w.x + w.y + w.z);
}

}  // namespace scree::finish
