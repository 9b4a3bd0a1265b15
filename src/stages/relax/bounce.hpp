// Which contacts bounce. Set-up marks those that would close within the step if their bodies flew
// on; of these only the ones bounce that the others let close: those with an impulse once all
// contacts are relaxed without restitution. A body behind the one that is hit is thus not bounced
// off.
#pragma once

#include "stages/candidates/candidates.hpp"
#include "stages/rows/make_rows.hpp"

#include <span>

namespace scree::relax {

/// Looks at relaxed rows: marked contacts whose impulse changes their normal velocity by more than
/// `least` get the shift with which they bounce and are listed; the others lose their mark. Pairs
/// have `count` contacts each, whose rows are `row_of`.
void choose_bounces(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                    std::span<const std::uint8_t> count, std::span<const std::uint32_t> row_of,
                    double least, state::ContactRows& rows, std::vector<state::Bounce>& out);

inline void choose_bounces(const state::Model& model, state::Bodies& bodies,
                           const state::PairList& list, const candidates::Candidates& candidates,
                           const rows::Setup& setup, double least, state::ContactRows& rows,
                           std::vector<state::Bounce>& out)
{
    choose_bounces(model, bodies, list, candidates.count, setup.row_of(), least, rows, out);
}

}  // namespace scree::relax
