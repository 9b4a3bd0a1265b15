// Sweeps of a device on several ranks (rank_sweeps.hpp): a launch for each leg, and between them
// velocities go by way of the host. Only those of bodies that other ranks hold as well travel, six
// numbers of each, and changes of copies. One process sweeps as ever.
#pragma once

#include "stages/relax/control.hpp"
#include "stages/relax/device_rows_view.hpp"
#include "stages/relax/rank_sweeps.hpp"

namespace scree::relax {

/// A sweeper of DeviceRelaxation around one that knows nothing of ranks.
template <class Loops, class Sweeper, class T> class RankSweeper {
public:
    RankSweeper(Loops& loops, Sweeper& sweeper) : loops_(loops), sweeper_(sweeper) {}

    /// Null: there is one process.
    void refer_to(ranks::Domain* domain) { domain_ = domain; }
    Swept relax(const RowsView<T>& rows, int most, double goal)
    {
        if (domain_ == nullptr) {
            return sweeper_.relax(rows, most, goal);
        }
        return relax::sweep_until(loops_, most, goal, [&](bool /*measured*/) {
            return in_legs(rows, [&] { return sweeper_.relax(rows, 1, 0).residual; });
        });
    }
    void apply(const RowsView<T>& rows)
    {
        if (domain_ == nullptr) {
            sweeper_.apply(rows);
            return;
        }
        in_legs(rows, [&] {
            sweeper_.apply(rows);
            return 0.0;
        });
    }
    double measure(const RowsView<T>& rows)
    {
        return loops_.largest_of_ranks(sweeper_.measure(rows));
    }

    // Parts of the above; public since a device's compiler asks for that.

    /// The legs of a sweep, each of which returns a residual; returns the largest.
    template <class Run> double in_legs(const RowsView<T>& rows, const Run& run)
    {
        velocity_ = rows.slots.velocity;
        shared_ = {rows.shared, rows.shared_count};
        return sweep_on_ranks(*domain_, *this, [&](state::SweepPart leg) {
            const int begin = leg == state::part_upstream ? 0 : rows.leg_end[leg - 1U];
            if (leg != state::part_local && rows.leg_end[leg] == begin) {
                return 0.0;
            }
            sweeper_.go(leg);
            return run();
        });
    }
    void bring(ranks::Domain::Pass pass)
    {
        state::VelocityLine* const velocity = velocity_;
        const std::vector<ranks::Domain::Line>& lines = domain_->lines(pass);
        const std::size_t n = lines.size();
        here_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            here_[k] = domain_->values()[lines[k].at];
        }
        const ranks::Change* const from = upload(n);
        const ranks::Domain::Line* const to = upload(pass);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            relax::set_motion(from[k], velocity[to[k].body]);
        });
    }
    void fetch(ranks::Domain::Pass pass)
    {
        const state::VelocityLine* const velocity = velocity_;
        const std::vector<ranks::Domain::Line>& lines = domain_->lines(pass);
        const std::size_t n = lines.size();
        here_.resize(n);
        there_.fit(n);
        ranks::Change* const to = there_.data();
        const ranks::Domain::Line* const from = upload(pass);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            to[k] = relax::motion_of(velocity[from[k].body]);
        });
        loops_.download(to, here_.data(), n);
        for (std::size_t k = 0; k < n; ++k) {
            domain_->values()[lines[k].at] = here_[k];
        }
    }
    void note_changes()
    {
        const std::size_t n = shared_.size();
        const state::RankSplitBody* const shared = shared_.data();
        const state::VelocityLine* const velocity = velocity_;
        there_.fit(n);
        ranks::Change* const changes = there_.data();
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            changes[k] = relax::change_of(shared[k], velocity);
        });
        loops_.download(changes, domain_->values().data(), n);
    }
    void join()
    {
        const std::size_t n = shared_.size();
        const state::RankSplitBody* const shared = shared_.data();
        state::VelocityLine* const velocity = velocity_;
        here_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            here_[k] = domain_->sum_of(k);
        }
        const ranks::Change* const changes = upload(n);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            relax::close_copies(shared[k], changes[k], velocity);
        });
    }
    const ranks::Change* upload(std::size_t n)
    {
        there_.fit(n);
        loops_.upload(here_.data(), there_.data(), n);
        return there_.data();
    }
    /// Which bodies a pass is for, brought once for each list.
    const ranks::Domain::Line* upload(ranks::Domain::Pass pass)
    {
        if (plan_ != domain_->plan_number()) {
            plan_ = domain_->plan_number();
            for (std::size_t k = 0; k < ranks::Domain::passes; ++k) {
                const auto& lines = domain_->lines(static_cast<ranks::Domain::Pass>(k));
                lines_[k].fit(lines.size());
                loops_.upload(lines.data(), lines_[k].data(), lines.size());
            }
        }
        return lines_[pass].data();
    }
    [[nodiscard]] std::size_t bytes() const
    {
        std::size_t bytes = there_.bytes();
        for (const auto& lines : lines_) {
            bytes += lines.bytes();
        }
        return bytes;
    }

private:
    Loops& loops_;
    Sweeper& sweeper_;
    ranks::Domain* domain_ = nullptr;
    // Of the rows that are swept, on the device:
    state::VelocityLine* velocity_ = nullptr;
    std::span<const state::RankSplitBody> shared_;
    typename Loops::template Buffer<ranks::Change> there_;
    std::vector<ranks::Change> here_;
    typename Loops::template Buffer<ranks::Domain::Line> lines_[ranks::Domain::passes];
    std::uint64_t plan_ = 0;  ///< whose lines these are
};

}  // namespace scree::relax
