// The loops of a device, run by the host one after another: what a GPU does can be tested where
// there is none.
#pragma once

#include "exec/across_ranks.hpp"
#include "exec/tree_sum.hpp"
#include "math/lane.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace scree::exec {

/// For tests: when buffers cannot grow, as where a device has no memory left.
struct Shortage {
    long after = -1;  ///< so many more buffers grow; negative: any number
    long lasts = 1;   ///< so many then do not
};
inline Shortage shortage;

/// Memory of a device. Growing keeps what is there; what is new is not initialised.
template <class T> class HostBuffer {
public:
    void fit(std::size_t n)
    {
        if (n > capacity_) {
            if (shortage.after > 0) {
                --shortage.after;
            } else if (shortage.after == 0 && shortage.lasts-- > 0) {
                throw std::bad_alloc();
            }
            const std::size_t capacity = n + n / 16 + 16;
            auto larger = std::make_unique_for_overwrite<T[]>(capacity);
            if (size_ > 0) {
                std::memcpy(static_cast<void*>(larger.get()), data_.get(), size_ * sizeof(T));
            }
            data_ = std::move(larger);
            capacity_ = capacity;
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

/// An item of a sum that reads ahead: f.ahead(i) is read before the item's turn comes, and
/// f(i, that) gives its numbers.
template <class F>
concept ReadsAhead = requires(const F& f, std::size_t i)
{
    f.ahead(i);
};

/// What an item adds to a tally.
struct Tallied {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t bucket;
    double value;
};

/// How many blocks of threads a processor is to run at once: many wait for memory together, few
/// have more registers each.
template <int blocks> struct AtOnce {
};

/// Items of a group in scan_groups.
inline constexpr std::size_t scan_group = 256;
SCREE_HD std::size_t scan_groups_of(std::size_t n) { return (n + scan_group - 1) / scan_group; }

class HostLoops : public AcrossRanks {
public:
    template <class T> using Buffer = HostBuffer<T>;

    /// What loops keep for themselves.
    [[nodiscard]] static std::size_t bytes() { return 0; }
    /// f(i) for all i of [0, n), in any order.
    template <class F, int blocks = 1>
    void for_each(std::size_t n, F f, AtOnce<blocks> /*hint*/ = {})
    {
        for (std::size_t i = 0; i < n; ++i) {
            f(i);
        }
    }
    /// f(), …, one loop or sum each, at most two sums, which have nothing to do with each other and
    /// may run at the same time; no scans or sorts.
    template <class... F> void side_by_side(F... f) { (f(), ...); }
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
    /// Sums of numbers in two levels: within[i], of the items of i's group before i; before[g], of
    /// all groups before the g-th, and the sum of all behind the last. Then first(k) for k of
    /// [0, m), which may read them, and after all of these then(k). One loop.
    template <class T, class F, class G, class H>
    void scan_groups(std::size_t n, T* within, T* before, F f, std::size_t m, G first, H then)
    {
        T all = 0, own = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (i % scan_group == 0) {
                all += std::exchange(own, 0);
                before[i / scan_group] = all;
            }
            within[i] = own;
            own += f(i);
        }
        before[scan_groups_of(n)] = all + own;
        for (std::size_t k = 0; k < m; ++k) {
            first(k);
        }
        for (std::size_t k = 0; k < m; ++k) {
            then(k);
        }
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
    /// *out = the sums over all items, by exec::tree_sum; f(i) gives those of an item, or f reads
    /// ahead.
    template <int K, class F, int blocks = 1>
    void sum(std::size_t n, Sums<K>* out, F f, AtOnce<blocks> /*hint*/ = {})
    {
        std::vector<Sums<K>> chunks;
        *out = exec::tree_sum<K>(n, 1, chunks, [&](std::size_t i) {
            if constexpr (ReadsAhead<F>) {
                return f(i, f.ahead(i));
            } else {
                return f(i);
            }
        });
    }

    /// The same with the largest of some numbers: of an item's, the first A are added, and of the
    /// other M the largest is found, −∞ if there are no items. What is no number is not large.
    template <int A, int M, class F> void sum_and_most(std::size_t n, Sums<A + M>* out, F f)
    {
        sum<A + M>(n, out, f);
        for (int k = A; k < A + M; ++k) {
            out->of[k] = -std::numeric_limits<double>::infinity();
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Sums<A + M> item = f(i);
            for (int k = A; k < A + M; ++k) {
                out->of[k] = item.of[k] > out->of[k] ? item.of[k] : out->of[k];
            }
        }
    }
    /// Counts items by bucket, and finds the largest value of each, beside what is there already;
    /// f(i) is a Tallied. Items of no bucket do not count, values are not negative.
    template <int buckets, class F>
    void tally(std::size_t n, std::uint32_t (&count)[buckets], double (&most)[buckets], F f)
    {
        for (std::size_t i = 0; i < n; ++i) {
            const Tallied item = f(i);
            if (item.bucket < buckets) {
                ++count[item.bucket];
                most[item.bucket] = std::max(most[item.bucket], item.value);
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
    /// The same of a few numbers, as they are now; what is started in between runs while they are
    /// on their way.
    template <class T> void start_download(const T* from, std::size_t n)
    {
        arrived_.resize(n * sizeof(T));
        std::memcpy(arrived_.data(), from, n * sizeof(T));
    }
    template <class T> void finish_download(T* to, std::size_t n)
    {
        std::memcpy(static_cast<void*>(to), arrived_.data(), n * sizeof(T));
    }

    /// How long a device works on what: `start_laps` begins, `lap` says what the work since the
    /// last one was for, and after a download `add_laps` adds the seconds of all to each.
    void start_laps()
    {
        laps_.clear();
        lap_began_ = Clock::now();
    }
    void lap(std::size_t what)
    {
        const Clock::time_point now = Clock::now();
        laps_.emplace_back(what, std::chrono::duration<double>(now - lap_began_).count());
        lap_began_ = now;
    }
    /// The loops of f() run ahead of a download and are for this; they count with its laps, or the
    /// next ones.
    template <class F> void ahead(std::size_t what, F f)
    {
        lap_began_ = Clock::now();
        f();
        lap(what);
    }
    void add_laps(std::span<double> seconds)
    {
        for (const auto& [what, took] : laps_) {
            seconds[what] += took;
        }
        laps_.clear();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point lap_began_;
    std::vector<std::pair<std::size_t, double>> laps_;
    std::vector<std::byte> arrived_;

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

}  // namespace scree::exec
