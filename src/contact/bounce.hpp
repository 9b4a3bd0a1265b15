// Which contacts bounce. Set-up marks those that would close within the step if their bodies flew
// on; of these only the ones bounce that the others let close: those with an impulse once all
// contacts are relaxed without restitution. A body behind the one that is hit is thus not bounced
// off.
#pragma once

#include "collide/candidates.hpp"
#include "contact/setup.hpp"

namespace scree::contact {

/// Looks at relaxed rows: marked contacts whose impulse changes their normal velocity by more than
/// `least` get the shift with which they bounce and are listed; the others lose their mark.
void choose_bounces(const Model& model, const Bodies& bodies, const PairList& list,
                    const collide::Candidates& candidates, const Setup& setup, double least,
                    ContactRows& rows, std::vector<Bounce>& out);

}  // namespace scree::contact
