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
    return m_.domain != nullptr ? m_.domain->any(here) : here;
}

bool HostEngine::stale(double margin) { return broad_phase_.stale(m_.model, m_.bodies, margin); }

bool HostEngine::rebuild(bool changed, bool relaxed)
{
    // Rows are made anew after the list: their memory is free until then.
    const auto bytes = [](auto& blocks) { return std::as_writable_bytes(std::span(blocks)); };
    const bool mostly_round = bytes(rows_.round).size() >= bytes(rows_.general).size();
    const std::span<std::byte> lent = mostly_round ? bytes(rows_.round) : bytes(rows_.general);
    return broad_phase_.rebuild(m_.model, m_.bodies, m_.list, m_.stored, changed, relaxed, lent,
                                m_.domain.get());
}

void HostEngine::begin_step(double spare) { candidates::begin_step(m_.model, m_.bodies, spare); }

PassReport HostEngine::pass(candidates::Pass pass, double spare, StepReport& report)
{
    PassReport out;
    {
        const StageClock clock(report, Stage::narrow_phase);
        candidates::find_candidates(m_.model, m_.bodies, m_.list, spare, pass, candidates_);
        out.candidates = candidates_.total;
    }
    {
        const StageClock clock(report, Stage::contact_setup);
        out.contacts = setup_.run(m_.model, m_.bodies, m_.list, candidates_, m_.stored, rows_);
        last_ = out.contacts;
    }
    double pushed = 0;
    {
        const StageClock clock(report, Stage::integrate_velocity);
        pushed = velocities::integrate_velocity(m_.model, m_.bodies);
    }
    {
        const StageClock clock(report, Stage::relax);
        if (!m_.bodies.inertia.empty()) {
            for (const state::Split& split : m_.list.splits) {
                relax::give_copies_inertia(split, m_.bodies.inertia.data());
            }
            for (const state::Shared& shared : m_.list.shared) {
                relax::give_copies_inertia(shared, m_.bodies.inertia.data());
            }
        }
        double scale = std::max(out.contacts.relative_speed, pushed);
        bool any = !rows_.groups.empty();
        if (m_.domain != nullptr) {
            double all[]{scale, static_cast<double>(out.contacts.bouncing), any ? 1.0 : 0.0};
            m_.domain->ranks().largest(all);
            scale = all[0];
            out.contacts.bouncing = static_cast<std::size_t>(all[1]);
            any = all[2] > 0;
        }
        out.velocity_scale = scale > 0 ? scale : 1;
        if (any) {
            out.relaxed = relaxation_.run(m_.model, m_.bodies, m_.list, rows_, out.velocity_scale,
                                          m_.domain.get());
        }
    }
    {
        const StageClock clock(report, Stage::narrow_phase);
        out.unseen = look_again(spare);
    }
    return out;
}

Unseen HostEngine::look_again(double spare)
{
    Unseen unseen;
    unseen.stale = broad_phase_.stale(m_.model, m_.bodies, 0);
    unseen.missed =
        candidates::find_missed(m_.model, m_.bodies, m_.list, spare, candidates_, unseen.first);
    if (m_.domain != nullptr) {
        unseen.agree(m_.domain->ranks());
    }
    return unseen;
}

BounceReport HostEngine::bounce(double velocity_scale)
{
    BounceReport out;
    relax::choose_bounces(m_.model, m_.bodies, m_.list, candidates_, setup_,
                          m_.model.settings.tolerance * velocity_scale, rows_, bounces_);
    out.any = on_any_rank(!bounces_.empty());
    if (!out.any) {
        return out;
    }
    guard_.keep_inelastic(m_.model, rows_);
    velocities::integrate_velocity(m_.model, m_.bodies);
    out.relaxed =
        relaxation_.run(m_.model, m_.bodies, m_.list, rows_, velocity_scale, m_.domain.get());
    out.guarded =
        (m_.domain != nullptr || candidates_.total > 1) &&
        guard_.run(m_.model, m_.bodies, m_.list, bounces_, rows_, relaxation_, m_.domain.get());
    return out;
}

void HostEngine::store_impulses()
{
    rows::store_impulses(m_.model, rows_, setup_, candidates_, m_.stored);
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
                             {sums.of[finish::gravity_work] + j, sums.of[finish::fall_error] + j,
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
        out.work = relaxation_.account(m_.model, m_.bodies, m_.list, rows_, m_.domain.get());
    }
    const StageClock clock(report, Stage::integrate_pose);
    const state::ModelView model = state::view(m_.model);
    const state::BodyView bodies = state::view(m_.bodies);
    const finish::FinishBalls finish_balls = finish::finish_balls_of(m_.model.isa);
    out.sums = exec::tree_sum_of_chunks<finish::body_sum_count>(
        bodies.count, m_.model.threads, body_sums_, [&](std::size_t begin, std::size_t end) {
            return finish_chunk(model, bodies, finish_balls, begin, end);
        });
    out.touching = last_.touching;
    out.penetrating = last_.penetrating;
    out.penetration_sum = last_.penetration_sum;
    return out;
}

std::vector<Inside> HostEngine::find_inside(const Box& box)
{
    const state::ModelView model = state::view(m_.model);
    const state::BodyView bodies = state::view(m_.bodies);
    std::vector<Inside> found;
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (is_inside(bodies, i, box)) {
            found.push_back(inside_of(model, bodies, i));
        }
    }
    return found;
}

void HostEngine::make_gaps(const std::vector<Inside>& bodies)
{
    for (const Inside& b : bodies) {
        state::make_gap(state::view(m_.bodies), b.body);
    }
}

/// Normal and first lever of two spheres' contact.
std::pair<Vec3<double>, double> HostEngine::row_normal(std::size_t contact) const
{
    const std::uint32_t row = setup_.row_of()[contact];
    const std::uint32_t at = row & ~state::general_bit;
    const std::uint32_t lane = at % state::block_lanes;
    if (row == at) {
        const state::RoundBlock& c = rows_.round[at / state::block_lanes];
        return {{c.n[0][lane], c.n[1][lane], c.n[2][lane]}, c.lever[0][lane]};
    }
    const state::GeneralBlock& c = rows_.general[at / state::block_lanes];
    const Vec3<double> n{c.n[0][lane], c.n[1][lane], c.n[2][lane]};
    return {n, -dot(n, Vec3<double>{c.lever[0][lane], c.lever[1][lane], c.lever[2][lane]})};
}

void HostEngine::contacts(std::vector<Contact>& out)
{
    const state::BodyView bodies = state::view(m_.bodies);
    std::size_t contact = 0;
    const shapes::ContactPoint* point = nullptr;
    for (std::size_t p = 0; p < candidates_.count.size(); ++p) {
        if (p % state::pair_chunk == 0) {
            point = candidates_.chunks[p / state::pair_chunk].points.data();
        }
        const state::BodyPair pair = m_.list.pair[p];
        const bool spheres =
            (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_round) != 0;
        for (int f = 0; f < candidates_.count[p]; ++f, ++contact) {
            const Vec3<double> impulse = m_.stored.impulse[contact];
            if (spheres) {
                const auto [normal, lever] = row_normal(contact);
                out.push_back(contact_of_spheres(state::view(m_.model), bodies, pair, normal, lever,
                                                 impulse));
            } else {
                out.push_back(contact_at(bodies, pair, *point++, impulse));
            }
        }
    }
}

double HostEngine::true_residual()
{
    // Contacts are judged by the velocities they left, before bodies turned.
    const bool kept = !m_.bodies.inertia.empty();
    if (kept) {
        std::swap(m_.bodies.velocity, m_.bodies.velocity_before);
    }
    const double residual =
        relaxation_.measure(m_.model, m_.bodies, m_.list, rows_, m_.domain.get());
    if (kept) {
        std::swap(m_.bodies.velocity, m_.bodies.velocity_before);
    }
    return residual;
}

std::vector<PosedContact> HostEngine::problems()
{
    const auto& velocity =
        m_.bodies.inertia.empty() ? m_.bodies.velocity : m_.bodies.velocity_before;
    PosedBodies bodies({velocity.data(), m_.bodies.count()}, m_.list.copy_count);
    bodies.name_copies(m_.list.splits);
    bodies.name_copies(m_.list.shared);
    std::vector<PosedContact> out;
    for (const state::Group& group : rows_.groups) {
        const std::size_t rows = std::size_t(group.end - group.begin) * state::block_lanes;
        if (group.kind == state::RowKind::general) {
            append_posed<state::block_lanes>(rows_.general.data() + group.begin, rows, bodies, out);
        } else {
            append_posed<state::block_lanes>(rows_.round.data() + group.begin, rows, bodies, out);
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
