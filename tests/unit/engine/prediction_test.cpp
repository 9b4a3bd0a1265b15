// Every event in every state of what a device knows of the next step.
#include "engine/prediction.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace scree::engine {
namespace {

using State = Prediction::State;

constexpr double spare = 0.25;
const Box sink{{0, 0, 0}, {1, 1, 1}}, other_sink{{2, 0, 0}, {3, 1, 1}};

BodyInBox body(std::uint32_t place) { return {place, 0, place, 0, false}; }

/// A step has ended with these bodies in the sink.
void end_step(Prediction& p, std::vector<std::uint32_t> places, bool stale_outside = false,
              bool stale_inside = false)
{
    std::vector<InsideBox> found;
    for (const std::uint32_t place : places) {
        found.push_back({body(place), 0});
    }
    p.step_ended(stale_outside, stale_inside, found, found.size());
}

/// One that has come to a state by legal events.
Prediction in(State state)
{
    Prediction p;
    if (state != State::none) {
        end_step(p, {});
        p.predicted(spare);
    }
    if (state == State::in_use) {
        p.begin_step(spare);
    }
    EXPECT_EQ(p.state(), state);
    return p;
}

/// Ready, once these bodies in the sink are removed.
Prediction ready_without(std::vector<std::uint32_t> places, bool stale_outside = false,
                         bool stale_inside = false)
{
    Prediction p;
    EXPECT_FALSE(p.find_inside(sink));
    end_step(p, std::move(places), stale_outside, stale_inside);
    if (!stale_outside) {
        p.predicted(spare);
    }
    return p;
}

std::vector<std::uint32_t> places(const std::optional<std::vector<BodyInBox>>& bodies)
{
    std::vector<std::uint32_t> out;
    for (const BodyInBox& b : bodies.value()) {
        out.push_back(b.body);
    }
    return out;
}

TEST(Prediction, FollowsItsTable)
{
    struct Row {
        std::function<void(Prediction&)> event;
        std::optional<State> none, ready, in_use;  ///< what becomes of them; nothing: not legal
    };
    constexpr auto error = std::nullopt;
    const Row table[]{
        {[](Prediction& p) { p.begin_step(spare); }, State::none, State::in_use, State::none},
        {[](Prediction& p) { p.begin_step(2 * spare); }, State::none, State::none, State::none},
        {[](Prediction& p) { static_cast<void>(p.take()); }, State::none, error, State::none},
        {[](Prediction& p) { p.discard(); }, State::none, State::none, State::none},
        {[](Prediction& p) { p.removed({body(7)}); }, State::none, State::none, State::none},
        {[](Prediction& p) { static_cast<void>(p.take_staleness()); }, State::none, State::ready,
         State::in_use},
        {[](Prediction& p) { static_cast<void>(p.find_inside(sink)); }, State::none, State::ready,
         State::in_use},
        {[](Prediction& p) {
             end_step(p, {});
             p.predicted(spare);
         },
         State::ready, error, error},
    };
    for (std::size_t i = 0; i < std::size(table); ++i) {
        for (const State before : {State::none, State::ready, State::in_use}) {
            SCOPED_TRACE(std::to_string(i) + " in " + std::to_string(int(before)));
            const Row& row = table[i];
            const auto& after = before == State::none    ? row.none
                                : before == State::ready ? row.ready
                                                         : row.in_use;
            Prediction p = in(before);
            if (after) {
                row.event(p);
                EXPECT_EQ(p.state(), *after);
            } else {
                EXPECT_THROW(row.event(p), std::logic_error);
            }
        }
    }
}

TEST(Prediction, NeedsAGoodListOutsideTheBoxes)
{
    Prediction p;
    EXPECT_THROW(p.predicted(spare), std::logic_error);
    end_step(p, {}, true);
    EXPECT_THROW(p.predicted(spare), std::logic_error);
    end_step(p, {}, false, true);
    p.predicted(spare);
    EXPECT_EQ(p.state(), State::ready);
}

TEST(Prediction, IsTakenByTheFirstPassAlone)
{
    Prediction p = in(State::in_use);
    EXPECT_TRUE(p.take());
    EXPECT_FALSE(p.take());
    EXPECT_FALSE(in(State::none).take());
}

TEST(Prediction, HoldsIfAllBodiesInBoxesAreRemoved)
{
    Prediction p = ready_without({9, 4});
    EXPECT_EQ(places(p.find_inside(sink)), (std::vector<std::uint32_t>{4, 9}));
    p.removed({body(9)});
    EXPECT_EQ(p.state(), State::ready);
    EXPECT_EQ(places(p.find_inside(sink)), (std::vector<std::uint32_t>{4}));
    Prediction with_one_left = p;
    with_one_left.begin_step(spare);
    EXPECT_EQ(with_one_left.state(), State::none);
    p.removed({body(4)});
    p.begin_step(spare);
    EXPECT_EQ(p.state(), State::in_use);
}

TEST(Prediction, IsLostWithABodyThatWasNotExpectedToGo)
{
    Prediction p = ready_without({4});
    p.removed({body(4), body(5)});
    EXPECT_EQ(p.state(), State::none);
    EXPECT_FALSE(p.take_staleness());
    EXPECT_FALSE(p.find_inside(sink));
}

TEST(Prediction, KnowsNobodyInABoxThatIsNew)
{
    Prediction p = ready_without({4});
    EXPECT_FALSE(p.find_inside(other_sink));
    EXPECT_EQ(p.state(), State::ready);
    EXPECT_FALSE(p.find_inside(sink));
    p.removed({body(4)});
    EXPECT_EQ(p.state(), State::none);
}

TEST(Prediction, KnowsNotAllWhereThereWasNoRoom)
{
    Prediction p;
    EXPECT_FALSE(p.find_inside(sink));
    const InsideBox first{body(1), 0};
    p.step_ended(false, false, {&first, 1}, 2);
    p.predicted(spare);
    EXPECT_FALSE(p.find_inside(sink));
    p.begin_step(spare);
    EXPECT_EQ(p.state(), State::none);
}

TEST(Prediction, ForgetsBoxesThatNobodyAskedFor)
{
    Prediction p;
    EXPECT_FALSE(p.find_inside(sink));
    EXPECT_FALSE(p.find_inside(other_sink));
    p.begin_step(spare);
    EXPECT_EQ(p.boxes().count, 2U);
    end_step(p, {});
    EXPECT_TRUE(p.find_inside(other_sink));
    p.begin_step(spare);
    ASSERT_EQ(p.boxes().count, 1U);
    EXPECT_EQ(p.boxes().find(other_sink), 0U);
}

TEST(Prediction, TellsOnceWhetherTheListIsStale)
{
    for (const bool outside : {false, true}) {
        for (const bool inside : {false, true}) {
            Prediction p = ready_without({}, outside, inside);
            EXPECT_EQ(p.take_staleness(), outside || inside);
            EXPECT_FALSE(p.take_staleness());
        }
    }
}

TEST(Prediction, JudgesTheListWithoutBodiesThatAreGone)
{
    for (const bool outside : {false, true}) {
        for (const bool inside : {false, true}) {
            SCOPED_TRACE(std::to_string(outside) + std::to_string(inside));
            Prediction p = ready_without({4, 9}, outside, inside);
            p.removed({body(4)});
            // Did the body that is gone leave its skin, or the one that is left?
            Prediction copy = p;
            EXPECT_EQ(copy.take_staleness(), inside ? std::nullopt : std::optional(outside));
            p.removed({body(9)});
            EXPECT_EQ(p.take_staleness(), inside ? std::nullopt : std::optional(outside));
            p = ready_without({4, 9}, outside, inside);
            p.removed({body(4), body(9)});
            EXPECT_EQ(p.take_staleness(), outside);
        }
    }
}

}  // namespace
}  // namespace scree::engine
