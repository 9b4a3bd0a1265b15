// How far a step is on a device.
#pragma once

#include <cstdint>

namespace scree::engine {

/// between → begun → pushed → relaxed or ended_ahead → between. A further pass goes from relaxed
/// through pushed to relaxed. Without room for all rows a pass is made again: the first one from
/// begun_without_slots, a further one from relaxed.
enum class StepPhase : std::uint8_t {
    between,              ///< no step is under way, or one was given up
    begun,                ///< velocities of the step's beginning are in velocity_before
    begun_without_slots,  ///< the same, and slots of bodies must be made ready again
    pushed,               ///< velocities are those without contacts, or the last pass's
    relaxed,              ///< a pass is done: another one may follow, or the end
    ended_ahead           ///< the device has ended the step before the host asked for it
};

/// Whether `velocity` is still that of an older step: a step that is given up swaps it back.
constexpr bool velocities_are_old(StepPhase phase)
{
    return phase == StepPhase::begun || phase == StepPhase::begun_without_slots;
}
constexpr bool may_begin_pass(StepPhase phase)
{
    return velocities_are_old(phase) || phase == StepPhase::relaxed;
}
constexpr bool may_end_step(StepPhase phase)
{
    return phase == StepPhase::relaxed || phase == StepPhase::ended_ahead;
}
/// After a pass's counts are known.
constexpr StepPhase after_pass(bool without_room, bool first, bool last)
{
    if (without_room) {
        return first ? StepPhase::begun_without_slots : StepPhase::relaxed;
    }
    return last ? StepPhase::ended_ahead : StepPhase::relaxed;
}

}  // namespace scree::engine
