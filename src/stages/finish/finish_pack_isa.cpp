#include "exec/line_packs_simd.hpp"
#include "stages/finish/finish_pack_kernel.hpp"

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::finish {

std::size_t SCREE_CONCAT(finish_balls_, SCREE_ISA_NAME)(const state::ModelView& model,
                                                        const state::BodyView& bodies,
                                                        std::size_t begin, std::size_t end,
                                                        const BallSums& sums)
{
    return PackFinish<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::finish(model, bodies, begin,
                                                                           end, sums);
}

}  // namespace scree::finish
