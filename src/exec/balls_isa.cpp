// One instruction set's packs of balls: compiled several times, as batch_isa.cpp is.
#include "exec/balls_kernel.hpp"
#include "exec/lines.hpp"

#define SCREE_CONCAT_(a, b) a##b
#define SCREE_CONCAT(a, b) SCREE_CONCAT_(a, b)

namespace scree::exec {

std::size_t SCREE_CONCAT(finish_balls_, SCREE_ISA_NAME)(const ModelView& model,
                                                        const BodyView& bodies, std::size_t begin,
                                                        std::size_t end, const BallSums& sums)
{
    return PackBalls<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::finish(model, bodies, begin, end,
                                                                          sums);
}

void SCREE_CONCAT(meet_balls_, SCREE_ISA_NAME)(const BallPairs& pairs, std::size_t begin,
                                               std::size_t end, std::uint8_t* answer)
{
    PackBalls<xsimd::batch<double, xsimd::SCREE_ISA_ARCH>>::meet(pairs, begin, end, answer);
}

}  // namespace scree::exec
