// Angular momentum and energy of rotation of one body, whether its moments are equal or not.
#pragma once

#include "math/tensor.hpp"
#include "state/views.hpp"

namespace scree::velocities {

/// Iω in the world frame.
SCREE_HD Vec3<double> angular_momentum(const state::Prototype& kind, const Quat<double>& q,
                                       const Vec3<double>& w)
{
    return rotate(q, kind.inertia * rotate_back(q, w));
}

/// ½ω·Iω of a body with equal moments.
template <class T> SCREE_HD T energy_of_turning(const Vec3<T>& w, const T& inverse_moment)
{
    using namespace math;
    return select(inverse_moment > T(0), constant<T>(0.5) * dot(w, w) / inverse_moment, T(0));
}

/// ½ω·Iω of a body that turns with w.
SCREE_HD double energy_of_turning(const state::ModelView& model, const state::BodyView& bodies,
                                  std::size_t i, const Vec3<double>& w, double inverse_moment)
{
    if ((bodies.flags[i] & state::flag_round) != 0) {
        return energy_of_turning(w, inverse_moment);
    }
    const Vec3<double> local = rotate_back(bodies.orientation[i], w);
    return 0.5 * dot(local, model.prototypes[bodies.prototype[i]].inertia * local);
}

}  // namespace scree::velocities
