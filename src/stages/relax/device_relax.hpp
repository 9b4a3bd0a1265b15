// The contacts of a device, with the verbs that relaxation and the restitution guard ask of rows
// (control.hpp, restitution_guard.hpp): the same as sweeps::HostRelaxation, to the
// same bits. A sweeper runs the sweeps, with the verbs relax(rows, most, goal), apply(rows) and
// measure(rows), of which the first two leave copies joined.
#pragma once

#include "stages/relax/bounce_rule.hpp"
#include "stages/relax/device_rows_view.hpp"
#include "stages/relax/restitution_guard.hpp"
#include "stages/velocities/free_velocity.hpp"
#include "state/device_columns.hpp"

namespace scree::relax {

/// Numbers of a block's impulses.
inline constexpr std::size_t block_entries = 3 * state::block_lanes;

/// The i-th number of all impulses, block by block.
struct ImpulseEntry {
    std::size_t row;
    int of;  ///< which of its three numbers
    SCREE_HD explicit ImpulseEntry(std::size_t i)
        : row(i / block_entries * state::block_lanes + i % state::block_lanes),
          of(static_cast<int>(i % block_entries / state::block_lanes))
    {
    }
};

/// The work of the impulses between two velocities, by items of a sum: general rows begin with a
/// chunk of its tree.
template <class T> struct WorkOfRows {
    RowsView<T> rows;
    const state::VelocityLine* before;

    [[nodiscard]] SCREE_HD std::size_t round_rows() const
    {
        return rows.round_count * state::block_lanes;
    }
    [[nodiscard]] SCREE_HD std::size_t general_begin() const
    {
        return (round_rows() + exec::tree_chunk - 1) / exec::tree_chunk * exec::tree_chunk;
    }
    [[nodiscard]] SCREE_HD std::size_t size() const
    {
        return general_begin() + rows.general_count * state::block_lanes;
    }
    SCREE_HD WorkSums operator()(std::size_t i) const
    {
        if (i >= round_rows() && i < general_begin()) {
            return {};
        }
        const std::size_t row = i < round_rows() ? i : round_rows() + (i - general_begin());
        return with_row(rows, row, [&](const auto& block, int lane) {
            // Without an impulse there is no work; then velocities need not be read.
            const bool any = block.impulse[0][lane] != 0 || block.impulse[1][lane] != 0 ||
                             block.impulse[2][lane] != 0;
            return any ? relax::sums_of(relax::work_of(block, lane, before, rows.slots.velocity))
                       : WorkSums{};
        });
    }
    /// The same of a round row that has an impulse, and these slots.
    [[nodiscard]] SCREE_HD WorkSums of_round(std::size_t i, std::uint32_t slot_a,
                                             std::uint32_t slot_b) const
    {
        const state::VelocityLine* const after = rows.slots.velocity;
        return relax::sums_of(relax::work_of(
            rows::load(rows.round[state::RoundPlace(i).block], state::RoundPlace(i).lane),
            rows::load(before[slot_a]), rows::load(before[slot_b]), rows::load(after[slot_a]),
            rows::load(after[slot_b])));
    }
};

template <class RowsLoops, class Sweeper, class T> class DeviceRelaxation {
public:
    using Loops = RowsLoops;
    template <class U> using Buffer = typename Loops::template Buffer<U>;
    using Vector = Buffer<double>;

    DeviceRelaxation(Loops& loops, Sweeper& sweeper) : loops_(loops), sweeper_(sweeper) {}

    /// Says which rows there are and what they refer to, until any of it moves.
    void refer_to(const state::ModelView& model, const state::BodyView& bodies,
                  const state::ListColumns<Loops>& list, const BlockColumns<T>& blocks)
    {
        model_ = model;
        bodies_ = bodies;
        copy_count_ = list.copy_count;
        rows_ = {blocks,
                 {bodies.velocity, bodies.inertia, static_cast<std::uint32_t>(bodies.dynamic_count),
                  static_cast<std::uint32_t>(bodies.count)},
                 list.splits.data(),
                 list.splits.size(),
                 list.shared.data(),
                 list.shared.size(),
                 model.settings.law,
                 list.leg_end};
    }

    [[nodiscard]] Loops& loops() { return loops_; }
    [[nodiscard]] state::ModelView model() const { return model_; }
    [[nodiscard]] state::BodyView bodies() const { return bodies_; }
    [[nodiscard]] std::size_t line_count() const
    {
        return bodies_.count + copy_count_ + state::idle_lines;
    }
    [[nodiscard]] std::size_t bytes() const { return still_.bytes() + body_of_copy_.bytes(); }

    void open_copies() { open_copies(bodies_.velocity); }
    void apply_impulses()
    {
        open_copies();
        sweeper_.apply(rows_);
    }
    Swept sweep(int most, double goal) { return sweeper_.relax(rows_, most, goal); }
    double measure()
    {
        open_copies();
        return sweeper_.measure(rows_);
    }
    void push()
    {
        const state::ModelView m = model_;
        const state::BodyView b = bodies_;
        loops_.for_each(b.dynamic_count,
                        [=] SCREE_DEVICE(std::size_t i) { velocities::free_velocity(m, b, i); });
    }
    void project()
    {
        const RowsView<T> rows = rows_;
        loops_.for_each(row_count(), [=] SCREE_DEVICE(std::size_t i) {
            with_row(rows, i,
                     [&](auto& block, int lane) { relax::project(block, lane, rows.law); });
        });
    }
    void gather(Vector& x)
    {
        x.fit(3 * row_count());
        const RowsView<T> rows = rows_;
        double* const to = x.data();
        loops_.for_each(x.size(), [=] SCREE_DEVICE(std::size_t i) {
            const ImpulseEntry entry(i);
            to[i] = with_row(rows, entry.row, [&](const auto& block, int lane) {
                return static_cast<double>(block.impulse[entry.of][lane]);
            });
        });
    }
    void scatter(const Vector& x)
    {
        const RowsView<T> rows = rows_;
        const double* const from = x.data();
        loops_.for_each(x.size(), [=] SCREE_DEVICE(std::size_t i) {
            const ImpulseEntry entry(i);
            with_row(rows, entry.row, [&](auto& block, int lane) {
                auto& number = block.impulse[entry.of][lane];
                number = static_cast<std::remove_reference_t<decltype(number)>>(from[i]);
            });
        });
    }
    void weigh(Vector& weight)
    {
        weight.fit(3 * row_count());
        const RowsView<T> rows = rows_;
        double* const to = weight.data();
        loops_.for_each(weight.size(), [=] SCREE_DEVICE(std::size_t i) {
            to[i] = with_row(rows, ImpulseEntry(i).row, [&](const auto& block, int lane) {
                return relax::inertness(block, lane, rows.slots.velocity);
            });
        });
    }
    /// The work of the impulses between velocity_before and velocity.
    ContactWork account()
    {
        const WorkOfRows<T> work = work_of_rows();
        work_.fit(1);
        loops_.sum(work.size(), work_.data(),
                   [=] SCREE_DEVICE(std::size_t i) -> WorkSums { return work(i); });
        WorkSums sums;
        loops_.download(work_.data(), &sums, 1);
        return relax::contact_work(sums);
    }
    WorkOfRows<T> work_of_rows()
    {
        open_copies(bodies_.velocity);
        open_copies(bodies_.velocity_before);
        return {rows_, bodies_.velocity_before};
    }

    /// Looks at relaxed rows: marked ones whose impulse changes their normal velocity by more than
    /// `least` get the shift with which they bounce, the others lose their mark. Returns how many
    /// bounce.
    std::size_t choose_bounces(double least)
    {
        name_copies();
        still_.fit(row_count());
        const RowsView<T> rows = rows_;
        const state::ModelView model = model_;
        const state::BodyView bodies = bodies_;
        const std::uint32_t* const body_of_copy = body_of_copy_.data();
        double* const still = still_.data();
        const auto item = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<1> {
            const bool bounces = with_row(rows, i, [&](auto& c, int lane) {
                if (!relax::may_bounce(c, lane)) {
                    return false;
                }
                const state::BodyPair pair{
                    relax::body_of(c.slot[0][lane], bodies.count, body_of_copy),
                    relax::body_of(c.slot[1][lane], bodies.count, body_of_copy)};
                return relax::choose_bounce(model, bodies, pair, c, lane, least, still[i]);
            });
            return {{bounces ? 1.0 : 0.0}};
        };
        count_.fit(1);
        loops_.template sum<1>(row_count(), count_.data(), item);
        exec::Sums<1> count;
        loops_.download(count_.data(), &count, 1);
        return static_cast<std::size_t>(count.of[0]);
    }
    /// Shifts of rows that bounce: this part of the way from still ones.
    void blend_shifts(double s)
    {
        const RowsView<T> rows = rows_;
        const double* const still = still_.data();
        loops_.for_each(row_count(), [=] SCREE_DEVICE(std::size_t i) {
            with_row(rows, i, [&](auto& c, int lane) {
                if (relax::may_bounce(c, lane)) {
                    const auto shift = static_cast<double>(c.shift[lane]);
                    state::set_shift(c, lane, still[i] + s * (shift - still[i]));
                }
            });
        });
    }

    // Parts of the above; public since a device's compiler asks for that.

    void open_copies(state::VelocityLine* velocity)
    {
        const state::SplitBody* const splits = rows_.splits;
        loops_.for_each(rows_.split_count, [=] SCREE_DEVICE(std::size_t k) {
            relax::open_copies(splits[k], velocity);
        });
        const state::RankSplitBody* const shared = rows_.shared;
        loops_.for_each(rows_.shared_count, [=] SCREE_DEVICE(std::size_t k) {
            relax::open_copies(shared[k], velocity);
        });
    }
    /// Notes whose copies there are.
    void name_copies()
    {
        body_of_copy_.fit(copy_count_);
        name_copies(rows_.splits, rows_.split_count);
        name_copies(rows_.shared, rows_.shared_count);
    }
    template <class S> void name_copies(const S* split, std::size_t n)
    {
        std::uint32_t* const body_of_copy = body_of_copy_.data();
        const std::size_t bodies = bodies_.count;
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            relax::name_copies(split[k], bodies, body_of_copy);
        });
    }

private:
    [[nodiscard]] std::size_t row_count() const
    {
        return (rows_.round_count + rows_.general_count) * state::block_lanes;
    }

    Loops& loops_;
    Sweeper& sweeper_;
    state::ModelView model_{};
    state::BodyView bodies_{};
    RowsView<T> rows_{};
    std::size_t copy_count_ = 0;
    Buffer<double> still_;  ///< shift of each row that bounces, while it did not
    Buffer<std::uint32_t> body_of_copy_;
    Buffer<WorkSums> work_;
    Buffer<exec::Sums<1>> count_;
};

}  // namespace scree::relax
