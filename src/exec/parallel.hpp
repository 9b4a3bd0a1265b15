// Loops over chunks on several threads. Chunks have a fixed size, so that whatever is summed or
// counted per chunk does not depend on the number of threads.
#pragma once

#include <cstddef>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace scree::exec {

inline int thread_limit()
{
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}
inline int thread_number()
{
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}
inline int team_size()
{
#if defined(_OPENMP)
    return omp_get_num_threads();
#else
    return 1;
#endif
}

inline std::size_t chunk_count(std::size_t n, std::size_t chunk) { return (n + chunk - 1) / chunk; }

/// f(chunk, begin, end) for all chunks of [0, n).
template <class F> void for_chunks(std::size_t n, std::size_t chunk, int threads, F&& f)
{
    const std::size_t chunks = chunk_count(n, chunk);
    const auto one = [&](std::size_t c) {
        const std::size_t begin = c * chunk;
        f(c, begin, begin + chunk < n ? begin + chunk : n);
    };
    if (threads > 1 && chunks > 1) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t c = 0; c < chunks; ++c) {
            one(c);
        }
    } else {  // a parallel region of one thread costs as much as a small world's step
        for (std::size_t c = 0; c < chunks; ++c) {
            one(c);
        }
    }
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
    double most = floor;
    if (threads > 1 && n > 4096) {
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : most)
        for (std::size_t i = 0; i < n; ++i) {
            const double value = f(i);
            most = value > most ? value : most;
        }
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            const double value = f(i);
            most = value > most ? value : most;
        }
    }
    return most;
}

}  // namespace scree::exec
