#include "stages/candidates/sphere_pack_kernel.hpp"

namespace scree::candidates {
void meet_balls_scalar(const BallPairs& pairs, std::size_t begin, std::size_t end,
                       std::uint8_t* answer)
{
    PackSpherePairs<double>::meet(pairs, begin, end, answer);
}

MeetBalls meet_balls_of(InstructionSet isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case InstructionSet::avx512: return meet_balls_avx512;
    case InstructionSet::avx2: return meet_balls_avx2;
    case InstructionSet::sse2: return meet_balls_sse2;
#endif
    default: return meet_balls_scalar;
    }
}

}  // namespace scree::candidates
