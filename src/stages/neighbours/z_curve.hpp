// The Z-curve through the space where most balls are: bits of the three coordinates in turn make a
// ball's key.
#pragma once

#include "shapes/ball.hpp"

#include <algorithm>
#include <cstdint>

namespace scree::neighbours {

struct ZCurve {
    shapes::Periodic box;
    double from[3];
    double inverse;  ///< cubes per length
    double limit;    ///< the last cube along an axis
    int bits;        ///< of a key

    [[nodiscard]] SCREE_HD std::uint32_t key(const shapes::Ball& ball) const
    {
        std::uint32_t key = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double x = box.wrapped(ball.coordinate(axis), axis);
            double q = (x - from[axis]) * inverse;
            q = q > 0 ? q : 0.0;
            q = q < limit ? q : limit;
            // Every third bit.
            std::uint32_t b = static_cast<std::uint32_t>(q);
            b = (b | b << 16) & 0x030000ffU;
            b = (b | b << 8) & 0x0300f00fU;
            b = (b | b << 4) & 0x030c30c3U;
            b = (b | b << 2) & 0x09249249U;
            key |= b << axis;
        }
        return key;
    }
};

/// Where most balls are is judged by samples of them: these balls.
inline constexpr std::size_t curve_samples = 127;
SCREE_HD std::size_t sampled_ball(std::size_t n, std::size_t k) { return n * k / curve_samples; }

/// The curve for n > 0 balls; sample(k) is the k-th sample.
template <class F> ZCurve z_curve(std::size_t n, const shapes::Periodic& box, const F& sample)
{
    // Cubes, about 64 per ball over the space where most balls are, and as much space again around.
    int bits = 2;
    while (bits < 9 && (std::size_t(1) << 3 * (bits - 2)) < n) {
        ++bits;
    }
    ZCurve curve{box, {}, 0, static_cast<double>((2 << bits) - 1), 3 * (bits + 1)};
    double side = 0;
    for (int axis = 0; axis < 3; ++axis) {
        // Whatever a few far away do.
        double low = box.origin[axis];
        double high = low + box.length[axis];
        if (!(box.length[axis] > 0)) {
            double values[curve_samples];
            for (std::size_t k = 0; k < curve_samples; ++k) {
                const double x = sample(k).coordinate(axis);
                values[k] = x == x ? x : 0;  // removed balls are nowhere, and have no place
            }
            std::sort(values, values + curve_samples);
            low = values[curve_samples / 16];
            high = values[curve_samples - 1 - curve_samples / 16];
        }
        side = std::max(side, 1.25 * (high - low));
        curve.from[axis] = 0.5 * low + 0.5 * high;
    }
    side = std::max(side, 0x1p-500);
    curve.inverse = static_cast<double>(1 << bits) / side;
    for (double& x : curve.from) {
        x -= side;
    }
    return curve;
}

}  // namespace scree::neighbours
