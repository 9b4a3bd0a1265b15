// The device's engine: the stages of a step. Part of engine.hpp.
#pragma once

#include "engine/device_engine.hpp"

namespace scree::engine {

template <class Loops, class T> void DeviceEngine<Loops, T>::begin_step(double spare)
{
    bring();
    run_ahead();
    const SlotStart start = slot_start();
    // Velocities need no copy: pushing makes all of them anew.
    bodies_.velocity.swap(bodies_.velocity_before);
    pushed_ = false;
    started_ = true;
    watched_.begin_step();
    inside_known_ = false;
    foreseen_ = foreseen_of_ == spare && (known_end_.inside == 0 || gone_);
    if (foreseen_) {
        return;
    }
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    loops_.for_each(std::max(b.count, start.slots), [=] SCREE_DEVICE(std::size_t i) {
        if (i < b.count) {
            candidates::set_reach(model, b, i, b.velocity_before[i], spare);
        }
        start(i);
    });
}

/// Makes room for a pass, and says how slots are made ready for it.
template <class Loops, class T> SlotStart DeviceEngine<Loops, T>::slot_start()
{
    rows_.fit_rows(std::max<std::size_t>(rows_.round_capacity(), known_.round_blocks * 33UL / 32),
                   std::max<std::size_t>(rows_.general.size(), known_.general_blocks * 33UL / 32));
    rows_.fit_slots(bodies_.count + list_.copy_count);
    next_stored_.impulse.fit(rows_.row_of.size());
    return {rows_.slot_order.size(), rows_.slot_order.data(), rows_.away.data()};
}

/// Velocities at the end of the step without contacts.
template <class Loops, class T> void DeviceEngine<Loops, T>::push(bool first)
{
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    Numbers* numbers = this->numbers();
    // Without room for all rows the pass is made again, a further one from the velocities that are
    // there.
    exec::for_largest<1>(
        loops_, first ? b.count : b.dynamic_count, &numbers->speeds.pushed,
        [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<1> {
            if (i >= b.dynamic_count) {
                b.velocity[i] = b.velocity_before[i];
                return {};
            }
            return {{first || numbers->overflow == 0 ? velocities::push(model, b, i) : 0}};
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
            m_.model.settings.law,
            rows_.any_general,
            rows_.alike};
}

/// Says to what relaxes rows where these are, and how many.
template <class Loops, class T> void DeviceEngine<Loops, T>::refer_to_rows()
{
    refer_to_rows(known_.round_blocks, known_.general_blocks);
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
            neighbours::Straying(m_.model.settings, bodies_.drift_velocity, 0),
            spare,
            &numbers()->overflow,
            &numbers()->stale,
            &numbers()->surprised};
}

/// Looks for pairs that the velocities now let pass into each other, those of bodies that changed
/// theirs by more than was allowed for.
template <class Loops, class T> void DeviceEngine<Loops, T>::look_at_pairs()
{
    candidates::look_at_pairs<relax::RowNotes, Foresight>(loops_, model_view(), bodies_.view(),
                                                          list_, rows_, numbers());
}

template <class Loops, class T>
PassReport DeviceEngine<Loops, T>::pass(candidates::Pass pass, double spare, StepReport& report)
{
    if (!here_) {  // ranks have made their list in the middle of the step
        bring();
        run_ahead();
    }
    const state::ModelView model = model_view();
    const Settings& s = m_.model.settings;
    const auto lap = [&](Stage stage) { loops_.lap(static_cast<std::size_t>(stage)); };
    Numbers* numbers = this->numbers();
    // Where acceleration may be needed, the host decides after every few sweeps; where there are
    // other ranks, it talks to them after every one.
    const bool controlled = (s.tolerance > 0 && s.accelerate) || m_.domain != nullptr;
    const bool ahead = !controlled && !rows_.any_general && list_.copy_count == 0;
    const double next_spare =
        std::max(engine::spare_after_one_pass(spare), candidates::least_spare_speed(s));
    ended_ = false;
    foreseen_of_ = -1;
    const NumbersStart start{said_.data(), norm(s.time_step * s.gravity)};
    // What fails before velocities are made leaves those of the beginning.
    const struct PutBack {
        DeviceEngine& engine;
        ~PutBack()
        {
            if (!std::exchange(engine.pushed_, true)) {
                engine.bodies_.velocity.swap(engine.bodies_.velocity_before);
            }
        }
    } put_back{*this};
    do {
        loops_.start_laps();
        if (!std::exchange(started_, false)) {
            const SlotStart slots = slot_start();
            loops_.for_each(slots.slots, [=] SCREE_DEVICE(std::size_t i) { slots(i); });
        }
        if (std::exchange(foreseen_, false)) {
            rows_.found.swap(rows_.foreseen);
        } else {
            candidates::find_candidates(loops_, model, bodies_.view(), list_, spare, pass, rows_,
                                        rows_.found, row_notes(), Foresight{});
        }
        lap(Stage::narrow_phase);
        rows::lay_out_rows(loops_, list_, rows_, rows_, start, numbers);
        lap(Stage::contact_setup);
        loops_.side_by_side([&] { push(pass == candidates::Pass::first); },
                            [&] {
                                lap(Stage::integrate_velocity);
                                rows::place_rows(loops_, list_, bodies_, rows_, rows_,
                                                 next_stored_);
                            });
        pushed_ = true;
        rows::make_rows(loops_, model, bodies_, list_, stored_, next_stored_, rows_, rows_,
                        rows_.alike.are,
                        relax::RowTurns{rows_.slot_order.data(), row_notes().fixed}, numbers);
        lap(Stage::contact_setup);
        const bool tensors = bodies_.inertia.size() > 0;
        state::InertiaLine* inertia = bodies_.inertia.data();
        const state::Split* splits = list_.splits.data();
        loops_.for_each(tensors ? list_.splits.size() : 0, [=] SCREE_DEVICE(std::size_t i) {
            relax::give_copies_inertia(splits[i], inertia);
        });
        const state::Shared* shared = list_.shared.data();
        loops_.for_each(tensors ? list_.shared.size() : 0, [=] SCREE_DEVICE(std::size_t i) {
            relax::give_copies_inertia(shared[i], inertia);
        });
        if (!controlled) {
            const rows::PassSpeeds* speeds = &numbers->speeds;
            relax::start_relax(loops_, rows_.team, sweep_view(), s.sweeps, s.warm_start > 0,
                               s.tolerance, speeds, &numbers->relaxed, look_at_bodies(spare), true);
            lap(Stage::relax);
            look_at_pairs();
            lap(Stage::narrow_phase);
        }
        // What comes next is mostly the end of the step: the device need not wait to be told.
        if (ahead) {
            end_ahead(pass == candidates::Pass::first ? next_spare : -1);
        } else {
            loops_.download(numbers, &known_, 1);
        }
        pushed_ = known_.overflow == 0 || pass != candidates::Pass::first;
        loops_.add_laps(report.seconds);
    } while (known_.overflow != 0);

    PassReport out;
    double scale = known_.speeds.scale();
    std::size_t bouncing = known_.bouncing;
    if (controlled) {
        const bool any = agree(scale, bouncing);
        loops_.start_laps();
        refer_to_rows();
        if (any) {
            out.relaxed = relax::relax(relax_rows_, s, list_.copy_count > 0, scale, memory_);
        }
        lap(Stage::relax);
        look(spare);
        lap(Stage::narrow_phase);
        loops_.download(numbers, &known_, 1);
        loops_.add_laps(report.seconds);
    } else if (known_.contacts > 0) {
        out.relaxed.sweeps = static_cast<int>(known_.relaxed.sweeps);
        out.relaxed.residual = known_.relaxed.residual() / known_.speeds.scale();
    }
    out.candidates = known_.contacts;
    out.velocity_scale = scale;
    out.contacts.max_penetration = known_.speeds.max_depth();
    out.contacts.relative_speed = known_.speeds.relative_speed();
    out.contacts.bouncing = bouncing;
    out.contacts.deep = known_.deep;
    out.contacts.degenerate = known_.degenerate;
    const auto pair = [](std::uint32_t p) { return p == 0xffffffffU ? SIZE_MAX : p; };
    out.contacts.first_deep = pair(known_.first_deep);
    out.contacts.first_degenerate = pair(known_.first_degenerate);
    out.unseen = unseen();
    return out;
}

/// What all ranks' contacts say of these, and whether there are any.
template <class Loops, class T>
bool DeviceEngine<Loops, T>::agree(double& scale, std::size_t& bouncing) const
{
    const bool any = known_.contacts > 0;
    if (m_.domain == nullptr) {
        return any;
    }
    const double here = std::max(known_.speeds.relative_speed(), known_.speeds.pushed);
    double all[]{here, static_cast<double>(known_.bouncing), any ? 1.0 : 0.0};
    m_.domain->ranks().largest(all);
    scale = all[0] > 0 ? all[0] : 1;
    bouncing = static_cast<std::size_t>(all[1]);
    return all[2] > 0;
}

template <class Loops, class T> Unseen DeviceEngine<Loops, T>::unseen() const
{
    Unseen out{known_.stale != 0, known_.missed, known_.first_missed};
    if (m_.domain != nullptr) {
        out.agree(m_.domain->ranks());
    }
    return out;
}

template <class Loops, class T> BounceReport DeviceEngine<Loops, T>::bounce(double velocity_scale)
{
    const Settings& s = m_.model.settings;
    BounceReport out;
    refer_to_rows();
    out.any = loops_.on_any_rank(relax_rows_.choose_bounces(s.tolerance * velocity_scale) > 0);
    if (out.any) {
        guard_.keep_inelastic(relax_rows_);
        relax_rows_.push();
        out.relaxed = relax::relax(relax_rows_, s, list_.copy_count > 0, velocity_scale, memory_);
        out.guarded = (m_.domain != nullptr || known_.contacts > 1) && guard_.run(relax_rows_);
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

template <class Loops, class T> Unseen DeviceEngine<Loops, T>::look_again(double spare)
{
    // What was a surprise before may be none any more.
    Numbers* numbers = this->numbers();
    loops_.for_each(1, [=] SCREE_DEVICE(std::size_t) {
        numbers->stale = numbers->surprised = numbers->missed = 0;
        numbers->first_missed = 0xffffffffU;
    });
    look(spare);
    loops_.download(numbers, &known_, 1);
    return unseen();
}

/// Keeps the impulses of a pass.
template <class Loops, class T> void DeviceEngine<Loops, T>::start_store()
{
    const std::size_t contacts = known_.contacts;
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
    if (!ended_) {
        loops_.start_laps();
        start_store();
    }
    next_stored_.impulse.fit(known_.contacts);
    if (next_stored_.feature.size() > 0) {
        next_stored_.feature.fit(known_.contacts);
    }
    stored_.count.swap(next_stored_.count);
    stored_.first.swap(next_stored_.first);
    stored_.impulse.swap(next_stored_.impulse);
    stored_.feature.swap(next_stored_.feature);
}

/// The work of all rows, and how many of them touch; bodies move, and their energies are added up.
/// Where it is not sure that the pass was the last, all that only if it was, and impulses are kept
/// as well. `spare`: of the next step, for which bodies and slots are made ready, or negative.
template <class Loops, class T> void DeviceEngine<Loops, T>::start_end(bool sure, double spare)
{
    const auto lap = [&](Stage stage) { loops_.lap(static_cast<std::size_t>(stage)); };
    const state::ModelView model = model_view();
    const state::BodyView b = bodies_.view();
    EndNumbers* end = &said_.data()->end;
    const std::size_t round_blocks = sure ? known_.round_blocks : rows_.round_capacity();
    const std::size_t general_rows =
        sure ? std::size_t(known_.general_blocks) * state::block_lanes : 0;
    refer_to_rows(round_blocks, general_rows / state::block_lanes);
    const LastPass last{numbers(), sure};
    if (general_rows > 0) {
        const std::uint8_t* mark = rows_.general_mark.data();
        const double* depth = rows_.general_depth.data();
        loops_.sum(general_rows, &end->general, [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<3> {
            return finish::row_count(mark[i], depth[i]);
        });
    }
    // One reading of the rows.
    const finish::EndOfRows<T, LastPass> rows{
        relax_rows_.work_of_rows(), last,
        rows_.places.data(),        rows_.round_mark.data(),
        rows_.round_depth.data(),   rows_.pair_of_row.data(),
        next_stored_.first.data(),  next_stored_.impulse.data()};
    const neighbours::Straying strays(model.settings, bodies_.drift_velocity, engine::list_margin);
    const Watched watched = watched_;
    const SlotStart start{b.count, rows_.slot_order.data(), rows_.away.data()};
    const auto finish_body = [=] SCREE_DEVICE(std::size_t i) -> finish::BodySums {
        if (!last()) {
            return {};
        }
        const finish::BodySums sums = finish::finish_body(model, b, i);
        bool inside = false;
        for (std::size_t w = 0; w < watched.count; ++w) {
            if (engine::is_inside(b, i, watched.box[w])) {
                inside = true;
                const std::uint32_t at = exec::add(end->inside, 1);
                if (at < Watched::room) {
                    end->found[at] = {engine::inside_of(model, b, i),
                                      static_cast<std::uint32_t>(w)};
                }
            }
        }
        if (strays(b, i)) {
            (inside ? end->stale_inside : end->stale) = 1;
        }
        if (spare >= 0) {
            candidates::set_reach(model, b, i, b.velocity[i], spare);
            start(i);
        }
        return sums;
    };
    const auto account = [&] { loops_.sum(rows.work.size(), &end->rows, rows, exec::AtOnce<5>{}); };
    const auto finish = [&] {
        lap(Stage::account);
        loops_.sum(b.count, &end->bodies, finish_body, exec::AtOnce<4>{});
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

/// Ends the step if the pass was its last, and learns whether it was; meanwhile the device finds
/// the candidates of the next one, if that will have this spare speed; negative: nobody knows.
template <class Loops, class T> void DeviceEngine<Loops, T>::end_ahead(double next_spare)
{
    start_end(false, next_spare);
    loops_.start_download(said_.data(), 1);
    if (next_spare >= 0) {
        state::BodyView b = bodies_.view();
        b.velocity_before = b.velocity;
        const Foresight foresight{{numbers(), false}, &said_.data()->end.stale, watched_};
        loops_.ahead(static_cast<std::size_t>(Stage::narrow_phase), [&] {
            candidates::find_candidates(loops_, model_view(), b, list_, next_spare,
                                        candidates::Pass::first, rows_, rows_.foreseen, row_notes(),
                                        foresight);
        });
    }
    StepNumbers said;
    loops_.finish_download(&said, 1);
    known_ = said.pass;
    known_end_ = said.end;
    ended_ = LastPass{&known_, false}();
    foreseen_of_ = ended_ && known_end_.stale == 0 ? next_spare : -1;
    gone_ = false;
}

template <class Loops, class T> EndReport DeviceEngine<Loops, T>::end_step(StepReport& report)
{
    if (!ended_) {
        loops_.lap(static_cast<std::size_t>(Stage::store_impulses));
        start_end(true, -1);
    }
    // The host moves what is prescribed meanwhile.
    const state::ModelView host_model = state::view(m_.model);
    const state::BodyView host = state::view(m_.bodies);
    for (std::size_t i = host.dynamic_count; i < host.count; ++i) {
        finish::finish_body(host_model, host, i);
    }
    if (!ended_) {
        loops_.download(&said_.data()->end, &known_end_, 1);
        loops_.add_laps(report.seconds);
    }
    const EndNumbers& known = known_end_;
    stale_outside_ = known.stale != 0;
    stale_ = stale_outside_ || known.stale_inside != 0;
    stale_known_ = true;
    inside_known_ = known.inside <= Watched::room;
    found_.assign(known.found, known.found + std::min<std::size_t>(known.inside, Watched::room));
    std::sort(found_.begin(), found_.end(),
              [](const InsideBox& x, const InsideBox& y) { return x.body.body < y.body.body; });
    EndReport out;
    relax::WorkSums done;
    std::copy_n(known.rows.of, relax::sum_count, done.of);
    const double* const round_count = known.rows.of + relax::sum_count;
    out.work = relax::contact_work(done);
    out.sums = known.bodies;
    out.touching = static_cast<std::size_t>(round_count[0] + known.general.of[0]);
    out.penetrating = static_cast<std::size_t>(round_count[1] + known.general.of[1]);
    out.penetration_sum = round_count[2] + known.general.of[2];
    return out;
}

template <class Loops, class T> double DeviceEngine<Loops, T>::true_residual()
{
    // Contacts are judged by the velocities they left, before bodies turned.
    const bool kept = bodies_.inertia.size() > 0;
    if (kept) {
        bodies_.velocity.swap(bodies_.velocity_before);
    }
    refer_to_rows();
    const double residual = relax_rows_.measure();
    if (kept) {
        bodies_.velocity.swap(bodies_.velocity_before);
    }
    return residual;
}

}  // namespace scree::engine
