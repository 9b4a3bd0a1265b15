#include "stages/relax/host_relax.hpp"

#include "exec/team.hpp"
#include "stages/relax/rank_sweeps.hpp"
#include "stages/relax/row_rule.hpp"
#include "stages/velocities/integrate_velocity.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

namespace scree::relax {

namespace {

/// Groups with fewer blocks are left to one thread, which needs no barrier between them.
constexpr std::uint32_t serial_blocks = 12;
/// Numbers of a block's impulses.
constexpr std::size_t entries = 3 * state::block_lanes;

}  // namespace

void HostRelaxation::open_copies() { open_copies(bodies_.velocity.data()); }

void HostRelaxation::open_copies(state::VelocityLine* velocity)
{
    for (const state::SplitBody& s : list_.splits) {
        relax::open_copies(s, velocity);
    }
    for (const state::RankSplitBody& s : list_.shared) {
        relax::open_copies(s, velocity);
    }
}

double HostRelaxation::run(Verb verb)
{
    const std::span<const state::Group> groups(rows_.groups);
    if (verb == Verb::measure) {
        return run(verb, groups);
    }
    state::VelocityLine* const velocity = bodies_.velocity.data();
    const auto run_leg = [&](state::SweepPart leg) {
        const std::size_t begin = leg > 0 ? rows_.leg_end[leg - 1U] : 0;
        const std::size_t end = leg < state::part_local ? rows_.leg_end[leg] : groups.size();
        const double residual = end > begin ? run(verb, groups.subspan(begin, end - begin)) : 0;
        if (leg == state::part_local) {
            for (const state::SplitBody& s : list_.splits) {
                join_copies(s, velocity);
            }
        }
        return residual;
    };
    if (domain_ == nullptr) {
        return run_leg(state::part_local);
    }
    HostLines lines{*domain_, list_.shared, velocity};
    return sweep_on_ranks(*domain_, lines, run_leg);
}

double HostRelaxation::run(Verb verb, std::span<const state::Group> groups)
{
    const SweepData data = relax::sweep_data(model_, bodies_, rows_);
    const SweepBlocks blocks = relax::sweep_blocks_of(model_.isa);
    memory_.residual.assign(static_cast<std::size_t>(model_.threads), {0});
    exec::Team& threads = exec::Team::mine();
    const auto work = [&](int number, int count) {
        const auto self = static_cast<std::uint32_t>(number);
        const auto team = static_cast<std::uint32_t>(count);
        double residual = 0;
        const auto relax = [&](const state::Group& g, std::uint32_t begin, std::uint32_t end) {
            const double r = blocks(verb, data, g.kind, begin, end, nullptr);
            residual = r > residual ? r : residual;
        };
        // Each thread has its parts, if there are enough of them, and nobody to wait for.
        std::size_t shared = 0;
        if (list_.parts >= team) {
            for (; shared < groups.size() && groups[shared].part != state::no_part; ++shared) {
                const state::Group& g = groups[shared];
                if (g.part * std::size_t(team) / list_.parts == self) {
                    relax(g, g.begin, g.end);
                }
            }
        }
        bool was_serial = false;
        for (const state::Group& g : groups.subspan(shared)) {
            const std::uint32_t size = g.end - g.begin;
            const bool serial = size < serial_blocks;
            if (team > 1 && !(serial && was_serial)) {
                threads.meet(number);
            }
            was_serial = serial;
            std::uint32_t begin = g.begin;
            std::uint32_t end = g.end;
            if (serial) {
                if (self != 0) {
                    continue;
                }
            } else {
                begin = g.begin + size * self / team;
                end = g.begin + size * (self + 1) / team;
            }
            relax(g, begin, end);
        }
        memory_.residual[self].squared = residual;
    };
    const std::size_t size = std::accumulate(
        groups.begin(), groups.end(), std::size_t(0),
        [](std::size_t sum, const state::Group& g) { return sum + (g.end - g.begin); });
    threads.run(size >= rows::parallel_blocks ? model_.threads : 1, work);
    double squared = 0;
    for (const SweepMemory::ThreadResidual& r : memory_.residual) {
        squared = std::max(squared, r.squared);
    }
    return std::sqrt(squared);
}

Swept HostRelaxation::sweep(int most, double goal)
{
    return sweep_until(loops_, most, goal, [&](bool measured) {
        return run(measured ? Verb::relax_and_measure : Verb::relax);
    });
}

double HostRelaxation::measure()
{
    open_copies();
    return loops_.largest_of_ranks(run(Verb::measure));
}

void HostRelaxation::apply_impulses()
{
    open_copies();
    run(Verb::apply);
}

void HostRelaxation::push() { velocities::integrate_velocity(model_, bodies_); }

void HostRelaxation::project()
{
    const auto project_block = [&](auto& block) {
        for (int lane = 0; lane < state::block_lanes; ++lane) {
            relax::project(block, lane, model_.settings.law);
        }
    };
    loops_.for_each(rows_.round.size(), [&](std::size_t i) { project_block(rows_.round[i]); });
    loops_.for_each(rows_.general.size(), [&](std::size_t i) { project_block(rows_.general[i]); });
}

void HostRelaxation::weigh(Vector& weight)
{
    const std::size_t round = rows_.round.size();
    weight.fit((round + rows_.general.size()) * entries);
    const state::VelocityLine* const velocity = bodies_.velocity.data();
    loops_.for_each(round + rows_.general.size(), [&](std::size_t i) {
        double* const to = weight.data() + i * entries;
        for (int lane = 0; lane < state::block_lanes; ++lane) {
            const double A_nn = i < round ? inertness(rows_.round[i], lane, velocity)
                                          : inertness(rows_.general[i - round], lane, velocity);
            to[lane] = to[lane + state::block_lanes] = to[lane + 2 * state::block_lanes] = A_nn;
        }
    });
}

void HostRelaxation::gather(const state::Model& model, const state::ContactRows& rows, Vector& x)
{
    const std::size_t round = rows.round.size();
    x.fit((round + rows.general.size()) * entries);
    exec::for_each(round + rows.general.size(), model.threads, [&](std::size_t i) {
        const auto& from = i < round ? rows.round[i].impulse : rows.general[i - round].impulse;
        std::memcpy(x.data() + i * entries, from, sizeof from);
    });
}

void HostRelaxation::scatter(const Vector& x)
{
    const std::size_t round = rows_.round.size();
    loops_.for_each(round + rows_.general.size(), [&](std::size_t i) {
        auto& to = i < round ? rows_.round[i].impulse : rows_.general[i - round].impulse;
        std::memcpy(to, x.data() + i * entries, sizeof to);
    });
}

ContactWork HostRelaxation::account()
{
    open_copies();
    open_copies(bodies_.velocity_before.data());
    const SweepData data = relax::sweep_data(model_, bodies_, rows_);
    const SweepBlocks blocks = relax::sweep_blocks_of(model_.isa);
    return contact_work(memory_.sums.run(
        rows_.round.size(), rows_.general.size(), int(relax::sum_count), model_.threads,
        [&](state::RowKind kind, std::uint32_t begin, std::uint32_t end, rows::LaneSums* to) {
            blocks(Verb::account, data, kind, begin, end, to);
        }));
}

RelaxReport Relaxation::run(const state::Model& model, state::Bodies& bodies,
                            const state::PairList& list, state::ContactRows& rows,
                            double velocity_scale, ranks::Domain* domain)
{
    HostRelaxation host(model, bodies, list, rows, sweep_memory_, domain);
    return relax(host, model.settings, list.copy_count > 0, velocity_scale, memory_);
}

double Relaxation::measure(const state::Model& model, state::Bodies& bodies,
                           const state::PairList& list, state::ContactRows& rows,
                           ranks::Domain* domain)
{
    return HostRelaxation(model, bodies, list, rows, sweep_memory_, domain).measure();
}

ContactWork Relaxation::account(const state::Model& model, state::Bodies& bodies,
                                const state::PairList& list, state::ContactRows& rows,
                                ranks::Domain* domain)
{
    return HostRelaxation(model, bodies, list, rows, sweep_memory_, domain).account();
}

}  // namespace scree::relax
