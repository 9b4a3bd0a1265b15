#include "exec/line_packs_simd.hpp"
#include "stages/rows/row_pack_kernel.hpp"

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::rows {

void SCREE_CONCAT(prepare_rows_, SCREE_ISA_NAME)(const PrepareData& d, std::uint32_t begin,
                                                 std::uint32_t end, LaneSums* sums)
{
    PackPrepare<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::run(d, begin, end, sums);
}

}  // namespace scree::rows
