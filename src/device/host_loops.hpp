// The loops of a device, run by the host one after another: what a GPU does can be tested where
// there is none.
#pragma once

#include "exec/tree.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

/// Before the parameters of a function that a device runs.
#if defined(__CUDACC__)
#define SCREE_DEVICE __device__
#else
#define SCREE_DEVICE
#endif

namespace scree::device {

/// Memory of a device. Growing keeps what is there; what is new is not initialised.
template <class T> class HostBuffer {
public:
    void fit(std::size_t n)
    {
        if (n > capacity_) {
            capacity_ = n + n / 16 + 16;
            auto larger = std::make_unique_for_overwrite<T[]>(capacity_);
            if (size_ > 0) {
                std::memcpy(static_cast<void*>(larger.get()), data_.get(), size_ * sizeof(T));
            }
            data_ = std::move(larger);
        }
        size_ = n;
    }
    [[nodiscard]] T* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
    void swap(HostBuffer& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

class HostLoops {
public:
    template <class T> using Buffer = HostBuffer<T>;

    /// f(i) for all i of [0, n), in any order.
    template <class F> void for_each(std::size_t n, F f)
    {
        for (std::size_t i = 0; i < n; ++i) {
            f(i);
        }
    }
    /// out[i] = f(0) + … + f(i − 1) for i = 0 … n: one more than there are items.
    template <class T, class F> void scan(std::size_t n, T* out, F f)
    {
        T sum{};
        for (std::size_t i = 0; i < n; ++i) {
            const T item = f(i);
            out[i] = sum;
            sum = sum + item;
        }
        out[n] = sum;
    }
    /// Sorts by the lowest bits of the keys; equal ones keep their order. The others are memory to
    /// work in.
    template <class Key, class Value>
    void sort(Buffer<Key>& keys, Buffer<Key>& other_keys, Buffer<Value>& values,
              Buffer<Value>& other_values, std::size_t n, int bits)
    {
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t(0));
        const Key mask = bits >= int(8 * sizeof(Key)) ? Key(-1) : Key((Key(1) << bits) - 1);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return (keys.data()[a] & mask) < (keys.data()[b] & mask);
        });
        other_keys.fit(n);
        other_values.fit(n);
        for (std::size_t i = 0; i < n; ++i) {
            other_keys.data()[i] = keys.data()[order[i]];
            other_values.data()[i] = values.data()[order[i]];
        }
        keys.swap(other_keys);
        values.swap(other_values);
    }
    /// The same without values.
    template <class Key>
    void sort(Buffer<Key>& keys, Buffer<Key>& other_keys, std::size_t n, int bits)
    {
        Buffer<std::uint8_t> none, none_either;
        none.fit(n);
        sort(keys, other_keys, none, none_either, n, bits);
    }
    /// *out = the sums over all items, by exec::tree_sum; f(i) gives those of an item.
    template <int K, class F> void sum(std::size_t n, exec::Sums<K>* out, F f)
    {
        std::vector<exec::Sums<K>> chunks;
        *out = exec::tree_sum<K>(n, 1, chunks, f);
    }

    template <class T> void fill_bytes(T* to, int byte, std::size_t n)
    {
        if (n > 0) {
            std::memset(static_cast<void*>(to), byte, n * sizeof(T));
        }
    }
    template <class T> void copy(const T* from, T* to, std::size_t n)
    {
        if (n > 0) {
            std::memcpy(static_cast<void*>(to), from, n * sizeof(T));
        }
    }
    /// From and to the host's memory. The host may use what it has downloaded at once.
    template <class T> void upload(const T* from, T* to, std::size_t n) { copy(from, to, n); }
    template <class T> void download(const T* from, T* to, std::size_t n) { copy(from, to, n); }
};

}  // namespace scree::device
