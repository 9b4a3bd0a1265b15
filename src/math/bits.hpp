// Bits counted by host and device.
#pragma once

#include "math/lane.hpp"

#include <bit>
#include <cstdint>

namespace scree::math {

SCREE_HD std::uint32_t set_bits(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popc(bits));
#else
    return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}
SCREE_HD std::uint32_t set_bits(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popcll(bits));
#else
    return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

/// The number of the lowest bit that is not set; there is one.
SCREE_HD int lowest_free(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(~bits)) - 1;
#else
    return std::countr_one(bits);
#endif
}

}  // namespace scree::math
