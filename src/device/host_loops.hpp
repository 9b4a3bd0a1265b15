// The loops of a device, run by the host one after another: what a GPU does can be tested where
// there is none.
#pragma once

#include "exec/tree.hpp"
#include "math/lane.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

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

/// What an item adds to a tally.
struct Tallied {
    std::uint32_t bucket;
    double value;
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
    /// Sorts by the lowest bits of the keys, whose bytes are taken as a number; equal ones keep
    /// their order.
    template <class Key, class Value>
    void sort(const Key* keys, Key* sorted, const Value* values, Value* sorted_values,
              std::size_t n, int bits)
    {
        const std::vector<std::size_t> order = sorted_order(keys, n, bits);
        for (std::size_t i = 0; i < n; ++i) {
            sorted[i] = keys[order[i]];
            sorted_values[i] = values[order[i]];
        }
    }
    /// The same without values.
    template <class Key> void sort(const Key* keys, Key* sorted, std::size_t n, int bits)
    {
        const std::vector<std::size_t> order = sorted_order(keys, n, bits);
        for (std::size_t i = 0; i < n; ++i) {
            sorted[i] = keys[order[i]];
        }
    }
    /// *out = the sums over all items, by exec::tree_sum; f(i) gives those of an item.
    template <int K, class F> void sum(std::size_t n, exec::Sums<K>* out, F f)
    {
        std::vector<exec::Sums<K>> chunks;
        *out = exec::tree_sum<K>(n, 1, chunks, f);
    }

    /// *out = the largest of all items, −∞ if there are none; f(i) gives those of an item. What is
    /// no number does not count.
    template <int K, class F> void most(std::size_t n, exec::Sums<K>* out, F f)
    {
        for (double& x : out->of) {
            x = -std::numeric_limits<double>::infinity();
        }
        for (std::size_t i = 0; i < n; ++i) {
            const exec::Sums<K> item = f(i);
            for (int k = 0; k < K; ++k) {
                out->of[k] = item.of[k] > out->of[k] ? item.of[k] : out->of[k];
            }
        }
    }
    /// Counts items by bucket, and finds the largest value of each; f(i) is a Tallied, with a value
    /// that is not negative.
    template <int buckets, class F>
    void tally(std::size_t n, std::uint32_t (&count)[buckets], double (&most)[buckets], F f)
    {
        std::fill_n(count, buckets, 0U);
        std::fill_n(most, buckets, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const Tallied item = f(i);
            ++count[item.bucket];
            most[item.bucket] = std::max(most[item.bucket], item.value);
        }
    }
    /// Rounds of first(i) for all i and then second(i) for all i, until the second is false for
    /// all: it says whether an item has to be looked at again.
    template <class F, class G> void rounds(std::size_t n, F first, G second)
    {
        for (bool again = n > 0; again;) {
            again = false;
            for (std::size_t i = 0; i < n; ++i) {
                first(i);
            }
            for (std::size_t i = 0; i < n; ++i) {
                again = second(i) || again;
            }
        }
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

private:
    template <class Key>
    static std::vector<std::size_t> sorted_order(const Key* keys, std::size_t n, int bits)
    {
        std::vector<std::uint64_t> numbers(n);
        const std::uint64_t mask = bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
        for (std::size_t i = 0; i < n; ++i) {
            std::memcpy(&numbers[i], keys + i, sizeof(Key));
            numbers[i] &= mask;
        }
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
        return order;
    }
};

}  // namespace scree::device
