// Whether one row bounces, for host and device alike: see bounce.hpp.
#pragma once

#include "stages/relax/row_rule.hpp"
#include "state/views.hpp"

namespace scree::relax {

/// How much a row's impulse changes its normal velocity. a, b: its bodies before the step.
SCREE_HD double normal_change(const rows::RoundRow<double>& row,
                              const rows::BodyVelocity<double>& a,
                              const rows::BodyVelocity<double>& b)
{
    return (a.inverse_mass + b.inverse_mass) * dot(row.n, row.impulse);
}
SCREE_HD double normal_change(const rows::GeneralRow<double>& row,
                              const rows::BodyVelocity<double>& /*a*/,
                              const rows::BodyVelocity<double>& /*b*/)
{
    return row.A.nn * row.impulse.n;
}

/// Whether set-up has marked a row as one that may bounce, and it has not lost its mark.
template <class Block> SCREE_HD bool may_bounce(const Block& block, int lane)
{
    return block.weight[lane] < 0;
}

/// Decides about a marked row of these bodies. If its impulse changes its normal velocity by more
/// than `least` it gets the shift with which it bounces, otherwise it loses its mark. Returns
/// whether it bounces; `still` is the shift that it had.
template <class Block>
SCREE_HD bool choose_bounce(const state::ModelView& model, const state::BodyView& bodies,
                            state::BodyPair pair, Block& block, int lane, double least,
                            double& still)
{
    const auto material = [&](std::uint32_t body) {
        return model.prototypes[bodies.prototype[body]].material;
    };
    const double restitution =
        model.surface(material(pair.first), material(pair.second)).restitution;
    const auto row = rows::load(block, lane);
    const rows::BodyVelocity<double> a = rows::load(bodies.velocity_before[pair.first]);
    const rows::BodyVelocity<double> b = rows::load(bodies.velocity_before[pair.second]);
    still = row.shift;
    if (!(normal_change(row, a, b) > least)) {
        block.weight[lane] = -block.weight[lane];
        return false;
    }
    state::set_shift(block, lane, restitution * dot(row.n, rows::relative_velocity(row, a, b)));
    return true;
}

}  // namespace scree::relax
