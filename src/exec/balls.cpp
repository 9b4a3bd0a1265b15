// Balls without an instruction set, and the choice among those with one.
#include "exec/balls_kernel.hpp"

namespace scree::exec {

std::size_t finish_balls_scalar(const ModelView& model, const BodyView& bodies, std::size_t begin,
                                std::size_t end, const BallSums& sums)
{
    return PackBalls<double>::finish(model, bodies, begin, end, sums);
}

void meet_balls_scalar(const BallPairs& pairs, std::size_t begin, std::size_t end,
                       std::uint8_t* answer)
{
    PackBalls<double>::meet(pairs, begin, end, answer);
}

FinishBalls finish_balls_of(Isa isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case Isa::avx512: return finish_balls_avx512;
    case Isa::avx2: return finish_balls_avx2;
    case Isa::sse2: return finish_balls_sse2;
#endif
    default: return finish_balls_scalar;
    }
}

MeetBalls meet_balls_of(Isa isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case Isa::avx512: return meet_balls_avx512;
    case Isa::avx2: return meet_balls_avx2;
    case Isa::sse2: return meet_balls_sse2;
#endif
    default: return meet_balls_scalar;
    }
}

}  // namespace scree::exec
