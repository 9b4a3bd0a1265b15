// Round contacts, as between spheres: A is A_nn along the normal and A_tt in every tangential
// direction. All laws with a circular cone agree there, maximum dissipation and Coulomb among them,
// and have one closed form:
//
//   x_n = max(0, β/A_nn),   x_T = b_T/A_tt, shortened to μ x_n where it is longer.
//
// It needs no tangents, so vectors are in any frame, with n given. And it starts from an impulse x₀
// that acts already: b = A x₀ − δv, with δv the relative velocity now, and β = b_n − g.
#pragma once

#include "math/lane.hpp"
#include "math/vec.hpp"

namespace scree::law {

template <class T> struct IsotropicBlock {
    T A_nn, A_tt, inverse_nn, inverse_tt;
};
template <class T> SCREE_HD IsotropicBlock<T> isotropic_block(const T& A_nn, const T& A_tt)
{
    const T inverse = math::inverse(A_nn * A_tt);  // one division for both
    return {A_nn, A_tt, A_tt * inverse, A_nn * inverse};
}

/// The normal impulse, and the tangential one that would stop all sliding.
template <class T> struct TrialImpulse {
    T x_n, limit, length2;  ///< limit: μ x_n; length2: |stick|²
    Vec3<T> stick;
};
/// x_n0 = n·x0 is known before the velocities are.
template <class T>
SCREE_HD TrialImpulse<T> trial_impulse(const IsotropicBlock<T>& A, const Vec3<T>& n, const T& g,
                                       const T& mu, const Vec3<T>& x0, const T& x_n0,
                                       const Vec3<T>& dv)
{
    TrialImpulse<T> trial;
    const T dv_n = dot(n, dv);
    trial.x_n = math::larger(T(0), x_n0 - A.inverse_nn * (dv_n + g));
    // The tangential part of x₀ − δv/A_tt
    const Vec3<T> free = less(x0, A.inverse_tt, dv);
    trial.stick = less(free, x_n0 - A.inverse_tt * dv_n, n);
    trial.length2 = dot(trial.stick, trial.stick);
    trial.limit = mu * trial.x_n;
    return trial;
}
/// The impulse that the law gives.
template <class T> SCREE_HD Vec3<T> project_on_cone(const Vec3<T>& n, const TrialImpulse<T>& trial)
{
    using namespace math;
    const auto slides = trial.length2 > trial.limit * trial.limit;
    const T scale = select(slides, over_root(trial.limit, trial.length2), T(1));
    return mad(trial.x_n, n, scale * trial.stick);
}

/// |A Δx|², a change of the impulse as a velocity, with the tangential part of Δx from Pythagoras.
template <class T>
SCREE_HD T squared_velocity(const IsotropicBlock<T>& A, const T& change_n, const Vec3<T>& change)
{
    const T change_n2 = change_n * change_n;
    return A.A_nn * A.A_nn * change_n2 +
           A.A_tt * A.A_tt * math::larger(T(0), dot(change, change) - change_n2);
}

}  // namespace scree::law
