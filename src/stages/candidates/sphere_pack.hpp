// The narrow phase of spheres in packs, as many pairs at once as a vector has lanes.
#pragma once

#include "scree/contact.hpp"
#include "state/views.hpp"

namespace scree::candidates {

/// Pairs that the narrow phase looks at.
struct BallPairs {
    const state::BodyPair* pair;
    const shapes::Ball* ball;
    const float* reach;
    shapes::Periodic box;
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
MeetBalls meet_balls_of(InstructionSet isa);

}  // namespace scree::candidates
