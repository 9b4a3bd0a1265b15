// The impulse that a contact starts from: what its pair had in the last step, found by the feature
// that touches.
#pragma once

#include "math/vec.hpp"

#include <cstdint>

namespace scree::rows {

/// The impulses of the last step, by contact.
struct OldImpulses {
    const Vec3<double>* impulse;
    const std::uint32_t* feature;  ///< null: all zero

    /// Of a pair that has no more than one contact, `count` from `first` on.
    [[nodiscard]] SCREE_HD Vec3<double> of_only(std::uint32_t first, std::uint32_t count) const
    {
        return count > 0 ? impulse[first] : Vec3<double>{0, 0, 0};
    }
    [[nodiscard]] SCREE_HD Vec3<double> of_feature(std::uint32_t first, std::uint32_t count,
                                                   std::uint32_t wanted) const
    {
        for (std::uint32_t k = first; k < first + count; ++k) {
            if ((feature != nullptr ? feature[k] : 0) == wanted) {
                return impulse[k];
            }
        }
        return {0, 0, 0};
    }
};

}  // namespace scree::rows
