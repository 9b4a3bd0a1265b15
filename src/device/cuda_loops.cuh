// The loops of a device on an NVIDIA GPU. The same verbs as in host_loops.hpp, in one stream.
#pragma once

#include "device/host_loops.hpp"
#include "scree/error.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <string>

namespace scree::device {

inline void check(cudaError_t status, const char* what)
{
    if (status != cudaSuccess) {
        throw Error(std::string("GPU: ") + what + ": " + cudaGetErrorString(status));
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

template <class F> __global__ void for_each_kernel(std::size_t n, F f)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
        f(i);
    }
}

/// One chunk of exec::tree_sum per block.
template <int K, class F>
__global__ void __launch_bounds__(exec::tree_width)
    sum_kernel(std::size_t n, exec::Sums<K>* out, F f)
{
    __shared__ double partial[K][exec::tree_width];
    const std::size_t begin = std::size_t(blockIdx.x) * exec::tree_chunk;
    const std::size_t end = begin + exec::tree_chunk < n ? begin + exec::tree_chunk : n;
    double own[K] = {};
    for (std::size_t i = begin + threadIdx.x; i < end; i += exec::tree_width) {
        const exec::Sums<K> item = f(i);
        for (int k = 0; k < K; ++k) {
            own[k] += item.of[k];
        }
    }
    for (int k = 0; k < K; ++k) {
        partial[k][threadIdx.x] = own[k];
    }
    for (unsigned half = exec::tree_width / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            for (int k = 0; k < K; ++k) {
                partial[k][threadIdx.x] += partial[k][threadIdx.x + half];
            }
        }
    }
    __syncthreads();
    if (threadIdx.x < K) {
        out[blockIdx.x].of[threadIdx.x] = partial[threadIdx.x][0];
    }
}

class CudaLoops {
public:
    template <class T> using Buffer = CudaBuffer<T>;

    CudaLoops() { check(cudaStreamCreate(&stream_), "stream"); }
    ~CudaLoops() { cudaStreamDestroy(stream_); }
    CudaLoops(const CudaLoops&) = delete;
    CudaLoops& operator=(const CudaLoops&) = delete;
    [[nodiscard]] cudaStream_t stream() const { return stream_; }

    template <class F> void for_each(std::size_t n, F f)
    {
        if (n == 0) {
            return;
        }
        constexpr std::size_t block = 256;
        const std::size_t blocks = std::min<std::size_t>((n + block - 1) / block, 0x7fffffff);
        for_each_kernel<<<unsigned(blocks), unsigned(block), 0, stream_>>>(n, f);
        check(cudaGetLastError(), "launch");
    }
    template <class T, class F> void scan(std::size_t n, T* out, F f)
    {
        // One item more than there is, so that the sum of all comes last.
        const auto items = thrust::make_transform_iterator(
            thrust::make_counting_iterator(std::size_t(0)),
            [=] __device__(std::size_t i) -> T { return i < n ? f(i) : T{}; });
        const auto plus = [] __host__ __device__(const T& a, const T& b) -> T { return a + b; };
        std::size_t bytes = 0;
        check(cub::DeviceScan::ExclusiveScan(nullptr, bytes, items, out, plus, T{}, n + 1, stream_),
              "scan");
        temporary_.fit(bytes);
        check(cub::DeviceScan::ExclusiveScan(temporary_.data(), bytes, items, out, plus, T{}, n + 1,
                                             stream_),
              "scan");
    }
    template <class Key, class Value>
    void sort(Buffer<Key>& keys, Buffer<Key>& other_keys, Buffer<Value>& values,
              Buffer<Value>& other_values, std::size_t n, int bits)
    {
        other_keys.fit(n);
        other_values.fit(n);
        std::size_t bytes = 0;
        const auto run = [&](void* temporary) {
            check(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys.data(), other_keys.data(),
                                                  values.data(), other_values.data(), n, 0, bits,
                                                  stream_),
                  "sort");
        };
        run(nullptr);
        temporary_.fit(bytes);
        run(temporary_.data());
        keys.swap(other_keys);
        values.swap(other_values);
    }
    template <class Key>
    void sort(Buffer<Key>& keys, Buffer<Key>& other_keys, std::size_t n, int bits)
    {
        other_keys.fit(n);
        std::size_t bytes = 0;
        const auto run = [&](void* temporary) {
            check(cub::DeviceRadixSort::SortKeys(temporary, bytes, keys.data(), other_keys.data(),
                                                 n, 0, bits, stream_),
                  "sort");
        };
        run(nullptr);
        temporary_.fit(bytes);
        run(temporary_.data());
        keys.swap(other_keys);
    }
    /// Two rounds of chunks at least, so that the result lies where it is wanted.
    template <int K, class F> void sum(std::size_t n, exec::Sums<K>* out, F f)
    {
        std::size_t chunks = exec::chunk_count(n, exec::tree_chunk);
        if (chunks <= 1) {
            launch_sum(n, 1, out, f);
            return;
        }
        // A later round's sums go behind those of the one before.
        sums_.fit((chunks + chunk_count_of(chunks) + 8) * K);
        auto* sums = reinterpret_cast<exec::Sums<K>*>(sums_.data());
        launch_sum(n, chunks, sums, f);
        while (chunks > 1) {
            const std::size_t next = exec::chunk_count(chunks, exec::tree_chunk);
            exec::Sums<K>* to = next == 1 ? out : sums + chunks;
            const exec::Sums<K>* from = sums;
            launch_sum(chunks, next, to, [=] __device__(std::size_t i) { return from[i]; });
            sums += chunks;
            chunks = next;
        }
    }

    template <class T> void fill_bytes(T* to, int byte, std::size_t n)
    {
        if (n > 0) {
            check(cudaMemsetAsync(to, byte, n * sizeof(T), stream_), "fill");
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
    template <class T> void download(const T* from, T* to, std::size_t n)
    {
        copy_bytes(from, to, n * sizeof(T), cudaMemcpyDeviceToHost);
        check(cudaStreamSynchronize(stream_), "a kernel failed");
    }

private:
    void copy_bytes(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind)
    {
        if (bytes > 0) {
            check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "copy");
        }
    }
    static std::size_t chunk_count_of(std::size_t n)
    {
        return exec::chunk_count(n, exec::tree_chunk);
    }
    template <int K, class F>
    void launch_sum(std::size_t n, std::size_t chunks, exec::Sums<K>* out, F f)
    {
        sum_kernel<K><<<unsigned(std::max<std::size_t>(chunks, 1)), unsigned(exec::tree_width), 0,
                        stream_>>>(n, out, f);
        check(cudaGetLastError(), "launch");
    }

    cudaStream_t stream_{};
    Buffer<std::byte> temporary_;
    Buffer<double> sums_;
};

}  // namespace scree::device
