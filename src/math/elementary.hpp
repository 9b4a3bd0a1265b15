// Sine, exponential and logarithm of our own, by basic operations alone: the same bits on every
// machine, where those of a system's library differ in the last digit. Errors below 6e-16 of the
// result's scale. For scenes and motions, not for inner loops.
#pragma once

#include <cmath>

namespace scree::math {

inline constexpr double pi = 3.14159265358979323846;

/// sin of 2π·turns.
inline double sin_turns(double turns)
{
    double t = turns - std::nearbyint(turns);  // exact
    const bool negative = t < 0;
    t = negative ? -t : t;       // 0 … ½
    t = t > 0.25 ? 0.5 - t : t;  // 0 … ¼, exact
    // sin near 0, cos near ¼
    const bool near_top = t > 0.125;
    const double x = 2 * pi * (near_top ? 0.25 - t : t);
    const double y = x * x;
    double sum = 0;
    if (near_top) {
        for (int k = 18; k > 0; k -= 2) {
            sum = (1 + sum) * -y / (k * (k - 1));
        }
        sum = 1 + sum;
    } else {
        for (int k = 19; k > 1; k -= 2) {
            sum = (1 + sum) * -y / (k * (k - 1));
        }
        sum = x + x * sum;
    }
    return negative ? -sum : sum;
}
inline double cos_turns(double turns)
{
    const double t = turns - std::nearbyint(turns);
    return sin_turns(0.25 - (t < 0 ? -t : t));
}
inline double sine(double angle) { return sin_turns(angle / (2 * pi)); }
inline double cosine(double angle) { return cos_turns(angle / (2 * pi)); }

inline double exponential(double x)
{
    constexpr double ln2_high = 0x1.62e42fefa0000p-1;  // 41 bits: k·ln2_high is exact
    constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
    const double k = std::nearbyint(x / (ln2_high + ln2_low));
    if (!(k > -1000 && k < 1000)) {
        return k > 0 ? HUGE_VAL : (k < 0 ? 0 : x);
    }
    const double r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ 0.35
    double sum = 0;
    for (int i = 14; i > 0; --i) {
        sum = (1 + sum) * r / i;
    }
    return std::ldexp(1 + sum, static_cast<int>(k));
}

/// Of a positive number.
inline double logarithm(double x)
{
    constexpr double ln2_high = 0x1.62e42fefa0000p-1;
    constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
    int k = 0;
    double m = std::frexp(x, &k);  // ½ … 1
    if (m < 0.70710678118654752) {
        m *= 2;
        --k;
    }
    // ln m = 2 artanh s
    const double s = (m - 1) / (m + 1);
    const double y = s * s;
    double sum = 0;
    for (int i = 25; i > 1; i -= 2) {
        sum = (1.0 / i + sum) * y;
    }
    return k * ln2_high + (2 * s * (1 + sum) + k * ln2_low);
}

/// Of a number that is not negative.
inline double cube_root(double x)
{
    if (!(x > 0)) {
        return x;
    }
    double r = exponential(logarithm(x) / 3);
    r -= (r - x / (r * r)) / 3;
    return r;
}

}  // namespace scree::math
