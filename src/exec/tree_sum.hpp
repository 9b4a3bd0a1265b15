// Sums of many numbers in one order, whatever runs the loop: chunks of 512 items, in each of them
// 128 partial sums of four items that lie 128 apart, folded in halves; then the chunks' sums in the
// same way. A GPU's block has a thread for every partial sum, a pack of the CPU a few of them in
// its lanes.
#pragma once

#include "exec/sums.hpp"
#include "exec/threads.hpp"

#include <vector>

namespace scree::exec {

/// The partial sums of a chunk, sum by sum.
template <int K> struct PartialSums {
    double of[K][tree_width] = {};

    void add(std::size_t j, const Sums<K>& item)
    {
        for (int k = 0; k < K; ++k) {
            of[k][j] += item.of[k];
        }
    }
    /// The chunk's sums; what they are made of is written over.
    Sums<K> fold()
    {
        Sums<K> out;
        for (int k = 0; k < K; ++k) {
            for (std::size_t half = tree_width / 2; half > 0; half /= 2) {
                for (std::size_t j = 0; j < half; ++j) {
                    of[k][j] += of[k][j + half];
                }
            }
            out.of[k] = of[k][0];
        }
        return out;
    }
};

/// The sums over the items begin … end − 1 of one chunk; f(i) gives those of an item.
template <int K, class F> Sums<K> sum_of_chunk(std::size_t begin, std::size_t end, F&& f)
{
    PartialSums<K> partial;
    for (std::size_t i = begin; i < end; ++i) {
        partial.add((i - begin) % tree_width, f(i));
    }
    return partial.fold();
}

/// The sum of the chunks' sums, which are written over.
template <int K> Sums<K> sum_of_sums(std::vector<Sums<K>>& sums)
{
    std::size_t n = sums.size();
    while (n > 1) {
        const std::size_t chunks = chunk_count(n, tree_chunk);
        for (std::size_t c = 0; c < chunks; ++c) {
            const std::size_t begin = c * tree_chunk;
            const std::size_t end = begin + tree_chunk < n ? begin + tree_chunk : n;
            sums[c] = sum_of_chunk<K>(begin, end, [&](std::size_t i) { return sums[i]; });
        }
        n = chunks;
    }
    return n == 1 ? sums[0] : Sums<K>{};
}

/// The sums over all items of [0, n), where f(begin, end) gives those of a chunk. `chunks` is
/// memory to work in.
template <int K, class F>
Sums<K> tree_sum_of_chunks(std::size_t n, int threads, std::vector<Sums<K>>& chunks, F&& f)
{
    chunks.resize(chunk_count(n, tree_chunk));
    for_chunks(n, tree_chunk, threads, [&](std::size_t c, std::size_t begin, std::size_t end) {
        chunks[c] = f(begin, end);
    });
    return sum_of_sums(chunks);
}

/// The same where f(i) gives those of an item.
template <int K, class F>
Sums<K> tree_sum(std::size_t n, int threads, std::vector<Sums<K>>& chunks, F&& f)
{
    return tree_sum_of_chunks<K>(n, threads, chunks, [&](std::size_t begin, std::size_t end) {
        return sum_of_chunk<K>(begin, end, f);
    });
}

}  // namespace scree::exec
