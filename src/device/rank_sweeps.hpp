// Sweeps of a device on several ranks: one launch for each, and after it the ranks swap how much
// the copies of the bodies that they share have changed, by way of the host (domain/domain.hpp).
// Only these changes travel, six numbers of each shared body. One process sweeps as ever.
#pragma once

#include "device/rows_view.hpp"
#include "domain/domain.hpp"
#include "solve/relax_control.hpp"

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
            const double residual = sweeper_.relax(rows, 1, 0).residual;
            join(rows);
            return residual;
        });
    }
    void apply(const RowsView<T>& rows)
    {
        sweeper_.apply(rows);
        join(rows);
    }
    double measure(const RowsView<T>& rows)
    {
        return loops_.largest_of_ranks(sweeper_.measure(rows));
    }

    // Part of the above; public since a device's compiler asks for that.
    void join(const RowsView<T>& rows)
    {
        if (domain_ == nullptr) {
            return;
        }
        const std::size_t n = rows.shared_count;
        const Shared* const shared = rows.shared;
        VelocityLine* const velocity = rows.slots.velocity;
        there_.fit(n);
        here_.resize(n);
        sweeps::Change* const changes = there_.data();
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            changes[k] = sweeps::change_of(shared[k], velocity);
        });
        loops_.download(changes, here_.data(), n);
        for (std::size_t k = 0; k < n; ++k) {
            domain_->note_change(k, here_[k]);
        }
        domain_->send();
        domain_->receive();
        for (std::size_t k = 0; k < n; ++k) {
            here_[k] = domain_->sum_of(k);
        }
        loops_.upload(here_.data(), changes, n);
        loops_.for_each(n, [=] SCREE_DEVICE(std::size_t k) {
            sweeps::close_copies(shared[k], changes[k], velocity);
        });
    }
    [[nodiscard]] std::size_t bytes() const { return there_.bytes(); }

private:
    Loops& loops_;
    Sweeper& sweeper_;
    domain::Domain* domain_ = nullptr;
    typename Loops::template Buffer<sweeps::Change> there_;
    std::vector<sweeps::Change> here_;
};

}  // namespace scree::device
