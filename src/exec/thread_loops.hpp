// The loops of src/device on the threads of the CPU, as far as the solver's control asks for them:
// what is written for a device's loops runs here too.
#pragma once

#include "exec/across_ranks.hpp"
#include "exec/memory.hpp"
#include "exec/tree_sum.hpp"

#include <algorithm>
#include <vector>

namespace scree::exec {

class ThreadLoops : public AcrossRanks {
public:
    template <class T> class Buffer {
    public:
        void fit(std::size_t n) { scree::exec::fit(values_, n); }
        [[nodiscard]] T* data() { return values_.data(); }
        [[nodiscard]] const T* data() const { return values_.data(); }
        [[nodiscard]] std::size_t size() const { return values_.size(); }
        [[nodiscard]] std::size_t bytes() const { return bytes_of(values_); }
        void swap(Buffer& other) noexcept { values_.swap(other.values_); }

    private:
        std::vector<T> values_;
    };

    explicit ThreadLoops(int threads, Ranks* ranks = nullptr) : threads_(threads)
    {
        agree_with(ranks);
    }

    template <class F> void for_each(std::size_t n, F f) { exec::for_each(n, threads_, f); }
    /// For items that are little work: threads are worth their start from several chunks on.
    template <int K, class F> void sum(std::size_t n, Sums<K>* out, F f)
    {
        constexpr std::size_t few = 16 * tree_chunk;
        std::vector<Sums<K>> chunks;
        *out = tree_sum<K>(n, n < few ? 1 : threads_, chunks, f);
    }
    template <class T> void copy(const T* from, T* to, std::size_t n) { std::copy_n(from, n, to); }
    template <class T> void download(const T* from, T* to, std::size_t n) { copy(from, to, n); }

private:
    int threads_;
};

}  // namespace scree::exec
