// Random numbers without a state: a pure function of seed, particle id and the number of the draw,
// so that they do not depend on the order in which particles are made.
#pragma once

#include "math/hash.hpp"

namespace scree::math {

/// Uniform in [0, 1).
constexpr double uniform(std::uint64_t seed, std::uint64_t id, std::uint64_t draw)
{
    return static_cast<double>(hash(hash(seed, id), draw) >> 11U) * 0x1p-53;
}
/// Uniform in [from, to).
constexpr double uniform(std::uint64_t seed, std::uint64_t id, std::uint64_t draw, double from,
                         double to)
{
    return from + (to - from) * uniform(seed, id, draw);
}

}  // namespace scree::math
