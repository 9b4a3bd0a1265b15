// The stage narrow_phase: which pairs of the neighbour list can touch within the step, and where. A
// pair is a candidate if its gap is at most what the step can close by the bodies' relative speed,
// their turning and the fall.
#pragma once

#include "stages/candidates/row_groups.hpp"
#include "state/model.hpp"
#include "state/pairs.hpp"

namespace scree::candidates {

/// What the distance of two spheres' centres says: near enough to be candidates whatever their
/// motion is, or within what their reaches allow, so that the motion decides.
template <class T> struct Nearness {
    math::mask_of<T> near, unclear;
};
template <class T>
SCREE_HD Nearness<T> nearness(const Vec3<T>& d, const T& sum_of_radii, const T& always,
                              const T& reaches)
{
    const T d2 = dot(d, d);
    const T near = sum_of_radii + always, far = sum_of_radii + reaches;
    Nearness<T> out;
    out.near = d2 <= near * near;
    out.unclear = (d2 <= far * far) & !out.near;  // no branch, which would be a coin's toss
    return out;
}

/// What the narrow phase found, pair by pair. Points are kept for pairs that are not two spheres.
struct Candidates {
    struct Chunk {
        std::vector<shapes::ContactPoint> points;
        std::uint32_t contacts = 0;
    };
    std::vector<Chunk> chunks;
    std::vector<std::uint8_t> count;         ///< contacts of each pair
    std::vector<std::uint32_t> group_count;  ///< contacts by chunk and group
    int groups = 0;                          ///< group_kinds × colours
    std::size_t total = 0;
    bool general = false;  ///< some contacts are not round
};

/// Candidates are the pairs that may touch within a step if relaxation changes no body's velocity
/// by more than a spare speed; where it does, the pairs of that body are looked at again and more
/// passes may be needed. At least this [m/s], a few free falls of one step, which a bed at rest
/// does not exceed; the world adapts it to how violent the motion is.
SCREE_HD double least_solver_speed(const Settings& settings)
{
    return 5 * settings.time_step * norm(settings.gravity);
}

/// Keeps the velocities of the beginning of the step, and fills `reach`: how far each body's
/// surface may move in this step.
void begin_step(const state::Model& model, state::Bodies& bodies, double spare);

/// Passes of a step: the first; one more, which keeps the candidates there are; one that takes all
/// pairs within reach of a body whose velocity changed much, so that there is an end.
enum class Pass : std::uint8_t { first, again, wide };

void find_candidates(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                     double spare, Pass pass, Candidates& out);

/// Pairs without a candidate that the velocities after relaxation let pass into each other by more
/// than the tolerance: marks their bodies' reaches larger and returns how many there are. The first
/// is named in `first`.
std::size_t find_missed(const state::Model& model, state::Bodies& bodies,
                        const state::PairList& list, double spare, const Candidates& candidates,
                        std::size_t& first);

}  // namespace scree::candidates
