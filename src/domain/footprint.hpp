// Where a rank's own bodies are, so that others can tell which of theirs may touch one of them: a
// box for every class of sizes, a factor of two each, since a few large bodies reach far.
#pragma once

#include "collide/hierarchical_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::domain {

struct Box {
    double min[3], max[3];
};
struct SizeBox {
    int size;  ///< the binary exponent of the radius
    Box box;
};

/// How far a coordinate is from a box's side, of the nearest images.
inline double apart(double x, const Box& box, int axis, const collide::Periodic& period)
{
    const double middle = (box.min[axis] + box.max[axis]) / 2;
    const double half = (box.max[axis] - box.min[axis]) / 2;
    return std::max(collide::image_distance(x - middle, period.length[axis]) - half, 0.0);
}

/// Whether boxes overlap; empty ones do not.
inline bool near(const Box& a, const Box& b, const collide::Periodic& period)
{
    bool near = true;
    for (int axis = 0; axis < 3; ++axis) {
        const double middle = (b.min[axis] + b.max[axis]) / 2;
        const double half = (b.max[axis] - b.min[axis]) / 2;
        near = near && a.min[axis] <= a.max[axis] && apart(middle, a, axis, period) <= half;
    }
    return near;
}

class Footprint {
public:
    Footprint() = default;
    explicit Footprint(std::vector<SizeBox> boxes) : boxes_(std::move(boxes)) {}

    void add(const collide::Ball& ball)
    {
        if (!std::isfinite(ball.x + ball.y + ball.z + ball.r)) {
            return;  // it touches nothing
        }
        const int size = ball.r > 0 ? std::ilogb(ball.r) : std::numeric_limits<int>::min();
        auto box = std::find_if(boxes_.begin(), boxes_.end(),
                                [&](const SizeBox& b) { return b.size == size; });
        if (box == boxes_.end()) {
            boxes_.push_back({size, empty});
            box = boxes_.end() - 1;
        }
        for (int axis = 0; axis < 3; ++axis) {
            double& min = box->box.min[axis];
            double& max = box->box.max[axis];
            min = std::min(min, ball.coordinate(axis) - ball.r);
            max = std::max(max, ball.coordinate(axis) + ball.r);
        }
    }
    [[nodiscard]] const std::vector<SizeBox>& boxes() const { return boxes_; }
    /// All boxes are well inside it.
    [[nodiscard]] Box whole() const
    {
        Box all = empty;
        for (const SizeBox& b : boxes_) {
            for (int axis = 0; axis < 3; ++axis) {
                const double more = 1e-3 * (b.box.max[axis] - b.box.min[axis]);
                all.min[axis] = std::min(all.min[axis], b.box.min[axis] - more);
                all.max[axis] = std::max(all.max[axis], b.box.max[axis] + more);
            }
        }
        return all;
    }

    /// Keeps the boxes that some ball inside another footprint may reach.
    void keep_near(const Footprint& other, const collide::Periodic& period)
    {
        std::erase_if(boxes_, [&](const SizeBox& ours) {
            return std::none_of(
                other.boxes_.begin(), other.boxes_.end(),
                [&](const SizeBox& theirs) { return near(ours.box, theirs.box, period); });
        });
    }
    /// Whether a ball reaches into one of the boxes.
    [[nodiscard]] bool touches(const collide::Ball& ball, const collide::Periodic& period) const
    {
        return std::any_of(boxes_.begin(), boxes_.end(), [&](const SizeBox& ours) {
            double squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double d = apart(ball.coordinate(axis), ours.box, axis, period);
                squared += d * d;
            }
            return squared <= ball.r * ball.r;
        });
    }

private:
    static constexpr double inf = std::numeric_limits<double>::infinity();
    static constexpr Box empty{{inf, inf, inf}, {-inf, -inf, -inf}};

    std::vector<SizeBox> boxes_;
};

}  // namespace scree::domain
