// Which phases of a step allow what, and where a pass leads to.
#include "engine/step_phase.hpp"

#include <gtest/gtest.h>

namespace scree::engine {
namespace {

using enum StepPhase;

TEST(StepPhase, SaysWhatMayFollow)
{
    struct Row {
        StepPhase phase;
        bool old, pass, end;
    };
    for (const Row& row : {
             Row{between, false, false, false},
             Row{begun, true, true, false},
             Row{begun_without_slots, true, true, false},
             Row{pushed, false, false, false},
             Row{relaxed, false, true, true},
             Row{ended_ahead, false, false, true},
         }) {
        SCOPED_TRACE(static_cast<int>(row.phase));
        EXPECT_EQ(velocities_are_old(row.phase), row.old);
        EXPECT_EQ(may_begin_pass(row.phase), row.pass);
        EXPECT_EQ(may_end_step(row.phase), row.end);
    }
}

TEST(StepPhase, AfterAPassDependsOnRoomAndOnWhetherItWasTheLast)
{
    EXPECT_EQ(after_pass(false, true, false), relaxed);
    EXPECT_EQ(after_pass(false, true, true), ended_ahead);
    EXPECT_EQ(after_pass(false, false, false), relaxed);
    EXPECT_EQ(after_pass(false, false, true), ended_ahead);
    EXPECT_EQ(after_pass(true, true, false), begun_without_slots);
    EXPECT_EQ(after_pass(true, false, false), relaxed);
}

}  // namespace
}  // namespace scree::engine
