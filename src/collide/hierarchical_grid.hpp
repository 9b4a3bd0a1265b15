// The broad phase: which bounding spheres overlap. Balls are sorted into levels by radius, each
// level into cells about as wide as its largest ball; a ball looks for partners in the cells around
// it on its own level and on the coarser ones, so the work grows with the number of balls, whatever
// their sizes. Cells are entries of one table filled by a counting sort; where a level's bounding
// box has many more cells than balls, rows of cells are hashed instead. Whether a pair is listed
// depends on `overlap` below alone, and the list is sorted: the same for any number of threads.
#pragma once

#include "collide/periodic.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::collide {

/// A bounding sphere, with whatever margin the caller wants already in its radius.
struct alignas(32) Ball {
    double x, y, z, r;

    [[nodiscard]] SCREE_HD double coordinate(int axis) const
    {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
};

/// Indices of two balls, first < second.
struct alignas(8) BodyPair {
    std::uint32_t first, second;
    friend bool operator==(const BodyPair&, const BodyPair&) = default;
};

/// |x_a − x_b| ≤ r_a + r_b, of the nearest images. The same for (b, a).
SCREE_HD bool overlap(const Ball& a, const Ball& b, const Periodic& box)
{
    const double dx = image_distance(a.x - b.x, box.length[0]);
    const double dy = image_distance(a.y - b.y, box.length[1]);
    const double dz = image_distance(a.z - b.z, box.length[2]);
    const double reach = a.r + b.r;
    return dx * dx + dy * dy + dz * dz <= reach * reach;
}

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
    /// radii are finite, below 1e18. Throws std::length_error for 2³¹ balls or 2³² pairs and more.
    void find_pairs(std::span<const Ball> balls, std::size_t movable_count, const Periodic& box,
                    std::vector<BodyPair>& pairs, int threads);

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

}  // namespace scree::collide
