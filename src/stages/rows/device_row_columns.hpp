// The rows of a pass on a device, with what is kept of each, and what the host learns of them.
#pragma once

#include "stages/rows/device_row_places.hpp"
#include "stages/rows/pass_speeds.hpp"
#include "state/device_columns.hpp"

namespace scree::rows {

/// What the host learns of the rows of a pass.
struct RowCounts {
    PassSpeeds speeds;
    std::uint32_t bouncing, deep, first_deep, degenerate, first_degenerate;
    std::uint32_t round_blocks, general_blocks, contacts, overflow;
};

/// What a row's set-up knows beside the row.
enum RowMark : std::uint8_t { mark_touching = 1, mark_penetrating = 2 };

/// Round rows are in the numbers T.
template <class Loops, class T> struct RowColumns {
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    Buffer<state::RoundRowsOf<T>> round;
    Buffer<state::InertBlock<T>> inert;  ///< of round rows
    Buffer<state::GeneralBlock> general;
    Buffer<RowPlaces> places;
    Buffer<GeneralRows> general_scan;
    // By row:
    Buffer<std::uint32_t> pair_of_row;  ///< of round rows, in the step's order; no_row: idle
    Buffer<std::uint32_t> next_on_wall, next_point;
    Buffer<std::uint32_t> round_turn, general_turn;  ///< see Turn
    Buffer<std::uint8_t> round_mark, general_mark;
    Buffer<double> round_depth, general_depth;
    // By contact:
    Buffer<std::uint32_t> row_of;

    void fit_rows(std::size_t round_blocks, std::size_t general_blocks)
    {
        round.fit((round_blocks * state::block_lanes + state::round_lanes - 1) /
                  state::round_lanes);
        round_blocks = round_capacity();
        inert.fit(round.size());
        general.fit(general_blocks);
        pair_of_row.fit(round_blocks * state::block_lanes);
        next_on_wall.fit(round_blocks * state::block_lanes);
        round_turn.fit(round_blocks * state::block_lanes);
        general_turn.fit(general_blocks * state::block_lanes);
        round_mark.fit(round_blocks * state::block_lanes);
        round_depth.fit(round_blocks * state::block_lanes);
        next_point.fit(general_blocks * state::block_lanes);
        general_mark.fit(general_blocks * state::block_lanes);
        general_depth.fit(general_blocks * state::block_lanes);
        row_of.fit((round_blocks + general_blocks) * state::block_lanes);
    }
    /// In blocks of block_lanes rows.
    [[nodiscard]] std::size_t round_capacity() const
    {
        return round.size() * state::round_lanes / state::block_lanes;
    }
    [[nodiscard]] std::size_t row_bytes() const
    {
        return round.bytes() + general.bytes() + places.bytes() + general_scan.bytes() +
               pair_of_row.bytes() + next_on_wall.bytes() + next_point.bytes() +
               round_turn.bytes() + general_turn.bytes() + inert.bytes() + round_mark.bytes() +
               general_mark.bytes() + round_depth.bytes() + general_depth.bytes() + row_of.bytes();
    }
};

/// The columns of round rows, and of general ones, for kernels.
template <class T> struct RoundRowsView {
    state::RoundRowsOf<T>* row;
    state::InertBlock<T>* inert;
    std::uint32_t *pair, *next_on_wall, *turn;
    std::uint8_t* mark;
    double* depth;
};
struct GeneralRowsView {
    state::GeneralBlock* row;
    std::uint32_t *next_point, *turn;
    std::uint8_t* mark;
    double* depth;
};
template <class Loops, class T> RoundRowsView<T> round_view(RowColumns<Loops, T>& rows)
{
    return {.row = rows.round.data(),
            .inert = rows.inert.data(),
            .pair = rows.pair_of_row.data(),
            .next_on_wall = rows.next_on_wall.data(),
            .turn = rows.round_turn.data(),
            .mark = rows.round_mark.data(),
            .depth = rows.round_depth.data()};
}
template <class Loops, class T> GeneralRowsView general_view(RowColumns<Loops, T>& rows)
{
    return {.row = rows.general.data(),
            .next_point = rows.next_point.data(),
            .turn = rows.general_turn.data(),
            .mark = rows.general_mark.data(),
            .depth = rows.general_depth.data()};
}

template <class Loops, class T>
RowScans scans_of(const candidates::FoundPairs<Loops>& found, const RowColumns<Loops, T>& rows)
{
    return {found.round_scan(), found.any_general ? rows.general_scan.data() : nullptr};
}

}  // namespace scree::rows
