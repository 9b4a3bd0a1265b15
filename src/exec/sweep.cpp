// The sweep without an instruction set, and the choice among those with one.
#include "exec/parallel.hpp"
#include "exec/sweep_kernel.hpp"

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

SweepData sweep_data(const Model& model, Bodies& bodies, ContactRows& rows)
{
    const Settings& s = model.settings;
    return {rows.round.data(),
            rows.general.data(),
            bodies.velocity.data(),
            bodies.velocity_before.data(),
            bodies.inertia.data(),
            static_cast<std::uint32_t>(bodies.dynamic_count),
            static_cast<std::uint32_t>(bodies.count()),
            s.law,
            s.time_step,
            s.error_reduction,
            s.correction_limit,
            s.restitution_threshold,
            s.deep_penetration,
            s.gravity};
}

const std::vector<TaskSums::Sums>& TaskSums::run(Verb verb, const SweepData& data,
                                                 const ContactRows& rows, Isa isa, int threads)
{
    constexpr std::uint32_t task_blocks = 64;
    tasks_.clear();
    for (const Group& g : rows.groups) {
        for (std::uint32_t b = g.begin; b < g.end; b += task_blocks) {
            const std::uint32_t end = b + task_blocks < g.end ? b + task_blocks : g.end;
            tasks_.push_back({b, end, g.kind, 0});
        }
    }
    sums_.assign(tasks_.size(), Sums{});
    const SweepBlocks blocks = sweep_blocks_of(isa);
    const bool small = rows.round.size() + rows.general.size() < parallel_blocks;
    for_chunks(tasks_.size(), 1, small ? 1 : threads,
               [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t t = begin; t < end; ++t) {
                       const Group& task = tasks_[t];
                       blocks(verb, data, task.kind, task.begin, task.end, &sums_[t].lane);
                   }
               });
    return sums_;
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
