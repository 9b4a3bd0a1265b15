// Sweeps of a device on several ranks: a launch for each leg, and between them the ranks tell each
// other how fast bodies are that they hold in common, by way of the host (domain/domain.hpp). Only
// these velocities travel, six numbers of each, and changes of copies. One process sweeps as ever.
#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/control.hpp"
#include "stages/relax/device_rows_view.hpp"

#include <algorithm>

namespace scree::device {

/// A sweeper of RelaxRows around one that knows nothing of ranks.
template <class Loops, class Sweeper, class T> class RankSweeper {
public:
    RankSweeper(Loops& loops, Sweeper& sweeper) : loops_(loops), sweeper_(sweeper) {}

    /// Null: there is one process.
    void refer_to(domain::Domain* domain) { domain_ = domain; }
    sweeps::Swept relax(const RowsView<T>& rows, int most, double goal)
    {
        if (domain_ == nullptr) {
            return sweeper_.relax(rows, most, goal);
        }
        return sweeps::sweep_until(loops_, most, goal, [&](bool /*measured*/) {
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
        using domain::Domain;
        VelocityLine* const velocity = rows.slots.velocity;
        double residual = 0;
        const auto leg = [&](Leg which) {
            const std::size_t k = which;
            const int begin = k == leg_first ? 0 : rows.leg_end[k - 1];
            if (which == leg_own || rows.leg_end[k] > begin) {
                sweeper_.go(which);
                residual = std::max(residual, run());
            }
        };
        leg(leg_first);
        domain_->hear();
        bring(Domain::pass_hear, velocity);
        leg(leg_middle);
        note_changes(rows);
        fetch(Domain::pass_tell, velocity);
        domain_->tell();
        leg(leg_last);
        fetch(Domain::pass_answer, velocity);
        domain_->answer();
        leg(leg_own);
        domain_->finish();
        bring(Domain::pass_finish, velocity);
        join(rows);
        return residual;
    }
    /// Velocities of bodies that other ranks have changed to the device, or of those that they need
    /// from there.
    void bring(domain::Domain::Pass pass, VelocityLine* velocity)
    {
        const std::vector<domain::Domain::Line>& lines = domain_->lines(pass);
        const std::size_t n = lines.size();
        here_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            here_[k] = domain_->values()[lines[k].at];
        }
        const sweeps::Change* const from = upload(n);
        const domain::Domain::Line* const to = upload(pass);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            velocity[to[k].body].v = from[k].v;
            velocity[to[k].body].w = from[k].w;
        });
    }
    void fetch(domain::Domain::Pass pass, const VelocityLine* velocity)
    {
        const std::vector<domain::Domain::Line>& lines = domain_->lines(pass);
        const std::size_t n = lines.size();
        here_.resize(n);
        there_.fit(n);
        sweeps::Change* const to = there_.data();
        const domain::Domain::Line* const from = upload(pass);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            const VelocityLine& line = velocity[from[k].body];
            to[k] = {line.v, line.w};
        });
        loops_.download(to, here_.data(), n);
        for (std::size_t k = 0; k < n; ++k) {
            domain_->values()[lines[k].at] = here_[k];
        }
    }
    void note_changes(const RowsView<T>& rows)
    {
        const std::size_t n = rows.shared_count;
        const Shared* const shared = rows.shared;
        const VelocityLine* const velocity = rows.slots.velocity;
        there_.fit(n);
        sweeps::Change* const changes = there_.data();
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            changes[k] = sweeps::change_of(shared[k], velocity);
        });
        loops_.download(changes, domain_->values().data(), n);
    }
    void join(const RowsView<T>& rows)
    {
        const std::size_t n = rows.shared_count;
        const Shared* const shared = rows.shared;
        VelocityLine* const velocity = rows.slots.velocity;
        here_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            here_[k] = domain_->sum_of(k);
        }
        const sweeps::Change* const changes = upload(n);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            sweeps::close_copies(shared[k], changes[k], velocity);
        });
    }
    const sweeps::Change* upload(std::size_t n)
    {
        there_.fit(n);
        loops_.upload(here_.data(), there_.data(), n);
        return there_.data();
    }
    /// Which bodies a pass is for, brought once for each list.
    const domain::Domain::Line* upload(domain::Domain::Pass pass)
    {
        if (plan_ != domain_->plan_number()) {
            plan_ = domain_->plan_number();
            for (std::size_t k = 0; k < domain::Domain::passes; ++k) {
                const auto& lines = domain_->lines(static_cast<domain::Domain::Pass>(k));
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
    domain::Domain* domain_ = nullptr;
    typename Loops::template Buffer<sweeps::Change> there_;
    std::vector<sweeps::Change> here_;
    typename Loops::template Buffer<domain::Domain::Line> lines_[domain::Domain::passes];
    std::uint64_t plan_ = 0;  ///< whose lines these are
};

}  // namespace scree::device
