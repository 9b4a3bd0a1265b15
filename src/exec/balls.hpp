// Packs of balls, in the end of a step and in the narrow phase: what goes in, and the functions
// that the instruction sets provide.
#pragma once

#include "scree/contact.hpp"
#include "state/views.hpp"

namespace scree::exec {

/// Where the sums of consecutive bodies are added to, one number for each body.
struct BallSums {
    double *gravity_work, *fall_error, *kinetic, *potential, *not_finite;
};

/// Finishes the bodies from `begin` on, as world::finish_body does, in packs while all bodies of a
/// pack are balls that nothing but gravity and contacts moves and that stay inside the periodic
/// box. Returns the first body that is not finished.
using FinishBalls = std::size_t (*)(const ModelView&, const BodyView&, std::size_t begin,
                                    std::size_t end, const BallSums&);

std::size_t finish_balls_scalar(const ModelView&, const BodyView&, std::size_t, std::size_t,
                                const BallSums&);
std::size_t finish_balls_sse2(const ModelView&, const BodyView&, std::size_t, std::size_t,
                              const BallSums&);
std::size_t finish_balls_avx2(const ModelView&, const BodyView&, std::size_t, std::size_t,
                              const BallSums&);
std::size_t finish_balls_avx512(const ModelView&, const BodyView&, std::size_t, std::size_t,
                                const BallSums&);
FinishBalls finish_balls_of(Isa isa);

/// Pairs that the narrow phase looks at.
struct BallPairs {
    const collide::BodyPair* pair;
    const Ball* ball;
    const float* reach;
    collide::Periodic box;
    double always;  ///< how far apart any two bodies count as candidates
    std::uint32_t dynamic_count;
};
enum BallAnswer : std::uint8_t { balls_apart, balls_meet, balls_unclear };

/// Whether the pairs begin … end − 1 are candidates, where all dynamic bodies are balls: by their
/// places alone, if these decide. What is not sure to be two balls is unclear.
using MeetBalls = void (*)(const BallPairs&, std::size_t begin, std::size_t end,
                           std::uint8_t* answer);

void meet_balls_scalar(const BallPairs&, std::size_t, std::size_t, std::uint8_t*);
void meet_balls_sse2(const BallPairs&, std::size_t, std::size_t, std::uint8_t*);
void meet_balls_avx2(const BallPairs&, std::size_t, std::size_t, std::uint8_t*);
void meet_balls_avx512(const BallPairs&, std::size_t, std::size_t, std::uint8_t*);
MeetBalls meet_balls_of(Isa isa);

}  // namespace scree::exec
