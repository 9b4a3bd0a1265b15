// All threads of a device at one task, with barriers between its parts: f(grid) runs on every
// thread, and grid says which one it is. On the host there is one.
#pragma once

#include "device/atomic.hpp"
#include "device/host_loops.hpp"

namespace scree::device {

struct HostGrid {
    [[nodiscard]] static std::size_t thread() { return 0; }
    [[nodiscard]] static std::size_t threads() { return 1; }
    static void sync() {}
    // Threads of one block:
    [[nodiscard]] static bool first_block() { return true; }
    [[nodiscard]] static std::size_t block_thread() { return 0; }
    [[nodiscard]] static std::size_t block_threads() { return 1; }
    static void block_sync() {}
    /// to = the largest of all threads' values and what it is; values are not negative. Valid after
    /// the next sync.
    static void largest(double& to, double value) { device::largest(to, value); }
};

template <class F> void cooperate(HostLoops&, std::size_t /*items*/, F f) { f(HostGrid{}); }

/// f(i) for all i of [0, n), and out[k] = the largest k-th number of what it returns, or what it is
/// if that is larger. Numbers are not negative.
template <int K, class F> void for_largest(HostLoops&, std::size_t n, double* out, F f)
{
    for (std::size_t i = 0; i < n; ++i) {
        const exec::Sums<K> values = f(i);
        for (int k = 0; k < K; ++k) {
            largest(out[k], values.of[k]);
        }
    }
}

}  // namespace scree::device
