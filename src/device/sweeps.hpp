// Sweeps over the rows of a device: the same verbs on the same contacts in the same order as on the
// host, one contact per thread and a barrier between colours. Contacts of a sphere with walls, and
// the points of a pair of other bodies, are chains that one thread goes along, since they follow
// each other in the host's order and share their bodies with nobody else meanwhile.
#pragma once

#include "device/grid.hpp"
#include "device/row_places.hpp"
#include "device/rows_view.hpp"
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
    const std::uint8_t* wall_head;      ///< of each round row: whether a chain begins there
    const std::uint32_t* next_point;    ///< of each general row: the pair's next; no_row: none
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

/// A round row on its way from memory.
struct AheadRow {
    bool there = false;
    int lane = 0;
    std::uint32_t slot_a = 0, slot_b = 0;
    RoundBlock* block = nullptr;
    sweeps::RoundRow<double> row{};

    SCREE_HD void load(const SweepView& d, const RowRun& run, std::size_t thread)
    {
        const std::size_t at = run.begin + thread;
        there = at < run.end;
        if (there) {
            block = d.round + at / block_lanes;
            lane = static_cast<int>(at % block_lanes);
            slot_a = block->slot[0][lane];
            slot_b = block->slot[1][lane];
            row = sweeps::load(*block, lane);
        }
    }
};

/// One sweep; the largest square of a residual velocity that this thread saw. Ends with a barrier.
template <RowVerb verb, bool general, class Grid>
SCREE_HD double sweep(Grid& grid, const SweepView& d)
{
    double most = 0;
    const auto see = [&](double residual2) { most = residual2 > most ? residual2 : most; };
    const RowPlaces& places = *d.places;
    const int shared = places.shared_colours;
    // A thread's next row is loaded before the barrier: nobody else changes it.
    AheadRow ahead;
    if (shared > 0) {
        ahead.load(d, places.free[0], grid.thread());
    }
    for (int c = 0; c < shared; ++c) {
        const RowRun run = places.free[c];
        if (ahead.there) {
            see(sweeps::on_row<verb>(ahead.row, ahead.slot_a, ahead.slot_b, *ahead.block,
                                     ahead.lane, d.slots));
        }
        for (std::size_t at = run.begin + grid.thread() + grid.threads(); at < run.end;
             at += grid.threads()) {
            see(round_row<verb>(d, static_cast<std::uint32_t>(at)));
        }
        if (c + 1 < shared) {
            ahead.load(d, places.free[c + 1], grid.thread());
        }
        grid.sync();
    }
    if (shared < d.colours && places.free[shared].begin < places.on_wall.begin) {
        if (grid.first_block()) {
            for (int c = shared; c < d.colours; ++c) {
                const RowRun run = places.free[c];
                for (std::size_t at = run.begin + grid.block_thread(); at < run.end;
                     at += grid.block_threads()) {
                    see(round_row<verb>(d, static_cast<std::uint32_t>(at)));
                }
                grid.block_sync();
            }
        }
        grid.sync();
    }
    const RowRun walls = places.on_wall;
    if (walls.begin != walls.end) {
        for (std::size_t i = walls.begin + grid.thread(); i < walls.end; i += grid.threads()) {
            if (d.wall_head[i] != 0) {
                for (auto at = static_cast<std::uint32_t>(i); at != no_row;
                     at = d.next_on_wall[at]) {
                    see(round_row<verb>(d, at));
                }
            }
        }
        grid.sync();
    }
    if constexpr (general) {
        for (int c = 0; c < d.colours; ++c) {
            const RowRun run = places.general[c];
            if (run.begin == run.end) {
                continue;
            }
            for (std::size_t i = run.begin + grid.thread(); i < run.end; i += grid.threads()) {
                for (auto at = static_cast<std::uint32_t>(i); at != no_row; at = d.next_point[at]) {
                    see(general_row<verb>(d, at));
                }
            }
            grid.sync();
        }
    }
    if constexpr (verb != RowVerb::measure) {
        join_copies(grid, d);
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
        if (apply) {
            sweep<RowVerb::apply, general>(grid, d);
        }
        const double enough = scale != nullptr ? goal * *scale : goal;
        if (grid.thread() == 0) {
            result->residual2[0] = 0;
            result->sweeps = 0;
        }
        grid.sync();
        for (int k = 0; k < most; ++k) {
            if (grid.thread() == 0) {
                result->residual2[(k + 1) % 3] = 0;
            }
            // A sweep without any contacts has no barrier of its own.
            const double own = sweep<RowVerb::relax, general>(grid, d);
            grid.largest(result->residual2[k % 3], own);
            if (enough > 0 || k + 1 == most) {
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
        grid.largest(*residual2, sweep<RowVerb::measure, general>(grid, d));
    }
};

/// Starts a task, the shorter one where all rows are round.
template <template <bool> class Task, class Loops, class... Arguments>
void start(Loops& loops, std::size_t items, const SweepView& d, const Arguments&... arguments)
{
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
