// The choice of how many threads share a step, on machines that are made up: it costs little, finds
// what is best, and follows when that changes.
#include "exec/team_size.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace scree::exec {
namespace {

/// How long a unit of work takes with so many threads.
using Machine = std::function<double(int size)>;

struct Course {
    double seconds = 0, work = 0;
    int last = 0;

    [[nodiscard]] double pace() const { return seconds / work; }
};

/// Steps of `work` units each, until so many seconds are over.
Course run(TeamSize& size, const Machine& machine, double until, double work, std::size_t bodies)
{
    Course c;
    while (c.seconds < until) {
        c.last = size.next(bodies);
        const double took = work * machine(c.last);
        size.took(took, work);
        c.seconds += took;
        c.work += work;
    }
    return c;
}

TEST(TeamSize, IsWhatWasAskedFor)
{
    TeamSize three = TeamSize::fixed(3);
    EXPECT_FALSE(three.is_measured());
    const Course c = run(
        three, [](int n) { return n == 3 ? 1.0 : 0.1; }, 100, 1, 10);
    EXPECT_EQ(c.last, 3);
    EXPECT_EQ(c.pace(), 1);
}

TEST(TeamSize, TriesNoMoreThanThereAre)
{
    for (const int most : {1, 2, 3, 5, 7, 16, 100}) {
        TeamSize size = TeamSize::measured(most);
        EXPECT_EQ(size.most(), most);
        EXPECT_EQ(size.is_measured(), most > 1);
        int largest = 0;
        run(
            size,
            [&](int n) {
                EXPECT_GE(n, 1);
                largest = std::max(largest, n);
                return 1e-4 / n;
            },
            20, 1, 300);
        EXPECT_EQ(largest, most);
    }
}

/// Quiet machines: nothing is lost to trials, from steps of microseconds to steps of seconds.
TEST(TeamSize, CostsLittleWhereAllIsQuiet)
{
    for (const double step : {20e-6, 1e-3, 30e-3, 1.0}) {
        TeamSize size = TeamSize::measured(2);
        const double until = std::max(10.0, 300 * step);
        const Course c = run(
            size, [&](int n) { return step / n; }, until, 1, 20'000);
        EXPECT_EQ(c.last, 2);
        EXPECT_LT(c.pace(), 1.01 * step / 2) << step;
    }
}

TEST(TeamSize, SmallWorldsHaveOneThread)
{
    TeamSize size = TeamSize::measured(8);
    const Course c = run(
        size, [](int n) { return 50e-6 * (1 + 0.3 * (n - 1)); }, 10, 1, 400);
    EXPECT_EQ(c.last, 1);
    EXPECT_LT(c.pace(), 1.01 * 50e-6);
}

/// Other programs: with two threads a step mostly waits for one that has no core, now and then for
/// long, and one thread takes longer at times as well.
TEST(TeamSize, IsNotMuchSlowerThanOneThreadOnABusyMachine)
{
    for (const double worse : {0.9, 1.15, 2.0, 20.0}) {
        test::Random random(7);
        TeamSize size = TeamSize::measured(2);
        const auto busy = [&](int n) {
            const double slice = random.chance(0.05) ? 3e-3 : 0;
            return n == 1 ? 1e-3 + slice : worse * (1e-3 + 2 * slice * random.uniform());
        };
        const double one = 1e-3 + 0.05 * 3e-3;
        const Course c = run(size, busy, 15, 1, 5000);
        EXPECT_LT(c.pace(), 1.06 * std::min(one, worse * one)) << worse;
    }
}

/// One other program, which has the second core but for as long as the second thread has slept
/// there.
TEST(TeamSize, IsNotMisledByWhoHasSlept)
{
    for (const double step : {0.2e-3, 1e-3, 10e-3, 30e-3}) {
        TeamSize size = TeamSize::measured(2);
        double owed = 0;
        const auto beside = [&](int n) {
            const double took = n == 1 ? step : owed > 0 ? 0.55 * step : 1.15 * step;
            owed = n == 1 ? std::min(owed + took, 4e-3) : std::max(owed - took, 0.0);
            return took;
        };
        const Course c = run(size, beside, 30, 1, 5000);
        EXPECT_LT(c.pace(), 1.03 * step) << step;
        EXPECT_EQ(size.next(5000), 1) << step;
    }
}

TEST(TeamSize, FollowsWhatChanges)
{
    TeamSize size = TeamSize::measured(2);
    const Machine quiet = [](int n) { return 1e-3 / n; };
    const Machine busy = [](int n) { return n == 1 ? 1e-3 : 5e-3; };
    for (int time = 0; time < 3; ++time) {
        EXPECT_EQ(run(size, quiet, 6, 1, 5000).last, 2);
        EXPECT_EQ(run(size, busy, 6, 1, 5000).last, 1);
    }
}

/// Another program begins after a long time in which trials have become rare.
TEST(TeamSize, FollowsAtOnceWhereStepsBecomeSlow)
{
    TeamSize size = TeamSize::measured(2);
    run(
        size, [](int n) { return 1e-3 / n; }, 30, 1, 5000);
    const Course c = run(
        size, [](int n) { return n == 1 ? 1e-3 : 1.8e-3; }, 1, 1, 5000);
    EXPECT_EQ(c.last, 1);
    EXPECT_LT(c.pace(), 1.15e-3);
}

/// Four of sixteen cores are taken: twelve threads are best, sixteen wait for those without a core.
TEST(TeamSize, IsFoundAmongMany)
{
    test::Random random(3);
    TeamSize size = TeamSize::measured(16);
    const auto machine = [&](int n) {
        return (n <= 12 ? 1e-3 / n : 2e-3 / n) * random.uniform(0.95, 1.05);
    };
    EXPECT_EQ(run(size, machine, 20, 1, 1'000'000).last, 12);
    // A world that grows from nothing.
    TeamSize other = TeamSize::measured(16);
    run(
        other, [&](int n) { return 1e-5 * n; }, 1, 1, 0);
    EXPECT_EQ(run(other, machine, 60, 1, 1'000'000).last, 12);
}

TEST(TeamSize, StepsWithoutWorkSayNothing)
{
    TeamSize size = TeamSize::measured(2);
    for (int k = 0; k < 10'000; ++k) {
        const int n = size.next(5000);
        EXPECT_EQ(n, 2);
        size.took(1e-3, 0);
    }
}

}  // namespace
}  // namespace scree::exec
