// The loops of a device on an NVIDIA GPU. The same verbs as in serial_loops.hpp, in one stream.
#pragma once

#include "exec/cuda_kernels.cuh"

#include <cuda_runtime.h>

#include <atomic>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace scree::exec {

/// What goes wrong on a GPU is no fault of what was asked for, so it is no `Error`.
inline void check(cudaError_t status, const char* what)
{
    if (status != cudaSuccess) {
        // It is told here. CUDA keeps it besides, and CUB would take it for one of its own.
        (void)cudaGetLastError();
        throw std::runtime_error(std::string("GPU: ") + what + ": " + cudaGetErrorString(status));
    }
}

template <class T> class CudaBuffer {
public:
    CudaBuffer() = default;
    CudaBuffer(const CudaBuffer&) = delete;
    CudaBuffer& operator=(const CudaBuffer&) = delete;
    ~CudaBuffer() { cudaFree(data_); }
    void fit(std::size_t n)
    {
        if (n > capacity_) {
            const std::size_t capacity = n + n / 16 + 16;
            T* larger = nullptr;
            check(cudaMalloc(&larger, capacity * sizeof(T)), "not enough memory");
            if (size_ > 0) {
                check(cudaMemcpy(larger, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice),
                      "copy");
            }
            check(cudaFree(data_), "free");
            data_ = larger;
            capacity_ = capacity;
        }
        size_ = n;
    }
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
    void swap(CudaBuffer& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

class CudaLoops : public AcrossRanks {
public:
    template <class T> using Buffer = CudaBuffer<T>;

    CudaLoops()
    {
        check(cudaStreamCreate(&stream_), "stream");
        check(cudaMallocHost(&arrivals_, sizeof(HostMailbox)), "memory of the host");
        arrivals_->last = 0;
        arrivals_->ahead[0] = arrivals_->ahead[1] = {};
    }
    ~CudaLoops()
    {
        cudaFreeHost(arrivals_);
        cudaStreamDestroy(stream_);
    }
    CudaLoops(const CudaLoops&) = delete;
    CudaLoops& operator=(const CudaLoops&) = delete;
    [[nodiscard]] std::size_t processors() const { return processors_; }
    /// What loops keep for themselves.
    [[nodiscard]] std::size_t bytes() const
    {
        std::size_t sum = temporary_.bytes() + scanned_.bytes() + counters_.bytes();
        for (const Summing& own : summing_) {
            sum += own.sums.bytes() + own.ready.bytes();
        }
        return sum;
    }
    /// A 0 in memory, for the barriers of one launch.
    [[nodiscard]] std::uint32_t* counter()
    {
        if (next_counter_ == 0) {
            counters_.fit(counters);
            fill_bytes(counters_.data(), 0, counters);
        }
        std::uint32_t* const counter = counters_.data() + next_counter_;
        next_counter_ = (next_counter_ + 1) % counters;
        return counter;
    }
    /// Where the next kernel notes that it began, if somebody wants to know.
    [[nodiscard]] Stamp stamp() { return std::exchange(stamp_, nullptr); }
    /// kernel(arguments…, going).
    template <class... Parameters, class... Arguments>
    void launch(void (*kernel)(Parameters...), std::size_t blocks, std::size_t threads,
                Arguments... arguments)
    {
        launch_as(false, kernel, blocks, threads, 0, arguments...);
    }
    /// The same with blocks that all run at once, each with so much memory of its own.
    template <class... Parameters, class... Arguments>
    void launch_team(void (*kernel)(Parameters...), std::size_t blocks, std::size_t threads,
                     std::size_t memory, Arguments... arguments)
    {
        launch_as(true, kernel, blocks, threads, memory, arguments...);
    }
    /// Something else than a launch of the above comes next.
    cudaStream_t interrupted()
    {
        follows_ = false;
        return stream_;
    }

    /// Lets a kernel's blocks use all the fast memory there is, and says how much they have.
    template <class Kernel> [[nodiscard]] std::size_t memory_of_block(Kernel kernel)
    {
        const auto* const name = reinterpret_cast<const void*>(kernel);
        for (const auto& [known, bytes] : memory_of_block_) {
            if (known == name) {
                return bytes;
            }
        }
        const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, kernel), "kernel");
        const int left = most - int(attributes.sharedSizeBytes);
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, left),
              "kernel");
        memory_of_block_.emplace_back(name, std::size_t(left));
        return std::size_t(left);
    }
    template <class F, int at_once = 1>
    void for_each(std::size_t n, F f, AtOnce<at_once> /*hint*/ = {})
    {
        if (n == 0) {
            return;
        }
        // Few items are long ones: small blocks share them out more evenly.
        const std::size_t block = n < 1024 * processors_ ? 64 : 256;
        const std::size_t blocks = std::min<std::size_t>((n + block - 1) / block, 0x7fffffff);
        if constexpr (at_once > 1) {
            launch(crowded_kernel<at_once, F>, blocks, block, n, f);
        } else {
            launch(for_each_kernel<F>, blocks, block, n, f);
        }
    }
    template <class... F> void side_by_side(F... f)
    {
        // Also where one of them fails.
        const struct Back {
            KernelOrder::Order& order;
            ~Back() { order = KernelOrder::Order::one; }
        } back{order_};
        order_ = KernelOrder::Order::first_beside;
        (f(), ...);
    }
    // Defined in cuda_sort.cuh, by CUB, which not every file should compile.
    template <class T, class F> void scan(std::size_t n, T* out, F f);
    template <class Key, class Value>
    void sort(const Key* keys, Key* sorted, const Value* values, Value* sorted_values,
              std::size_t n, int bits);
    template <class Key> void sort(const Key* keys, Key* sorted, std::size_t n, int bits);
    template <class T, class F, class G, class H>
    void scan_groups(std::size_t n, T* within, T* before, F f, std::size_t m, G first, H then)
    {
        static_assert(std::is_same_v<T, unsigned long> || std::is_same_v<T, unsigned>);
        launch(scan_groups_kernel<T, F, G, H>, std::max<std::size_t>(1, scan_groups_of(n)),
               scan_group, n, within, before, zeros_of(scanned_, 1), f, m, first, then);
    }
    template <int K, class F, int blocks = 1>
    void sum(std::size_t n, Sums<K>* out, F f, AtOnce<blocks> /*hint*/ = {})
    {
        reduce<K, K, blocks>(n, out, f);
    }
    template <int A, int M, class F> void sum_and_most(std::size_t n, Sums<A + M>* out, F f)
    {
        reduce<A + M, A, 1>(n, out, f);
    }
    template <int buckets, class F>
    void tally(std::size_t n, std::uint32_t (&count)[buckets], double (&most)[buckets], F f)
    {
        if (n > 0) {
            const std::size_t blocks = std::min<std::size_t>((n + 511) / 512, 4 * processors_);
            launch(tally_kernel<buckets, F>, blocks, 512, n, &count[0], &most[0], f);
        }
    }
    template <class T> void fill_bytes(T* to, int byte, std::size_t n)
    {
        if (n > 0) {
            check(cudaMemsetAsync(to, byte, n * sizeof(T), interrupted()), "fill");
        }
    }
    template <class T> void copy(const T* from, T* to, std::size_t n)
    {
        copy_bytes(from, to, n * sizeof(T), cudaMemcpyDeviceToDevice);
    }
    template <class T> void upload(const T* from, T* to, std::size_t n)
    {
        copy_bytes(from, to, n * sizeof(T), cudaMemcpyHostToDevice);
    }
    template <class T> void start_download(const T* from, std::size_t n)
    {
        static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
        launch(download_kernel, 1, 256, reinterpret_cast<const std::uint32_t*>(from),
               n * sizeof(T) / sizeof(std::uint32_t), ++expected_, arrivals_);
    }
    template <class T> void finish_download(T* to, std::size_t n)
    {
        wait_for(expected_);
        std::memcpy(static_cast<void*>(to), arrivals_->words, n * sizeof(T));
    }
    /// A few numbers come faster by way of memory that the GPU can write to directly.
    template <class T> void download(const T* from, T* to, std::size_t n)
    {
        if constexpr (sizeof(T) % sizeof(std::uint32_t) == 0) {
            if (n > 0 && n * sizeof(T) <= HostMailbox::room) {
                start_download(from, n);
                finish_download(to, n);
                return;
            }
        }
        copy_bytes(from, to, n * sizeof(T), cudaMemcpyDeviceToHost);
        check(cudaStreamSynchronize(stream_), "a kernel failed");
    }

    void start_laps()
    {
        laps_ = 0;
        ask_for_stamp();
    }
    /// Beyond the last stamp there is room for, work counts to what comes then.
    void lap(std::size_t what)
    {
        what_[laps_] = what;
        laps_ += laps_ < HostMailbox::most_laps ? 1 : 0;
        ask_for_stamp();
    }
    template <class F> void ahead(std::size_t what, F f)
    {
        ahead_ = 1 - ahead_;
        what_ahead_ = what;
        auto& loops = arrivals_->ahead[ahead_];
        loops = {};
        stamp_ = &loops.began;
        ended_ = &loops.ended;
        const struct Back {
            Stamp &stamp, &ended;
            ~Back() { stamp = ended = nullptr; }
        } back{stamp_, ended_};  // also where it fails
        f();
    }
    void add_laps(std::span<double> seconds)
    {
        // Those that ran ahead of this download may still run.
        const auto loops = std::exchange(arrivals_->ahead[1 - ahead_], {});
        if (loops.began != 0 && loops.ended > loops.began) {
            seconds[what_ahead_] += 1e-9 * static_cast<double>(loops.ended - loops.began);
        }
        std::uint64_t* const stamps = arrivals_->stamps;
        for (std::size_t k = laps_; k-- > 0;) {
            stamps[k] = stamps[k] == 0 ? stamps[k + 1] : stamps[k];  // nothing to do took no time
            const auto ns =
                static_cast<double>(static_cast<std::int64_t>(stamps[k + 1] - stamps[k]));
            seconds[what_[k]] += 1e-9 * ns;
        }
        laps_ = 0;
    }

private:
    /// The next kernel notes when it begins.
    void ask_for_stamp()
    {
        stamp_ = arrivals_->stamps + laps_;
        *stamp_ = 0;
    }
    template <class... Parameters, class... Arguments>
    void launch_as(bool team, void (*kernel)(Parameters...), std::size_t blocks,
                   std::size_t threads, std::size_t memory, Arguments... arguments)
    {
        cudaLaunchAttribute attributes[2]{};
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(blocks));
        config.blockDim = dim3(static_cast<unsigned>(threads));
        config.dynamicSmemBytes = memory;
        config.stream = stream_;
        config.attrs = attributes;
        if (team) {
            cudaLaunchAttribute& together = attributes[config.numAttrs++];
            together.id = cudaLaunchAttributeCooperative;
            together.val.cooperative = 1;
        }
        if (follows_ && can_overlap_) {
            cudaLaunchAttribute& overlap = attributes[config.numAttrs++];
            overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            overlap.val.programmaticStreamSerializationAllowed = 1;
        }
        check(
            cudaLaunchKernelEx(&config, kernel, arguments..., KernelOrder{stamp(), order_, ended_}),
            "launch");
        follows_ = true;
        if (order_ == KernelOrder::Order::first_beside) {
            order_ = can_overlap_ ? KernelOrder::Order::beside : KernelOrder::Order::one;
        }
    }
    /// Until the download of this number has arrived, or something has failed.
    void wait_for(std::uint32_t number)
    {
        const std::atomic_ref last(arrivals_->last);
        for (unsigned looks = 1; last.load(std::memory_order_acquire) != number; ++looks) {
            if (looks % 65536 == 0) {
                const cudaError_t status = cudaStreamQuery(stream_);
                check(status == cudaErrorNotReady ? cudaSuccess : status, "a kernel failed");
            }
        }
    }
    void copy_bytes(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind)
    {
        if (bytes > 0) {
            check(cudaMemcpyAsync(to, from, bytes, kind, interrupted()), "copy");
        }
    }
    template <class Key>
    using unsigned_of =
        std::conditional_t<sizeof(Key) == 8, std::uint64_t,
                           std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint8_t>>;

    /// Numbers that are 0 when a kernel begins, which leaves them so.
    std::uint32_t* zeros_of(Buffer<std::uint32_t>& buffer, std::size_t n)
    {
        if (buffer.size() < n) {
            buffer.fit(n);
            fill_bytes(buffer.data(), 0, n);
        }
        return buffer.data();
    }
    template <int K, int A, int blocks, class F> void reduce(std::size_t n, Sums<K>* out, F f)
    {
        const std::size_t chunks = std::max<std::size_t>(1, exec::chunk_count(n, exec::tree_chunk));
        Summing& own = summing_[order_ == KernelOrder::Order::beside ? 1 : 0];
        // Of all levels.
        const std::size_t more = 2 * exec::chunk_count(chunks, exec::tree_chunk) + 64;
        own.sums.fit(std::max(own.sums.size(), (chunks + more) * K));
        launch(reduce_kernel<K, A, blocks, F>, chunks, exec::tree_width, n,
               reinterpret_cast<Sums<K>*>(own.sums.data()), out, zeros_of(own.ready, more), f);
    }
    static int attribute(cudaDeviceAttr what)
    {
        int device = 0, number = 0;
        check(cudaGetDevice(&device), "device");
        check(cudaDeviceGetAttribute(&number, what, device), "device");
        return number;
    }

    static constexpr std::size_t counters = 64;
    std::size_t what_[HostMailbox::most_laps + 1]{}, laps_ = 0;
    cudaStream_t stream_{};
    HostMailbox* arrivals_ = nullptr;
    Stamp stamp_ = nullptr, ended_ = nullptr;
    int ahead_ = 0;               ///< the last of HostMailbox::ahead
    std::size_t what_ahead_ = 0;  ///< what they are for
    std::uint32_t expected_ = 0;  ///< number of the last download that was started
    bool follows_ = false;        ///< the stream's last work is a kernel of ours
    KernelOrder::Order order_ = KernelOrder::Order::one;
    std::vector<std::pair<const void*, std::size_t>> memory_of_block_;  ///< of kernels, on this GPU
    Buffer<std::byte> temporary_;
    struct Summing {
        Buffer<double> sums;
        Buffer<std::uint32_t> ready;
    } summing_[2];                   ///< of two sums side by side
    Buffer<std::uint32_t> scanned_;  ///< groups of a scan that are ready
    Buffer<std::uint32_t> counters_;
    std::size_t next_counter_ = 0;
    std::size_t processors_ = std::size_t(attribute(cudaDevAttrMultiProcessorCount));
    bool can_overlap_ = attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
};

}  // namespace scree::exec
