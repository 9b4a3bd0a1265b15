// Loops over chunks on several threads. Chunks have a fixed size, so that whatever is summed or
// counted per chunk does not depend on the number of threads.
#pragma once

#include "exec/team.hpp"

#include <algorithm>
#include <cstddef>

namespace scree::exec {

inline std::size_t chunk_count(std::size_t n, std::size_t chunk) { return (n + chunk - 1) / chunk; }

/// f(number, begin, end) for a share of [0, n) each, by at most so many threads.
template <class F> void for_shares(std::size_t n, int threads, F&& f)
{
    const auto most = static_cast<int>(std::min<std::size_t>(n, 1U << 20));
    const auto share = [&](int number, int size) {
        const auto k = static_cast<std::size_t>(number), of = static_cast<std::size_t>(size);
        f(k, n * k / of, n * (k + 1) / of);
    };
    if (threads > 1 && most > 1) {
        Team::mine().run(std::min(threads, most), share);
    } else {
        share(0, 1);
    }
}

/// f(chunk, begin, end) for all chunks of [0, n).
template <class F> void for_chunks(std::size_t n, std::size_t chunk, int threads, F&& f)
{
    for_shares(chunk_count(n, chunk), threads, [&](std::size_t, std::size_t c, std::size_t last) {
        for (; c < last; ++c) {
            f(c, c * chunk, std::min(n, (c + 1) * chunk));
        }
    });
}

/// f(i) for all i of [0, n).
template <class F> void for_each(std::size_t n, int threads, F&& f)
{
    for_chunks(n, 1024, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            f(i);
        }
    });
}

/// The largest f(i) of [0, n), at least `floor`.
template <class F> double largest(std::size_t n, int threads, double floor, F&& f)
{
    constexpr std::size_t few = 4096;
    std::atomic<double> most{floor};
    for_shares(n, n > few ? threads : 1, [&](std::size_t, std::size_t i, std::size_t end) {
        double own = floor;
        for (; i < end; ++i) {
            const double value = f(i);
            own = value > own ? value : own;
        }
        double known = most;
        while (own > known && !most.compare_exchange_weak(known, own)) {
        }
    });
    return most;
}

}  // namespace scree::exec
