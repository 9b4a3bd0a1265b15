#include "engine/host_engine.hpp"

#include "engine/contact_problems.hpp"
#include "engine/contact_report.hpp"
#include "engine/stage_clock.hpp"
#include "ranks/halo_exchange.hpp"
#include "stages/finish/finish_pack.hpp"
#include "stages/relax/mass_splitting.hpp"
#include "stages/velocities/integrate_velocity.hpp"

#include <algorithm>

namespace scree::engine {

bool HostEngine::on_any_rank(bool here)
{
    return matter_.domain != nullptr ? matter_.domain->any(here) : here;
}

bool HostEngine::stale(double margin)
{
    return broad_phase_.stale(matter_.model, matter_.bodies, margin);
}

bool HostEngine::rebuild(bool changed, bool relaxed)
{
    // Rows are made anew after the list: their memory is free until then.
    const auto bytes = [](auto& blocks) { return std::as_writable_bytes(std::span(blocks)); };
    const bool mostly_round = bytes(rows_.round).size() >= bytes(rows_.general).size();
    const std::span<std::byte> lent = mostly_round ? bytes(rows_.round) : bytes(rows_.general);
    return broad_phase_.rebuild(matter_.model, matter_.bodies, matter_.list, matter_.stored,
                                changed, relaxed, lent, matter_.domain.get());
}

void HostEngine::begin_step(double spare)
{
    candidates::begin_step(matter_.model, matter_.bodies, spare);
}

PassReport HostEngine::pass(candidates::Pass pass, double spare, StepReport& report)
{
    PassReport out;
    {
        const StageClock clock(report, Stage::narrow_phase);
        candidates::find_candidates(matter_.model, matter_.bodies, matter_.list, spare, pass,
                                    candidates_);
        out.candidates = candidates_.total;
    }
    {
        const StageClock clock(report, Stage::contact_setup);
        out.contacts = setup_.run(matter_.model, matter_.bodies, matter_.list, candidates_,
                                  matter_.stored, rows_);
        contact_counts_ = out.contacts;
    }
    double pushed = 0;
    {
        const StageClock clock(report, Stage::integrate_velocity);
        pushed = velocities::integrate_velocity(matter_.model, matter_.bodies);
    }
    {
        const StageClock clock(report, Stage::relax);
        give_copies_inertia();
        PassOutlook outlook = this->outlook(pushed);
        if (matter_.domain != nullptr) {
            outlook.agree(matter_.domain->ranks());
        }
        out.contacts.bouncing = outlook.bouncing;
        out.velocity_scale = outlook.velocity_scale();
        if (outlook.any) {
            out.relaxed = relaxation_.run(matter_.model, matter_.bodies, matter_.list, rows_,
                                          out.velocity_scale, matter_.domain.get());
        }
    }
    {
        const StageClock clock(report, Stage::narrow_phase);
        out.unseen = find_missed(spare);
    }
    return out;
}

void HostEngine::give_copies_inertia()
{
    if (matter_.bodies.inertia.empty()) {
        return;
    }
    for (const state::SplitBody& split : matter_.list.splits) {
        relax::give_copies_inertia(split, matter_.bodies.inertia.data());
    }
    for (const state::RankSplitBody& shared : matter_.list.shared) {
        relax::give_copies_inertia(shared, matter_.bodies.inertia.data());
    }
}

/// What contacts of this rank say of the pass.
PassOutlook HostEngine::outlook(double pushed) const
{
    return {rows::PassSpeeds::larger(contact_counts_.relative_speed, pushed),
            contact_counts_.bouncing, !rows_.groups.empty()};
}

MissedPairs HostEngine::find_missed(double spare)
{
    MissedPairs unseen;
    unseen.stale = broad_phase_.stale(matter_.model, matter_.bodies, 0);
    unseen.missed = candidates::find_missed(matter_.model, matter_.bodies, matter_.list, spare,
                                            candidates_, unseen.first);
    if (matter_.domain != nullptr) {
        unseen.agree(matter_.domain->ranks());
    }
    return unseen;
}

BounceReport HostEngine::bounce(double velocity_scale)
{
    BounceReport out;
    relax::choose_bounces(matter_.model, matter_.bodies, matter_.list, candidates_, setup_,
                          least_bounce(matter_.model.settings, velocity_scale), rows_, bounces_);
    out.any = on_any_rank(!bounces_.empty());
    if (!out.any) {
        return out;
    }
    guard_.keep_inelastic(matter_.model, rows_);
    velocities::integrate_velocity(matter_.model, matter_.bodies);
    out.relaxed = relaxation_.run(matter_.model, matter_.bodies, matter_.list, rows_,
                                  velocity_scale, matter_.domain.get());
    out.restitution_reduced = guard_may_help(matter_.domain != nullptr, candidates_.total) &&
                              guard_.run(matter_.model, matter_.bodies, matter_.list, bounces_,
                                         rows_, relaxation_, matter_.domain.get());
    return out;
}

void HostEngine::store_impulses()
{
    rows::store_impulses(matter_.model, rows_, setup_, candidates_, matter_.stored);
}

namespace {

/// finish_body on the bodies of one chunk of exec::tree_sum: balls in packs, others one by one.
finish::BodySums finish_chunk(const state::ModelView& model, const state::BodyView& bodies,
                              finish::FinishBalls finish_balls, std::size_t begin, std::size_t end)
{
    constexpr std::size_t a_few = 8;  // bodies, before packs are tried again
    exec::PartialSums<finish::body_sum_count> sums;
    for (std::size_t row = begin; row < end; row += exec::tree_width) {
        const std::size_t row_end = std::min(row + exec::tree_width, end);
        for (std::size_t i = row; i < row_end;) {
            const std::size_t j = i - row;
            i = finish_balls(model, bodies, i, row_end,
                             {sums.of[finish::gravity_work] + j, sums.of[finish::gravity_error] + j,
                              sums.of[finish::kinetic] + j, sums.of[finish::potential] + j,
                              sums.of[finish::not_finite] + j});
            for (const std::size_t stop = std::min(i + a_few, row_end); i < stop; ++i) {
                sums.add(i - row, finish::finish_body(model, bodies, i));
            }
        }
    }
    return sums.fold();
}

}  // namespace

EndReport HostEngine::end_step(StepReport& report)
{
    EndReport out;
    {
        const StageClock clock(report, Stage::account);
        out.work = relaxation_.account(matter_.model, matter_.bodies, matter_.list, rows_,
                                       matter_.domain.get());
    }
    const StageClock clock(report, Stage::integrate_pose);
    const state::ModelView model = state::view(matter_.model);
    const state::BodyView bodies = state::view(matter_.bodies);
    const finish::FinishBalls finish_balls = finish::finish_balls_of(matter_.model.isa);
    out.sums = exec::tree_sum_of_chunks<finish::body_sum_count>(
        bodies.count, matter_.model.threads, body_sums_, [&](std::size_t begin, std::size_t end) {
            return finish_chunk(model, bodies, finish_balls, begin, end);
        });
    out.touching = contact_counts_.touching;
    out.penetrating = contact_counts_.penetrating;
    out.penetration_sum = contact_counts_.penetration_sum;
    return out;
}

std::vector<BodyInBox> HostEngine::find_inside(const Box& box)
{
    const state::ModelView model = state::view(matter_.model);
    const state::BodyView bodies = state::view(matter_.bodies);
    std::vector<BodyInBox> found;
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (is_inside(bodies, i, box)) {
            found.push_back(body_in_box(model, bodies, i));
        }
    }
    return found;
}

void HostEngine::make_gaps(const std::vector<BodyInBox>& bodies)
{
    for (const BodyInBox& b : bodies) {
        state::make_gap(state::view(matter_.bodies), b.body);
    }
}

void HostEngine::contacts(std::vector<Contact>& out)
{
    const state::BodyView bodies = state::view(matter_.bodies);
    std::size_t contact = 0;
    const shapes::ContactPoint* point = nullptr;
    for (std::size_t p = 0; p < candidates_.count.size(); ++p) {
        if (p % state::pair_chunk == 0) {
            point = candidates_.chunks[p / state::pair_chunk].points.data();
        }
        const state::BodyPair pair = matter_.list.pair[p];
        const bool spheres =
            (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_round) != 0;
        for (int f = 0; f < candidates_.count[p]; ++f, ++contact) {
            const Vec3<double> impulse = matter_.stored.impulse[contact];
            if (spheres) {
                const NormalAndLever row = normal_and_lever(
                    rows_.round.data(), rows_.general.data(), setup_.row_of()[contact]);
                out.push_back(
                    contact_of_spheres(state::view(matter_.model), bodies, pair, row, impulse));
            } else {
                out.push_back(contact_at(bodies, pair, *point++, impulse));
            }
        }
    }
}

double HostEngine::true_residual()
{
    const WithVelocitiesOfContacts judged(matter_.bodies);
    return relaxation_.measure(matter_.model, matter_.bodies, matter_.list, rows_,
                               matter_.domain.get());
}

std::vector<StepContact> HostEngine::problems()
{
    const auto& velocity = velocities_of_contacts(matter_.bodies);
    ProblemBodies bodies({velocity.data(), matter_.bodies.count()}, matter_.list.copy_count);
    bodies.name_copies(matter_.list.splits);
    bodies.name_copies(matter_.list.shared);
    std::vector<StepContact> out;
    for (const state::Group& group : rows_.groups) {
        const std::size_t rows = std::size_t(group.end - group.begin) * state::block_lanes;
        if (group.kind == state::RowKind::general) {
            append_problem<state::block_lanes>(rows_.general.data() + group.begin, rows, bodies,
                                               out);
        } else {
            append_problem<state::block_lanes>(rows_.round.data() + group.begin, rows, bodies, out);
        }
    }
    return out;
}

EngineMemory HostEngine::memory() const
{
    std::size_t bytes = 0;
    for (const auto& chunk : candidates_.chunks) {
        bytes += sizeof chunk + exec::bytes_of(chunk.points);
    }
    bytes += exec::bytes_of(candidates_.count) + exec::bytes_of(candidates_.group_count) +
             exec::bytes_of(rows_.round) + exec::bytes_of(rows_.general) +
             exec::bytes_of(rows_.groups) + exec::bytes_of(body_sums_) + broad_phase_.bytes() +
             setup_.bytes() + relaxation_.bytes();
    return {.host = bytes};
}

}  // namespace scree::engine
