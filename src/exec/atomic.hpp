// Numbers that many threads of a device change at once, in ways that do not depend on who comes
// first: counts, and the least or largest of many.
#pragma once

#include "math/lane.hpp"

#include <atomic>
#include <cstdint>

namespace scree::exec {

/// Returns what it was.
SCREE_HD std::uint32_t add(std::uint32_t& to, std::uint32_t value)
{
#if defined(__CUDA_ARCH__)
    return atomicAdd(&to, value);
#else
    const std::uint32_t was = to;
    to += value;
    return was;
#endif
}

/// Sets bits.
SCREE_HD void mark(std::uint64_t& to, std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
    atomicOr(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(bits));
#else
    to |= bits;
#endif
}

SCREE_HD void least(std::uint32_t& to, std::uint32_t value)
{
#if defined(__CUDA_ARCH__)
    atomicMin(&to, value);
#else
    to = value < to ? value : to;
#endif
}

/// Also by threads of the host.
SCREE_HD void largest(std::uint32_t& to, std::uint32_t value)
{
#if defined(__CUDA_ARCH__)
    atomicMax(&to, value);
#else
    const std::atomic_ref<std::uint32_t> shared(to);
    std::uint32_t now = shared.load(std::memory_order_relaxed);
    while (now < value && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
#endif
}

/// Of numbers that are not negative, whose bits are in the order of their values. What is no number
/// counts as larger than all.
SCREE_HD void largest(double& to, double value)
{
#if defined(__CUDA_ARCH__)
    if (!(value <= 0)) {  // a zero may have a sign, which would count as large
        atomicMax(reinterpret_cast<unsigned long long*>(&to),
                  static_cast<unsigned long long>(__double_as_longlong(fabs(value))));
    }
#else
    to = !(value <= to) ? value : to;
#endif
}

}  // namespace scree::exec
