// The verbs of a sweep on one row where it is stored, a block and a lane of it: what a GPU's thread
// does, and in the same bits a lane of the CPU's packs.
#pragma once

#include "stages/relax/contact_rule.hpp"
#include "stages/rows/row_access.hpp"
#include "state/bodies.hpp"
#include "state/rows.hpp"

namespace scree::relax {

/// What a row's verb does: `relax` solves its block and applies the change, `measure` gives the
/// squared residual velocity, `apply` lets the impulse act.
enum class RowVerb : std::uint8_t { relax, relax_and_measure, measure, apply };
template <RowVerb verb>
inline constexpr bool relaxes = verb == RowVerb::relax || verb == RowVerb::relax_and_measure;
template <RowVerb verb>
inline constexpr bool measures = verb == RowVerb::measure || verb == RowVerb::relax_and_measure;

/// On a round row, of which the block is known, and the velocities of its bodies.
template <RowVerb verb, class T>
SCREE_HD T on_row(rows::RoundRow<T>& c, const KnownBlock<T>& known, rows::BodyVelocity<T>& a,
                  rows::BodyVelocity<T>& b)
{
    Vec3<T> change = c.impulse;
    T residual2 = 0;
    if constexpr (verb != RowVerb::apply) {
        const law::TrialImpulse<T> pose = trial_impulse(c, known, a, b);
        change = project_on_cone(c, pose);
        if constexpr (measures<verb>) {
            residual2 = velocity_of(known, pose.x_n, change);
        }
    }
    if constexpr (relaxes<verb>) {
        change = math::abs(c.weight) * change;
        c.impulse = c.impulse + change;
    }
    if constexpr (verb != RowVerb::measure) {
        apply(c, change, a, b);
    }
    return residual2;
}
template <RowVerb verb, class T>
SCREE_HD T on_row(rows::RoundRow<T>& c, rows::BodyVelocity<T>& a, rows::BodyVelocity<T>& b)
{
    return on_row<verb>(c, block_of(c, a, b), a, b);
}
/// On a general row where it is stored; its impulse is stored as well. Relaxing it always measures,
/// which costs little here.
template <RowVerb verb, Law L>
SCREE_HD double on_row(state::GeneralBlock& block, int lane, rows::BodyVelocity<double>& a,
                       rows::BodyVelocity<double>& b, const state::InertiaLine* inertia)
{
    const rows::GeneralRow<double> c = rows::load(block, lane);
    ContactVector<double> change = c.impulse;
    double residual2 = 0;
    if constexpr (verb != RowVerb::apply) {
        const ContactVector<double> x = law::solve<L>(block_problem(c, a, b)).x;
        change = {x.n - c.impulse.n, x.t - c.impulse.t, x.o - c.impulse.o};
        residual2 = velocity_of(c.A, change);
    }
    if constexpr (relaxes<verb>) {
        const double weight = math::abs(c.weight);
        change = {weight * change.n, weight * change.t, weight * change.o};
        block.impulse[0][lane] = c.impulse.n + change.n;
        block.impulse[1][lane] = c.impulse.t + change.t;
        block.impulse[2][lane] = c.impulse.o + change.o;
    }
    if constexpr (verb != RowVerb::measure) {
        apply(c, to_world(c, change), a, b, inertia[block.slot[0][lane]].inverse,
              inertia[block.slot[1][lane]].inverse);
    }
    return residual2;
}

/// The work of a row's impulse between two sets of velocities.
template <class Block>
SCREE_HD Work<double> work_of(const Block& block, int lane, const state::VelocityLine* before,
                              const state::VelocityLine* after)
{
    const std::uint32_t slot_a = block.slot[0][lane];
    const std::uint32_t slot_b = block.slot[1][lane];
    return work_of(rows::load(block, lane), rows::load(before[slot_a]), rows::load(before[slot_b]),
                   rows::load(after[slot_a]), rows::load(after[slot_b]));
}

/// About the entry nn of a row's A: the energy of a change of its impulse is about A_nn |Δx|².
template <class T, int lanes>
SCREE_HD double inertness(const state::RoundBlockOf<T, lanes>& block, int lane,
                          const state::VelocityLine* velocity)
{
    return velocity[block.slot[0][lane]].inverse_mass + velocity[block.slot[1][lane]].inverse_mass;
}
SCREE_HD double inertness(const state::GeneralBlock& block, int lane,
                          const state::VelocityLine* /*velocity*/)
{
    return block.A[0][lane];
}

/// Brings an accelerated iterate back into the friction cone, or box.
template <class T, int lanes>
SCREE_HD void project(state::RoundBlockOf<T, lanes>& block, int lane, Law /*law*/)
{
    rows::RoundRow<double> c = rows::load(block, lane);
    const double along = dot(c.n, c.impulse);
    const double x_n = along > 0 ? along : 0;
    const Vec3<double> u = c.impulse - along * c.n;
    const double most = c.mu * x_n;
    const double length = norm(u);
    c.impulse = x_n * c.n + (length > most ? most / length : 1) * u;
    rows::store_impulse(c, block, lane);
}
SCREE_HD void project(state::GeneralBlock& c, int lane, Law law)
{
    const double x_n = c.impulse[0][lane] > 0 ? c.impulse[0][lane] : 0;
    const double t = c.impulse[1][lane];
    const double o = c.impulse[2][lane];
    const double most = c.mu[lane] * x_n;
    c.impulse[0][lane] = x_n;
    if (law == Law::projected) {
        c.impulse[1][lane] = t < -most ? -most : (most < t ? most : t);
        c.impulse[2][lane] = o < -most ? -most : (most < o ? most : o);
        return;
    }
    const double length = math::sqrt(t * t + o * o);
    const double part = length > most ? most / length : 1;
    c.impulse[1][lane] = part * t;
    c.impulse[2][lane] = part * o;
}

}  // namespace scree::relax
