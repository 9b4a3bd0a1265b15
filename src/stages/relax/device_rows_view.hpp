// The rows of a device and what they refer to, as plain pointers.
#pragma once

#include "stages/relax/device_velocity_words.hpp"
#include "stages/relax/mass_splitting.hpp"

#include <array>

namespace scree::relax {

/// Rows are counted in blocks of block_lanes, round ones first.
template <class T> struct BlockColumns {
    state::RoundRowsOf<T>* round;
    std::size_t round_count;
    state::GeneralBlock* general;
    std::size_t general_count;
};

template <class T> struct RowsView : BlockColumns<T> {
    rows::Slots slots;
    const state::SplitBody* splits;
    std::size_t split_count;
    const state::RankSplitBody* shared;  ///< with other ranks
    std::size_t shared_count;
    Law law;
    std::array<int, state::part_local> leg_end;  ///< as of PairList
};

/// f(block, lane) of the i-th row.
template <class T, class F>
SCREE_HD auto with_row(const RowsView<T>& rows, std::size_t i, const F& f)
{
    const std::size_t round_rows = rows.round_count * state::block_lanes;
    if (i < round_rows) {
        const state::RoundPlace place(i);
        return f(rows.round[place.block], place.lane);
    }
    const std::size_t at = i - round_rows;
    return f(rows.general[at / state::block_lanes], static_cast<int>(at % state::block_lanes));
}

}  // namespace scree::relax
