// What a device expects of the next step before the host has heard of this one: that this pass was
// the last, that the list is still good, and that sinks take away all bodies in the watched boxes.
// So it finds the candidates of that step while the host is busy: see prediction.hpp.
#pragma once

#include "engine/pass_numbers.hpp"
#include "engine/watched_boxes.hpp"

namespace scree::engine {

/// Whether a pass was the step's last: the host knows, or nothing is left to be looked at. All is
/// read at once, since threads wait for it.
struct LastPass {
    const PassCounts* numbers;
    bool sure;
    [[nodiscard]] SCREE_HD bool operator()() const
    {
        return sure ||
               (numbers->overflow | numbers->stale | numbers->missed | numbers->bouncing) == 0;
    }
};

/// For the candidates of a step: whether it comes as expected, and who will be gone by then. As it
/// stands, of a step that is there.
struct ExpectedStep {
    LastPass last{nullptr, true};
    const std::uint32_t* stale = nullptr;  ///< the list is not good for it
    WatchedBoxes boxes;

    [[nodiscard]] SCREE_HD bool comes() const
    {
        return stale == nullptr || (static_cast<std::uint32_t>(!last()) | *stale) == 0;
    }
    [[nodiscard]] SCREE_HD bool gone(const state::BodyView& bodies, state::BodyPair pair) const
    {
        for (std::size_t w = 0; w < boxes.count; ++w) {
            if (engine::is_inside(bodies, pair.first, boxes.box[w]) ||
                engine::is_inside(bodies, pair.second, boxes.box[w])) {
                return true;
            }
        }
        return false;
    }
};

}  // namespace scree::engine
