// Which pairs of a device's list have which colour, in the order of the step, where pairs of one
// colour lie together: colours and legs are runs of places there.
#pragma once

#include "stages/neighbours/colour_rule.hpp"
#include "state/device_columns.hpp"

namespace scree::neighbours {

/// Where colours begin in the step's order.
struct ColourBegins {
    std::uint32_t of[most_colours + 1];
    int colours;
    int leg_end[state::part_local];  ///< behind the last colour of each leg of a sweep but the last
    /// Where a leg's colours begin; behind the last leg, where they end.
    [[nodiscard]] SCREE_HD int leg_begin(int leg) const
    {
        return leg == state::part_upstream      ? 0
               : leg == state::sweep_part_count ? colours
                                                : leg_end[leg - 1];
    }
    [[nodiscard]] SCREE_HD int part_of(int colour) const
    {
        return scree::state::part_of(colour, leg_end);
    }
    [[nodiscard]] SCREE_HD int colour_of(std::uint32_t k) const
    {
        int low = 0, high = colours;  // of[low] ≤ k < of[high]
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (of[middle] <= k ? low : high) = middle;
        }
        return low;
    }
    /// Where a place of the list is in the step's order, given its colour: within one of these
    /// places of the list rise.
    [[nodiscard]] SCREE_HD std::uint32_t step_of(std::uint32_t p, int colour,
                                                 const std::uint32_t* place) const
    {
        std::uint32_t low = of[colour], high = of[colour + 1];  // place[low] ≤ p < place[high]
        while (high - low > 1) {
            const std::uint32_t middle = low + (high - low) / 2;
            (place[middle] <= p ? low : high) = middle;
        }
        return low;
    }
};

template <class Loops> ColourBegins colour_begins(const state::ListColumns<Loops>& list)
{
    ColourBegins begins{};
    begins.colours = list.colours;
    for (int c = 0; c <= list.colours; ++c) {
        begins.of[c] = static_cast<std::uint32_t>(list.colour_begin[c]);
    }
    std::copy(list.leg_end.begin(), list.leg_end.end(), begins.leg_end);
    return begins;
}

}  // namespace scree::neighbours
