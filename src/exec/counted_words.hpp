// Numbers that one thread of a device writes and others wait for, without a lock: each word of 16
// bytes is written at once and carries a count, so that a reader sees whether all words of a line
// are of the same write.
#pragma once

#include "math/lane.hpp"

#include <cstdint>

namespace scree::exec {

struct alignas(16) Word {
    std::uint32_t part[3];
    std::uint32_t count;
};

/// A line of so many words, as it is stored and as it is read.
template <int number> struct WordLine {
    static constexpr int words = number;
    Word word[number];

    /// Whether all of it was written with this count.
    [[nodiscard]] SCREE_HD bool is_of(std::uint32_t count) const
    {
        bool all = true;
        for (int k = 0; k < number; ++k) {
            all = all && word[k].count == count;
        }
        return all;
    }
};

}  // namespace scree::exec
