#include "stages/relax/host_restitution_guard.hpp"

namespace scree::relax {

namespace {

struct RelaxedRows {
    const state::Model& model;
    const state::ContactRows& rows;
    void gather(HostRelaxation::Vector& x) const { HostRelaxation::gather(model, rows, x); }
};

struct BouncingRows : HostRelaxation {
    const std::vector<state::Bounce>& bounces;
    state::ContactRows& rows;
    void blend_shifts(double s)
    {
        for (const state::Bounce& b : bounces) {
            state::set_shift(rows, b.row, b.still + s * (b.shift - b.still));
        }
    }
};

}  // namespace

void RestitutionGuard::keep_inelastic(const state::Model& model, const state::ContactRows& rows)
{
    RelaxedRows relaxed{model, rows};
    control_.keep_inelastic(relaxed);
}

bool RestitutionGuard::run(const state::Model& model, state::Bodies& bodies,
                           const state::PairList& list, const std::vector<state::Bounce>& bounces,
                           state::ContactRows& rows, Relaxation& relaxation, ranks::Domain* domain)
{
    BouncingRows bouncing{
        HostRelaxation(model, bodies, list, rows, relaxation.sweep_memory(), domain), bounces,
        rows};
    return control_.run(bouncing);
}

}  // namespace scree::relax
