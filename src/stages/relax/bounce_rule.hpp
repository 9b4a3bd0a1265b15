// Whether one row bounces, for host and device alike: see bounce.hpp.
#pragma once

#include "stages/relax/row_rule.hpp"

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

/// Decides about a marked row. If its impulse changes its normal velocity by more than `least` it
/// gets the shift with which it bounces, otherwise it loses its mark. Returns whether it bounces;
/// `still` is the shift that it had.
template <class Block>
SCREE_HD bool choose_bounce(Block& block, int lane, const state::VelocityLine& before_a,
                            const state::VelocityLine& before_b, double restitution, double least,
                            double& still)
{
    const auto row = rows::load(block, lane);
    const rows::BodyVelocity<double> a = rows::load(before_a);
    const rows::BodyVelocity<double> b = rows::load(before_b);
    still = row.shift;
    if (!(normal_change(row, a, b) > least)) {
        block.weight[lane] = -block.weight[lane];
        return false;
    }
    state::set_shift(block, lane, restitution * dot(row.n, rows::relative_velocity(row, a, b)));
    return true;
}

}  // namespace scree::relax
