#include "exec/line_packs_simd.hpp"
#include "stages/candidates/sphere_pack_kernel.hpp"

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::candidates {

void SCREE_CONCAT(meet_balls_, SCREE_ISA_NAME)(const BallPairs& pairs, std::size_t begin,
                                               std::size_t end, std::uint8_t* answer)
{
    PackSpherePairs<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::meet(pairs, begin, end, answer);
}

}  // namespace scree::candidates
