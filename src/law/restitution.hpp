// Newton restitution of one contact with maximum dissipation (R2 of docs/theory.md): the plane is
// moved to β = (1 + e) b_n while the energy keeps b. (1 + e) times the inelastic solution is then
// feasible and dissipates for e in [0, 1], so the minimiser never gains energy.
#pragma once

#include "scree/types.hpp"

#include "math/lane.hpp"

namespace scree::law {

template <class T>
SCREE_HD ContactProblem<T> with_restitution(const ContactProblem<T>& inelastic, const T& e)
{
    ContactProblem<T> c = inelastic;
    c.beta = (T(1) + e) * inelastic.b.n;
    return c;
}

}  // namespace scree::law
