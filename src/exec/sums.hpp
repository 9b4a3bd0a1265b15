// What exec::tree_sum makes, for those who do not run it.
#pragma once

#include <cstddef>

namespace scree::exec {

inline constexpr std::size_t tree_width = 128, tree_chunk = 512;

/// K sums that are made together.
template <int K> struct Sums {
    double of[K] = {};
};

}  // namespace scree::exec
