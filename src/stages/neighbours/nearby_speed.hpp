// How fast bodies are near a place: what may soon hit a slow one there. Space is cut into blocks of
// a few bodies each, which share the entries of a table by their hashes; two blocks that share one
// only seem faster than they are.
#pragma once

#include "exec/atomic.hpp"
#include "math/hash.hpp"
#include "shapes/ball.hpp"

#include <bit>
#include <cstring>

namespace scree::neighbours {

class NearbySpeed {
public:
    /// How many entries a table for so many bodies has: few blocks share one.
    static std::size_t entries(std::size_t bodies) { return std::bit_ceil(bodies + 1); }

    /// A table of zeros.
    NearbySpeed(std::uint32_t* table, std::size_t entries)
        : fastest_(table), mask_(static_cast<std::uint32_t>(entries - 1))
    {
    }
    /// `edge` is the length of the blocks.
    SCREE_HD void note(const shapes::Ball& ball, double edge, double speed) const
    {
        raise(
            fastest_[entry(::floor(ball.x / edge), ::floor(ball.y / edge), ::floor(ball.z / edge))],
            static_cast<float>(speed));
    }
    /// The speed of the fastest body in the eight blocks about a ball.
    [[nodiscard]] SCREE_HD double near(const shapes::Ball& ball, double edge) const
    {
        const double x = ::floor(ball.x / edge - 0.5), y = ::floor(ball.y / edge - 0.5),
                     z = ::floor(ball.z / edge - 0.5);
        std::uint32_t most = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const std::uint32_t there =
                fastest_[entry(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2))];
            most = there > most ? there : most;
        }
        float speed = 0;
        std::memcpy(&speed, &most, sizeof speed);
        return static_cast<double>(speed);
    }

private:
    [[nodiscard]] SCREE_HD std::uint32_t entry(double x, double y, double z) const
    {
        const double at[3] = {x + 0.0, y + 0.0, z + 0.0};  // zero has one sign
        std::uint64_t bits[3];
        std::memcpy(bits, at, sizeof bits);
        return static_cast<std::uint32_t>(math::hash(math::hash(bits[0], bits[1]), bits[2])) &
               mask_;
    }
    /// Bits of numbers that are not negative are in the order of their values.
    SCREE_HD static void raise(std::uint32_t& to, float speed)
    {
        if (!(speed > 0)) {
            return;
        }
        std::uint32_t bits = 0;
        std::memcpy(&bits, &speed, sizeof bits);
        exec::largest(to, bits);
    }

    std::uint32_t* fastest_;
    std::uint32_t mask_;
};

}  // namespace scree::neighbours
