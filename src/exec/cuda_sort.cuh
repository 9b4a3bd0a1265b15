// Prefix sums and sorting on an NVIDIA GPU.
#pragma once

#include "exec/cuda_loops.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace scree::exec {

template <class T, class F> void CudaLoops::scan(std::size_t n, T* out, F f)
{
    // One item more than there is, so that the sum of all comes last.
    const Stamp began = stamp();
    const auto items = thrust::make_transform_iterator(
        thrust::make_counting_iterator(std::size_t(0)), [=] __device__(std::size_t i) -> T {
            if (i == 0) {
                note_time(began);
            }
            return i < n ? f(i) : T{};
        });
    const auto plus = [] __host__ __device__(const T& a, const T& b) -> T { return a + b; };
    std::size_t bytes = 0;
    check(
        cub::DeviceScan::ExclusiveScan(nullptr, bytes, items, out, plus, T{}, n + 1, interrupted()),
        "scan");
    temporary_.fit(bytes);
    check(cub::DeviceScan::ExclusiveScan(temporary_.data(), bytes, items, out, plus, T{}, n + 1,
                                         interrupted()),
          "scan");
}
template <class Key, class Value>
void CudaLoops::sort(const Key* keys, Key* sorted, const Value* values, Value* sorted_values,
                     std::size_t n, int bits)
{
    if (n == 0) {
        return;
    }
    using Number = unsigned_of<Key>;
    std::size_t bytes = 0;
    const auto run = [&](void* temporary) {
        check(cub::DeviceRadixSort::SortPairs(
                  temporary, bytes, reinterpret_cast<const Number*>(keys),
                  reinterpret_cast<Number*>(sorted), values, sorted_values, std::uint32_t(n), 0,
                  bits, interrupted()),
              "sort");
    };
    run(nullptr);
    temporary_.fit(bytes);
    run(temporary_.data());
}
template <class Key> void CudaLoops::sort(const Key* keys, Key* sorted, std::size_t n, int bits)
{
    if (n == 0) {
        return;
    }
    using Number = unsigned_of<Key>;
    std::size_t bytes = 0;
    const auto run = [&](void* temporary) {
        check(cub::DeviceRadixSort::SortKeys(
                  temporary, bytes, reinterpret_cast<const Number*>(keys),
                  reinterpret_cast<Number*>(sorted), std::uint32_t(n), 0, bits, interrupted()),
              "sort");
    };
    run(nullptr);
    temporary_.fit(bytes);
    run(temporary_.data());
}

}  // namespace scree::exec
