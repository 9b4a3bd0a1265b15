#include "stages/relax/sweep_pack_kernel.hpp"

namespace scree::relax {
double sweep_blocks_scalar(Verb verb, const SweepData& d, state::RowKind kind, std::uint32_t begin,
                           std::uint32_t end, rows::LaneSums* sums)
{
    return PackSweep<double>::sweep(verb, d, kind, begin, end, sums);
}

SweepBlocks sweep_blocks_of(InstructionSet isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case InstructionSet::avx512: return sweep_blocks_avx512;
    case InstructionSet::avx2: return sweep_blocks_avx2;
    case InstructionSet::sse2: return sweep_blocks_sse2;
#endif
    default: return sweep_blocks_scalar;
    }
}

SweepData sweep_data(const state::Model& model, state::Bodies& bodies, state::ContactRows& rows)
{
    return {rows::row_pack_data(bodies, rows), bodies.velocity.data(), bodies.inertia.data(),
            model.settings.law};
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

}  // namespace scree::relax
