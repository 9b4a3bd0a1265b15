// The kernels by which cuda_loops.cuh runs its loops.
#pragma once

#include "exec/serial_loops.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace scree::exec {

/// A place of the host's memory where a kernel notes when it began or ended, in ns; null: it does
/// not.
using Stamp = std::uint64_t*;
__device__ inline void note_time(Stamp stamp)
{
    if (stamp != nullptr) {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(*stamp)::"memory");
    }
}

/// How a kernel goes with those before and after it. Its blocks may come as soon as all blocks of
/// the one before are there, and then wait until that is through with everything; of those side by
/// side the first does, and the others wait in the end for the one before.
struct KernelOrder {
    enum class Order { one, first_beside, beside };
    Stamp stamp = nullptr;
    Order order = Order::one;
    Stamp ended = nullptr;  ///< by the last block, with which or soon after it loops end

    __device__ void begin() const
    {
        if (order == Order::first_beside) {
            wait();
            let_next_come();
        } else {
            let_next_come();
            if (order == Order::one) {
                wait();
            }
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            note_time(stamp);
        }
    }
    __device__ void end() const
    {
        if (order == Order::beside) {
            wait();
        }
        if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
            note_time(ended);
        }
    }

private:
    // Older GPUs begin a kernel when the one before is through.
    static __device__ void let_next_come()
    {
#if __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    }
    static __device__ void wait()
    {
#if __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    }
};

template <class F> __device__ void for_own(std::size_t n, const F& f, const KernelOrder& going)
{
    going.begin();
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
        f(i);
    }
    going.end();
}
template <class F>
__global__ void for_each_kernel(std::size_t n, const __grid_constant__ F f, KernelOrder going)
{
    for_own(n, f, going);
}
template <int blocks, class F>
__global__ void __launch_bounds__(256, blocks)
    crowded_kernel(std::size_t n, const __grid_constant__ F f, KernelOrder going)
{
    for_own(n, f, going);
}

/// A chunk of exec::tree_sum by one block: f(i) for i of [begin, end), the result in the first of
/// the partial sums; the numbers from A on are not added, the largest counts.
template <int K, int A, class F>
__device__ void reduce_chunk(std::size_t begin, std::size_t end, const F& f,
                             double (&partial)[K][exec::tree_width])
{
    const auto joined = [](int k, double a, double b) { return k < A ? a + b : b > a ? b : a; };
    double own[K];
    for (int k = 0; k < K; ++k) {
        own[k] = k < A ? 0 : -std::numeric_limits<double>::infinity();
    }
    const auto join = [&](const Sums<K>& item) {
        for (int k = 0; k < K; ++k) {
            own[k] = joined(k, own[k], item.of[k]);
        }
    };
    std::size_t i = begin + threadIdx.x;
    if constexpr (ReadsAhead<F>) {
        auto next = i < end ? f.ahead(i) : decltype(f.ahead(i)){};
        for (; i < end; i += exec::tree_width) {
            const auto now = next;
            if (i + exec::tree_width < end) {
                next = f.ahead(i + exec::tree_width);
            }
            join(f(i, now));
        }
    } else {
        for (; i < end; i += exec::tree_width) {
            join(f(i));
        }
    }
    __syncthreads();
    for (int k = 0; k < K; ++k) {
        partial[k][threadIdx.x] = own[k];
    }
    for (unsigned half = exec::tree_width / 2; half >= 32; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            for (int k = 0; k < K; ++k) {
                partial[k][threadIdx.x] =
                    joined(k, partial[k][threadIdx.x], partial[k][threadIdx.x + half]);
            }
        }
    }
    __syncthreads();
    for (unsigned k = threadIdx.x / 32; k < K; k += exec::tree_width / 32) {  // one to each warp
        double sum = partial[k][threadIdx.x % 32];
        for (unsigned half = 16; half > 0; half /= 2) {
            sum = joined(int(k), sum, __shfl_down_sync(0xffffffffU, sum, half));
        }
        if (threadIdx.x % 32 == 0) {
            partial[k][0] = sum;
        }
    }
    __syncthreads();
}

/// One chunk per block. Of the blocks whose sums are a chunk of the next level, the one that is
/// ready last adds these up, and so on until there is one. Numbers of blocks that are ready are 0
/// before and after; those of a level follow those of the level before, as its sums do.
template <int K, int A, int blocks, class F>
__global__ void __launch_bounds__(exec::tree_width, blocks)
    reduce_kernel(std::size_t n, Sums<K>* sums, Sums<K>* out, std::uint32_t* ready,
                  const __grid_constant__ F f, KernelOrder going)
{
    __shared__ double partial[K][exec::tree_width];
    __shared__ bool is_last;
    going.begin();
    const auto chunk = [&](std::size_t c, std::size_t items, Sums<K>* to, const auto& item) {
        const std::size_t begin = c * exec::tree_chunk;
        const std::size_t end = begin + exec::tree_chunk;
        reduce_chunk<K, A>(begin, end < items ? end : items, item, partial);
        if (threadIdx.x < K) {
            to->of[threadIdx.x] = partial[threadIdx.x][0];
        }
    };
    std::size_t own = blockIdx.x, count = gridDim.x;  // of the chunks of this level
    chunk(own, n, count > 1 ? sums + own : out, f);
    while (count > 1) {
        const std::size_t groups = (count + exec::tree_chunk - 1) / exec::tree_chunk;
        const std::size_t group = own / exec::tree_chunk;
        const std::size_t first = group * exec::tree_chunk;
        const std::size_t size =
            first + exec::tree_chunk < count ? exec::tree_chunk : count - first;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            is_last = atomicAdd(ready + group, 1U) == size - 1;
            if (is_last) {
                ready[group] = 0;
            }
        }
        __syncthreads();
        if (!is_last) {
            break;
        }
        __threadfence();
        Sums<K>* const next = sums + count;
        chunk(group, count, groups > 1 ? next + group : out, [&](std::size_t i) {
            Sums<K> item;
            for (int k = 0; k < K; ++k) {
                item.of[k] = __ldcg(&sums[i].of[k]);
            }
            return item;
        });
        sums = next;
        ready += groups;
        own = group;
        count = groups;
    }
    going.end();
}

/// The sum of what the threads before this one of a block have, and that of all.
template <class T> __device__ T sum_before(T item, T& all)
{
    constexpr unsigned warps = scan_group / 32;
    __shared__ T of_warp[warps];
    T up_to = item;
    for (unsigned step = 1; step < 32; step *= 2) {
        const T other = __shfl_up_sync(0xffffffffU, up_to, step);
        up_to += threadIdx.x % 32 >= step ? other : 0;
    }
    if (threadIdx.x % 32 == 31) {
        of_warp[threadIdx.x / 32] = up_to;
    }
    __syncthreads();
    T before = up_to - item;
    all = 0;
    for (unsigned w = 0; w < warps; ++w) {
        before += w < threadIdx.x / 32 ? of_warp[w] : 0;
        all += of_warp[w];
    }
    __syncthreads();
    return before;
}

/// One group per block; the block that is ready last does the rest. The number of blocks that are
/// ready is 0 before and after.
template <class T, class F, class G, class H>
__global__ void __launch_bounds__(scan_group)
    scan_groups_kernel(std::size_t n, T* within, T* before, std::uint32_t* ready,
                       const __grid_constant__ F f, std::size_t m, const __grid_constant__ G first,
                       const __grid_constant__ H then, KernelOrder going)
{
    __shared__ bool is_last;
    going.begin();
    const std::size_t i = std::size_t(blockIdx.x) * scan_group + threadIdx.x;
    T all;
    const T own = sum_before(i < n ? f(i) : T(0), all);
    if (i < n) {
        within[i] = own;
    }
    if (threadIdx.x == 0) {
        before[blockIdx.x] = all;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        is_last = atomicAdd(ready, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) {
        return;
    }
    __threadfence();
    T carried = 0;
    for (unsigned from = 0; from < gridDim.x; from += scan_group) {
        const unsigned g = from + threadIdx.x;
        const T earlier = sum_before(g < gridDim.x ? __ldcg(before + g) : T(0), all);
        if (g < gridDim.x) {
            before[g] = carried + earlier;
        }
        carried += all;
    }
    if (threadIdx.x == 0) {
        before[gridDim.x] = carried;
        *ready = 0;
    }
    __syncthreads();
    for (std::size_t k = threadIdx.x; k < m; k += scan_group) {
        first(k);
    }
    __syncthreads();
    for (std::size_t k = threadIdx.x; k < m; k += scan_group) {
        then(k);
    }
}

/// Each block counts in its own memory first. Values are not negative, so that their bits are in
/// the order of their values.
template <int buckets, class F>
__global__ void tally_kernel(std::size_t n, std::uint32_t* count, double* most,
                             const __grid_constant__ F f, KernelOrder going)
{
    __shared__ std::uint32_t own_count[buckets];
    __shared__ unsigned long long own_most[buckets];
    going.begin();
    for (unsigned b = threadIdx.x; b < buckets; b += blockDim.x) {
        own_count[b] = 0;
        own_most[b] = 0;
    }
    __syncthreads();
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t first = std::size_t(blockIdx.x) * blockDim.x; first < n; first += stride) {
        const std::size_t i = first + threadIdx.x;
        const Tallied item = i < n ? f(i) : Tallied{buckets, 0};
        // Neighbours mostly share a bucket: one of them counts for all.
        const unsigned together = __match_any_sync(0xffffffffU, item.bucket);
        if (item.bucket < buckets) {
            const auto bits = static_cast<unsigned long long>(__double_as_longlong(item.value));
            if (__ffs(int(together)) - 1 == int(threadIdx.x % 32)) {
                atomicAdd(&own_count[item.bucket], std::uint32_t(__popc(together)));
            }
            if (bits > own_most[item.bucket]) {
                atomicMax(&own_most[item.bucket], bits);
            }
        }
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < buckets; b += blockDim.x) {
        if (own_count[b] > 0) {
            atomicAdd(count + b, own_count[b]);
            atomicMax(reinterpret_cast<unsigned long long*>(most) + b, own_most[b]);
        }
    }
}

/// Memory of the host that a GPU writes to: numbers, then the word that says they are all there.
struct HostMailbox {
    static constexpr std::size_t room = 65536, most_laps = 15;
    std::uint32_t words[room / sizeof(std::uint32_t)];
    std::uint64_t stamps[most_laps + 2];
    struct {
        std::uint64_t began, ended;
    } ahead[2];          ///< loops that ran ahead of the last two downloads
    std::uint32_t last;  ///< number of the last download
};
static __global__ void download_kernel(const std::uint32_t* from, std::size_t words,
                                       std::uint32_t number, HostMailbox* to, KernelOrder going)
{
    going.begin();
    for (std::size_t i = threadIdx.x; i < words; i += blockDim.x) {
        to->words[i] = from[i];
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        *static_cast<volatile std::uint32_t*>(&to->last) = number;
    }
}

}  // namespace scree::exec
