// Our own hash: the same on every machine and in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scree::math {

/// Mixes 64 bits so that each bit of the result depends on each of x.
constexpr std::uint64_t mix(std::uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93U;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93U;
    x ^= x >> 32;
    return x;
}

constexpr std::uint64_t hash(std::uint64_t a, std::uint64_t b)
{
    return mix(mix(a + 0x9e3779b97f4a7c15U) + b);
}

/// A running digest of values.
class Digest {
public:
    void add(std::uint64_t value) { state_ = hash(state_, value); }
    void add(double value)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    /// Words of eight bytes, the last one filled up with zeros.
    void add(std::span<const std::byte> bytes)
    {
        for (std::size_t at = 0; at < bytes.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, bytes.size() - at < 8 ? bytes.size() - at : 8);
            add(word);
        }
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0x5c7ee;
};

}  // namespace scree::math
