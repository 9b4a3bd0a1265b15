// What connects ranks, without a world: sums and maxima, and messages that are sent again and
// again, against numbers that both ends can work out. Part of the program of ranks_test.cpp.
#include "ranks/rank_colouring.hpp"
#include "scree/mpi.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <thread>

using namespace scree;

namespace {

/// The k-th number that one rank sends to another in this turn.
double number(int from, int to, int turn, std::size_t k)
{
    return from + 100.0 * to + 1e4 * turn + 1e8 * double(k);
}
/// How many there are; some messages are empty one way or both.
std::size_t length(int from, int to, int plan)
{
    const std::size_t lengths[]{0, 1, 7, 500, 3000, 12000};
    return lengths[static_cast<std::size_t>(from * 5 + to * 3 + plan) % 6] *
           static_cast<std::size_t>(1 + plan);
}

/// Whether the first of two ranks sends before it receives; some do at the same time.
bool goes_first(int me, int other, int plan)
{
    const auto turn = [&](int rank) { return std::pair((rank * 5 + plan) % 13, rank); };
    return (me + other + plan) % 4 == 0 || turn(me) < turn(other);
}

/// That ranks are dealt out to by turns.
int machines()
{
    const char* const given = std::getenv("SCREE_MACHINES");
    return given != nullptr ? std::atoi(given) : 1;
}

TEST(Messages, ArriveWholeInEveryTurn)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const int me = ranks->rank(), size = ranks->size();
    const auto n = static_cast<std::size_t>(size);
    for (int plan = 0; plan < 4; ++plan) {
        std::vector<std::vector<double>> out(n), in(n);
        std::vector<Ranks::Message> messages;
        for (int other = 0; other < size; ++other) {
            const auto o = static_cast<std::size_t>(other);
            // Neighbours change from plan to plan.
            if (other != me && (me + other + plan) % 3 != 0) {
                out[o].resize(length(me, other, plan));
                in[o].resize(length(other, me, plan));
                messages.push_back({other, out[o], in[o], goes_first(me, other, plan)});
            }
        }
        const Ranks::PersistentMessages both[]{Ranks::PersistentMessages(messages),
                                               Ranks::PersistentMessages(messages)};
        for (int turn = 0; turn < 20; ++turn) {
            for (int other = 0; other < size; ++other) {
                std::vector<double>& to = out[static_cast<std::size_t>(other)];
                for (std::size_t k = 0; k < to.size(); ++k) {
                    to[k] = number(me, other, turn, k);
                }
            }
            const auto wrong = [&](bool first) {
                std::size_t count = 0;
                for (int other = 0; other < size; ++other) {
                    const std::vector<double>& from = in[static_cast<std::size_t>(other)];
                    for (std::size_t k = 0; goes_first(me, other, plan) == first && k < from.size();
                         ++k) {
                        count += from[k] != number(other, me, turn, k) ? 1 : 0;
                    }
                }
                return count;
            };
            ranks->hear(both[turn / 5 % 2]);
            ASSERT_EQ(wrong(false), 0U) << "heard, plan " << plan << ", turn " << turn;
            ranks->tell();
            if ((me + turn) % 4 == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            ranks->answer();
            ranks->finish();
            ASSERT_EQ(wrong(true), 0U) << "plan " << plan << ", turn " << turn;
        }
    }
}

/// No two neighbours have the same turn, whoever is one, and a rank has no more of them to wait for
/// than it has neighbours.
TEST(Messages, NeighboursTakeDifferentTurns)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const int me = ranks->rank(), size = ranks->size();
    for (int graph = 0; graph < 5; ++graph) {
        std::set<int> neighbours;
        for (int other = 0; other < size; ++other) {
            const int far = std::abs(me - other);
            const bool near[] = {false, true, far == 1, far % 2 == 1,
                                 far == 1 || (me + other) % 3 == 0};
            if (other != me && near[graph]) {
                neighbours.insert(other);
            }
        }
        const std::map<int, int> turns = ranks::take_turns(*ranks, neighbours);
        EXPECT_EQ(turns.size(), neighbours.size() + 1);
        EXPECT_LE(turns.at(me), static_cast<int>(neighbours.size()));
        double all[64] = {};  // all ranks say the same of each
        all[me] = turns.at(me);
        ranks->largest(std::span(all, static_cast<std::size_t>(size)));
        for (const int other : neighbours) {
            EXPECT_NE(turns.at(other), turns.at(me)) << graph;
            EXPECT_EQ(turns.at(other), all[other]);
        }
    }
}

/// Ranks of one machine, or of several that they were dealt out to by turns.
TEST(Messages, RanksAreNumberedOnTheirMachines)
{
    EXPECT_EQ(mpi_ranks()->rank_on_machine(), mpi_ranks()->rank() / machines());
    // Of a part of the processes, in another order.
    const int me = mpi_ranks()->rank();
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? 0 : 1, -me, &some);
    {
        const std::shared_ptr<Ranks> ranks = mpi_ranks(some);
        EXPECT_EQ(ranks->rank_on_machine(), ranks->rank() / machines());
    }
    MPI_Comm_free(&some);
}

TEST(Messages, AddUpAndFindMaximaOfAllRanks)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const double me = ranks->rank(), size = ranks->size();
    double sums[]{1, me, me * me};
    double largest[]{me, -me, ranks->rank() == 1 ? std::numeric_limits<double>::quiet_NaN() : 0};
    ranks->combine(ranks->all(), sums, largest);
    EXPECT_EQ(sums[0], size);
    EXPECT_EQ(sums[1], size * (size - 1) / 2);
    EXPECT_EQ(sums[2], size * (size - 1) * (2 * size - 1) / 6);
    EXPECT_EQ(largest[0], size - 1);
    EXPECT_EQ(largest[1], 0);
    EXPECT_EQ(std::isnan(largest[2]), size > 1);
}

/// Ranks that are cut in two again and again, as long as there are several; the last has no group
/// to begin with.
TEST(Messages, AddUpInGroups)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const int me = ranks->rank();
    Ranks::Group group{0, ranks->size() - 1};
    while (group.count > 0 && me < group.first + group.count) {
        double sum[]{1, double(me)}, largest[]{double(me)};
        ranks->combine(group, sum, largest);
        const int last = group.first + group.count - 1;
        EXPECT_EQ(sum[0], group.count);
        EXPECT_EQ(sum[1], group.count * (group.first + last) / 2.0);
        EXPECT_EQ(largest[0], last);
        const int half = group.count / 2;
        if (half == 0) {
            break;
        }
        group = me < group.first + half ? Ranks::Group{group.first, half}
                                        : Ranks::Group{group.first + half, group.count - half};
    }
}

/// Nobody knows who will write. Some ranks are late, and some letters long.
TEST(Messages, LettersArriveInTheirTurn)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const int me = ranks->rank(), size = ranks->size();
    const auto writes = [](int from, int to, int turn) {
        return (3 * from + 5 * to + turn) % 4 == 0;
    };
    const auto letter = [](int from, int to, int turn) {
        const std::size_t lengths[]{0, 1, 300, 200'000};
        return Ranks::Bytes(lengths[static_cast<std::size_t>(from + to + turn) % 4],
                            static_cast<std::byte>(from + 7 * to + 31 * turn));
    };
    for (int turn = 0; turn < 60; ++turn) {
        Ranks::Messages out, wanted;
        for (int other = 0; other < size; ++other) {
            if (writes(me, other, turn)) {
                out[other] = letter(me, other, turn);
            }
            if (writes(other, me, turn)) {
                wanted[other] = letter(other, me, turn);
            }
        }
        if ((me + turn) % 5 == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ASSERT_EQ(ranks->exchange(out), wanted) << turn;
    }
}

TEST(Messages, AllHearWhatAllSay)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const auto words = [](int rank) {
        return Ranks::Bytes(static_cast<std::size_t>(rank % 3), static_cast<std::byte>(rank));
    };
    Ranks::Bytes wanted;
    for (int r = 0; r < ranks->size(); ++r) {
        const Ranks::Bytes part = words(r);
        wanted.insert(wanted.end(), part.begin(), part.end());
    }
    EXPECT_EQ(ranks->everywhere(words(ranks->rank())), wanted);
}

/// A rank that has sent its message and works on holds nobody up: here it works until the other has
/// got the message.
TEST(Messages, NobodyWaitsForWhoHasSent)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    if (ranks->size() < 2) {
        GTEST_SKIP() << "one rank sends nothing";
    }
    // Without shared memory this holds for what MPI sends at once.
    const char* const near = std::getenv("SCREE_SHARED_MEMORY");
    const bool far = (near != nullptr && std::atoi(near) < 2) || machines() > 1;
    const std::size_t count = far ? 400 : 20000;
    double process = ranks->rank() == 0 ? double(getpid()) : 0;
    ranks->largest(std::span(&process, 1));
    const std::filesystem::path sign =
        std::filesystem::temp_directory_path() / ("scree-messages-" + std::to_string(int(process)));
    const int other = ranks->rank() ^ 1;
    std::vector<double> out(count, ranks->rank()), in(count, -1);
    std::vector<Ranks::Message> messages;
    if (other < 2) {
        messages.push_back({other, out, in});
    }
    const Ranks::PersistentMessages plan(messages);
    ranks->hear(plan);
    ranks->tell();
    bool held_up = false;
    if (ranks->rank() == 1) {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point start = Clock::now();
        while (!std::filesystem::exists(sign) && !held_up) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            held_up = Clock::now() - start > std::chrono::seconds(30);
        }
    }
    ranks->answer();
    ranks->finish();
    if (ranks->rank() == 0) {
        std::ofstream(sign) << "got it\n";
    }
    EXPECT_FALSE(held_up);
    if (other < 2) {
        EXPECT_EQ(in, std::vector<double>(count, other));
    }
    double done = 0;
    ranks->sum(std::span(&done, 1));
    if (ranks->rank() == 0) {
        std::filesystem::remove(sign);
    }
}

// Counted, not timed: who only looks does it some ten million times.
TEST(Messages, WhoWaitsSleeps)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    if (ranks->size() == 1) {
        GTEST_SKIP() << "nobody to wait for";
    }
    const bool late = ranks->rank() == ranks->size() - 1;
    double number = ranks->rank();
    ranks->largest(std::span(&number, 1));
    const Waits before = ranks->waits();
    if (late) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    ranks->largest(std::span(&number, 1));
    const Waits w = ranks->waits().since(before);
    if (!late) {
        EXPECT_GE(w.waits, 1U);
        EXPECT_GE(w.sleeps, 1U);
        EXPECT_LT(w.looks, 300'000U);
    }
}

/// Of two machines with two ranks each, 0 waits on its own for 1, which waits for 2, which waits
/// for a message of 0 that is too long for MPI to send at once: 0 has to let MPI go on, also while
/// what 3 sent to it is there too early.
TEST(Messages, WhoWaitsSendsWhatOthersNeed)
{
    const std::shared_ptr<Ranks> ranks = mpi_ranks();
    const int me = ranks->rank();
    std::vector<double> out(20000, me), in(20000, -1), little{double(me)}, from_0(1, -1),
        from_1(1, -1);
    std::vector<Ranks::Message> messages;
    if (me == 0) {
        messages = {{1, little, from_1}, {2, out, {}}, {3, {}, from_0}};
    } else if (me == 1) {
        messages = {{0, little, from_0, false}, {2, {}, from_1, false}};
    } else if (me == 2) {
        messages = {{0, {}, in, false}, {1, little, {}}};
    } else if (me == 3) {
        messages = {{0, little, {}}};
    }
    if (ranks->size() < 4) {
        GTEST_SKIP() << "takes four ranks";
    }
    const Ranks::PersistentMessages plan(messages);
    for (int turn = 0; turn < 3; ++turn) {
        std::this_thread::sleep_for(std::chrono::milliseconds(me == 2 ? 50 : 0));
        ranks->hear(plan);
        ranks->tell();
        std::this_thread::sleep_for(std::chrono::milliseconds(me == 0 ? 20 : 0));
        ranks->answer();
        ranks->finish();
    }
    if (me == 2) {
        EXPECT_EQ(in, std::vector<double>(20000, 0));
    }
}

}  // namespace
