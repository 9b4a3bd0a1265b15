// Which rank a place belongs to: even boxes, or boxes made by cutting space across its longest
// side, again and again, so that the work on both sides is as much as there are ranks for it
// (recursive bisection). A pair of bodies that a cut parts is work of the lower side, as it will be
// in the world. Cuts are tilted a little, by less than a grain over all space, so that they can
// also divide the layers of a lattice. They are a pure function of what there is to do, whichever
// rank has it: weights are whole numbers, whose sums do not depend on any order.
#pragma once

#include "scree/ranks.hpp"
#include "shapes/ball.hpp"

#include <algorithm>
#include <vector>

namespace scree::ranks {

/// Work that hangs on the places of one body or two.
struct Work {
    std::array<shapes::Ball, 2> balls;
    int bodies;
    std::uint32_t weight;
};

class Cuts {
public:
    /// Collective. `work` is what this rank has of all.
    void make(Ranks& ranks, const Partition& partition, const shapes::Periodic& box,
              std::span<const Work> work);
    [[nodiscard]] bool made() const { return !nodes_.empty() || even_[0] > 0; }
    /// As numbers, and back. Throws Error if they are no cuts for so many ranks.
    [[nodiscard]] std::vector<double> saved() const;
    void restore(std::span<const double> numbers, int ranks, const shapes::Periodic& box);
    [[nodiscard]] int owner_of(const shapes::Ball& ball) const;

private:
    /// A leaf has a rank; others cut across an axis.
    struct Node {
        int axis = -1, rank = 0;
        double cut = 0;
        std::uint32_t below = 0, above = 0;
    };
    /// A place as its coordinates in the periodic box, across tilted planes.
    [[nodiscard]] std::array<double, 3> place(const shapes::Ball& ball) const;
    struct Cut {
        std::size_t axis;
        double at;
    };
    /// Work in the piece of space that is being cut: the places of its bodies that are in there.
    struct Placed {
        std::array<std::array<double, 3>, 2> at;
        int bodies;
        double weight;
        bool part(const Cut& cut);
        [[nodiscard]] double lowest(std::size_t axis) const
        {
            return bodies == 1 ? at[0][axis] : std::min(at[0][axis], at[1][axis]);
        }
    };
    void bisect(Ranks& ranks, std::vector<Placed>& work);
    static Cut cut_of(Ranks& ranks, Ranks::Group group, const std::vector<Placed>& work);

    shapes::Periodic box_{};
    std::vector<Node> nodes_;
    std::array<int, 3> even_{0, 0, 0};
    std::array<double, 3> min_{}, length_{};
    double tilt_ = 0;
};

}  // namespace scree::ranks
