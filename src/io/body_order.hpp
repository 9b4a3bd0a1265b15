// Bodies in an order that does not change from frame to frame.
#pragma once

#include "scree/world.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace scree::io {

/// Indices of the first `count` bodies by id.
inline std::vector<std::size_t> by_id(const Frame& frame, std::size_t count)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return frame.ids[a] < frame.ids[b]; });
    return order;
}

}  // namespace scree::io
