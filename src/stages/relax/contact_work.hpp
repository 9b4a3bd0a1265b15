// The work that contacts did in a step, from the sums over their rows.
#pragma once

#include "stages/relax/contact_rule.hpp"
#include "stages/relax/sweep_pack.hpp"

namespace scree::relax {

/// The work that contacts did, and how many have an impulse.
struct ContactWork {
    double normal = 0, friction = 0, wall = 0, correction = 0, gap = 0, restitution = 0;
    std::size_t active = 0;
};

using WorkSums = exec::Sums<relax::sum_count>;

/// What a row adds to the sums.
SCREE_HD WorkSums sums_of(const Work<double>& work)
{
    WorkSums sums;
    sums.of[relax::sum_normal] = work.normal;
    sums.of[relax::sum_friction] = work.friction;
    sums.of[relax::sum_wall] = work.wall;
    sums.of[relax::sum_correction] = work.correction;
    sums.of[relax::sum_gap] = work.gap;
    sums.of[relax::sum_restitution] = work.restitution;
    sums.of[relax::sum_active] = work.active;
    return sums;
}

inline ContactWork contact_work(const WorkSums& sums)
{
    return {sums.of[relax::sum_normal],
            sums.of[relax::sum_friction],
            sums.of[relax::sum_wall],
            sums.of[relax::sum_correction],
            sums.of[relax::sum_gap],
            sums.of[relax::sum_restitution],
            static_cast<std::size_t>(sums.of[relax::sum_active])};
}

}  // namespace scree::relax
