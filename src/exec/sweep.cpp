// The sweep without an instruction set, and the choice among those with one.
#include "exec/sweep_kernel.hpp"
#include "exec/tree.hpp"

#include <algorithm>

namespace scree::exec {

double sweep_blocks_scalar(Verb verb, const SweepData& d, RowKind kind, std::uint32_t begin,
                           std::uint32_t end, LaneSums* sums)
{
    return PackSweep<double>::sweep(verb, d, kind, begin, end, sums);
}

SweepBlocks sweep_blocks_of(Isa isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case Isa::avx512: return sweep_blocks_avx512;
    case Isa::avx2: return sweep_blocks_avx2;
    case Isa::sse2: return sweep_blocks_sse2;
#endif
    default: return sweep_blocks_scalar;
    }
}

namespace {

/// Of rows: more are not looked for in the caches.
constexpr std::size_t cached_bytes = std::size_t(12) << 20;

}  // namespace

SweepData sweep_data(const Model& model, Bodies& bodies, ContactRows& rows)
{
    const Settings& s = model.settings;
    const std::size_t bytes =
        rows.round.size() * sizeof(RoundBlock) + rows.general.size() * sizeof(GeneralBlock);
    return {rows.round.data(),
            rows.general.data(),
            static_cast<std::uint32_t>(rows.round.size()),
            static_cast<std::uint32_t>(rows.general.size()),
            bytes > cached_bytes,
            bodies.velocity.data(),
            bodies.velocity_before.data(),
            bodies.inertia.data(),
            static_cast<std::uint32_t>(bodies.dynamic_count),
            static_cast<std::uint32_t>(bodies.count()),
            s.law,
            s.time_step,
            s.error_reduction,
            s.correction_limit,
            s.slack,
            s.restitution_threshold,
            s.deep_penetration,
            s.gravity,
            {}};
}

namespace {

/// The last part of exec::fold.
Sums<sum_count> fold_lanes(LaneSums& sums, int added)
{
    Sums<sum_count> out;
    for (int k = 0; k < sum_count; ++k) {
        double(&lanes)[block_lanes] = sums[k];
        for (int half = block_lanes / 2; half > 0; half /= 2) {
            for (int lane = 0; lane < half; ++lane) {
                lanes[lane] = k < added ? lanes[lane] + lanes[lane + half]
                                        : std::max(lanes[lane], lanes[lane + half]);
            }
        }
        out.of[k] = lanes[0];
    }
    return out;
}

}  // namespace

Sums<sum_count> TaskSums::run(Verb verb, const SweepData& data, const ContactRows& rows, Isa isa,
                              int threads)
{
    const std::size_t round_tasks = chunk_count(rows.round.size(), task_blocks);
    const std::size_t general_tasks =
        verb == Verb::prepare ? 0 : chunk_count(rows.general.size(), task_blocks);
    sums_.resize(round_tasks + general_tasks);
    const SweepBlocks blocks = sweep_blocks_of(isa);
    const bool small = rows.round.size() + rows.general.size() < parallel_blocks;
    for_chunks(sums_.size(), 1, small ? 1 : threads, [&](std::size_t t, std::size_t, std::size_t) {
        const bool round = t < round_tasks;
        const auto count =
            static_cast<std::uint32_t>(round ? rows.round.size() : rows.general.size());
        const auto begin = static_cast<std::uint32_t>(round ? t : t - round_tasks) * task_blocks;
        const std::uint32_t end = std::min(begin + task_blocks, count);
        alignas(64) LaneSums sums;
        blocks(verb, data, round ? RowKind::round : RowKind::general, begin, end, &sums);
        sums_[t] = fold_lanes(sums, added(verb));
    });
    double most[sum_count] = {};
    for (const Sums<sum_count>& task : sums_) {
        for (int k = added(verb); k < sum_count; ++k) {
            most[k] = std::max(most[k], task.of[k]);
        }
    }
    Sums<sum_count> all = sum_of_sums(sums_);
    std::copy(most + added(verb), most + sum_count, all.of + added(verb));
    return all;
}

void finish_lane(Law law, const double* p, double* x)
{
    const ContactProblem<double> problem{
        {p[0], p[1], p[2], p[3], p[4], p[5]}, {p[6], p[7], p[8]}, p[9], p[10]};
    ContactVector<double> solution;
    switch (law) {
    case Law::coulomb: solution = law::finish<Law::coulomb>(problem).x; break;
    case Law::frictionless: solution = law::finish<Law::frictionless>(problem).x; break;
    case Law::projected: solution = law::finish<Law::projected>(problem).x; break;
    default: solution = law::finish<Law::max_dissipation>(problem).x; break;
    }
    x[0] = solution.n;
    x[1] = solution.t;
    x[2] = solution.o;
}

}  // namespace scree::exec
