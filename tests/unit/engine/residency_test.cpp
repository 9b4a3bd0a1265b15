// Every event in every state of what is current where.
#include "engine/residency.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

namespace scree::engine {
namespace {

using State = Residency::State;

/// One that has come to a state by legal events.
Residency in(State state)
{
    Residency r;
    if (state == State::host_only) {
        return r;
    }
    r.uploaded_all();
    if (state != State::both) {
        EXPECT_TRUE(r.device_changes());
        r.forgot(100);
    }
    if (state == State::frames_on_host) {
        r.fetched_frames();
    }
    EXPECT_EQ(r.state(), state);
    return r;
}

constexpr State states[]{State::host_only, State::both, State::frames_on_host, State::device_only};

/// What an event makes of each state; nothing: it is not legal there.
void expect_table(const std::function<void(Residency&)>& event,
                  const std::optional<State> (&after)[4])
{
    for (int i = 0; i < 4; ++i) {
        SCOPED_TRACE(i);
        Residency r = in(states[i]);
        if (after[i]) {
            event(r);
            EXPECT_EQ(r.state(), *after[i]);
        } else {
            EXPECT_THROW(event(r), std::logic_error);
            EXPECT_EQ(r.state(), states[i]);
        }
    }
}

TEST(Residency, FollowsItsTable)
{
    constexpr auto host = State::host_only, both = State::both, frames = State::frames_on_host,
                   device = State::device_only;
    constexpr auto error = std::nullopt;
    expect_table([](Residency& r) { r.uploaded_all(); }, {both, error, error, error});
    expect_table([](Residency& r) { static_cast<void>(r.device_changes()); },
                 {error, device, device, device});
    expect_table([](Residency& r) { r.fetched_frames(); }, {host, both, frames, frames});
    expect_table([](Residency& r) { r.fetched_all(); }, {host, both, both, both});
    expect_table([](Residency& r) { r.host_will_change(); }, {host, host, error, error});
    for (const auto edit :
         {&Residency::edited_prescribed, &Residency::edited_forces, &Residency::uploaded_edits}) {
        expect_table([&](Residency& r) { (r.*edit)(); }, {host, both, frames, device});
    }
}

TEST(Residency, SaysWhatIsOldOnTheHost)
{
    const auto old = [](State s) { return std::pair(in(s).frames_are_old(), in(s).host_is_old()); };
    EXPECT_EQ(old(State::host_only), std::pair(false, false));
    EXPECT_EQ(old(State::both), std::pair(false, false));
    EXPECT_EQ(old(State::frames_on_host), std::pair(false, true));
    EXPECT_EQ(old(State::device_only), std::pair(true, true));
}

TEST(Residency, ForgetsOldColumnsOnce)
{
    for (const State s : {State::both, State::frames_on_host}) {
        Residency r = in(s);
        EXPECT_TRUE(r.device_changes());
        r.forgot(10);
        EXPECT_FALSE(r.device_changes());
        EXPECT_EQ(r.forgotten_bytes(), 10U);
        r.fetched_frames();
        EXPECT_EQ(r.forgotten_bytes(), 0U);
    }
    Residency r = in(State::device_only);
    r.fetched_all();
    EXPECT_EQ(r.forgotten_bytes(), 0U);
}

TEST(Residency, NotesEditsUntilTheyAreUploaded)
{
    for (const State s : states) {
        Residency r = in(s);
        const bool noted = s != State::host_only;
        r.edited_prescribed();
        EXPECT_EQ(r.edits().prescribed, noted);
        EXPECT_FALSE(r.edits().forces);
        r.edited_forces();
        EXPECT_EQ(r.edits().forces, noted);
        r.uploaded_edits();
        EXPECT_FALSE(r.edits().prescribed || r.edits().forces);
    }
    // What the host is going to change anyway need not be noted.
    Residency r = in(State::both);
    r.edited_prescribed();
    r.edited_forces();
    r.host_will_change();
    EXPECT_FALSE(r.edits().prescribed || r.edits().forces);
}

}  // namespace
}  // namespace scree::engine
