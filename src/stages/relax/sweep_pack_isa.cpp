// One instruction set's sweep: compiled several times, as batch_isa.cpp is.
#include "exec/line_packs_simd.hpp"
#include "stages/relax/sweep_pack_kernel.hpp"

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::relax {

double SCREE_CONCAT(sweep_blocks_, SCREE_ISA_NAME)(Verb verb, const SweepData& d,
                                                   state::RowKind kind, std::uint32_t begin,
                                                   std::uint32_t end, rows::LaneSums* sums)
{
    return PackSweep<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::sweep(verb, d, kind, begin, end,
                                                                         sums);
}

}  // namespace scree::relax
