#include "stages/relax/host_restitution_guard.hpp"

namespace scree::sweeps {

namespace {

struct RelaxedRows {
    const Model& model;
    const ContactRows& rows;
    void gather(HostRows::Vector& x) const { HostRows::gather(model, rows, x); }
};

struct BouncingRows : HostRows {
    const std::vector<Bounce>& bounces;
    ContactRows& rows;
    void blend_shifts(double s)
    {
        for (const Bounce& b : bounces) {
            set_shift(rows, b.row, b.still + s * (b.shift - b.still));
        }
    }
};

}  // namespace

void RestitutionGuard::keep_inelastic(const Model& model, const ContactRows& rows)
{
    RelaxedRows relaxed{model, rows};
    control_.keep_inelastic(relaxed);
}

bool RestitutionGuard::run(const Model& model, Bodies& bodies, const PairList& list,
                           const std::vector<Bounce>& bounces, ContactRows& rows,
                           Relaxation& relaxation, domain::Domain* domain)
{
    BouncingRows bouncing{HostRows(model, bodies, list, rows, relaxation.sweep_memory(), domain),
                          bounces, rows};
    return control_.run(bouncing);
}

}  // namespace scree::sweeps
