// Random numbers for tests: the same on every machine, for every compiler; no functions of libm,
// and no expression with two draws in it, whose order a compiler may choose.
#pragma once

#include "math/vec.hpp"

#include <cmath>
#include <cstdint>

namespace scree::test {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits()
    {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    double uniform(double from = 0, double to = 1)
    {
        return from + (to - from) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }

    /// Roughly log-uniform between 10^from and 10^to.
    double decades(double from, double to)
    {
        const double exponent = 3.321928094887362 * uniform(from, to);
        const double whole = std::floor(exponent);
        return std::ldexp(1 + (exponent - whole), static_cast<int>(whole));
    }

    double sign() { return (bits() & 1) != 0 ? 1.0 : -1.0; }
    bool chance(double p) { return uniform() < p; }

    Vec3<double> in_ball()
    {
        for (;;) {
            const Vec3<double> v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double r2 = dot(v, v);
            if (r2 <= 1 && r2 > 1e-4) {
                return v;
            }
        }
    }

    Vec3<double> direction() { return normalised(in_ball()); }

    /// A random direction with a length between 10^from and 10^to.
    Vec3<double> vector(double from, double to)
    {
        const double length = decades(from, to);
        return length * direction();
    }

    /// 1 ± 10^from…10^to
    double near_one(double from, double to)
    {
        const double size = decades(from, to);
        return 1 + sign() * size;
    }

    Quat<double> orientation()
    {
        for (;;) {
            const Quat<double> q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double r2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
            if (r2 <= 1 && r2 > 1e-4) {
                const double r = std::sqrt(r2);
                return {q.w / r, q.x / r, q.y / r, q.z / r};
            }
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace scree::test
