// The Z-curve: bits of the three coordinates in turn make a key, by which balls are sorted.
#include "collide/spatial_order.hpp"

#include "exec/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace scree::collide {

namespace {

using Index = std::uint32_t;

double coordinate(const Ball& ball, int axis)
{
    return axis == 0 ? ball.x : axis == 1 ? ball.y : ball.z;
}

/// The image inside the box.
double wrapped(double x, const Periodic& box, int axis)
{
    const double L = box.length[axis];
    const double d = x - box.origin[axis];
    return L > 0 && (d < 0 || d >= L) ? x - L * std::floor(d / L) : x;
}

/// Where most of the balls are along an axis, whatever a few far away do.
struct Midst {
    double low, high;
};
Midst midst_of(std::span<const Ball> balls, const Periodic& box, int axis)
{
    const double L = box.length[axis];
    if (L > 0) {
        const double from = box.origin[axis];
        return {from, from + L};
    }
    constexpr std::size_t samples = 127;
    double values[samples];
    for (std::size_t k = 0; k < samples; ++k) {
        const double x = coordinate(balls[balls.size() * k / samples], axis);
        values[k] = x == x ? x : 0;  // removed balls are nowhere, and have no place in an order
    }
    std::sort(values, values + samples);
    return {values[samples / 16], values[samples - 1 - samples / 16]};
}

}  // namespace

void spatial_order(std::span<const Ball> balls, const Periodic& box,
                   std::vector<std::uint32_t>& order, int threads)
{
    const std::size_t n = balls.size();
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw std::length_error("more than 2^31 - 1 bounding spheres");
    }
    order.resize(n);
    if (n == 0) {
        return;
    }
    threads = std::clamp(threads, 1, static_cast<int>(std::min<std::size_t>(n / 4096 + 1, 256)));

    // Cubes, about 64 per ball over the space where most balls are, and as much space again around.
    int bits = 2;
    while (bits < 9 && (std::size_t(1) << 3 * (bits - 2)) < n) {
        ++bits;
    }
    const double limit = static_cast<double>((2 << bits) - 1);
    double from[3];
    double side = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const Midst midst = midst_of(balls, box, axis);
        side = std::max(side, 1.25 * (midst.high - midst.low));
        from[axis] = 0.5 * midst.low + 0.5 * midst.high;
    }
    side = std::max(side, 0x1p-500);
    const double inverse = static_cast<double>(1 << bits) / side;
    for (double& x : from) {
        x -= side;
    }

    std::vector<Index> keys(n);
    std::vector<Index> other(n);
    exec::for_each(n, threads, [&](std::size_t i) {
        Index key = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double x = wrapped(coordinate(balls[i], axis), box, axis);
            double q = (x - from[axis]) * inverse;
            q = q > 0 ? q : 0.0;
            q = q < limit ? q : limit;
            // Every third bit.
            Index b = static_cast<Index>(q);
            b = (b | b << 16) & 0x030000ffU;
            b = (b | b << 8) & 0x0300f00fU;
            b = (b | b << 4) & 0x030c30c3U;
            b = (b | b << 2) & 0x09249249U;
            key |= b << axis;
        }
        keys[i] = key;
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
    for (int shift = 0; shift < 3 * (bits + 1); shift += digit_bits) {
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

}  // namespace scree::collide
