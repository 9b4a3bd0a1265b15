// One level of the hierarchical grid: balls of about one size in cells a little wider than the
// largest of them, so that partners are in the cells around. The cells are entries of a table that
// says where their balls are: one entry for each cell of the bounding box, or, where that has many
// more cells than balls, one for each row of a few cells by a hash.
#pragma once

#include "shapes/ball.hpp"

#include <cstdint>

namespace scree::neighbours {

using Index = std::uint32_t;
using Cell = std::int64_t;

/// Cell coordinates are kept within ±2⁴⁴, where a double still resolves 1/256 of a cell; what lies
/// further out shares the outermost cell.
inline constexpr double outermost = 0x1p44;
/// Cells in a row that a hashed level keeps together: 2^row_bits.
inline constexpr int row_bits = 2;
inline constexpr Cell row_cells = 1 << row_bits;

SCREE_HD Cell floor_to_cell(double t)
{
    t = t > -outermost ? t : -outermost;
    t = t < outermost ? t : outermost;
    const Cell cell = static_cast<Cell>(t);
    return cell - (t < static_cast<double>(cell) ? 1 : 0);
}

SCREE_HD Cell within(Cell c, Cell low, Cell high) { return c < low ? low : c > high ? high : c; }
SCREE_HD double within(double t, double low, double high)
{
    return t < low ? low : t > high ? high : t;
}

struct Level {
    double reach = 0;          ///< largest radius
    double origin[3]{};        ///< of periodic axes
    double inverse[3]{};       ///< 1/width of a cell
    double slack[3]{};         ///< what rounding may add to a cell coordinate, beside 2⁻⁴⁹|t|
    Cell low[3]{}, high[3]{};  ///< cells that exist; periodic axes: 0 … number of cells − 1
    bool wraps[3]{};
    bool dense = true;
    Index base = 0;  ///< first entry in the table
    Index mask = 0;  ///< of hashed levels: number of rows − 1
    Index count = 0;

    [[nodiscard]] SCREE_HD double in_cells(double x, int axis) const
    {
        return (x - origin[axis]) * inverse[axis];
    }
    /// The cell that a coordinate within the periodic box is in.
    [[nodiscard]] SCREE_HD Cell cell(double x, int axis) const
    {
        return within(floor_to_cell(in_cells(x, axis)), low[axis], high[axis]);
    }
    [[nodiscard]] SCREE_HD Index entry(Cell x, Cell y, Cell z) const
    {
        if (dense) {
            const Cell nx = high[0] - low[0] + 1;
            const Cell ny = high[1] - low[1] + 1;
            return base +
                   static_cast<Index>(((z - low[2]) * ny + (y - low[1])) * nx + (x - low[0]));
        }
        std::uint64_t h = static_cast<std::uint64_t>(x >> row_bits) * 0x9e3779b97f4a7c15U;
        h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(y);
        h *= 0xd6e8feb86659fd93U;
        h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(z);
        h *= 0xbf58476d1ce4e5b9U;
        return base + ((static_cast<Index>(h >> 32) & mask) << row_bits) +
               static_cast<Index>(x & (row_cells - 1));
    }
};

/// Cells from … to along an axis, before wrapping.
struct Stretch {
    Cell from, to;
};

/// The cells in which balls of a level may lie that touch a ball between x and y with a radius of
/// at most r.
SCREE_HD Stretch stretch_around(double x, double y, double r, const Level& level, int axis)
{
    const bool wraps = level.wraps[axis];
    const double least = wraps ? 0.0 : -outermost;
    const double most = wraps ? static_cast<double>(level.high[axis] + 1) : outermost;
    const double t = within(level.in_cells(x, axis), least, most);
    const double u = within(level.in_cells(y, axis), t, most);
    const double far = math::larger(math::abs(t), math::abs(u));
    // At most 1 and a little; larger only for what is not a ball.
    const double s = math::smaller(
        (r + level.reach) * level.inverse[axis] + level.slack[axis] + 0x1p-49 * far, 1.5);
    const Stretch out{floor_to_cell(t - s), floor_to_cell(math::smaller(u, t + 1.5) + s)};
    if (!wraps) {
        return {out.from > level.low[axis] ? out.from : level.low[axis],
                out.to < level.high[axis] ? out.to : level.high[axis]};
    }
    return out.to - out.from < level.high[axis] ? out : Stretch{0, level.high[axis]};
}

/// Cells that lie side by side along x.
struct CellRow {
    Cell from, to, y, z;
};

/// f(from, to, row) for the ranges of places that these cells' balls take, but for rows of cells
/// before the entry `least`. In hashed levels balls of other cells are among them.
template <class F>
SCREE_HD void for_ranges(const Level& level, const Stretch (&stretch)[3], const Index* table,
                         Index least, const F& f)
{
    const auto wrapped = [&](Cell c, int axis) {
        const Cell number = level.high[axis] + 1;
        return !level.wraps[axis] ? c : c < 0 ? c + number : c >= number ? c - number : c;
    };
    for (Cell z = stretch[2].from; z <= stretch[2].to; ++z) {
        for (Cell y = stretch[1].from; y <= stretch[1].to; ++y) {
            for (Cell x = stretch[0].from; x <= stretch[0].to;) {
                // As far as the table's row goes.
                const Cell c = wrapped(x, 0);
                const Cell end = level.dense ? level.high[0] : c | (row_cells - 1);
                const Cell last = c + (stretch[0].to - x);
                const CellRow row{c, within(last, c, end < level.high[0] ? end : level.high[0]),
                                  wrapped(y, 1), wrapped(z, 2)};
                const Index entry = level.entry(c, row.y, row.z);
                const Index last_entry = entry + static_cast<Index>(row.to - c);
                if (last_entry >= least) {
                    f(table[entry], table[last_entry + 1], row);
                }
                x += row.to - c + 1;
            }
        }
    }
}

}  // namespace scree::neighbours
