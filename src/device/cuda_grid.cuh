// All threads of a GPU at one task: cooperative launches, and maxima by blocks.
#pragma once

#include "device/cuda_loops.cuh"
#include "device/grid.hpp"

namespace scree::device {

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
    /// Lanes go when their turn has come, the others of the warp look again.
    template <class Wait, class F> __device__ void in_turn(bool work, const Wait& wait, F f)
    {
        while (__any_sync(0xffffffffU, work)) {
            if (work && seen(wait.done_a) == wait.at_a &&
                (wait.done_b == nullptr || seen(wait.done_b) == wait.at_b)) {
                f();
                __threadfence();
                say(wait.done_a, wait.at_a + 1);
                if (wait.done_b != nullptr) {
                    say(wait.done_b, wait.at_b + 1);
                }
                work = false;
            }
        }
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
            device::largest(to, most);
        }
    }

private:
    /// What was written before it was said is seen after it was seen.
    static __device__ std::uint32_t seen(const std::uint32_t* counter)
    {
        std::uint32_t value = 0;
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
        return value;
    }
    static __device__ void say(std::uint32_t* counter, std::uint32_t value)
    {
        asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(counter), "r"(value) : "memory");
    }

    std::uint32_t* counter_;
    std::uint32_t arrived_ = 0;
};

inline constexpr int cooperative_block = 512;

template <class F>
__global__ void __launch_bounds__(cooperative_block, 1)
    cooperate_kernel(F f, std::uint32_t* counter)
{
    f(CudaGrid(counter));
}

template <class F> void cooperate(CudaLoops& loops, std::size_t items, F f)
{
    const std::size_t wanted = (items + 31) / 32;  // a warp in each, at least
    const std::size_t most = loops.processors();   // one block each
    const auto blocks =
        static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(wanted, most)));
    std::uint32_t* counter = loops.counter();
    loops.fill_bytes(counter, 0, 1);
    void* arguments[] = {&f, &counter};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(cooperate_kernel<F>), dim3(blocks),
                                      dim3(cooperative_block), arguments, 0, loops.stream()),
          "launch");
}

template <int K, class F>
__global__ void __launch_bounds__(256) for_largest_kernel(std::size_t n, double* out, F f)
{
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const exec::Sums<K> values = i < n ? f(i) : exec::Sums<K>{};
    for (int k = 0; k < K; ++k) {
        const double most = largest_of_block(values.of[k]);
        if (threadIdx.x == 0 && !(most <= out[k])) {
            largest(out[k], most);
        }
    }
}

template <int K, class F> void for_largest(CudaLoops& loops, std::size_t n, double* out, F f)
{
    if (n > 0) {
        for_largest_kernel<K>
            <<<static_cast<unsigned>((n + 255) / 256), 256, 0, loops.stream()>>>(n, out, f);
        check(cudaGetLastError(), "launch");
    }
}

}  // namespace scree::device
