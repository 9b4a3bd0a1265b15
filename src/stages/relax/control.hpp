// How rows are relaxed, whatever runs the loops: sweeps until the residual falls below the
// tolerance or the sweeps are used up; where they stall, Anderson acceleration, which goes back
// when a proposal does not work. `Rows` are those of the host or of a device, with these verbs:
//
//   loops()            what runs loops, and whose buffers the vectors are
//   apply_impulses()   gives copies of split bodies the velocity of their body, and lets all
//   impulses
//                      act
//   sweep(most, goal)  up to so many sweeps; stops at a residual velocity of `goal`, if not zero
//   push()             velocities without contacts
//   project()          impulses back into their cones
//   gather(x), scatter(x), weigh(w)  impulses as one vector, and back; what entries weigh
#pragma once

#include "scree/settings.hpp"
#include "stages/relax/anderson.hpp"

#include <algorithm>
#include <limits>

namespace scree::relax {

struct RelaxReport {
    int sweeps = 0;
    int accelerated_sweeps = 0;
    double residual = 0;  ///< relative to the velocity scale
};

/// What a few sweeps did.
struct Swept {
    int sweeps = 0;
    double residual = 0;  ///< of the last one [m/s]
};

/// Sweeps between two looks at the residual of all ranks.
inline constexpr int sweeps_between_looks = 3;

/// Up to so many sweeps, which are told whether to measure and then return their residual velocity;
/// stops at one of `goal`, if not zero. Where there are several ranks that goal is one for all of
/// them, which look at theirs now and then; without one the residual is that of this rank.
template <class Loops, class Sweep>
Swept sweep_until(const Loops& loops, int most, double goal, const Sweep& sweep)
{
    Swept out;
    const bool several = loops.several_ranks();
    while (out.sweeps < most) {
        ++out.sweeps;
        const bool looks = goal > 0 && (!several || out.sweeps % sweeps_between_looks == 2);
        const bool measured = looks || out.sweeps == most;
        const double residual = sweep(measured);
        if (!measured) {
            continue;
        }
        out.residual = goal > 0 && several ? loops.largest_of_ranks(residual) : residual;
        if (goal > 0 && out.residual <= goal) {
            break;
        }
    }
    return out;
}

/// Vectors that are kept for the next time.
template <class Loops> struct RelaxMemory {
    Anderson<Loops> anderson;
    typename Anderson<Loops>::Vector iterate, image, proposal, best, weight;
    [[nodiscard]] std::size_t bytes() const
    {
        return anderson.bytes() + iterate.bytes() + image.bytes() + proposal.bytes() +
               best.bytes() + weight.bytes();
    }
};

/// Sweeps that are given a fair chance before acceleration is thought of, and how much of the
/// residual may be left after them.
inline constexpr int patience = 5;
inline constexpr double stalled = 0.3;
/// A proposal's residual may be this many times that of where it came from: contacts that open and
/// close cost a detour. Otherwise a shorter step in its direction is tried, then a fresh start.
inline constexpr double setback = 4;
inline constexpr double shorter_step = 0.25;
inline constexpr double shortest_step = 0.01;

/// out = from + step (to − from)
template <class Loops, class Vector>
void go_towards(Loops& loops, const Vector& from, const Vector& to, double step, Vector& out)
{
    const double* const a = from.data();
    const double* const b = to.data();
    double* const x = out.data();
    loops.for_each(from.size(),
                   [=] SCREE_DEVICE(std::size_t i) { x[i] = a[i] + step * (b[i] - a[i]); });
}

/// Velocities and rows as these impulses leave them.
template <class Rows, class Vector> void set_impulses(Rows& rows, const Vector& x)
{
    rows.scatter(x);
    rows.push();
    rows.apply_impulses();
}

/// Relaxes rows from their impulses and the velocities without them. `splits`: there are split
/// bodies. `velocity_scale` is what residuals are relative to.
template <class Rows, class Memory>
RelaxReport relax(Rows& rows, const Settings& s, bool splits, double velocity_scale, Memory& m)
{
    RelaxReport report;
    rows.apply_impulses();
    const double goal = s.tolerance * velocity_scale;
    const bool may_accelerate = goal > 0 && s.accelerate;
    const auto try_impulses = [&](const auto& x) {
        rows.scatter(x);
        // A sweep replaces impulses whole, unless weights are below 1: then it would keep a part.
        if (s.relaxation < 1 || splits) {
            rows.project();
        }
        rows.push();
        rows.apply_impulses();
    };

    double residual = 0;
    double before_patience = std::numeric_limits<double>::infinity();
    double best = std::numeric_limits<double>::infinity();
    bool accelerating = false;
    double step = 0;     ///< part of the proposal that is being tried; 0: none
    double to_beat = 0;  ///< the residual that a proposal has to beat
    while (report.sweeps < s.sweeps) {
        if (accelerating) {
            rows.gather(m.iterate);
        }
        const int left = s.sweeps - report.sweeps;
        const int together = accelerating ? 1 : (may_accelerate ? patience : left);
        const Swept done = rows.sweep(std::min(together, left), goal);
        residual = done.residual;
        report.sweeps += done.sweeps;
        if (goal > 0 && residual <= goal) {
            break;
        }
        if (!accelerating) {
            if (may_accelerate && done.sweeps == patience) {
                if (residual > stalled * before_patience) {
                    accelerating = true;
                    rows.weigh(m.weight);
                    m.anderson.restart(m.weight.size());
                }
                before_patience = residual;
            }
            continue;
        }
        if (step > 0 && residual > to_beat) {
            // Worse than where it came from: a shorter step, or back there and start again.
            step *= shorter_step;
            if (step < shortest_step) {
                step = 0;
                m.anderson.restart(m.weight.size());
                set_impulses(rows, m.image);
            } else {
                go_towards(rows.loops(), m.image, m.proposal, step, m.iterate);
                try_impulses(m.iterate);
            }
            continue;
        }
        report.accelerated_sweeps += step > 0 ? 1 : 0;
        rows.gather(m.image);
        if (residual < best) {
            best = residual;
            m.best.fit(m.image.size());
            rows.loops().copy(m.image.data(), m.best.data(), m.image.size());
        }
        to_beat = setback * residual;
        m.proposal.fit(m.image.size());
        const bool proposed =
            m.anderson.propose(rows.loops(), m.iterate, m.image, m.weight, m.proposal);
        step = proposed ? 1 : 0;
        if (proposed && report.sweeps < s.sweeps) {
            try_impulses(m.proposal);
        }
    }
    if (accelerating && residual > best) {
        set_impulses(rows, m.best);
        residual = best;
    }
    report.residual = residual / velocity_scale;
    return report;
}

}  // namespace scree::relax
