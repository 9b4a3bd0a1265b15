// A sweeper of a device's rows that takes group after group and row after row, in the order of the
// host: what tests hold others against.
#pragma once

#include "stages/relax/control.hpp"
#include "stages/relax/device_rows_view.hpp"

#include <cmath>

namespace scree::device {

class GroupSweeper {
public:
    std::vector<Group> groups;  ///< in the order of a sweep

    /// Up to so many sweeps; stops at a residual velocity of `goal`, if that is not zero.
    sweeps::Swept relax(const RowsView<double>& rows, int most, double goal)
    {
        sweeps::Swept out;
        while (out.sweeps < most) {
            out.residual = std::sqrt(run<sweeps::RowVerb::relax_and_measure>(rows));
            ++out.sweeps;
            if (goal > 0 && out.residual <= goal) {
                break;
            }
        }
        return out;
    }
    /// Lets all impulses act.
    void apply(const RowsView<double>& rows) { run<sweeps::RowVerb::apply>(rows); }
    /// The residual velocity of the impulses as they are.
    double measure(const RowsView<double>& rows)
    {
        return std::sqrt(run<sweeps::RowVerb::measure>(rows));
    }

private:
    /// Returns the largest squared residual velocity.
    template <sweeps::RowVerb verb> double run(const RowsView<double>& rows)
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
    template <sweeps::RowVerb verb, Law L> double sweep(const RowsView<double>& rows)
    {
        double squared = 0;
        const sweeps::Slots& slots = rows.slots;
        // verb(block, lane, a, b) on all rows of a group
        const auto take = [&](std::size_t before, const Group& g, auto&& verb_on) {
            const auto on_row = [&](auto& block, int lane) {
                VelocityLine& line_a = slots.velocity[block.slot[0][lane]];
                VelocityLine& line_b = slots.velocity[block.slot[1][lane]];
                sweeps::BodyVelocity<double> a = sweeps::load(line_a), b = sweeps::load(line_b);
                const double r = verb_on(block, lane, a, b);
                squared = r > squared ? r : squared;
                if (verb != sweeps::RowVerb::measure) {
                    sweeps::store(a, line_a);
                    if (slots.moves(block.slot[1][lane])) {
                        sweeps::store(b, line_b);
                    }
                }
            };
            for (std::size_t at = g.begin * block_lanes; at < g.end * block_lanes; ++at) {
                with_row(rows, before + at, on_row);
            }
        };
        struct OnRow {
            const sweeps::Slots& slots;
            double operator()(RoundRowsOf<double>& block, int lane, sweeps::BodyVelocity<double>& a,
                              sweeps::BodyVelocity<double>& b) const
            {
                sweeps::RoundRow<double> row = sweeps::load(block, lane);
                const double r = sweeps::on_row<verb>(row, a, b);
                sweeps::store_impulse(row, block, lane);
                return r;
            }
            double operator()(GeneralBlock& block, int lane, sweeps::BodyVelocity<double>& a,
                              sweeps::BodyVelocity<double>& b) const
            {
                return sweeps::on_row<verb, L>(block, lane, a, b, slots.inertia);
            }
        };
        for (const Group& g : groups) {
            const bool general = g.kind == RowKind::general;
            take(general ? rows.round_count * block_lanes : 0, g, OnRow{slots});
        }
        return squared;
    }
};

}  // namespace scree::device
