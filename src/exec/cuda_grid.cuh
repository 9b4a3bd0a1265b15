// All threads of a GPU at one task: cooperative launches, and maxima by blocks.
#pragma once

#include "exec/cuda_loops.cuh"
#include "exec/thread_grid.hpp"

#include <bit>

#include <cstdlib>
#include <string_view>

namespace scree::exec {

/// The largest of a block's values, in thread 0. Numbers that are not negative.
__device__ inline double largest_of_block(double value)
{
    __shared__ double of_warp[32];
    // A zero may have a sign, which would count as large.
    auto bits =
        value <= 0 ? 0ULL : static_cast<unsigned long long>(__double_as_longlong(fabs(value)));
    for (int step = 16; step > 0; step /= 2) {
        const unsigned long long other = __shfl_down_sync(0xffffffffU, bits, step);
        bits = other > bits ? other : bits;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = __longlong_as_double(static_cast<long long>(bits));
    }
    __syncthreads();
    double most = 0;
    if (threadIdx.x == 0) {
        for (unsigned w = 0; w < blockDim.x / 32; ++w) {
            most = !(of_warp[w] <= most) ? of_warp[w] : most;
        }
    }
    return most;
}

/// The threads of a cooperative launch. Its barrier is a counter in memory that every block raises
/// by one and then waits for all to have done so.
class CudaGrid {
public:
    __device__ explicit CudaGrid(std::uint32_t* counter) : counter_(counter) {}
    /// Warps are dealt out to blocks in turn, so that few items are the work of all processors.
    [[nodiscard]] __device__ std::size_t warp_thread() const
    {
        return (std::size_t(threadIdx.x / 32) * gridDim.x + blockIdx.x) * 32;
    }
    [[nodiscard]] __device__ std::size_t lane() const { return threadIdx.x % 32; }
    [[nodiscard]] __device__ std::size_t thread() const { return warp_thread() + lane(); }
    [[nodiscard]] __device__ std::size_t threads() const
    {
        return std::size_t(gridDim.x) * blockDim.x;
    }
    template <class Line> __device__ Line read(const Line* from, bool want, bool together) const
    {
        if (together) {
            return read_together(from, want);
        }
        Line line{};
        for (int k = 0; want && k < Line::words; ++k) {
            line.word[k] = read(from->word[k]);
        }
        return line;
    }
    template <class Line>
    __device__ void write(Line* to, bool want, const Line& line, bool together) const
    {
        if (together) {
            write_together(to, want, line);
            return;
        }
        for (int k = 0; want && k < Line::words; ++k) {
            write(to->word[k], line.word[k]);
        }
    }
    static __device__ bool any(bool so) { return __any_sync(all, so) != 0; }
    static __device__ bool again(bool waits) { return any(waits); }
    [[nodiscard]] __device__ std::uint32_t block() const { return blockIdx.x; }
    [[nodiscard]] __device__ std::uint32_t blocks() const { return gridDim.x; }
    [[nodiscard]] __device__ std::size_t thread_of_block() const { return threadIdx.x; }
    [[nodiscard]] __device__ std::size_t threads_of_block() const { return blockDim.x; }
    __device__ void sync_block() { __syncthreads(); }
    template <class T> __device__ T& keep()
    {
        __shared__ T kept;
        return kept;
    }
    [[nodiscard]] __device__ void* memory() const
    {
        extern __shared__ ulonglong2 own_memory[];
        return own_memory;
    }
    __device__ void sync()
    {
        __syncthreads();
        arrived_ += gridDim.x;
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter_) : "memory");
            while (seen(counter_) < arrived_) {
            }
        }
        __syncthreads();
    }
    __device__ void largest(double& to, double value)
    {
        const double most = largest_of_block(value);
        if (threadIdx.x == 0 && !(most <= to)) {
            exec::largest(to, most);
        }
    }

private:
    static constexpr unsigned all = 0xffffffffU;

    /// As many lanes as a line has words read it in one request; then each lane gets its own.
    template <class Line> static __device__ Line read_together(const Line* from, bool want)
    {
        const int lane = int(threadIdx.x % 32), first = lane & ~(Line::words - 1);
        const auto address = reinterpret_cast<unsigned long long>(from);
        Line line;
        for (int k = 0; k < Line::words; ++k) {
            const auto* of_lane =
                reinterpret_cast<const Line*>(__shfl_sync(all, address, first + k));
            const bool wanted = __shfl_sync(all, int(want), first + k) != 0;
            line.word[k] = wanted ? read(of_lane->word[lane - first]) : Word{};
        }
        transpose(line);
        return line;
    }
    template <class Line> static __device__ void write_together(Line* to, bool want, Line line)
    {
        const int lane = int(threadIdx.x % 32), first = lane & ~(Line::words - 1);
        const auto address = reinterpret_cast<unsigned long long>(to);
        transpose(line);
        for (int k = 0; k < Line::words; ++k) {
            auto* of_lane = reinterpret_cast<Line*>(__shfl_sync(all, address, first + k));
            if (__shfl_sync(all, int(want), first + k) != 0) {
                write(of_lane->word[lane - first], line.word[k]);
            }
        }
    }
    /// Word k of the group's lane l becomes word l of lane k.
    template <class Line> static __device__ void transpose(Line& line)
    {
        const unsigned lane = threadIdx.x % 32;
#pragma unroll
        for (int step = 1; step < Line::words; step *= 2) {
            const bool upper = (lane & unsigned(step)) != 0;
#pragma unroll
            for (int i = 0; i < Line::words; ++i) {
                if ((i & step) == 0) {
                    Word &low = line.word[i], &high = line.word[i + step];
                    for (int part = 0; part < 3; ++part) {
                        exchange(low.part[part], high.part[part], upper, step);
                    }
                    exchange(low.count, high.count, upper, step);
                }
            }
        }
    }
    /// The upper lane's low number for the lower lane's high one.
    static __device__ void exchange(std::uint32_t& low, std::uint32_t& high, bool upper, int step)
    {
        const std::uint32_t got = __shfl_xor_sync(all, upper ? low : high, step);
        low = upper ? got : low;
        high = upper ? high : got;
    }
    static __device__ Word read(const Word& from)
    {
        ulonglong2 bits;
        asm volatile("{\n\t.reg .b128 word;\n\t"
                     "ld.relaxed.gpu.b128 word, [%2];\n\t"
                     "mov.b128 {%0, %1}, word;\n\t}"
                     : "=l"(bits.x), "=l"(bits.y)
                     : "l"(&from)
                     : "memory");
        return std::bit_cast<Word>(bits);
    }
    static __device__ void write(Word& to, const Word& word)
    {
        const auto bits = std::bit_cast<ulonglong2>(word);
        asm volatile("{\n\t.reg .b128 word;\n\t"
                     "mov.b128 word, {%1, %2};\n\t"
                     "st.relaxed.gpu.b128 [%0], word;\n\t}" ::"l"(&to),
                     "l"(bits.x), "l"(bits.y)
                     : "memory");
    }
    /// What was written before it was said is seen after it was seen.
    static __device__ std::uint32_t seen(const std::uint32_t* counter)
    {
        std::uint32_t value = 0;
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
        return value;
    }

    std::uint32_t* counter_;
    std::uint32_t arrived_ = 0;
};

template <class F>
__global__ void __launch_bounds__(F::threads, F::blocks_each)
    cooperate_kernel(const __grid_constant__ F f, std::uint32_t* counter, KernelOrder going)
{
    going.begin();
    f(CudaGrid(counter));
}

/// SCREE_BLOCK_MEMORY=0 in the environment leaves blocks without memory of their own: racecheck
/// takes what threads hand to each other there for races.
inline bool blocks_have_memory()
{
    const char* const wanted = std::getenv("SCREE_BLOCK_MEMORY");
    return wanted == nullptr || std::string_view(wanted) != "0";
}

template <class F> BlockTeam team_for(CudaLoops& loops, std::size_t items)
{
    const std::size_t wanted = (items + 31) / 32;  // a warp in each, at least
    const std::size_t most = loops.processors() * F::blocks_each;
    // What a block may use beside what it uses in any case.
    static const bool have_memory = blocks_have_memory();
    const std::size_t memory = have_memory ? loops.memory_of_block(cooperate_kernel<F>) : 0;
    return {std::max<std::size_t>(1, std::min<std::size_t>(wanted, most)), memory / F::blocks_each};
}

template <class F> void cooperate(CudaLoops& loops, const BlockTeam& team, F f)
{
    loops.launch_team(cooperate_kernel<F>, team.blocks, F::threads, f.memory(), f, loops.counter());
}

template <int K, class F>
__global__ void __launch_bounds__(256)
    for_largest_kernel(std::size_t n, double* out, const __grid_constant__ F f, KernelOrder going)
{
    going.begin();
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const Sums<K> values = i < n ? f(i) : Sums<K>{};
    for (int k = 0; k < K; ++k) {
        const double most = largest_of_block(values.of[k]);
        if (threadIdx.x == 0 && !(most <= out[k])) {
            largest(out[k], most);
        }
    }
    going.end();
}

template <int K, class F> void for_largest(CudaLoops& loops, std::size_t n, double* out, F f)
{
    if (n > 0) {
        const std::size_t block = n < 1024 * loops.processors() ? 64 : 256;
        loops.launch(for_largest_kernel<K, F>, (n + block - 1) / block, block, n, out, f);
    }
}

}  // namespace scree::exec
