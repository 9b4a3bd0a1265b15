// The device's engine: the stages of a step. Part of device_engine.hpp.
#pragma once

#include "engine/device_engine.hpp"

namespace scree::engine {

template <class Loops, class T> void DeviceEngine<Loops, T>::begin_step(double spare)
{
    bring();
    run_ahead();
    const SlotStart start = slot_start();
    // Velocities need no copy: pushing makes all of them anew.
    require_legal(!velocities_are_old(phase_), "a step");
    bodies_.velocity.swap(bodies_.velocity_before);
    phase_ = StepPhase::begun;
    prediction_.begin_step(spare);
    if (prediction_.state() == Prediction::State::in_use) {
        return;
    }
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    loops_.for_each(std::max(b.count, start.slots), [=] SCREE_DEVICE(std::size_t i) {
        if (i < b.count) {
            candidates::set_margin(model, b, i, b.velocity_before[i], spare);
        }
        start(i);
    });
}

/// Makes room for a pass, and says how slots are made ready for it.
template <class Loops, class T> SlotStart DeviceEngine<Loops, T>::slot_start()
{
    rows_.fit_rows(
        std::max<std::size_t>(rows_.round_capacity(), host_counts_.round_blocks * 33UL / 32),
        std::max<std::size_t>(rows_.general.size(), host_counts_.general_blocks * 33UL / 32));
    rows_.fit_slots(bodies_.count + list_.copy_count);
    next_stored_.impulse.fit(rows_.row_of.size());
    return {rows_.slot_order.size(), rows_.slot_order.data(), rows_.away.data()};
}

/// Makes slots ready for a pass, unless the step has begun with them ready.
template <class Loops, class T> void DeviceEngine<Loops, T>::start_slots()
{
    if (phase_ != StepPhase::begun) {
        const SlotStart slots = slot_start();
        loops_.for_each(slots.slots, [=] SCREE_DEVICE(std::size_t i) { slots(i); });
    }
}

/// Velocities at the end of the step without contacts.
template <class Loops, class T> void DeviceEngine<Loops, T>::push(bool first)
{
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    PassCounts* numbers = this->numbers();
    // Without room for all rows the pass is made again, a further one from the velocities that are
    // there.
    for_largest<1>(
        loops_, first ? b.count : b.dynamic_count, &numbers->speeds.pushed,
        [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<1> {
            if (i >= b.dynamic_count) {
                b.velocity[i] = b.velocity_before[i];
                return {};
            }
            return {{first || numbers->overflow == 0 ? velocities::free_velocity(model, b, i) : 0}};
        });
}

template <class Loops, class T> relax::SweepView<T> DeviceEngine<Loops, T>::sweep_view() const
{
    return {rows_.round.data(),
            rows_.inert.data(),
            rows_.general.data(),
            {bodies_.velocity.data(), bodies_.inertia.data(),
             static_cast<std::uint32_t>(bodies_.dynamic_count),
             static_cast<std::uint32_t>(bodies_.count)},
            rows_.line.data(),
            rows_.away.data(),
            rows_.dealt,
            rows_.cuts.data(),
            rows_.scans().round,
            bodies_.count + list_.copy_count,
            rows_.places.data(),
            rows_.next_on_wall.data(),
            rows_.next_point.data(),
            rows_.round_turn.data(),
            rows_.general_turn.data(),
            list_.splits.data(),
            list_.splits.size(),
            matter_.model.settings.law,
            rows_.any_general,
            rows_.alike};
}

/// Says to what relaxes rows where these are, and how many.
template <class Loops, class T> void DeviceEngine<Loops, T>::refer_to_rows()
{
    refer_to_rows(host_counts_.round_blocks, host_counts_.general_blocks);
}
template <class Loops, class T>
void DeviceEngine<Loops, T>::refer_to_rows(std::size_t round_blocks, std::size_t general_blocks)
{
    sweeper_.refer_to(sweep_view(), rows_.team);
    relax_rows_.refer_to(model_view(), bodies_.view(), list_,
                         {rows_.round.data(), round_blocks, rows_.general.data(), general_blocks});
}

template <class Loops, class T>
candidates::LookAtBodies DeviceEngine<Loops, T>::look_at_bodies(double spare) const
{
    return {model_view(),
            bodies_.view(),
            neighbours::LeavesSkin(matter_.model.settings, bodies_.drift_velocity, 0),
            spare,
            &numbers()->overflow,
            &numbers()->stale,
            &numbers()->surprised};
}

/// Looks for pairs that the velocities now let pass into each other, those of bodies that changed
/// theirs by more than was allowed for.
template <class Loops, class T> void DeviceEngine<Loops, T>::look_at_pairs()
{
    candidates::look_at_pairs<relax::RowNotes, ExpectedStep>(loops_, model_view(), bodies_.view(),
                                                             list_, rows_, numbers());
}

/// Whether the host leads relaxation. Where acceleration may be needed, it decides after every few
/// sweeps; where there are other ranks, it talks to them after every one.
template <class Loops, class T> bool DeviceEngine<Loops, T>::host_steers() const
{
    const Settings& s = matter_.model.settings;
    return (s.tolerance > 0 && s.accelerate) || matter_.domain != nullptr;
}

/// Velocities that were not made are those of the beginning of the step again.
template <class Loops, class T> void DeviceEngine<Loops, T>::give_up_pass()
{
    if (velocities_are_old(phase_)) {
        bodies_.velocity.swap(bodies_.velocity_before);
        phase_ = StepPhase::between;
    }
}

template <class Loops, class T>
PassReport DeviceEngine<Loops, T>::pass(candidates::Pass pass, double spare, StepReport& report)
{
    if (!residency_.on_device()) {  // ranks have made their list in the middle of the step
        bring();
        run_ahead();
    }
    require_legal(may_begin_pass(phase_), "a pass");
    const struct Failure {
        DeviceEngine& engine;
        ~Failure() { engine.give_up_pass(); }
    } failure{*this};
    do {
        loops_.start_laps();
        make_contacts(pass, spare);
        if (!host_steers()) {
            relax_on_device(spare);
        }
        learn_counts(pass, spare);
        loops_.add_laps(report.seconds);
    } while (host_counts_.overflow != 0);

    PassOutlook outlook = this->outlook();
    if (matter_.domain != nullptr) {
        outlook.agree(matter_.domain->ranks());
    }
    PassReport out;
    if (host_steers()) {
        loops_.start_laps();
        out.relaxed = relax_by_host(outlook, spare);
        loops_.add_laps(report.seconds);
    } else {
        out.relaxed = relaxed_on_device();
    }
    out.candidates = host_counts_.contacts;
    out.velocity_scale = outlook.velocity_scale();
    out.contacts = contact_counts();
    out.contacts.bouncing = outlook.bouncing;
    out.unseen = unseen();
    return out;
}

/// From candidates to rows, with the velocities that bodies would have without contacts.
template <class Loops, class T>
void DeviceEngine<Loops, T>::make_contacts(candidates::Pass pass, double spare)
{
    const state::ModelView model = model_view();
    PassCounts* numbers = this->numbers();
    const CountsStart start{device_counts_.data(),
                            norm(model.settings.time_step * model.settings.gravity)};
    start_slots();
    if (prediction_.take()) {
        rows_.found.swap(rows_.foreseen);
    } else {
        candidates::find_candidates(loops_, model, bodies_.view(), list_, spare, pass, rows_,
                                    rows_.found, row_notes(), ExpectedStep{});
    }
    lap(Stage::narrow_phase);
    rows::lay_out_rows(loops_, list_, rows_, rows_, start, numbers);
    lap(Stage::contact_setup);
    loops_.side_by_side([&] { push(pass == candidates::Pass::first); },
                        [&] {
                            lap(Stage::integrate_velocity);
                            rows::place_rows(loops_, list_, bodies_, rows_, rows_, next_stored_);
                        });
    phase_ = StepPhase::pushed;
    rows::make_rows(loops_, model, bodies_, list_, stored_, next_stored_, rows_, rows_,
                    rows_.alike.are, relax::RowTurns{rows_.slot_order.data(), row_notes().fixed},
                    numbers);
    lap(Stage::contact_setup);
    give_copies_inertia();
}

template <class Loops, class T> void DeviceEngine<Loops, T>::give_copies_inertia()
{
    const bool tensors = bodies_.inertia.size() > 0;
    state::InertiaLine* inertia = bodies_.inertia.data();
    const state::SplitBody* splits = list_.splits.data();
    loops_.for_each(tensors ? list_.splits.size() : 0, [=] SCREE_DEVICE(std::size_t i) {
        relax::give_copies_inertia(splits[i], inertia);
    });
    const state::RankSplitBody* shared = list_.shared.data();
    loops_.for_each(tensors ? list_.shared.size() : 0, [=] SCREE_DEVICE(std::size_t i) {
        relax::give_copies_inertia(shared[i], inertia);
    });
}

/// All sweeps, and the second look at pairs, without hearing of the host.
template <class Loops, class T> void DeviceEngine<Loops, T>::relax_on_device(double spare)
{
    const Settings& s = matter_.model.settings;
    PassCounts* numbers = this->numbers();
    relax::start_relax(loops_, rows_.team, sweep_view(), s.sweeps, s.warm_start > 0, s.tolerance,
                       &numbers->speeds, &numbers->relaxed, look_at_bodies(spare), true);
    lap(Stage::relax);
    look_at_pairs();
    lap(Stage::narrow_phase);
}

/// What the device says of the pass. What comes next is mostly the end of the step: where nothing
/// is against it, the device need not wait to be told.
template <class Loops, class T>
void DeviceEngine<Loops, T>::learn_counts(candidates::Pass pass, double spare)
{
    const bool first = pass == candidates::Pass::first;
    bool last = false;
    if (host_steers() || rows_.any_general || list_.copy_count > 0) {
        loops_.download(numbers(), &host_counts_, 1);
    } else {
        const double next_spare = std::max(engine::solver_speed_after_one_pass(spare),
                                           candidates::least_solver_speed(matter_.model.settings));
        last = end_ahead(first ? std::optional(next_spare) : std::nullopt);
    }
    phase_ = after_pass(host_counts_.overflow != 0, first, last);
}

/// Sweeps that the host leads, and the second look at bodies and pairs.
template <class Loops, class T>
relax::RelaxReport DeviceEngine<Loops, T>::relax_by_host(const PassOutlook& outlook, double spare)
{
    relax::RelaxReport out;
    refer_to_rows();
    if (outlook.any) {
        out = relax::relax(relax_rows_, matter_.model.settings, list_.copy_count > 0,
                           outlook.velocity_scale(), relax_memory_);
    }
    lap(Stage::relax);
    look(spare);
    lap(Stage::narrow_phase);
    loops_.download(numbers(), &host_counts_, 1);
    return out;
}

template <class Loops, class T> relax::RelaxReport DeviceEngine<Loops, T>::relaxed_on_device() const
{
    relax::RelaxReport out;
    if (host_counts_.contacts > 0) {
        out.sweeps = static_cast<int>(host_counts_.relaxed.sweeps);
        out.residual = host_counts_.relaxed.residual() / host_counts_.speeds.scale();
    }
    return out;
}

/// What contacts of this rank say of the pass.
template <class Loops, class T> PassOutlook DeviceEngine<Loops, T>::outlook() const
{
    return {host_counts_.speeds.fastest(), host_counts_.bouncing, host_counts_.contacts > 0};
}

template <class Loops, class T> rows::SetupReport DeviceEngine<Loops, T>::contact_counts() const
{
    const auto pair = [](std::uint32_t p) { return p == 0xffffffffU ? SIZE_MAX : p; };
    rows::SetupReport out;
    out.max_penetration = host_counts_.speeds.max_depth();
    out.relative_speed = host_counts_.speeds.relative_speed();
    out.deep = host_counts_.deep;
    out.degenerate = host_counts_.degenerate;
    out.first_deep = pair(host_counts_.first_deep);
    out.first_degenerate = pair(host_counts_.first_degenerate);
    return out;
}

template <class Loops, class T> MissedPairs DeviceEngine<Loops, T>::unseen() const
{
    MissedPairs out{host_counts_.stale != 0, host_counts_.missed, host_counts_.first_missed};
    if (matter_.domain != nullptr) {
        out.agree(matter_.domain->ranks());
    }
    return out;
}

template <class Loops, class T> BounceReport DeviceEngine<Loops, T>::bounce(double velocity_scale)
{
    const Settings& s = matter_.model.settings;
    require_legal(phase_ == StepPhase::relaxed, "a bounce");
    BounceReport out;
    refer_to_rows();
    out.any = loops_.on_any_rank(relax_rows_.choose_bounces(least_bounce(s, velocity_scale)) > 0);
    if (out.any) {
        guard_.keep_inelastic(relax_rows_);
        relax_rows_.push();
        out.relaxed =
            relax::relax(relax_rows_, s, list_.copy_count > 0, velocity_scale, relax_memory_);
        out.restitution_reduced =
            guard_may_help(matter_.domain != nullptr, host_counts_.contacts) &&
            guard_.run(relax_rows_);
    }
    return out;
}

/// Both, where relaxation has not looked at bodies.
template <class Loops, class T> void DeviceEngine<Loops, T>::look(double spare)
{
    const candidates::LookAtBodies at_body = look_at_bodies(spare);
    loops_.for_each(bodies_.count, [=] SCREE_DEVICE(std::size_t i) { at_body(i); });
    look_at_pairs();
}

template <class Loops, class T> MissedPairs DeviceEngine<Loops, T>::find_missed(double spare)
{
    require_legal(phase_ == StepPhase::relaxed, "a second look");
    // What was a surprise before may be none any more.
    PassCounts* numbers = this->numbers();
    loops_.for_each(1, [=] SCREE_DEVICE(std::size_t) {
        numbers->stale = numbers->surprised = numbers->missed = 0;
        numbers->first_missed = 0xffffffffU;
    });
    look(spare);
    loops_.download(numbers, &host_counts_, 1);
    return unseen();
}

/// Keeps the impulses of a pass.
template <class Loops, class T> void DeviceEngine<Loops, T>::start_store()
{
    const std::size_t contacts = host_counts_.contacts;
    next_stored_.impulse.fit(contacts);
    Vec3<double>* impulse = next_stored_.impulse.data();
    const std::uint32_t* row_of = rows_.row_of.data();
    const state::RoundRowsOf<T>* round = rows_.round.data();
    const state::GeneralBlock* general = rows_.general.data();
    loops_.for_each(contacts, [=] SCREE_DEVICE(std::size_t c) {
        const std::uint32_t at = row_of[c] & ~state::general_bit;
        impulse[c] =
            (row_of[c] & state::general_bit) == 0
                ? rows::impulse_of(round[at / state::round_lanes], at % state::round_lanes)
                : rows::impulse_of(general[at / state::block_lanes], at % state::block_lanes);
    });
}

template <class Loops, class T> void DeviceEngine<Loops, T>::store_impulses()
{
    require_legal(may_end_step(phase_), "the storing of impulses");
    if (phase_ != StepPhase::ended_ahead) {
        loops_.start_laps();
        start_store();
    }
    next_stored_.impulse.fit(host_counts_.contacts);
    if (next_stored_.feature.size() > 0) {
        next_stored_.feature.fit(host_counts_.contacts);
    }
    stored_.count.swap(next_stored_.count);
    stored_.first.swap(next_stored_.first);
    stored_.impulse.swap(next_stored_.impulse);
    stored_.feature.swap(next_stored_.feature);
}

/// How many of the general rows touch, and how deep they are.
template <class Loops, class T>
void DeviceEngine<Loops, T>::count_general_rows(std::size_t general_rows)
{
    if (general_rows > 0) {
        const std::uint8_t* mark = rows_.general_mark.data();
        const double* depth = rows_.general_depth.data();
        loops_.sum(general_rows, &device_counts_.data()->end.general,
                   [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<3> {
                       return finish::row_count(mark[i], depth[i]);
                   });
    }
}

/// Bodies move, and their energies are added up; it is noted who is in a watched box and who leaves
/// the list's skin. Bodies and slots are made ready for a step with this spare speed, if there is
/// one.
template <class Loops, class T>
void DeviceEngine<Loops, T>::finish_bodies(LastPass last, std::optional<double> next_spare)
{
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    EndCounts* end = &device_counts_.data()->end;
    const neighbours::LeavesSkin strays(model.settings, bodies_.drift_velocity,
                                        engine::list_margin);
    const WatchedBoxes boxes = prediction_.boxes();
    const SlotStart start{b.count, rows_.slot_order.data(), rows_.away.data()};
    const double spare = next_spare.value_or(-1);
    const auto finish_body = [=] SCREE_DEVICE(std::size_t i) -> finish::BodySums {
        if (!last()) {
            return {};
        }
        const finish::BodySums sums = finish::finish_body(model, b, i);
        bool inside = false;
        for (std::size_t w = 0; w < boxes.count; ++w) {
            if (engine::is_inside(b, i, boxes.box[w])) {
                inside = true;
                const std::uint32_t at = exec::add(end->inside, 1);
                if (at < WatchedBoxes::room) {
                    end->found[at] = {engine::body_in_box(model, b, i),
                                      static_cast<std::uint32_t>(w)};
                }
            }
        }
        if (strays(b, i)) {
            (inside ? end->stale_inside : end->stale) = 1;
        }
        if (spare >= 0) {
            candidates::set_margin(model, b, i, b.velocity[i], spare);
            start(i);
        }
        return sums;
    };
    loops_.sum(b.count, &end->bodies, finish_body, exec::AtOnce<4>{});
}

/// The work of all rows, and how many of them touch; bodies move, and their energies are added up.
/// Where it is not sure that the pass was the last, all that only if it was, and impulses are kept
/// as well. `next_spare`: of the next step, for which bodies and slots are made ready.
template <class Loops, class T>
void DeviceEngine<Loops, T>::start_end(bool sure, std::optional<double> next_spare)
{
    EndCounts* end = &device_counts_.data()->end;
    const std::size_t round_blocks = sure ? host_counts_.round_blocks : rows_.round_capacity();
    const std::size_t general_rows =
        sure ? std::size_t(host_counts_.general_blocks) * state::block_lanes : 0;
    refer_to_rows(round_blocks, general_rows / state::block_lanes);
    const LastPass last{numbers(), sure};
    count_general_rows(general_rows);
    // One reading of the rows.
    const finish::EndOfRows<T, LastPass> rows{
        relax_rows_.work_of_rows(), last,
        rows_.places.data(),        rows_.round_mark.data(),
        rows_.round_depth.data(),   rows_.pair_of_row.data(),
        next_stored_.first.data(),  next_stored_.impulse.data()};
    const auto account = [&] { loops_.sum(rows.work.size(), &end->rows, rows, exec::AtOnce<5>{}); };
    const auto finish = [&] {
        lap(Stage::account);
        finish_bodies(last, next_spare);
    };
    // Only tensors make velocities change once more, which work must not see.
    if (bodies_.inertia.size() > 0) {
        account();
        finish();
    } else {
        loops_.side_by_side(account, finish);
    }
    lap(Stage::integrate_pose);
}

/// Ends the step if the pass was its last, and returns whether it was. Meanwhile the device finds
/// the candidates of the next one, if its spare speed is known.
template <class Loops, class T>
bool DeviceEngine<Loops, T>::end_ahead(std::optional<double> next_spare)
{
    start_end(false, next_spare);
    loops_.start_download(device_counts_.data(), 1);
    if (next_spare) {
        state::BodyView b = bodies_.view();
        b.velocity_before = b.velocity;
        const ExpectedStep expected{
            {numbers(), false}, &device_counts_.data()->end.stale, prediction_.boxes()};
        loops_.ahead(static_cast<std::size_t>(Stage::narrow_phase), [&] {
            candidates::find_candidates(loops_, model_view(), b, list_, *next_spare,
                                        candidates::Pass::first, rows_, rows_.foreseen, row_notes(),
                                        expected);
        });
    }
    StepCounts counts;
    loops_.finish_download(&counts, 1);
    host_counts_ = counts.pass;
    host_end_counts_ = counts.end;
    const bool last = LastPass{&host_counts_, false}();
    if (last) {
        learn_end();
        if (next_spare && host_end_counts_.stale == 0) {
            prediction_.predicted(*next_spare);
        }
    }
    return last;
}

/// What the end of a step says of the next one.
template <class Loops, class T> void DeviceEngine<Loops, T>::learn_end()
{
    const EndCounts& end = host_end_counts_;
    prediction_.step_ended(end.stale != 0, end.stale_inside != 0,
                           {end.found, std::min<std::size_t>(end.inside, WatchedBoxes::room)},
                           end.inside);
}

template <class Loops, class T> EndReport DeviceEngine<Loops, T>::end_step(StepReport& report)
{
    require_legal(may_end_step(phase_), "the end of a step");
    const bool ended_ahead = phase_ == StepPhase::ended_ahead;
    if (!ended_ahead) {
        lap(Stage::store_impulses);
        start_end(true, std::nullopt);
    }
    // The host moves what is prescribed meanwhile.
    const state::ModelView host_model = state::view(matter_.model);
    const state::BodyView host = state::view(matter_.bodies);
    for (std::size_t i = host.dynamic_count; i < host.count; ++i) {
        finish::finish_body(host_model, host, i);
    }
    if (!ended_ahead) {
        loops_.download(&device_counts_.data()->end, &host_end_counts_, 1);
        loops_.add_laps(report.seconds);
        learn_end();
    }
    phase_ = StepPhase::between;
    const EndCounts& end = host_end_counts_;
    EndReport out;
    relax::WorkSums done;
    std::copy_n(end.rows.of, relax::sum_count, done.of);
    const double* const round_count = end.rows.of + relax::sum_count;
    out.work = relax::contact_work(done);
    out.sums = end.bodies;
    out.touching = static_cast<std::size_t>(round_count[0] + end.general.of[0]);
    out.penetrating = static_cast<std::size_t>(round_count[1] + end.general.of[1]);
    out.penetration_sum = round_count[2] + end.general.of[2];
    return out;
}

template <class Loops, class T> double DeviceEngine<Loops, T>::true_residual()
{
    const WithVelocitiesOfContacts judged(bodies_);
    refer_to_rows();
    return relax_rows_.measure();
}

}  // namespace scree::engine
