#include "stages/finish/finish_pack_kernel.hpp"

namespace scree::finish {
std::size_t finish_balls_scalar(const state::ModelView& model, const state::BodyView& bodies,
                                std::size_t begin, std::size_t end, const BallSums& sums)
{
    return PackFinish<double>::finish(model, bodies, begin, end, sums);
}

FinishBalls finish_balls_of(InstructionSet isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case InstructionSet::avx512: return finish_balls_avx512;
    case InstructionSet::avx2: return finish_balls_avx2;
    case InstructionSet::sse2: return finish_balls_sse2;
#endif
    default: return finish_balls_scalar;
    }
}

}  // namespace scree::finish
