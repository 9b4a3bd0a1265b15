// Several contacts that bounce with different coefficients at once can gain energy, which Newton's
// law of one contact cannot. Then the impulses x_e are taken back towards those without
// restitution, x*, along the straight line between them, until no energy is gained: x* + s (x_e −
// x*), s the root of E = 0, which lies in (0, 1) since E is convex and E(x*) ≤ 0.
#pragma once

#include "stages/relax/host_relax.hpp"

namespace scree::relax {

class RestitutionGuard {
public:
    /// Takes note of the impulses of rows that are relaxed without restitution.
    void keep_inelastic(const state::Model& model, const state::ContactRows& rows);
    /// Checks rows that are relaxed with restitution. Returns whether impulses were reduced.
    bool run(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
             const std::vector<state::Bounce>& bounces, state::ContactRows& rows,
             Relaxation& relaxation, ranks::Domain* domain);

private:
    GuardControl<HostRelaxation::Loops> control_;
};

}  // namespace scree::relax
