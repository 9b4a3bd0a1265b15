// All threads of a device at one task, with barriers between its parts: f(grid) runs on every
// thread, and grid says which one it is. On the host there is one.
#pragma once

#include "exec/atomic.hpp"
#include "exec/counted_words.hpp"
#include "exec/serial_loops.hpp"

#include <stdexcept>

namespace scree::exec {

struct HostGrid {
    [[nodiscard]] static std::size_t thread() { return 0; }
    [[nodiscard]] static std::size_t threads() { return 1; }
    /// The first thread of those that run in step with this one, and which of them this is.
    [[nodiscard]] static std::size_t warp_thread() { return 0; }
    [[nodiscard]] static std::size_t lane() { return 0; }
    static void sync() {}
    // Threads are in blocks, which have a memory of their own.
    [[nodiscard]] static std::uint32_t block() { return 0; }
    [[nodiscard]] static std::uint32_t blocks() { return 1; }
    [[nodiscard]] static std::size_t thread_of_block() { return 0; }
    [[nodiscard]] static std::size_t threads_of_block() { return 1; }
    static void sync_block() {}
    /// What the threads of a block share.
    template <class T> static T& keep()
    {
        static thread_local T kept;
        return kept;
    }
    /// As much as the task's `memory` asked for.
    [[nodiscard]] void* memory() const { return memory_; }
    void* memory_ = nullptr;
    /// A line that other threads may write at the same time, each word as one of them wrote it. All
    /// threads of a warp come here together; those that do not want get anything. `together`: the
    /// lines are in no block's memory, and threads help each other to read whole ones.
    template <class Line> static Line read(const Line* from, bool /*want*/, bool /*together*/)
    {
        return *from;
    }
    template <class Line>
    static void write(Line* to, bool want, const Line& line, bool /*together*/)
    {
        if (want) {
            *to = line;
        }
    }
    /// Whether it is so of a thread of the warp.
    static bool any(bool so) { return so; }
    /// Whether a thread of the warp has to look again.
    static bool again(bool waits)
    {
        if (waits) {
            throw std::logic_error("a row waits for a turn that never comes");
        }
        return false;
    }
    /// to = the largest of all threads' values and what it is; values are not negative. Valid after
    /// the next sync.
    static void largest(double& to, double value) { exec::largest(to, value); }
};

/// Who works on a task: so many blocks, each with so much memory of its own.
struct BlockTeam {
    std::size_t blocks = 1, memory = 0;
};
/// A team for so many items. F::threads: of a block. F::blocks_each: how many blocks a processor is
/// to run at once. So each thread has registers enough.
template <class F> BlockTeam team_for(HostLoops&, std::size_t /*items*/)
{
    constexpr std::size_t fast_memory = 65536;  // little, so that not all worlds fit
    return {1, fast_memory};
}
/// Lets a team do f, of which each block needs f.memory() bytes.
template <class F> void cooperate(HostLoops&, const BlockTeam& /*team*/, F f)
{
    std::vector<std::byte> memory(f.memory());
    f(HostGrid{memory.data()});
}

/// f(i) for all i of [0, n), and out[k] = the largest k-th number of what it returns, or what it is
/// if that is larger. Numbers are not negative.
template <int K, class F> void for_largest(HostLoops&, std::size_t n, double* out, F f)
{
    for (std::size_t i = 0; i < n; ++i) {
        const Sums<K> values = f(i);
        for (int k = 0; k < K; ++k) {
            largest(out[k], values.of[k]);
        }
    }
}

}  // namespace scree::exec
