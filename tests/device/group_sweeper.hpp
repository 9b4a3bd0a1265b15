// A sweeper of a device's rows that takes group after group and row after row, in the order of the
// host: what tests hold others against.
#pragma once

#include "stages/relax/control.hpp"
#include "stages/relax/device_rows_view.hpp"

#include <cmath>

namespace scree::device {

class GroupSweeper {
public:
    std::vector<state::Group> groups;  ///< in the order of a sweep

    /// Up to so many sweeps; stops at a residual velocity of `goal`, if that is not zero.
    relax::Swept relax(const relax::RowsView<double>& rows, int most, double goal)
    {
        relax::Swept out;
        while (out.sweeps < most) {
            out.residual = std::sqrt(run<relax::RowVerb::relax_and_measure>(rows));
            ++out.sweeps;
            if (goal > 0 && out.residual <= goal) {
                break;
            }
        }
        return out;
    }
    /// Lets all impulses act.
    void apply(const relax::RowsView<double>& rows) { run<relax::RowVerb::apply>(rows); }
    /// The residual velocity of the impulses as they are.
    double measure(const relax::RowsView<double>& rows)
    {
        return std::sqrt(run<relax::RowVerb::measure>(rows));
    }

private:
    /// Returns the largest squared residual velocity.
    template <relax::RowVerb verb> double run(const relax::RowsView<double>& rows)
    {
        double squared = 0;
        switch (rows.law) {
        case Law::coulomb: squared = sweep<verb, Law::coulomb>(rows); break;
        case Law::frictionless: squared = sweep<verb, Law::frictionless>(rows); break;
        case Law::projected: squared = sweep<verb, Law::projected>(rows); break;
        default: squared = sweep<verb, Law::max_dissipation>(rows); break;
        }
        for (std::size_t k = 0; verb != relax::RowVerb::measure && k < rows.split_count; ++k) {
            relax::join_copies(rows.splits[k], rows.slots.velocity);
        }
        return squared;
    }
    template <relax::RowVerb verb, Law L> double sweep(const relax::RowsView<double>& rows)
    {
        double squared = 0;
        const rows::Slots& slots = rows.slots;
        // verb(block, lane, a, b) on all rows of a group
        const auto take = [&](std::size_t before, const state::Group& g, auto&& verb_on) {
            const auto on_row = [&](auto& block, int lane) {
                state::VelocityLine& line_a = slots.velocity[block.slot[0][lane]];
                state::VelocityLine& line_b = slots.velocity[block.slot[1][lane]];
                rows::BodyVelocity<double> a = rows::load(line_a), b = rows::load(line_b);
                const double r = verb_on(block, lane, a, b);
                squared = r > squared ? r : squared;
                if (verb != relax::RowVerb::measure) {
                    rows::store(a, line_a);
                    if (slots.moves(block.slot[1][lane])) {
                        rows::store(b, line_b);
                    }
                }
            };
            for (std::size_t at = g.begin * state::block_lanes; at < g.end * state::block_lanes;
                 ++at) {
                with_row(rows, before + at, on_row);
            }
        };
        struct OnRow {
            const rows::Slots& slots;
            double operator()(state::RoundRowsOf<double>& block, int lane,
                              rows::BodyVelocity<double>& a, rows::BodyVelocity<double>& b) const
            {
                rows::RoundRow<double> row = rows::load(block, lane);
                const double r = relax::on_row<verb>(row, a, b);
                rows::store_impulse(row, block, lane);
                return r;
            }
            double operator()(state::GeneralBlock& block, int lane, rows::BodyVelocity<double>& a,
                              rows::BodyVelocity<double>& b) const
            {
                return relax::on_row<verb, L>(block, lane, a, b, slots.inertia);
            }
        };
        for (const state::Group& g : groups) {
            const bool general = g.kind == state::RowKind::general;
            take(general ? rows.round_count * state::block_lanes : 0, g, OnRow{slots});
        }
        return squared;
    }
};

}  // namespace scree::device
