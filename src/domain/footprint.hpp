// Where a rank's own bodies are, so that others can tell which of theirs may touch one of them: a
// box for every class of sizes, a factor of two each, since a few large bodies reach far.
#pragma once

#include "collide/hierarchical_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::domain {

struct SizeBox {
    int size;  ///< the binary exponent of the radius
    double min[3], max[3];
};

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
            constexpr double inf = std::numeric_limits<double>::infinity();
            boxes_.push_back({size, {inf, inf, inf}, {-inf, -inf, -inf}});
            box = boxes_.end() - 1;
        }
        for (int axis = 0; axis < 3; ++axis) {
            box->min[axis] = std::min(box->min[axis], ball.coordinate(axis) - ball.r);
            box->max[axis] = std::max(box->max[axis], ball.coordinate(axis) + ball.r);
        }
    }
    [[nodiscard]] const std::vector<SizeBox>& boxes() const { return boxes_; }

    /// Keeps the boxes that some ball inside another footprint may reach.
    void keep_near(const Footprint& other, const collide::Periodic& period)
    {
        std::erase_if(boxes_, [&](const SizeBox& box) {
            return std::none_of(
                other.boxes_.begin(), other.boxes_.end(), [&](const SizeBox& theirs) {
                    bool near = true;
                    for (int axis = 0; axis < 3; ++axis) {
                        const double middle = (theirs.min[axis] + theirs.max[axis]) / 2;
                        const double half = (theirs.max[axis] - theirs.min[axis]) / 2;
                        near = near && apart(middle, box, axis, period) <= half;
                    }
                    return near;
                });
        });
    }
    /// Whether a ball reaches into one of the boxes.
    [[nodiscard]] bool touches(const collide::Ball& ball, const collide::Periodic& period) const
    {
        return std::any_of(boxes_.begin(), boxes_.end(), [&](const SizeBox& box) {
            double squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double d = apart(ball.coordinate(axis), box, axis, period);
                squared += d * d;
            }
            return squared <= ball.r * ball.r;
        });
    }

private:
    /// How far a coordinate is from a box's side, of the nearest images.
    static double apart(double x, const SizeBox& box, int axis, const collide::Periodic& period)
    {
        const double length = period.length[axis];
        const double half = (box.max[axis] - box.min[axis]) / 2;
        double d = std::abs(x - (box.min[axis] + box.max[axis]) / 2);
        if (length > 0) {
            d -= std::floor(d / length) * length;
            d = std::min(d, length - d);
        }
        return std::max(d - half, 0.0);
    }

    std::vector<SizeBox> boxes_;
};

}  // namespace scree::domain
