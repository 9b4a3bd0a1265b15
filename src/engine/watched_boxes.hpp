// Boxes that bodies are looked for in before every step: sinks. A device notes at the end of a step
// which bodies are in them, so that the host need not ask again.
#pragma once

#include "engine/engine.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace scree::engine {

/// The boxes, as kernels see them.
struct WatchedBoxes {
    static constexpr std::size_t capacity = 8;
    static constexpr std::size_t room = 64;  ///< for bodies in them
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

/// A body in a watched box.
struct InsideBox {
    BodyInBox body;
    std::uint32_t box;
};

/// The bodies that were in the boxes when the last step ended and have not been removed since.
class BodiesInBoxes {
public:
    [[nodiscard]] const WatchedBoxes& boxes() const { return boxes_; }
    /// How many bodies are left.
    [[nodiscard]] std::size_t left() const { return left_; }

    /// `found`: as many of the `inside` bodies as there was room for.
    void found(std::span<const InsideBox> found, std::size_t inside)
    {
        found_.assign(found.begin(), found.end());
        std::ranges::sort(found_, {}, [](const InsideBox& f) { return f.body.body; });
        complete_ = found.size() == inside;
        left_ = inside;
    }
    /// Bodies may have moved: which ones are in the boxes is not known.
    void forget() { complete_ = false; }
    void begin_step()
    {
        boxes_.begin_step();
        forget();
    }
    /// The bodies in a box if they are known. The box is watched from now on, if there is room.
    [[nodiscard]] std::optional<std::vector<BodyInBox>> find(const Box& box)
    {
        const std::size_t at = boxes_.find(box);
        boxes_.asked |= 1U << at;
        if (at == boxes_.count) {
            if (boxes_.count < WatchedBoxes::capacity) {
                boxes_.box[boxes_.count++] = box;
                forget();
            }
            return std::nullopt;
        }
        if (!complete_) {
            return std::nullopt;
        }
        std::vector<BodyInBox> out;
        for (const InsideBox& f : found_) {
            if (f.box == at) {
                out.push_back(f.body);
            }
        }
        return out;
    }
    /// Returns whether all of these were known to be in the boxes.
    [[nodiscard]] bool remove(const std::vector<BodyInBox>& gone)
    {
        for (const BodyInBox& body : gone) {
            const auto same = [&](const InsideBox& f) { return f.body.body == body.body; };
            complete_ = complete_ && std::ranges::any_of(found_, same);
        }
        for (const BodyInBox& body : gone) {
            std::erase_if(found_, [&](const InsideBox& f) { return f.body.body == body.body; });
        }
        left_ = found_.size();
        return complete_;
    }

private:
    WatchedBoxes boxes_;
    std::vector<InsideBox> found_;  ///< by the places of bodies
    bool complete_ = false;         ///< found_ has all bodies in the boxes
    std::size_t left_ = 0;
};

}  // namespace scree::engine
