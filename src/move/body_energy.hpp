// Angular momentum and energy of rotation of one body, whether its moments are equal or not.
#pragma once

#include "move/ball_verbs.hpp"
#include "state/views.hpp"

namespace scree::move {

/// Iω in the world frame.
SCREE_HD Vec3<double> spin(const Prototype& kind, const Quat<double>& q, const Vec3<double>& w)
{
    return rotate(q, kind.inertia * rotate_back(q, w));
}

/// ½ω·Iω of a body that turns with w.
SCREE_HD double energy_of_turning(const ModelView& model, const BodyView& bodies, std::size_t i,
                                  const Vec3<double>& w, double inverse_moment)
{
    if ((bodies.flags[i] & flag_round) != 0) {
        return energy_of_turning(w, inverse_moment);
    }
    const Vec3<double> local = rotate_back(bodies.orientation[i], w);
    return 0.5 * dot(local, model.prototypes[bodies.prototype[i]].inertia * local);
}

}  // namespace scree::move
