// The end of a step for balls in packs, as many bodies at once as a vector has lanes.
#pragma once

#include "scree/contact.hpp"
#include "state/views.hpp"

namespace scree::finish {

/// Where the sums of consecutive bodies are added to, one number for each body.
struct BallSums {
    double *gravity_work, *gravity_error, *kinetic, *potential, *not_finite;
};

/// Finishes the bodies from `begin` on, as finish::finish_body does, in packs while all bodies of a
/// pack are balls that nothing but gravity and contacts moves and that stay inside the periodic
/// box. Returns the first body that is not finished.
using FinishBalls = std::size_t (*)(const state::ModelView&, const state::BodyView&,
                                    std::size_t begin, std::size_t end, const BallSums&);

std::size_t finish_balls_scalar(const state::ModelView&, const state::BodyView&, std::size_t,
                                std::size_t, const BallSums&);
std::size_t finish_balls_sse2(const state::ModelView&, const state::BodyView&, std::size_t,
                              std::size_t, const BallSums&);
std::size_t finish_balls_avx2(const state::ModelView&, const state::BodyView&, std::size_t,
                              std::size_t, const BallSums&);
std::size_t finish_balls_avx512(const state::ModelView&, const state::BodyView&, std::size_t,
                                std::size_t, const BallSums&);
FinishBalls finish_balls_of(InstructionSet isa);

}  // namespace scree::finish
