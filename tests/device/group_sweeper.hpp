// A sweeper of a device's rows that takes group after group and row after row, in the order of the
// host: what tests hold others against.
#pragma once

#include "device/rows_view.hpp"
#include "solve/relax_control.hpp"

#include <cmath>

namespace scree::device {

class GroupSweeper {
public:
    std::vector<Group> groups;  ///< in the order of a sweep

    /// Up to so many sweeps; stops at a residual velocity of `goal`, if that is not zero.
    sweeps::Swept relax(const RowsView& rows, int most, double goal)
    {
        sweeps::Swept out;
        while (out.sweeps < most) {
            out.residual = std::sqrt(run<sweeps::RowVerb::relax>(rows));
            ++out.sweeps;
            if (goal > 0 && out.residual <= goal) {
                break;
            }
        }
        return out;
    }
    /// Lets all impulses act.
    void apply(const RowsView& rows) { run<sweeps::RowVerb::apply>(rows); }
    /// The residual velocity of the impulses as they are.
    double measure(const RowsView& rows) { return std::sqrt(run<sweeps::RowVerb::measure>(rows)); }

private:
    /// Returns the largest squared residual velocity.
    template <sweeps::RowVerb verb> double run(const RowsView& rows)
    {
        double squared = 0;
        switch (rows.law) {
        case Law::coulomb: squared = sweep<verb, Law::coulomb>(rows); break;
        case Law::frictionless: squared = sweep<verb, Law::frictionless>(rows); break;
        case Law::projected: squared = sweep<verb, Law::projected>(rows); break;
        default: squared = sweep<verb, Law::max_dissipation>(rows); break;
        }
        for (std::size_t k = 0; verb != sweeps::RowVerb::measure && k < rows.split_count; ++k) {
            sweeps::join_copies(rows.splits[k], rows.slots.velocity);
        }
        return squared;
    }
    template <sweeps::RowVerb verb, Law L> double sweep(const RowsView& rows)
    {
        double squared = 0;
        const auto take = [&](auto* blocks, const Group& g) {
            for (std::uint32_t at = g.begin * block_lanes; at < g.end * block_lanes; ++at) {
                const double r = sweeps::on_row<verb, L>(
                    blocks[at / block_lanes], static_cast<int>(at % block_lanes), rows.slots);
                squared = r > squared ? r : squared;
            }
        };
        for (const Group& g : groups) {
            if (g.kind == RowKind::general) {
                take(rows.general, g);
            } else {
                take(rows.round, g);
            }
        }
        return squared;
    }
};

}  // namespace scree::device
