// The levels of the hierarchical grid, made from a census of the balls: how many there are of each
// size, and the space that they take.
#pragma once

#include "stages/neighbours/grid_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace scree::neighbours {

inline constexpr int max_levels = 32;
/// More neighbours than this on average are no packing but a mistake.
inline constexpr std::size_t absurd_pairs_per_ball = 512;
inline constexpr const char* too_many_balls = "neighbour list: more than 2^31 - 1 bounding spheres";
inline constexpr const char* absurd_pairs =
    "neighbour list: hundreds of overlapping neighbours for every body: the bodies lie inside each "
    "other, or their margins are too large";
inline constexpr const char* too_many_pairs =
    "neighbour list: more than 2^32 - 1 pairs of overlapping bounding spheres: the bodies lie "
    "inside each other, or their margins are too large";
inline constexpr const char* too_many_pairs_of_a_device =
    "neighbour list: more than 2^31 - 1 pairs of overlapping bounding spheres, which is what a GPU "
    "can number: step the world on the host";

/// Radii are classed by the bits of the number: 8 classes per octave between 2⁻⁶⁴ and 2⁶⁴.
inline constexpr int radius_classes = 1024;
SCREE_HD std::uint32_t radius_class(double r)
{
    const auto high = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(r) >> 49);
    return static_cast<std::uint32_t>(within(high - ((1023 - 64) << 3), 0, radius_classes - 1));
}

/// Numbers and largest radii by class, and the balls' bounding box.
struct Census {
    Index count[radius_classes];
    double radius[radius_classes];
    double low[3], high[3];
};

struct LevelGrid {
    shapes::Periodic box;
    Level level[max_levels];  ///< from the largest balls down
    int levels = 0;
    bool any_hashed = false;
    std::uint8_t level_of_class[radius_classes]{};
    std::uint64_t entries = 0;  ///< of the table of all levels

    [[nodiscard]] SCREE_HD int level_of(const shapes::Ball& ball) const
    {
        return level_of_class[radius_class(ball.r)];
    }
    [[nodiscard]] SCREE_HD double wrapped(const shapes::Ball& ball, int axis) const
    {
        return box.wrapped(ball.coordinate(axis), axis);
    }
    /// The entry that a ball's cell has in the table.
    [[nodiscard]] SCREE_HD Index entry_of(const shapes::Ball& ball) const
    {
        const Level& l = level[level_of(ball)];
        return l.entry(l.cell(wrapped(ball, 0), 0), l.cell(wrapped(ball, 1), 1),
                       l.cell(wrapped(ball, 2), 2));
    }

    void make(const Census& all, const shapes::Periodic& periodic);
};

inline void LevelGrid::make(const Census& all, const shapes::Periodic& periodic)
{
    box = periodic;
    // From the largest down: a level takes the classes down to half of its largest radius.
    levels = 0;
    int lowest = radius_classes;
    for (int c = radius_classes; c-- > 0;) {
        if (all.count[c] == 0) {
            continue;
        }
        if (levels == 0 || (c < lowest && levels < max_levels)) {
            level[levels++] = {};
            lowest = c > 7 ? c - 7 : 0;
            level[levels - 1].reach = all.radius[c];
        }
        level[levels - 1].count += all.count[c];
        level_of_class[c] = static_cast<std::uint8_t>(levels - 1);
    }
    entries = 0;
    any_hashed = false;
    for (Level& l : std::span(level, static_cast<std::size_t>(levels))) {
        const double width = std::max(2 * l.reach * (1 + 0x1p-20), 0x1p-500);
        double cells = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double L = box.length[axis];
            // Where no ball is anywhere there is no box.
            const bool somewhere = all.low[axis] <= all.high[axis];
            const double low = somewhere ? all.low[axis] : 0;
            const double high = somewhere ? all.high[axis] : 0;
            const double far = std::max(std::fabs(low), std::fabs(high));
            l.wraps[axis] = L > 0;
            l.slack[axis] = 0x1p-40;
            if (L > 0) {
                const double number = std::clamp(std::floor(L / width), 1.0, 0x1p40);
                l.origin[axis] = box.origin[axis];
                l.inverse[axis] = number / L;
                l.slack[axis] += 0x1p-49 * (number + l.inverse[axis] * far);
                l.high[axis] = static_cast<Cell>(number) - 1;
            } else {
                l.inverse[axis] = 1 / width;
                l.low[axis] = floor_to_cell(low * l.inverse[axis]);
                l.high[axis] = floor_to_cell(high * l.inverse[axis]);
            }
            cells *= static_cast<double>(l.high[axis] - l.low[axis] + 1);
        }
        l.base = static_cast<Index>(entries);
        l.dense = cells <= 2.0 * l.count + 64;
        const Index rows = std::bit_ceil((l.count >> row_bits) + 1);
        l.mask = rows - 1;
        entries += l.dense ? static_cast<std::uint64_t>(cells) : std::uint64_t(rows) << row_bits;
        any_hashed = any_hashed || !l.dense;
    }
}

}  // namespace scree::neighbours
