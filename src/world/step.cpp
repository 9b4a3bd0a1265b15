// One time step, as in the paper: find contacts, integrate velocities, relax all contact impulses,
// integrate poses. Stage names are those of scree::Stage.
#include "engine/stage_clock.hpp"
#include "exec/cores.hpp"
#include "exec/team.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace scree {

namespace {

/// Rounds of adding missed contacts and relaxing again before giving up.
constexpr int most_passes = 64;
/// Rounds after which all pairs within reach take part.
constexpr int few_passes = 3;

}  // namespace

void World::State::step()
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    model.threads = team_size.next(bodies.count());
    const auto waits = [&] {
        Waits sum = exec::Team::mine().waits();
        return domain ? sum += domain->ranks().waits() : sum;
    };
    const Waits before = waits();
    do_step();
    report.threads = model.threads;
    report.waits = waits().since(before);
    // A new list is made in few steps, and would weigh on one size or the other. A sweep is an
    // eighth or so of what else is to do for a contact.
    const double work = static_cast<double>(report.candidates) * (report.sweeps + 8) +
                        static_cast<double>(bodies.count());
    team_size.took(std::chrono::duration<double>(Clock::now() - start).count(),
                   report.list_rebuilt ? 0 : work);
    {
        const engine::StageClock clock(report, Stage::observe);
        observe();
    }
}

void World::State::choose_threads()
{
    const int wanted = model.settings.threads;
    const int most = wanted > 0 ? wanted : exec::usable_cores();
    // Ranks wait for each other and devices for nobody: their steps say little about threads.
    const bool measured = wanted == 0 && !domain && model.settings.gpu == no_gpu;
    if (most != team_size.most() || measured != team_size.is_measured()) {
        team_size = measured ? exec::TeamSize::measured(most) : exec::TeamSize::fixed(most);
    }
    model.threads = most;
}

void World::State::do_step()
{
    report = StepReport{};
    report.step = ++steps;
    stepped = false;  // until it has worked
    partition.clear();
    {
        const engine::StageClock clock(report, Stage::broad_phase);
        const bool renew = changed || engine->stale(engine::list_margin);
        if (domain ? wants_cuts() || domain->any(renew) : renew) {
            rebuild_list(false);
        }
        spare_speed = std::max(spare_speed, candidates::least_solver_speed(model.settings));
        engine->begin_step(spare_speed);
    }
    relax_contacts();
    engine::EndReport end = engine->end_step(report);
    time += model.settings.time_step;
    const bool met_somewhere = domain && agree(end);
    account_step(end);
    // What the account says all ranks know.
    if (met_somewhere || (domain && !report.good())) {
        agree_on_conditions();
    }
}

/// Contacts and their impulses; again with more contacts while bodies would pass into each other.
void World::State::relax_contacts()
{
    candidates::Pass kind = candidates::Pass::first;
    for (report.passes = 1;; ++report.passes) {
        const engine::PassReport pass = engine->pass(kind, spare_speed, report);
        const auto count_sweeps = [&](const relax::RelaxReport& relaxed) {
            report.sweeps += relaxed.sweeps;
            report.accelerated_sweeps += relaxed.accelerated_sweeps;
            report.residual = relaxed.residual;
        };
        report.velocity_scale = pass.velocity_scale;
        count_sweeps(pass.relaxed);
        engine::MissedPairs unseen = pass.unseen;
        // What bounces is decided when no contact of the inelastic impact is missing.
        if (pass.contacts.bouncing > 0 && (unseen.none() || report.passes == most_passes)) {
            const engine::StageClock clock(report, Stage::relax);
            const engine::BounceReport bounced = engine->bounce(report.velocity_scale);
            if (bounced.any) {
                count_sweeps(bounced.relaxed);
                report.restitution_reduced = bounced.restitution_reduced;
                unseen = engine->find_missed(spare_speed);
            }
        }
        {
            const engine::StageClock clock(report, Stage::store_impulses);
            engine->store_impulses();
        }
        if (unseen.none()) {
            // Fewer candidates cost less, a further pass costs as much as a step.
            spare_speed = report.passes > 1
                              ? std::max(1.5 * spare_speed, 0.01 * report.velocity_scale)
                              : engine::solver_speed_after_one_pass(spare_speed);
            count_contacts(pass);
            return;
        }
        if (report.passes == most_passes) {
            if (!unseen.elsewhere) {
                note(Condition::missed_contact, std::max<std::size_t>(unseen.missed, 1),
                     unseen.missed > 0 ? std::optional(unseen.first) : std::nullopt);
            }
            count_contacts(pass);
            return;
        }
        if (unseen.stale) {
            const engine::StageClock clock(report, Stage::broad_phase);
            rebuild_list(true);
        }
        kind = unseen.stale || report.passes >= few_passes ? candidates::Pass::wide
                                                           : candidates::Pass::again;
    }
}

void World::State::rebuild_list(bool relaxed)
{
    const bool all = changed || domain;
    changed = true;  // until it has worked
    try {
        if (domain) {
            migrate(relaxed);
        }
        if (engine->rebuild(all, relaxed)) {
            by_id_valid = false;
        }
        if (domain) {
            drop_unused_ghosts();
        }
    } catch (...) {
        // Bodies may have changed places already, whether or not they can be fetched: what is known
        // of pairs is lost.
        by_id_valid = false;
        engine->fetch(engine::Fetch::all_to_change);
        list = {};
        stored = {};
        throw;
    }
    gaps = all ? 0 : gaps;
    changed = false;
    report.list_rebuilt = true;
}

void World::State::count_contacts(const engine::PassReport& pass)
{
    const rows::SetupReport& contacts = pass.contacts;
    report.bodies = alive_dynamic;
    report.pairs = engine->pairs();
    report.candidates = pass.candidates;
    report.colours = engine->colours();
    report.split_copies = engine->copies();
    report.bodies_on_several_ranks =
        domain != nullptr ? static_cast<int>(domain->shared_count()) : 0;
    report.max_penetration = contacts.max_penetration;
    if (contacts.deep > 0) {
        note(Condition::deep_penetration, contacts.deep,
             contacts.first_deep == SIZE_MAX ? std::nullopt : std::optional(contacts.first_deep));
    }
    if (contacts.degenerate > 0) {
        note(Condition::degenerate, contacts.degenerate, contacts.first_degenerate);
    }
    if (model.settings.tolerance > 0 && report.residual > model.settings.tolerance) {
        note(Condition::unconverged, 1);
    }
}

void World::State::account_step(const engine::EndReport& end)
{
    const relax::ContactWork& work = end.work;
    const finish::BodySums& sums = end.sums;
    EnergyLedger& e = report.energy;
    report.loaded_contacts = work.active;
    report.contacts = end.touching;
    report.mean_penetration =
        end.penetrating > 0 ? end.penetration_sum / static_cast<double>(end.penetrating) : 0;
    e.normal_work = work.normal;
    e.friction_work = work.friction;
    e.wall_work = work.wall;
    e.correction_work = work.correction;
    e.gap_work = work.gap;
    e.restitution_work = work.restitution;
    e.gravity_work = sums.of[finish::gravity_work];
    e.gravity_error = sums.of[finish::gravity_error];
    e.force_work = sums.of[finish::force_work];
    e.gyroscopic_work = sums.of[finish::gyroscopic_work];
    e.rotation_error = sums.of[finish::rotation_error];
    e.periodic_wrap = sums.of[finish::wrapped];
    e.kinetic_before = totals.kinetic;
    e.potential_before = totals.potential;
    e.inserted = inserted;
    e.removed = removed;
    inserted = 0;
    removed = 0;
    e.kinetic = sums.of[finish::kinetic];
    e.potential = sums.of[finish::potential];

    totals.kinetic = e.kinetic;
    totals.potential = e.potential;
    for (double EnergyLedger::*term :
         {&EnergyLedger::inserted, &EnergyLedger::removed, &EnergyLedger::gravity_work,
          &EnergyLedger::force_work, &EnergyLedger::wall_work, &EnergyLedger::normal_work,
          &EnergyLedger::friction_work, &EnergyLedger::gyroscopic_work,
          &EnergyLedger::gravity_error, &EnergyLedger::rotation_error, &EnergyLedger::periodic_wrap,
          &EnergyLedger::correction_work, &EnergyLedger::gap_work,
          &EnergyLedger::restitution_work}) {
        totals.*term += e.*term;
    }

    if (const auto lost = static_cast<std::size_t>(sums.of[finish::not_finite]); lost > 0) {
        engine->fetch(engine::Fetch::bodies);
        const BodyId id = bodies.id[first_not_finite()];
        note(Condition::not_finite, lost, id, id);
    }
    const double scale = e.kinetic + std::abs(e.potential) + e.kinetic_before +
                         std::abs(e.potential_before) + std::abs(e.inserted) + std::abs(e.removed) +
                         std::abs(e.gravity_work) + std::abs(e.normal_work) +
                         std::abs(e.friction_work) + std::abs(e.wall_work);
    // Floats in sweeps round off that much.
    const double least = model.settings.precision == Precision::mixed ? 1e-7 : 0;
    if (!(std::abs(e.residual()) <= std::max(least, model.settings.energy_tolerance) * scale)) {
        note(Condition::energy_unbalanced, 1);
    }
    report.time = time;
    stepped = true;
}

std::uint32_t World::State::first_not_finite() const
{
    std::uint32_t i = 0;
    const auto finite = [&] {
        const shapes::Ball& x = bodies.ball[i];
        const Vec3<double>& w = bodies.velocity[i].w;
        return (bodies.flags[i] & state::flag_alive) == 0 ||
               std::isfinite(x.x + x.y + x.z + w.x + w.y + w.z);
    };
    while (i + 1 < bodies.count() && finite()) {
        ++i;
    }
    return i;
}

void World::State::note(Condition condition, std::size_t count, std::optional<std::size_t> pair)
{
    if (pair) {
        const auto [first, second] = engine->bodies_of_pair(*pair);
        note(condition, count, first, second);
    } else {
        report.conditions[static_cast<std::size_t>(condition)].count += count;
    }
}

void World::State::note(Condition condition, std::size_t count, BodyId first, BodyId second)
{
    ConditionCount& c = report.conditions[static_cast<std::size_t>(condition)];
    c.count += count;
    c.located = true;
    c.first = first;
    c.second = second;
}

}  // namespace scree
