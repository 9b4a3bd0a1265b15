// Balls are sorted by their keys on the Z-curve.
#include "stages/neighbours/spatial_order.hpp"

#include "exec/threads.hpp"
#include "scree/error.hpp"
#include "stages/neighbours/grid_levels.hpp"
#include "stages/neighbours/z_curve.hpp"

#include <algorithm>
#include <limits>

namespace scree::neighbours {

using Index = std::uint32_t;

void spatial_order(std::span<const shapes::Ball> balls, const shapes::Periodic& box,
                   std::vector<std::uint32_t>& order, int threads)
{
    const std::size_t n = balls.size();
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw Error(too_many_balls);
    }
    order.resize(n);
    if (n == 0) {
        return;
    }
    threads = std::clamp(threads, 1, static_cast<int>(std::min<std::size_t>(n / 4096 + 1, 256)));

    const ZCurve curve = z_curve(
        n, box, [&](std::size_t k) -> const shapes::Ball& { return balls[sampled_ball(n, k)]; });
    std::vector<Index> keys(n);
    std::vector<Index> other(n);
    exec::for_each(n, threads, [&](std::size_t i) {
        keys[i] = curve.key(balls[i]);
        order[i] = static_cast<Index>(i);
    });

    // A radix sort, lowest digit first: stable, so balls of equal keys stay in the order of
    // indices.
    constexpr int digit_bits = 10;
    constexpr std::size_t digits = std::size_t(1) << digit_bits;
    const std::size_t share =
        (n + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
    const std::size_t rows = exec::chunk_count(n, share);
    std::vector<Index> begin(rows * digits);
    for (int shift = 0; shift < curve.bits; shift += digit_bits) {
        const auto digit = [&](Index i) { return keys[i] >> shift & (digits - 1); };
        std::fill(begin.begin(), begin.end(), 0U);
        exec::for_chunks(n, share, threads,
                         [&](std::size_t row, std::size_t first, std::size_t last) {
                             Index* const count = begin.data() + row * digits;
                             for (std::size_t k = first; k < last; ++k) {
                                 ++count[digit(order[k])];
                             }
                         });
        Index before = 0;
        for (std::size_t d = 0; d < digits; ++d) {
            for (std::size_t row = 0; row < rows; ++row) {
                const Index own = begin[row * digits + d];
                begin[row * digits + d] = before;
                before += own;
            }
        }
        exec::for_chunks(n, share, threads,
                         [&](std::size_t row, std::size_t first, std::size_t last) {
                             Index* const place = begin.data() + row * digits;
                             for (std::size_t k = first; k < last; ++k) {
                                 other[place[digit(order[k])]++] = order[k];
                             }
                         });
        std::swap(order, other);
    }
}

}  // namespace scree::neighbours
