// What a device expects of the next step before the host has heard of this one: that this pass was
// the last, that the list is still good, and that sinks take away all bodies in the watched boxes.
// So it finds the candidates of that step while the host is busy. If it comes otherwise, they are
// found again.
#pragma once

#include "engine/engine.hpp"
#include "engine/pass_numbers.hpp"

namespace scree::engine {

/// Boxes that bodies are looked for in before every step: sinks.
struct Watched {
    static constexpr std::size_t capacity = 8, room = 64;
    Box box[capacity];
    std::size_t count = 0;
    std::uint32_t asked = 0;  ///< for which of them somebody has, since the step: bits

    /// Where a box is among them, or how many there are.
    [[nodiscard]] std::size_t find(const Box& b) const
    {
        const auto equal = [](const Vec3<double>& x, const Vec3<double>& y) {
            return x.x == y.x && x.y == y.y && x.z == y.z;
        };
        std::size_t w = 0;
        while (w < count && !(equal(box[w].min, b.min) && equal(box[w].max, b.max))) {
            ++w;
        }
        return w;
    }
    /// Forgets those that nobody asked for: what is in them would not be expected to stay there.
    void begin_step()
    {
        std::size_t kept = 0;
        for (std::size_t w = 0; w < count; ++w) {
            if ((asked >> w & 1U) != 0) {
                box[kept++] = box[w];
            }
        }
        count = kept;
        asked = 0;
    }
};

/// Whether a pass was the step's last: the host knows, or nothing is left to be looked at. All is
/// read at once, since threads wait for it.
struct LastPass {
    const Numbers* numbers;
    bool sure;
    [[nodiscard]] SCREE_HD bool operator()() const
    {
        return sure ||
               (numbers->overflow | numbers->stale | numbers->missed | numbers->bouncing) == 0;
    }
};

/// For the candidates of a step: whether it comes as expected, and who will be gone by then. As it
/// stands, of a step that is there.
struct Foresight {
    LastPass last{nullptr, true};
    const std::uint32_t* stale = nullptr;  ///< the list is not good for it
    Watched watched;

    [[nodiscard]] SCREE_HD bool comes() const
    {
        return stale == nullptr || (static_cast<std::uint32_t>(!last()) | *stale) == 0;
    }
    [[nodiscard]] SCREE_HD bool gone(const state::BodyView& bodies, state::BodyPair pair) const
    {
        for (std::size_t w = 0; w < watched.count; ++w) {
            if (engine::is_inside(bodies, pair.first, watched.box[w]) ||
                engine::is_inside(bodies, pair.second, watched.box[w])) {
                return true;
            }
        }
        return false;
    }
};

}  // namespace scree::engine
