// Several contacts that bounce with different coefficients at once can gain energy, which Newton's
// law of one contact cannot. Then the impulses x_e are taken back towards those without
// restitution, x*, along the straight line between them, until no energy is gained: x* + s (x_e −
// x*), s the root of E = 0, which lies in (0, 1) since E is convex and E(x*) ≤ 0.
#pragma once

#include "solve/relax.hpp"

namespace scree::sweeps {

class RestitutionGuard {
public:
    /// Checks relaxed rows of which some bounce. Returns whether impulses were reduced.
    bool run(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
             Relaxation& relaxation, double velocity_scale);

    /// Sweeps that the last reduction took.
    [[nodiscard]] int sweeps() const { return sweeps_; }

private:
    /// What the impulses did to the energy, corrections of gaps left out [J].
    double energy(const Model& model, Bodies& bodies, const PairList& list, ContactRows& rows,
                  Relaxation& relaxation);

    std::vector<double> bouncing_, inelastic_;
    int sweeps_ = 0;
    std::vector<VelocityLine> before_, after_;
};

}  // namespace scree::sweeps
