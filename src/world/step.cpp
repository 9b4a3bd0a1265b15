// One time step, as in the paper: find contacts, integrate velocities, relax all contact impulses,
// integrate poses. Stage names are those of scree::Stage.
#include "scree/error.hpp"
#include "world/state.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>

namespace scree {

namespace {

/// Adds the time until it goes out of scope to a stage.
class StageClock {
public:
    StageClock(StepReport& report, Stage stage)
        : seconds_(report.seconds[static_cast<std::size_t>(stage)]), start_(Clock::now())
    {
    }
    ~StageClock() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_;
};

/// Rounds of adding missed contacts and relaxing again before giving up.
constexpr int most_passes = 64;
/// Rounds after which all pairs within reach take part.
constexpr int few_passes = 3;
/// How much more than a step's way a list has to be good for at the beginning of the step.
constexpr double list_margin = 0.5;

}  // namespace

void World::State::step()
{
    report = StepReport{};
    report.step = ++steps;
    sweeps::ContactWork work;
    world::BodySums sums;
    {
        const StageClock clock(report, Stage::broad_phase);
        if (changed || broad_phase.stale(model, bodies, list_margin)) {
            rebuild_list(false);
        }
        spare_speed = std::max(spare_speed, collide::least_spare_speed(model.settings));
        collide::begin_step(model, bodies, spare_speed);
    }
    relax_contacts();
    {
        const StageClock clock(report, Stage::account);
        work = relaxation.account(model, bodies, list, rows);
    }
    {
        const StageClock clock(report, Stage::integrate_pose);
        const ModelView m = view(model);
        const BodyView b = view(bodies);
        sums = exec::tree_sum<world::body_sum_count>(
            bodies.count(), model.threads, body_sums,
            [&](std::size_t i) { return world::finish_body(m, b, i); });
        time += model.settings.time_step;
    }
    account_step(work, sums);
    {
        const StageClock clock(report, Stage::observe);
        observe();
    }
}

/// Contacts and their impulses; again with more contacts while bodies would pass into each other.
void World::State::relax_contacts()
{
    collide::Pass pass = collide::Pass::first;
    for (report.passes = 1;; ++report.passes) {
        {
            const StageClock clock(report, Stage::narrow_phase);
            collide::find_candidates(model, bodies, list, spare_speed, pass, candidates);
        }
        contact::SetupReport contacts;
        {
            const StageClock clock(report, Stage::contact_setup);
            contacts = setup.run(model, bodies, list, candidates, stored, rows);
        }
        double pushed = 0;
        {
            const StageClock clock(report, Stage::integrate_velocity);
            pushed = move::integrate_velocity(model, bodies);
        }
        {
            const StageClock clock(report, Stage::relax);
            give_copies_inertia();
            const double scale = std::max(contacts.relative_speed, pushed);
            report.velocity_scale = scale > 0 ? scale : 1;
            const sweeps::RelaxReport relaxed =
                relaxation.run(model, bodies, list, rows, report.velocity_scale);
            report.sweeps += relaxed.sweeps;
            report.accelerated += relaxed.accelerated;
            report.residual = relaxed.residual;
        }
        // What bounces is decided when no contact of the inelastic impact is missing.
        Unseen unseen;
        if (contacts.bouncing > 0) {
            unseen = look_again();
            if (unseen.none() || report.passes == most_passes) {
                const StageClock clock(report, Stage::relax);
                report.guarded = bounce();
                unseen = {};
            }
        }
        {
            const StageClock clock(report, Stage::store_impulses);
            contact::store_impulses(model, rows, setup, candidates, stored);
        }
        {
            const StageClock clock(report, Stage::narrow_phase);
            if (unseen.none()) {
                unseen = look_again();
            }
            if (unseen.none()) {
                // Fewer candidates cost less, a further pass costs as much as a step.
                spare_speed = report.passes > 1
                                  ? std::max(1.5 * spare_speed, 0.01 * report.velocity_scale)
                                  : 0.98 * spare_speed;
                count_contacts(contacts);
                return;
            }
            if (report.passes == most_passes) {
                note(Condition::missed_contact, std::max<std::size_t>(unseen.missed, 1),
                     unseen.missed > 0 ? std::optional(unseen.first) : std::nullopt);
                count_contacts(contacts);
                return;
            }
            if (unseen.stale) {
                rebuild_list(true);
            }
            pass = unseen.stale || report.passes >= few_passes ? collide::Pass::wide
                                                               : collide::Pass::again;
        }
    }
}

/// Pairs that the velocities of relaxation let pass into each other, known or not to the list.
World::State::Unseen World::State::look_again()
{
    Unseen unseen;
    unseen.stale = broad_phase.stale(model, bodies, 0);
    unseen.missed =
        collide::find_missed(model, bodies, list, spare_speed, candidates, unseen.first);
    return unseen;
}

/// Lets the contacts bounce that took an impulse without. Returns whether the guard stepped in.
bool World::State::bounce()
{
    contact::choose_bounces(model, bodies, list, candidates, setup,
                            model.settings.tolerance * report.velocity_scale, rows, bounces);
    if (bounces.empty()) {
        return false;
    }
    guard.keep_inelastic(model, rows);
    move::integrate_velocity(model, bodies);
    const sweeps::RelaxReport relaxed =
        relaxation.run(model, bodies, list, rows, report.velocity_scale);
    report.sweeps += relaxed.sweeps;
    report.accelerated += relaxed.accelerated;
    report.residual = relaxed.residual;
    return candidates.total > 1 && guard.run(model, bodies, list, bounces, rows, relaxation);
}

/// Copies of split bodies are as inert as the body itself.
void World::State::give_copies_inertia()
{
    if (!bodies.inertia.empty()) {
        for (const Split& s : list.splits) {
            InertiaLine copy = bodies.inertia[s.body];
            for (double* entry : {&copy.inverse.xx, &copy.inverse.xy, &copy.inverse.xz,
                                  &copy.inverse.yy, &copy.inverse.yz, &copy.inverse.zz}) {
                *entry *= s.copies;
            }
            std::fill_n(bodies.inertia.begin() + s.first_copy, s.copies, copy);
        }
    }
}

void World::State::rebuild_list(bool relaxed)
{
    // Rows are made anew after the list: their memory is free until then.
    const auto bytes = [](auto& blocks) { return std::as_writable_bytes(std::span(blocks)); };
    const bool mostly_round = bytes(rows.round).size() >= bytes(rows.general).size();
    const std::span<std::byte> lent = mostly_round ? bytes(rows.round) : bytes(rows.general);
    const bool all = changed;
    changed = true;  // until it has worked
    try {
        if (broad_phase.rebuild(model, bodies, list, stored, all, relaxed, lent)) {
            by_id_valid = false;
        }
    } catch (const std::exception& error) {
        // Bodies may have changed places already: what is known of pairs is lost.
        list = {};
        stored = {};
        by_id_valid = false;
        if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
            throw Error(std::string("neighbour list: ") + error.what());
        }
        throw;
    }
    gaps = all ? 0 : gaps;
    changed = false;
    report.list_rebuilt = true;
}

void World::State::count_contacts(const contact::SetupReport& contacts)
{
    report.bodies = alive_dynamic;
    report.pairs = list.pair.size();
    report.candidates = candidates.total;
    report.contacts = contacts.touching;
    report.colours = list.colours;
    report.copies = static_cast<int>(list.copy_count);
    report.max_penetration = contacts.max_penetration;
    report.mean_penetration =
        contacts.penetrating > 0
            ? contacts.penetration_sum / static_cast<double>(contacts.penetrating)
            : 0;
    if (contacts.deep > 0) {
        note(Condition::deep_penetration, contacts.deep,
             contacts.first_deep == SIZE_MAX ? std::nullopt
                                             : std::optional(list.pair[contacts.first_deep]));
    }
    if (contacts.degenerate > 0) {
        note(Condition::degenerate, contacts.degenerate, list.pair[contacts.first_degenerate]);
    }
    if (model.settings.tolerance > 0 && report.residual > model.settings.tolerance) {
        note(Condition::unconverged, 1);
    }
}

void World::State::account_step(const sweeps::ContactWork& work, const world::BodySums& sums)
{
    EnergyLedger& e = report.energy;
    report.active = work.active;
    e.normal_work = work.normal;
    e.friction_work = work.friction;
    e.wall_work = work.wall;
    e.correction_work = work.correction;
    e.gap_work = work.gap;
    e.restitution_work = work.restitution;
    e.gravity_work = sums.of[world::gravity_work];
    e.fall_error = sums.of[world::fall_error];
    e.force_work = sums.of[world::force_work];
    e.gyroscopic_work = sums.of[world::gyroscopic_work];
    e.rotation_error = sums.of[world::rotation_error];
    e.wrap = sums.of[world::wrapped];
    e.kinetic_before = totals.kinetic;
    e.potential_before = totals.potential;
    e.inserted = inserted;
    e.removed = removed;
    inserted = 0;
    removed = 0;
    e.kinetic = sums.of[world::kinetic];
    e.potential = sums.of[world::potential];

    totals.kinetic = e.kinetic;
    totals.potential = e.potential;
    for (double EnergyLedger::*term :
         {&EnergyLedger::inserted, &EnergyLedger::removed, &EnergyLedger::gravity_work,
          &EnergyLedger::force_work, &EnergyLedger::wall_work, &EnergyLedger::normal_work,
          &EnergyLedger::friction_work, &EnergyLedger::gyroscopic_work, &EnergyLedger::fall_error,
          &EnergyLedger::rotation_error, &EnergyLedger::wrap, &EnergyLedger::correction_work,
          &EnergyLedger::gap_work, &EnergyLedger::restitution_work}) {
        totals.*term += e.*term;
    }

    if (const auto lost = static_cast<std::size_t>(sums.of[world::not_finite]); lost > 0) {
        const std::uint32_t i = first_not_finite();
        note(Condition::not_finite, lost, collide::BodyPair{i, i});
    }
    const double scale = e.kinetic + std::abs(e.potential) + e.kinetic_before +
                         std::abs(e.potential_before) + std::abs(e.inserted) + std::abs(e.removed) +
                         std::abs(e.gravity_work) + std::abs(e.normal_work) +
                         std::abs(e.friction_work) + std::abs(e.wall_work);
    if (!(std::abs(e.imbalance()) <= model.settings.energy_tolerance * scale)) {
        note(Condition::energy_unbalanced, 1);
    }
    report.time = time;
    stepped = true;
}

std::uint32_t World::State::first_not_finite() const
{
    std::uint32_t i = 0;
    const auto finite = [&] {
        const Ball& x = bodies.ball[i];
        const Vec3<double>& w = bodies.velocity[i].w;
        return (bodies.flags[i] & flag_alive) == 0 ||
               std::isfinite(x.x + x.y + x.z + w.x + w.y + w.z);
    };
    while (i + 1 < bodies.count() && finite()) {
        ++i;
    }
    return i;
}

void World::State::note(Condition condition, std::size_t count,
                        std::optional<collide::BodyPair> pair)
{
    ConditionCount& c = report.conditions[static_cast<std::size_t>(condition)];
    c.count += count;
    if (pair) {
        c.located = true;
        c.first = bodies.id[pair->first];
        c.second = bodies.id[pair->second];
    }
}

}  // namespace scree
