// Numbers for ranks such that no two neighbours have the same: in which order they have the bodies
// that they hold in common.
#pragma once

#include "scree/ranks.hpp"

#include <map>
#include <set>

namespace scree::ranks {

/// Turns from 0 on, few of them, of this rank and its neighbours. All ranks call it, and neighbours
/// are so of each other.
std::map<int, int> take_turns(Ranks& ranks, const std::set<int>& neighbours);

}  // namespace scree::ranks
