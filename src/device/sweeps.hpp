// Sweeps over the rows of a device: the same verbs on the same contacts in the same order as on the
// host, as far as order matters. Each slot counts the contacts that it has been through, and each
// row knows at which counts of its two slots its turn has come; a thread waits for that and goes
// on. So nobody waits for a whole colour, and a sweep begins where the one before is through.
// Contacts of a sphere with walls, and the points of a pair of other bodies, are chains that one
// thread goes along.
//
// Nobody waits for ever: threads take rows in the order of a sweep, and all of them run at once, so
// that the first row of all that are left is always free to go.
#pragma once

#include "device/grid.hpp"
#include "device/row_places.hpp"
#include "device/rows_view.hpp"
#include "device/turns.hpp"
#include "solve/relax_control.hpp"

namespace scree::device {

using sweeps::RowVerb;

/// What a sweep reads and writes.
struct SweepView {
    RoundBlock* round;
    GeneralBlock* general;
    sweeps::Slots slots;
    const RowPlaces* places;
    const std::uint32_t* next_on_wall;  ///< of each round row: the next of its chain; no_row: none
    const std::uint32_t* next_point;    ///< of each general row: the pair's next; no_row: none
    const std::uint32_t *round_turn, *general_turn;  ///< of each row, see Turn
    std::uint32_t* done;                             ///< how many contacts a slot has been through
    std::size_t slot_count;
    const Split* splits;
    std::size_t split_count;
    int colours;
    Law law;
    bool any_general;  ///< there may be general rows
};

template <RowVerb verb> SCREE_HD double round_row(const SweepView& d, std::uint32_t at)
{
    return sweeps::on_row<verb, Law::max_dissipation>(d.round[at / block_lanes],
                                                      static_cast<int>(at % block_lanes), d.slots);
}
template <RowVerb verb> SCREE_LONG double general_row(const SweepView& d, std::uint32_t at)
{
    GeneralBlock& block = d.general[at / block_lanes];
    const auto lane = static_cast<int>(at % block_lanes);
    switch (d.law) {
    case Law::coulomb: return sweeps::on_row<verb, Law::coulomb>(block, lane, d.slots);
    case Law::frictionless: return sweeps::on_row<verb, Law::frictionless>(block, lane, d.slots);
    case Law::projected: return sweeps::on_row<verb, Law::projected>(block, lane, d.slots);
    default: return sweeps::on_row<verb, Law::max_dissipation>(block, lane, d.slots);
    }
}

template <class Grid> SCREE_HD void open_copies(Grid& grid, const SweepView& d)
{
    for (std::size_t s = grid.thread(); s < d.split_count; s += grid.threads()) {
        sweeps::open_copies(d.splits[s], d.slots.velocity);
    }
    if (d.split_count > 0) {
        grid.sync();
    }
}
template <class Grid> SCREE_HD void join_copies(Grid& grid, const SweepView& d)
{
    for (std::size_t s = grid.thread(); s < d.split_count; s += grid.threads()) {
        sweeps::join_copies(d.splits[s], d.slots.velocity);
    }
    if (d.split_count > 0) {
        grid.sync();
    }
}

/// What a thread waits for, and says afterwards.
struct Wait {
    std::uint32_t *done_a, *done_b;  ///< the second is null if nobody waits for it
    std::uint32_t at_a, at_b;
};
SCREE_HD Wait wait_for(const SweepView& d, std::uint32_t packed, std::uint32_t number,
                       std::uint32_t slot_a, std::uint32_t slot_b)
{
    const Turn turn = Turn::of(packed);
    return {d.done + slot_a, turn.all_b > 0 ? d.done + slot_b : nullptr,
            number * turn.all_a + turn.rank_a, number * turn.all_b + turn.rank_b};
}

/// One sweep, of this number; the largest square of a residual velocity that this thread saw.
template <RowVerb verb, bool general, class Grid>
SCREE_HD double sweep(Grid& grid, const SweepView& d, std::uint32_t number)
{
    double most = 0;
    const auto see = [&](double residual2) { most = residual2 > most ? residual2 : most; };
    const std::size_t first = grid.warp_thread(), stride = grid.threads();
    const std::size_t round_rows = d.places->round_rows;
    for (std::size_t from = first; from < round_rows; from += stride) {
        const std::size_t at = from + grid.lane();
        const std::uint32_t turn = at < round_rows ? d.round_turn[at] : no_turn;
        RoundBlock& block = d.round[(turn != no_turn ? at : from) / block_lanes];
        const auto lane = static_cast<int>((turn != no_turn ? at : from) % block_lanes);
        const std::uint32_t slot_a = block.slot[0][lane], slot_b = block.slot[1][lane];
        const sweeps::RoundRow<double> row = sweeps::load(block, lane);
        const auto go = [&] {
            see(sweeps::on_row<verb>(row, slot_a, slot_b, block, lane, d.slots));
            if (at >= d.places->on_wall.begin) {
                for (std::uint32_t next = d.next_on_wall[at]; next != no_row;
                     next = d.next_on_wall[next]) {
                    see(round_row<verb>(d, next));
                }
            }
        };
        if constexpr (verb == RowVerb::measure) {
            if (turn != no_turn) {
                go();
            }
        } else {
            grid.in_turn(turn != no_turn, wait_for(d, turn, number, slot_a, slot_b), go);
        }
    }
    if constexpr (general) {
        const std::size_t general_rows = d.places->general_rows;
        for (std::size_t from = first; from < general_rows; from += stride) {
            const std::size_t at = from + grid.lane();
            const std::uint32_t turn = at < general_rows ? d.general_turn[at] : no_turn;
            const GeneralBlock& block = d.general[(turn != no_turn ? at : from) / block_lanes];
            const std::size_t lane = (turn != no_turn ? at : from) % block_lanes;
            const auto go = [&] {
                for (auto next = static_cast<std::uint32_t>(at); next != no_row;
                     next = d.next_point[next]) {
                    see(general_row<verb>(d, next));
                }
            };
            if constexpr (verb == RowVerb::measure) {
                if (turn != no_turn) {
                    go();
                }
            } else {
                grid.in_turn(turn != no_turn,
                             wait_for(d, turn, number, block.slot[0][lane], block.slot[1][lane]),
                             go);
            }
        }
    }
    if constexpr (verb != RowVerb::measure) {
        if (d.split_count > 0) {
            grid.sync();
            join_copies(grid, d);
        }
    }
    return most;
}

/// How sweeps went.
struct SweepResult {
    double residual2[3];  ///< of the last sweeps, by number modulo 3
    std::uint32_t sweeps;
    /// The residual velocity of the last one.
    [[nodiscard]] double residual() const
    {
        return sweeps > 0 ? lane::sqrt(residual2[(sweeps - 1) % 3]) : 0;
    }
};

/// Lets the impulses act, if asked to, and then makes up to `most` sweeps, fewer if the residual
/// falls to the goal.
template <bool general> struct RelaxTask {
    SweepView d;
    int most;
    bool apply;
    double goal;          ///< a residual velocity; 0: none
    const double* scale;  ///< null, or what the goal is relative to
    SweepResult* result;

    template <class Grid> SCREE_HD void operator()(Grid grid) const
    {
        open_copies(grid, d);
        std::uint32_t number = 0;
        if (apply) {
            sweep<RowVerb::apply, general>(grid, d, number++);
        }
        const double enough = scale != nullptr ? goal * *scale : goal;
        if (grid.thread() == 0) {
            result->residual2[0] = result->residual2[1] = result->residual2[2] = 0;
            result->sweeps = 0;
        }
        grid.sync();
        for (int k = 0; k < most; ++k) {
            const double own = sweep<RowVerb::relax, general>(grid, d, number++);
            // Nobody waits for all but where all have to know.
            if (enough > 0 || k + 1 == most) {
                if (grid.thread() == 0) {
                    result->residual2[(k + 1) % 3] = 0;
                }
                grid.largest(result->residual2[k % 3], own);
                grid.sync();
                if (grid.thread() == 0) {
                    result->sweeps = static_cast<std::uint32_t>(k + 1);
                }
                if (enough > 0 && lane::sqrt(result->residual2[k % 3]) <= enough) {
                    break;
                }
            }
        }
    }
};

/// The largest square of a residual velocity, without changing anything.
template <bool general> struct MeasureTask {
    SweepView d;
    double* residual2;

    template <class Grid> SCREE_HD void operator()(Grid grid) const
    {
        open_copies(grid, d);
        grid.largest(*residual2, sweep<RowVerb::measure, general>(grid, d, 0));
    }
};

/// Starts a task, the shorter one where all rows are round.
template <template <bool> class Task, class Loops, class... Arguments>
void start(Loops& loops, std::size_t items, const SweepView& d, const Arguments&... arguments)
{
    loops.fill_bytes(d.done, 0, d.slot_count);
    if (d.any_general) {
        cooperate(loops, items, Task<true>{d, arguments...});
    } else {
        cooperate(loops, items, Task<false>{d, arguments...});
    }
}

/// What RelaxRows asks for sweeps.
template <class Loops> class Sweeper {
public:
    explicit Sweeper(Loops& loops) : loops_(loops) { result_.fit(1); }

    /// As many threads as `items` make sense.
    void refer_to(const SweepView& view, std::size_t items)
    {
        view_ = view;
        items_ = items;
    }
    sweeps::Swept relax(const RowsView& /*rows*/, int most, double goal)
    {
        start<RelaxTask>(loops_, items_, view_, most, false, goal, none, result_.data());
        SweepResult result;
        loops_.download(result_.data(), &result, 1);
        return {static_cast<int>(result.sweeps), result.residual()};
    }
    void apply(const RowsView& /*rows*/)
    {
        start<RelaxTask>(loops_, items_, view_, 0, true, 0.0, none, result_.data());
    }
    double measure(const RowsView& /*rows*/)
    {
        double* residual2 = result_.data()->residual2;
        loops_.fill_bytes(residual2, 0, 1);
        start<MeasureTask>(loops_, items_, view_, residual2);
        SweepResult result;
        loops_.download(result_.data(), &result, 1);
        return lane::sqrt(result.residual2[0]);
    }

private:
    static constexpr const double* none = nullptr;
    Loops& loops_;
    SweepView view_{};
    std::size_t items_ = 1;
    typename Loops::template Buffer<SweepResult> result_;
};

}  // namespace scree::device
