#include "exec/team.hpp"

#include "exec/cores.hpp"
#include "scree/error.hpp"

#include <pthread.h>

#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace scree::exec {

namespace {

/// The thread works for a team at the moment: what it runs has no other threads.
thread_local bool at_work = false;

/// How often this process was forked from another: a child has none of its parent's threads.
std::atomic<int> forks{0};

int fork_count()
{
    static std::once_flag watched;
    std::call_once(watched, [] {
        ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
    });
    return forks.load(std::memory_order_relaxed);
}

}  // namespace

struct Team::Members {
    struct Member {
        Bell call;
        Waiter waiter;
        std::thread thread;
    };

    Work work{};
    int size = 1;
    const int cores = usable_cores();
    std::atomic<std::chrono::nanoseconds> patience{long_patience};  ///< of whoever waits, at most
    bool dismissed = false;
    alignas(64) std::atomic<int> busy{0};
    Bell done;
    alignas(64) std::atomic<int> arrived{0};
    Bell met;
    Waiter own;
    std::deque<Member> members;  ///< all but number 0
    std::mutex failing;
    std::exception_ptr failure;
    const int born_after_forks = fork_count();

    ~Members()
    {
        dismissed = true;
        for (Member& m : members) {
            m.call.ring();
            m.thread.join();
        }
    }
    [[nodiscard]] Waiter& waiter(int number)
    {
        return number == 0 ? own : members[static_cast<std::size_t>(number - 1)].waiter;
    }
    void follow(Member& self, int number);
    void do_work(int number)
    {
        try {
            work.call(work.what, number, size);
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = failure ? failure : std::current_exception();
        }
    }
};

Team& Team::mine()
{
    thread_local Team team;
    return team;
}

Team::Team() = default;
Team::~Team() { forget_parents_threads(); }

/// A child of fork() has none of the threads that its copy of the members tells of.
void Team::forget_parents_threads()
{
    if (members_ && members_->born_after_forks != fork_count()) {
        (void)members_.release();
    }
}

/// What a member does all its life.
void Team::Members::follow(Member& self, int number)
{
    at_work = true;
    for (std::uint32_t heard = 0;; ++heard) {
        self.call.wait([&] { return self.call.rung() != heard; }, self.waiter, patience);
        if (dismissed) {
            return;
        }
        do_work(number);
        if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            done.ring();
        }
    }
}

/// Starts threads until there are so many beside the one that calls.
void Team::hire(int count)
{
    forget_parents_threads();
    if (!members_) {
        members_ = std::make_unique<Members>();
    }
    Members& m = *members_;
    while (static_cast<int>(m.members.size()) < count) {
        Members::Member& member = m.members.emplace_back();
        const int number = static_cast<int>(m.members.size());
        try {
            member.thread = std::thread([&m, &member, number] { m.follow(member, number); });
        } catch (const std::system_error& error) {
            m.members.pop_back();
            throw Error("thread " + std::to_string(number + 1) + " of " +
                        std::to_string(count + 1) + " cannot be started (" + error.what() +
                        "): ask for fewer with settings.threads, or raise the limit (ulimit -u)");
        }
    }
}

void Team::run(int size, Work work)
{
    if (size <= 1 || at_work) {
        work.call(work.what, 0, 1);
        return;
    }
    hire(size - 1);
    Members& m = *members_;
    m.patience = size > m.cores ? short_patience : long_patience;
    m.work = work;
    m.size = size;
    m.busy.store(size - 1, std::memory_order_relaxed);
    for (int number = 1; number < size; ++number) {
        m.members[static_cast<std::size_t>(number - 1)].call.ring();
    }
    at_work = true;
    m.do_work(0);
    at_work = false;
    m.done.wait([&] { return m.busy.load(std::memory_order_acquire) == 0; }, m.own, m.patience);
    if (m.failure) {
        std::rethrow_exception(std::exchange(m.failure, nullptr));
    }
}

void Team::meet(int number)
{
    Members& m = *members_;
    const std::uint32_t before = m.met.rung();
    if (m.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m.size) {
        m.arrived.store(0, std::memory_order_relaxed);
        m.met.ring();
    } else {
        m.met.wait([&] { return m.met.rung() != before; }, m.waiter(number), m.patience);
    }
}

Waits Team::waits() const
{
    Waits sum;
    if (!members_) {
        return sum;
    }
    sum += members_->own.so_far();
    for (const Members::Member& m : members_->members) {
        sum += m.waiter.so_far();
    }
    return sum;
}

}  // namespace scree::exec
