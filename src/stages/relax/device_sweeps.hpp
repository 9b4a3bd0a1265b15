// Sweeps over the rows of a device: the same verbs on the same contacts in the same order as on the
// host, as far as order matters. Each slot's line counts the contacts that it has been through, and
// each row knows at which counts of its two slots its turn has come; a thread waits for that and
// goes on. So nobody waits for a whole colour, and a sweep begins where the one before is through.
// Contacts of a sphere with walls, and the points of a pair of other bodies, are chains that one
// thread goes along. Rows and lines of spheres are in the numbers T, all else in doubles.
//
// Nobody waits for ever: threads take rows in the order of a sweep, and all of them run at once, so
// that the first row of all that are left is always free to go.
#pragma once

#include "exec/thread_grid.hpp"
#include "stages/candidates/device_surprise.hpp"
#include "stages/relax/control.hpp"
#include "stages/relax/device_block_memory.hpp"
#include "stages/relax/device_row_order.hpp"
#include "stages/relax/uniform_spheres.hpp"
#include "stages/rows/device_row_columns.hpp"

namespace scree::relax {

/// What a sweep reads and writes.
template <class T> struct SweepView {
    state::RoundRowsOf<T>* round;
    const state::InertBlock<T>* inert;
    state::GeneralBlock* general;
    rows::Slots slots;
    TicketLine<T>* line;
    const std::uint8_t* away;  ///< of each slot: blocks share its line
    SlotShares dealt;
    const std::uint32_t* cuts;
    candidates::RoundScan round_scan;
    std::size_t slot_count;
    const rows::RowPlaces* places;
    const std::uint32_t* next_on_wall;  ///< of each round row: the next of its chain; no_row: none
    const std::uint32_t* next_point;    ///< of each general row: the pair's next; no_row: none
    const std::uint32_t *round_turn, *general_turn;  ///< of each row, see Turn
    const state::SplitBody* splits;
    std::size_t split_count;
    Law law;
    bool any_general;  ///< there may be general rows
    UniformSpheres<T> alike;
    /// One of the legs of a sweep, whose own lines are opened and closed; of one process the last
    /// is all of it. Copies are joined behind that.
    int leg = state::part_local;
    bool alone = true;  ///< there is one process: copies are opened, too
};

template <RowVerb verb>
SCREE_LONG double general_row(state::GeneralBlock& block, int lane, Law law,
                              rows::BodyVelocity<double>& a, rows::BodyVelocity<double>& b,
                              const state::InertiaLine* inertia)
{
    switch (law) {
    case Law::coulomb: return relax::on_row<verb, Law::coulomb>(block, lane, a, b, inertia);
    case Law::frictionless:
        return relax::on_row<verb, Law::frictionless>(block, lane, a, b, inertia);
    case Law::projected: return relax::on_row<verb, Law::projected>(block, lane, a, b, inertia);
    default: return relax::on_row<verb, Law::max_dissipation>(block, lane, a, b, inertia);
    }
}

template <class T>
SCREE_HD void load_inert(const SweepView<T>& d, std::size_t at, rows::BodyVelocity<T>& a,
                         rows::BodyVelocity<T>& b)
{
    const state::InertBlock<T>& inert = d.inert[state::RoundPlace(at).block];
    const int lane = state::RoundPlace(at).lane;
    a.inverse_mass = inert.inverse_mass[0][lane];
    b.inverse_mass = inert.inverse_mass[1][lane];
    a.inverse_moment = inert.inverse_moment[0][lane];
    b.inverse_moment = inert.inverse_moment[1][lane];
}

/// Opens copies of split bodies.
template <class T, class Grid> SCREE_HD void open_copies(Grid& grid, const SweepView<T>& d)
{
    for (std::size_t s = grid.thread(); s < d.split_count; s += grid.threads()) {
        relax::open_copies(d.splits[s], d.slots.velocity);
    }
    grid.sync();
}
/// f(slot) of the slots of a block.
template <class T, class Grid, class F>
SCREE_HD void for_slots(Grid& grid, const SweepView<T>& d, const F& f)
{
    const std::size_t share = d.dealt.share, begin = grid.block() * share;
    const std::size_t end = begin + share < d.slot_count ? begin + share : d.slot_count;
    for (std::size_t i = begin + grid.thread_of_block(); i < end; i += grid.threads_of_block()) {
        f(static_cast<std::uint32_t>(i));
    }
}
/// Between two sweeps: copies join, and their lines go on from there.
template <class T, class Grid> SCREE_HD void join_copies(Grid& grid, const SweepView<T>& d)
{
    grid.sync();
    for (std::size_t s = grid.thread(); s < d.split_count; s += grid.threads()) {
        const state::SplitBody split = d.splits[s];
        for (std::uint32_t k = split.first_copy; k < split.first_copy + split.copies; ++k) {
            close_line<T>(d.line[k], d.slots.velocity[k]);
        }
        relax::join_copies(split, d.slots.velocity);
        for (std::uint32_t k = split.first_copy; k < split.first_copy + split.copies; ++k) {
            d.line[k] =
                pack<T>(in_numbers<T>(rows::load(d.slots.velocity[k])), d.line[k].word[0].count);
        }
        d.line[split.body] = open_line<T>(d.slots.velocity[split.body]);
    }
    grid.sync();
}

/// When a row's turn comes: at which counts of its slots.
struct TicketNumbers {
    bool both;  ///< impulses move the second body as well
    std::uint32_t at_a, at_b;

    SCREE_HD TicketNumbers(std::uint32_t packed, std::uint32_t number)
    {
        const RowTicket turn = RowTicket::of(packed);
        both = turn.all_b > 0;
        at_a = number * turn.all_a + turn.rank_a;
        at_b = number * turn.all_b + turn.rank_b;
    }
};

/// Waits for a row's turn, lets `act(a, b)` change the velocities of its bodies and says that it
/// has been through. All threads of a warp come here together, some without work.
template <class T, class Grid, class F>
SCREE_HD void in_turn(Grid& grid, const LinePlace<T>& lines, bool work, const TicketNumbers& due,
                      std::uint32_t slot_a, std::uint32_t slot_b, rows::BodyVelocity<T> a,
                      rows::BodyVelocity<T> b, const F& act)
{
    TicketLine<T>*const at_a = lines(slot_a), *const at_b = lines(slot_b);
    const bool together = lines.room == 0;
    bool waits = work;
    do {
        TicketLine<T> line_a = grid.read(at_a, waits, together);
        TicketLine<T> line_b = grid.read(at_b, waits && due.both, together);
        const bool now = waits && line_a.is_of(due.at_a) && (!due.both || line_b.is_of(due.at_b));
        if (!grid.any(now)) {
            continue;
        }
        if (now) {
            unpack<T>(line_a, a);
            if (due.both) {
                unpack<T>(line_b, b);
            }
            act(a, b);
            line_a = pack<T>(a, due.at_a + 1);
            line_b = pack<T>(b, due.at_b + 1);
        }
        grid.write(at_a, now, line_a, together);
        grid.write(at_b, now && due.both, line_b, together);
        waits = waits && !now;
    } while (grid.again(waits));
}

/// Which rows a task is for: with general ones among them, or only of spheres that are alike.
enum class RowsKind : std::uint8_t { round, alike, general };

/// A round row with all that it takes to relax it.
template <class T> struct RoundItem {
    std::uint32_t turn, slot_a, slot_b;
    rows::RoundRow<T> row;
    rows::BodyVelocity<T> a, b;  ///< masses
    KnownBlock<T> known{};

    SCREE_HD RoundItem(const SweepView<T>& d, std::size_t at, bool alike)
    {
        const state::RoundRowsOf<T>& block = d.round[state::RoundPlace(at).block];
        const int lane = state::RoundPlace(at).lane;
        turn = d.round_turn[at];
        slot_a = block.slot[0][lane];
        slot_b = block.slot[1][lane];
        row = rows::load<T>(block, lane);
        if (alike) {
            row.lever_b = row.lever_a;
            row.mu = d.alike.mu;
            row.weight = d.alike.weight;
            a.inverse_mass = b.inverse_mass = d.alike.inverse_mass;
            a.inverse_moment = b.inverse_moment = d.alike.inverse_moment;
        } else {
            load_inert(d, at, a, b);
        }
    }
    /// While the turn has not come, unless doubles would have to wait in registers that are needed.
    SCREE_HD void think()
    {
        if constexpr (math::single_precision<T>) {
            known = relax::block_of(row, a, b);
        }
    }
    [[nodiscard]] SCREE_HD KnownBlock<T> knows() const
    {
        if constexpr (math::single_precision<T>) {
            return known;
        } else {
            return relax::block_of(row, a, b);
        }
    }
};

template <RowVerb verb, class T>
SCREE_HD T relax_item(const SweepView<T>& d, std::size_t at, RoundItem<T>& item,
                      rows::BodyVelocity<T>& a, rows::BodyVelocity<T>& b)
{
    const T residual2 = relax::on_row<verb>(item.row, item.knows(), a, b);
    if constexpr (relax::relaxes<verb>) {
        rows::store_impulse(item.row, d.round[state::RoundPlace(at).block],
                            state::RoundPlace(at).lane);
    }
    return residual2;
}

/// A sweep over the round rows, of this number; the largest square of a residual velocity that this
/// thread saw.
template <RowVerb verb, bool alike, class T, class Grid>
SCREE_HD T sweep_round(Grid& grid, const SweepView<T>& d, const BlockRows& rows,
                       const LinePlace<T>& lines, std::uint32_t number)
{
    T most = 0;
    const auto see = [&](T residual2) { most = residual2 > most ? residual2 : most; };
    // Threads without a row of their own look at their warp's first one. The next row is on its way
    // while one waits.
    const std::uint32_t count = rows.count();
    const bool own = lines.room > 0;
    const auto stride = static_cast<std::uint32_t>(own ? grid.threads_of_block() : grid.threads());
    const auto first =
        static_cast<std::uint32_t>(own ? grid.thread_of_block() - grid.lane() : grid.warp_thread());
    const auto lane = static_cast<std::uint32_t>(grid.lane());
    if (first >= count) {
        return most;
    }
    int run = 0;
    const auto row_at = [&](std::uint32_t from) {
        return rows.row(from + lane < count ? from + lane : from, run);
    };
    std::uint32_t next_at = row_at(first);
    RoundItem<T> next(d, next_at, alike);
    for (std::uint32_t from = first; from < count; from += stride) {
        const std::uint32_t at = next_at;
        RoundItem<T> item = next;
        if (from + stride < count) {
            next_at = row_at(from + stride);
            next = RoundItem<T>(d, next_at, alike);
        }
        const bool work = item.turn != rows::no_turn && from + lane < count;
        const TicketNumbers due(item.turn, number);
        item.think();
        in_turn(grid, lines, work, due, item.slot_a, item.slot_b, item.a, item.b,
                [&](rows::BodyVelocity<T>& a, rows::BodyVelocity<T>& b) {
                    if (due.both) {
                        see(relax_item<verb>(d, at, item, a, b));
                        return;
                    }
                    // Rows on walls are not alike: the first reading only said whose turn it is.
                    for (std::uint32_t k = at; k != candidates::no_row; k = d.next_on_wall[k]) {
                        RoundItem<T> on_wall(d, k, false);
                        on_wall.think();
                        b = in_numbers<T>(rows::load(d.slots.velocity[on_wall.slot_b]));
                        see(relax_item<verb>(d, k, on_wall, a, b));
                    }
                });
    }
    return most;
}

/// The same over the general rows, of which all points of a pair are relaxed in one turn.
template <RowVerb verb, class T, class Grid>
SCREE_HD T sweep_general(Grid& grid, const SweepView<T>& d, const LinePlace<T>& lines,
                         std::uint32_t number)
{
    T most = 0;
    const auto see = [&](T residual2) { most = residual2 > most ? residual2 : most; };
    const rows::RowRun general = d.places->rows_of(d.leg, 2);
    for (std::size_t from = general.begin + grid.warp_thread(); from < general.end;
         from += grid.threads()) {
        const std::size_t lane_at = from + grid.lane();
        const std::size_t at = lane_at < general.end ? lane_at : from;
        const std::uint32_t turn = at == lane_at ? d.general_turn[at] : rows::no_turn;
        const state::GeneralBlock& block = d.general[at / state::block_lanes];
        const std::uint32_t slot_a = block.slot[0][at % state::block_lanes];
        const std::uint32_t slot_b = block.slot[1][at % state::block_lanes];
        const TicketNumbers due(turn, number);
        in_turn(
            grid, lines, turn != rows::no_turn, due, slot_a, slot_b, rows::BodyVelocity<T>{},
            rows::BodyVelocity<T>{},
            [&](rows::BodyVelocity<T>& read_a, rows::BodyVelocity<T>& read_b) {
                rows::BodyVelocity<double> a = rows::load(d.slots.velocity[slot_a]);
                rows::BodyVelocity<double> b = rows::load(d.slots.velocity[slot_b]);
                a.v = in_numbers<double>(read_a.v);
                a.w = in_numbers<double>(read_a.w);
                if (due.both) {
                    b.v = in_numbers<double>(read_b.v);
                    b.w = in_numbers<double>(read_b.w);
                }
                for (auto k = static_cast<std::uint32_t>(at); k != candidates::no_row;
                     k = d.next_point[k]) {
                    see(static_cast<T>(general_row<verb>(d.general[k / state::block_lanes],
                                                         static_cast<int>(k % state::block_lanes),
                                                         d.law, a, b, d.slots.inertia)));
                }
                read_a = in_numbers<T>(a);
                read_b = in_numbers<T>(b);
            });
    }
    return most;
}

/// One sweep, of this number; the largest square of a residual velocity that this thread saw.
template <RowVerb verb, RowsKind kind, class T, class Grid>
SCREE_HD double sweep(Grid& grid, const SweepView<T>& d, const BlockRows& rows,
                      const LinePlace<T>& lines, std::uint32_t number)
{
    T most = sweep_round<verb, kind == RowsKind::alike>(grid, d, rows, lines, number);
    if constexpr (kind == RowsKind::general) {
        const T general = sweep_general<verb>(grid, d, lines, number);
        most = general > most ? general : most;
    }
    if (d.split_count > 0 && d.leg == state::part_local) {
        join_copies(grid, d);
    }
    return static_cast<double>(most);
}

/// How sweeps went.
struct SweepResult {
    double residual2[3];  ///< of the last sweeps, by number modulo 3
    std::uint32_t sweeps;
    /// The residual velocity of the last one.
    [[nodiscard]] double residual() const
    {
        return sweeps > 0 ? math::sqrt(residual2[(sweeps - 1) % 3]) : 0;
    }
};

/// Lets the impulses act, if asked to, and then makes up to `most` sweeps, fewer if the residual
/// falls to the goal. In the end bodies are looked at, if asked to.
template <RowsKind kind, class T> struct RelaxTask {
    static constexpr int threads = math::single_precision<T> ? 512 : 384, blocks_each = 1;
    SweepView<T> d;
    int most;
    bool apply;
    double goal;                     ///< a residual velocity; 0: none
    const rows::PassSpeeds* speeds;  ///< null, or what the goal is relative to
    SweepResult* result;
    candidates::LookAtBodies look;
    bool looks;

    [[nodiscard]] std::size_t memory() const { return d.dealt.room * sizeof(TicketLine<T>); }

    template <class Grid> SCREE_HD void operator()(Grid grid) const
    {
        BlockRows& rows = grid.template keep<BlockRows>();
        find_rows(grid, *d.places, d.round_scan, d.cuts, d.dealt, d.leg, rows);
        if (d.split_count > 0 && d.alone) {
            open_copies(grid, d);
        }
        const LinePlace<T> lines{static_cast<TicketLine<T>*>(grid.memory()), d.line, d.away,
                                 grid.block() * d.dealt.share, d.dealt.room};
        for_slots(grid, d, [&](std::uint32_t slot) {
            if (d.slots.moves(slot)) {
                *lines(slot) = open_line<T>(d.slots.velocity[slot]);
            }
        });
        const double enough = speeds != nullptr ? goal * speeds->scale() : goal;
        if (grid.thread() == 0) {
            result->residual2[0] = result->residual2[1] = result->residual2[2] = 0;
            result->sweeps = 0;
        }
        grid.sync();
        std::uint32_t number = 0;
        if (apply) {
            sweep<RowVerb::apply, kind>(grid, d, rows, lines, number++);
        }
        for (int k = 0; k < most; ++k) {
            // Nobody measures and waits for all but where all have to know.
            if (!(enough > 0 || k + 1 == most)) {
                // General rows always measure.
                constexpr RowVerb verb =
                    kind == RowsKind::general ? RowVerb::relax_and_measure : RowVerb::relax;
                sweep<verb, kind>(grid, d, rows, lines, number++);
            } else {
                const double own =
                    sweep<RowVerb::relax_and_measure, kind>(grid, d, rows, lines, number++);
                if (grid.thread() == 0) {
                    result->residual2[(k + 1) % 3] = 0;
                }
                grid.largest(result->residual2[k % 3], own);
                grid.sync();
                if (grid.thread() == 0) {
                    result->sweeps = static_cast<std::uint32_t>(k + 1);
                }
                if (enough > 0 && math::sqrt(result->residual2[k % 3]) <= enough) {
                    break;
                }
            }
        }
        if (most == 0) {
            grid.sync();
        }
        for_slots(grid, d, [&](std::uint32_t slot) {
            if (d.slots.moves(slot)) {
                close_line<T>(*lines(slot), d.slots.velocity[slot]);
            }
            if (looks && slot < look.bodies.count) {
                look(slot);
            }
        });
    }
};

/// The residual velocity of a round or general row, squared, of impulses and velocities as they
/// are.
template <class T> SCREE_HD double measure_round(const SweepView<T>& d, std::size_t at)
{
    const state::RoundRowsOf<T>& block = d.round[state::RoundPlace(at).block];
    const int lane = state::RoundPlace(at).lane;
    rows::RoundRow<double> row = rows::load(block, lane);
    rows::BodyVelocity<double> a = rows::load(d.slots.velocity[block.slot[0][lane]]);
    rows::BodyVelocity<double> b = rows::load(d.slots.velocity[block.slot[1][lane]]);
    return relax::on_row<RowVerb::measure>(row, a, b);
}
template <class T> SCREE_HD double measure_general(const SweepView<T>& d, std::size_t at)
{
    state::GeneralBlock& block = d.general[at / state::block_lanes];
    const auto lane = static_cast<int>(at % state::block_lanes);
    rows::BodyVelocity<double> a = rows::load(d.slots.velocity[block.slot[0][lane]]);
    rows::BodyVelocity<double> b = rows::load(d.slots.velocity[block.slot[1][lane]]);
    return general_row<RowVerb::measure>(block, lane, d.law, a, b, d.slots.inertia);
}

/// Starts the task, a shorter one where all rows are round.
template <class Loops, class T, class... Arguments>
void start_relax(Loops& loops, const exec::BlockTeam& team, const SweepView<T>& d,
                 const Arguments&... arguments)
{
    if (d.any_general) {
        cooperate(loops, team, RelaxTask<RowsKind::general, T>{d, arguments...});
    } else if (d.alike.are) {
        cooperate(loops, team, RelaxTask<RowsKind::alike, T>{d, arguments...});
    } else {
        cooperate(loops, team, RelaxTask<RowsKind::round, T>{d, arguments...});
    }
}

/// What DeviceRelaxation asks for sweeps.
template <class Loops, class T> class Sweeper {
public:
    explicit Sweeper(Loops& loops) : loops_(loops) { result_.fit(1); }

    void refer_to(const SweepView<T>& view, const exec::BlockTeam& team)
    {
        view_ = view;
        team_ = team;
    }
    /// Which leg of sweeps comes now, of one rank of several.
    void go(state::SweepPart leg)
    {
        view_.leg = leg;
        view_.alone = false;
    }
    Swept relax(const RowsView<T>& /*rows*/, int most, double goal)
    {
        start_relax(loops_, team_, view_, most, false, goal, none, result_.data(),
                    candidates::LookAtBodies{}, false);
        SweepResult result;
        loops_.download(result_.data(), &result, 1);
        return {static_cast<int>(result.sweeps), result.residual()};
    }
    void apply(const RowsView<T>& /*rows*/)
    {
        start_relax(loops_, team_, view_, 0, true, 0.0, none, result_.data(),
                    candidates::LookAtBodies{}, false);
    }
    double measure(const RowsView<T>& rows)
    {
        double* residual2 = result_.data()->residual2;
        loops_.fill_bytes(residual2, 0, 1);
        const SweepView<T> d = view_;
        for_largest<1>(
            loops_, rows.round_count * state::block_lanes, residual2,
            [=] SCREE_DEVICE(std::size_t at) -> exec::Sums<1> { return {{measure_round(d, at)}}; });
        for_largest<1>(loops_, rows.general_count * state::block_lanes, residual2,
                       [=] SCREE_DEVICE(std::size_t at) -> exec::Sums<1> {
                           return {{measure_general(d, at)}};
                       });
        SweepResult result;
        loops_.download(result_.data(), &result, 1);
        return math::sqrt(result.residual2[0]);
    }

private:
    static constexpr const rows::PassSpeeds* none = nullptr;
    Loops& loops_;
    SweepView<T> view_{};
    exec::BlockTeam team_;
    typename Loops::template Buffer<SweepResult> result_;
};

}  // namespace scree::relax
