// Bodies in an order in which neighbours in space are mostly neighbours in memory: a Z-curve.
#pragma once

#include "shapes/ball.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::neighbours {

/// The permutation that brings balls into that order: order[k] is the ball to put at place k.
void spatial_order(std::span<const shapes::Ball> balls, const shapes::Periodic& box,
                   std::vector<std::uint32_t>& order, int threads);

}  // namespace scree::neighbours
