// What the rows of a pass leave at the end of a step: their work, how many of them touch, and the
// impulses that the next step starts from.
#pragma once

#include "stages/relax/device_relax.hpp"
#include "stages/rows/device_row_columns.hpp"

namespace scree::finish {

/// Of a row: whether it touches, whether bodies penetrate each other there, and how deep.
SCREE_HD exec::Sums<3> row_count(std::uint8_t mark, double depth)
{
    return {{(mark & rows::mark_touching) != 0 ? 1.0 : 0.0,
             (mark & rows::mark_penetrating) != 0 ? 1.0 : 0.0, depth}};
}

/// The work of all rows, and row_count of round ones.
using RowSums = exec::Sums<relax::sum_count + 3>;

/// Sums of one row, as an item of a sum that reads ahead. Where it is not sure that the pass was
/// the last, there are none if it was not, and impulses are kept as well if it was.
template <class T, class Last> struct EndOfRows {
    relax::WorkOfRows<T> work;
    Last last;
    const rows::RowPlaces* places;
    const std::uint8_t* mark;
    const double* depth;
    const std::uint32_t* pair_of_row;
    const std::uint32_t* first;  ///< contact of each pair
    Vec3<double>* kept;          ///< impulses of contacts

    struct Ahead {
        std::uint32_t pair = candidates::no_row, slot_a = 0, slot_b = 0;
        Vec3<T> impulse{0, 0, 0};
        std::uint8_t mark = 0;
        double depth = 0;
    };
    [[nodiscard]] SCREE_HD Ahead ahead(std::size_t i) const
    {
        if (i >= work.round_rows()) {
            return {};
        }
        const state::RoundRowsOf<T>& block = work.rows.round[state::RoundPlace(i).block];
        const int lane = state::RoundPlace(i).lane;
        return {pair_of_row[i],
                block.slot[0][lane],
                block.slot[1][lane],
                {block.impulse[0][lane], block.impulse[1][lane], block.impulse[2][lane]},
                mark[i],
                depth[i]};
    }
    SCREE_HD RowSums operator()(std::size_t i, const Ahead& row) const
    {
        RowSums sums;
        if (i >= work.round_rows()) {
            join(work(i), {}, sums);
            return sums;
        }
        const bool keeps = !last.sure;
        if (keeps && (static_cast<unsigned>(i >= places->round_rows) |
                      static_cast<unsigned>(!last())) != 0) {
            return sums;
        }
        const std::uint32_t contact =
            keeps && row.pair != candidates::no_row ? first[row.pair] : candidates::no_row;
        const bool any = row.impulse.x != 0 || row.impulse.y != 0 || row.impulse.z != 0;
        join(any ? work.of_round(i, row.slot_a, row.slot_b) : relax::WorkSums{},
             row_count(row.mark, row.depth), sums);
        if (contact != candidates::no_row) {
            kept[contact] = {static_cast<double>(row.impulse.x), static_cast<double>(row.impulse.y),
                             static_cast<double>(row.impulse.z)};
        }
        return sums;
    }

private:
    SCREE_HD static void join(const relax::WorkSums& work, const exec::Sums<3>& count,
                              RowSums& sums)
    {
        for (int k = 0; k < relax::sum_count; ++k) {
            sums.of[k] = work.of[k];
        }
        for (int k = 0; k < 3; ++k) {
            sums.of[relax::sum_count + k] = count.of[k];
        }
    }
};

}  // namespace scree::finish
