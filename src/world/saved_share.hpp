// One rank's share of a world, arranged as it is saved. Bodies are in the order of their ids and
// pairs in that of their bodies: equal shares are equal in all their columns, however the ranks
// came to them.
#pragma once

#include "state/model.hpp"
#include "state/pairs.hpp"

#include <cstdint>
#include <vector>

namespace scree::world {

struct SavedShare {
    /// Places of bodies: the rank's own, those of other ranks that have contacts here, and all that
    /// are prescribed. Dynamic ones come first, walls last.
    std::vector<std::uint32_t> bodies;
    std::size_t dynamic_count = 0, bounded_count = 0;
    std::vector<state::Prototype> kinds;  ///< those that the bodies have, in the order of the first
    std::vector<std::uint32_t> kind_of;   ///< by bodies
    state::PairList list;                 ///< pairs with stored contacts, by places in `bodies`
    state::StoredImpulses stored;
    bool has_inertia = false;
};

}  // namespace scree::world
