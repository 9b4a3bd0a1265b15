// Threads that share a loop: each item is done once, who waits sleeps instead of looking on, what
// goes wrong comes out, and how many cores there are.
#include "exec/cores.hpp"
#include "exec/parallel.hpp"
#include "support/folder.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace scree::exec {
namespace {

TEST(TeamThreads, DoEachItemOnce)
{
    for (const std::size_t n : {0U, 1U, 2U, 5U, 1023U, 1024U, 1025U, 10'000U}) {
        for (const int threads : {1, 2, 3, 7}) {
            std::vector<int> done(n);
            for_each(n, threads, [&](std::size_t i) { ++done[i]; });
            EXPECT_EQ(done, std::vector<int>(n, 1)) << n << " items, " << threads << " threads";
            std::vector<int> numbers(static_cast<std::size_t>(threads));
            for_shares(n, threads,
                       [&](std::size_t number, std::size_t, std::size_t) { ++numbers.at(number); });
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                EXPECT_EQ(numbers[k], k < std::max<std::size_t>(n, 1) ? 1 : 0);
            }
        }
    }
}

TEST(TeamThreads, FindTheLargest)
{
    const std::size_t n = 100'000;
    for (const int threads : {1, 2, 5}) {
        for (const std::size_t at : {std::size_t(0), n / 2, n - 1}) {
            EXPECT_EQ(largest(n, threads, -1, [&](std::size_t i) { return i == at ? 7.0 : 1.0; }),
                      7);
        }
        EXPECT_EQ(largest(n, threads, 9, [](std::size_t) { return 7.0; }), 9);
    }
}

TEST(TeamThreads, SeeWhatOthersWroteBeforeTheyMet)
{
    constexpr int rounds = 2000;
    for (const int size : {2, 3, 5}) {
        std::vector<int> written(static_cast<std::size_t>(size));
        std::atomic<int> wrong{0};
        Team& team = Team::mine();
        team.run(size, [&](int number, int count) {
            for (int round = 1; round <= rounds; ++round) {
                written[static_cast<std::size_t>(number)] = round;
                team.meet(number);
                for (int k = 0; k < count; ++k) {
                    wrong += written[static_cast<std::size_t>(k)] == round ? 0 : 1;
                }
                team.meet(number);
            }
        });
        EXPECT_EQ(wrong, 0);
    }
}

/// Others go on only when the one who waits has fallen asleep: whoever looks for ever hangs here.
TEST(TeamThreads, SleepWhileTheyWait)
{
    Team team;
    team.run(1, [](int, int) {});
    EXPECT_EQ(team.waits().waits, 0U);
    // Number 0 at a meeting, and at the end.
    for (const bool meet : {true, false}) {
        std::atomic<bool> watched{false};
        team.run(2, [&](int number, int) {
            if (number == 0) {
                watched.wait(false);
            } else {
                const std::uint64_t before = team.waits().sleeps;
                watched = true;
                watched.notify_one();
                while (team.waits().sleeps == before) {
                    std::this_thread::yield();
                }
            }
            if (meet) {
                team.meet(number);
            }
        });
    }
    // Number 1 between two runs, unless it sleeps already: then it has slept before.
    const std::uint64_t before = team.waits().sleeps;
    EXPECT_GE(before, 2U);
    while (team.waits().sleeps < 3) {
        std::this_thread::yield();
    }
    // A look takes a nanosecond at least, and there are 32 between glances at the clock.
    const Waits w = team.waits();
    EXPECT_LE(w.looks, w.waits * (static_cast<std::uint64_t>(long_patience.count()) + 32));
}

/// More threads than cores: one that waits has the core that the others need.
TEST(TeamThreads, HardlyLookWhereCoresAreMissing)
{
    std::thread([] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
        ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
        EXPECT_EQ(usable_cores(), 1);
        Team team;
        std::atomic<int> done{0};
        for (int k = 0; k < 300; ++k) {
            team.run(3, [&](int number, int) {
                ++done;
                team.meet(number);
                ++done;
            });
        }
        EXPECT_EQ(done, 300 * 3 * 2);
        const Waits w = team.waits();
        EXPECT_LE(w.looks, w.waits * (static_cast<std::uint64_t>(short_patience.count()) + 32));
    }).join();
}

TEST(TeamThreads, ThrowWhereTheyWereCalled)
{
    for (const int thrower : {0, 1, 2}) {
        Team team;
        EXPECT_THROW(team.run(3,
                              [&](int number, int) {
                                  if (number == thrower) {
                                      throw std::runtime_error("no");
                                  }
                              }),
                     std::runtime_error);
        std::atomic<int> done{0};
        team.run(3, [&](int, int) { ++done; });
        EXPECT_EQ(done, 3);
    }
}

TEST(TeamThreads, HaveNoTeamsOfTheirOwn)
{
    std::atomic<int> most{0};
    for_shares(2, 2, [&](std::size_t, std::size_t, std::size_t) {
        Team::mine().run(2, [&](int number, int size) {
            most = std::max({most.load(), number, size});
        });
    });
    EXPECT_EQ(most, 1);
}

TEST(TeamThreads, OfSeveralCallersAreApart)
{
    std::atomic<int> done{0};
    std::vector<std::thread> callers;
    for (int k = 0; k < 3; ++k) {
        callers.emplace_back([&] {
            for (int run = 0; run < 200; ++run) {
                for_shares(2, 2, [&](std::size_t, std::size_t, std::size_t) { ++done; });
            }
        });
    }
    for (std::thread& t : callers) {
        t.join();
    }
    EXPECT_EQ(done, 3 * 200 * 2);
}

// The thread sanitizer has to be told that this is meant (die_after_fork, in CMakePresets.json).
TEST(TeamThreads, AreStartedAnewInAChildOfFork)
{
    std::atomic<int> done{0};
    const auto both = [&] {
        for_shares(2, 2, [&](std::size_t, std::size_t, std::size_t) { ++done; });
    };
    both();
    const pid_t child = ::fork();
    if (child == 0) {
        both();
        ::_exit(done == 4 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

class Cores : public test::InFolder {};

TEST_F(Cores, FollowFromTheQuotaOfAllGroupsAbove)
{
    const auto write = [&](const std::string& file, const std::string& text) {
        std::filesystem::create_directories((folder / file).parent_path());
        std::ofstream(folder / file) << text;
    };
    const std::string root = folder.string();
    EXPECT_EQ(cgroup_quota("0::/\n", root), HUGE_VAL);
    write("cpu.max", "max 100000\n");
    EXPECT_EQ(cgroup_quota("0::/\n", root), HUGE_VAL);
    write("a/cpu.max", "300000 100000\n");
    write("a/b/cpu.max", "max 100000\n");
    write("a/b/c/cpu.max", "450000 100000\n");
    EXPECT_EQ(cgroup_quota("0::/a/b/c\n", root), 3);
    write("a/b/c/cpu.max", "150000 100000\n");
    EXPECT_EQ(cgroup_quota("0::/a/b/c\n", root), 1.5);
    EXPECT_EQ(cgroup_quota("0::/a/b\n", root), 3);
    // Version 1, where each controller has its own hierarchy.
    write("cpu/job/cpu.cfs_quota_us", "50000\n");
    write("cpu/job/cpu.cfs_period_us", "25000\n");
    write("cpu/free/cpu.cfs_quota_us", "-1\n");
    write("cpu/free/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cgroup_quota("5:memory:/x\n4:cpu,cpuacct:/job\n", root), 2);
    EXPECT_EQ(cgroup_quota("4:cpuacct,cpu:/free\n", root), HUGE_VAL);
    // Nonsense limits nothing.
    write("odd/cpu.max", "what\n");
    EXPECT_EQ(cgroup_quota("0::/odd\nno colons\n1:\n::\n", root), HUGE_VAL);
}

TEST_F(Cores, AreAtLeastOne)
{
    EXPECT_GE(usable_cores(), 1);
    ASSERT_EQ(::setenv("OMP_NUM_THREADS", "1,2", 1), 0);
    EXPECT_EQ(usable_cores(), 1);
    ASSERT_EQ(::setenv("OMP_NUM_THREADS", "nonsense", 1), 0);
    EXPECT_GE(usable_cores(), 1);
    ::unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace scree::exec
