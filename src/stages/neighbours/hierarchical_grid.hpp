// The broad phase: which bounding spheres overlap. Balls are sorted into levels by radius, each
// level into cells about as wide as its largest ball; a ball looks for partners in the cells around
// it on its own level and on the coarser ones, so the work grows with the number of balls, whatever
// their sizes. Cells are entries of one table filled by a counting sort; where a level's bounding
// box has many more cells than balls, rows of cells are hashed instead. Whether a pair is listed
// depends on `overlap` below alone, and the list is sorted: the same for any number of threads.
#pragma once

#include "shapes/ball.hpp"
#include "shapes/periodic.hpp"
#include "state/pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::neighbours {

/// Finds overlapping balls. Keeps its buffers between calls: where numbers do not grow, nothing is
/// allocated.
class HierarchicalGrid {
public:
    HierarchicalGrid();
    ~HierarchicalGrid();
    HierarchicalGrid(HierarchicalGrid&&) noexcept;
    HierarchicalGrid& operator=(HierarchicalGrid&&) noexcept;

    /// Lists all overlapping pairs with at least one ball of [0, movable_count), sorted by
    /// (first, second). Radii are ≥ 0 and, on periodic axes, at most a quarter of the length: with
    /// larger ones a pair is still listed once, but only one of its images is seen. Coordinates and
    /// radii are finite, below 1e18. Throws Error for 2³¹ balls or 2³² pairs and more.
    void find_pairs(std::span<const shapes::Ball> balls, std::size_t movable_count,
                    const shapes::Periodic& box, std::vector<state::BodyPair>& pairs, int threads);

    /// Distance tests made by the last find_pairs: proportional to the work.
    std::size_t tests() const;
    /// Number of levels of the last find_pairs.
    std::size_t levels() const;
    /// Memory held by the buffers.
    std::size_t bytes() const;

private:
    struct Buffers;
    std::unique_ptr<Buffers> buffers_;
};

}  // namespace scree::neighbours
