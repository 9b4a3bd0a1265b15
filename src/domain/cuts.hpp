// Which rank a place belongs to: even boxes, or boxes made by cutting space across its longest
// side, again and again, so that the bodies on both sides are as much work as there are ranks for
// them (recursive bisection). Cuts are a pure function of the bodies and of what they weigh,
// whichever rank has them: weights are whole numbers, whose sums do not depend on any order.
#pragma once

#include "collide/hierarchical_grid.hpp"
#include "scree/ranks.hpp"

namespace scree::domain {

class Cuts {
public:
    /// Collective. `balls` and `weights` are those of this rank's own bodies.
    void make(Ranks& ranks, const Partition& partition, const collide::Periodic& box,
              std::span<const collide::Ball> balls, std::span<const std::uint32_t> weights);
    [[nodiscard]] bool made() const { return !nodes_.empty() || even_[0] > 0; }
    void forget() { *this = {}; }
    [[nodiscard]] int owner_of(const collide::Ball& ball) const;

private:
    /// A leaf has a rank; others cut across an axis.
    struct Node {
        int axis = -1, rank = 0;
        double cut = 0;
        std::uint32_t below = 0, above = 0;
    };
    /// A place as its coordinates in the periodic box.
    [[nodiscard]] std::array<double, 3> place(const collide::Ball& ball) const;
    void bisect(Ranks& ranks, std::span<const std::array<double, 3>> places,
                std::span<const std::uint32_t> weights);

    collide::Periodic box_{};
    std::vector<Node> nodes_;
    std::array<int, 3> even_{0, 0, 0};
    std::array<double, 3> min_{}, length_{};
};

}  // namespace scree::domain
