// A sweep on several ranks: its legs, and what ranks tell each other between them of bodies that
// they hold in common (ranks/halo_exchange.hpp). The order is written once. `Lines` are the
// velocities of the host or of a device, with these verbs:
//
//   bring(pass)     velocities that other ranks have sent become those of bodies here
//   fetch(pass)     velocities of bodies here are made ready to be sent
//   note_changes()  so are the changes of the copies here of each shared body
//   join()          shared bodies take the mean of all ranks' copies
#pragma once

#include "ranks/halo_exchange.hpp"
#include "stages/relax/mass_splitting.hpp"

#include <algorithm>
#include <span>

namespace scree::relax {

/// What travels of a body, and how it arrives.
SCREE_HD ranks::Change motion_of(const state::VelocityLine& line) { return {line.v, line.w}; }
SCREE_HD void set_motion(const ranks::Change& motion, state::VelocityLine& line)
{
    line.v = motion.v;
    line.w = motion.w;
}

/// `run_leg` relaxes the rows of a leg and returns their residual, with split bodies joined behind
/// the last one. Returns the largest residual.
template <class Lines, class RunLeg>
double sweep_on_ranks(ranks::Domain& domain, Lines& lines, const RunLeg& run_leg)
{
    double residual = run_leg(state::part_upstream);
    domain.hear();
    lines.bring(ranks::Domain::pass_hear);
    residual = std::max(residual, run_leg(state::part_relay));
    lines.note_changes();
    lines.fetch(ranks::Domain::pass_tell);
    domain.tell();
    residual = std::max(residual, run_leg(state::part_downstream));
    lines.fetch(ranks::Domain::pass_answer);
    domain.answer();
    residual = std::max(residual, run_leg(state::part_local));
    domain.finish();
    lines.bring(ranks::Domain::pass_finish);
    lines.join();
    return residual;
}

/// Velocities of the host.
struct HostLines {
    ranks::Domain& domain;
    std::span<const state::RankSplitBody> shared;
    state::VelocityLine* velocity;

    void bring(ranks::Domain::Pass pass)
    {
        for (const ranks::Domain::Line& line : domain.lines(pass)) {
            set_motion(domain.values()[line.at], velocity[line.body]);
        }
    }
    void fetch(ranks::Domain::Pass pass)
    {
        for (const ranks::Domain::Line& line : domain.lines(pass)) {
            domain.values()[line.at] = motion_of(velocity[line.body]);
        }
    }
    void note_changes()
    {
        for (std::size_t k = 0; k < shared.size(); ++k) {
            domain.values()[k] = change_of(shared[k], velocity);
        }
    }
    void join()
    {
        for (std::size_t k = 0; k < shared.size(); ++k) {
            close_copies(shared[k], domain.sum_of(k), velocity);
        }
    }
};

}  // namespace scree::relax
