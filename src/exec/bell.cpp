#include "exec/bell.hpp"

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#else
#include <thread>
#endif

namespace scree::exec {

#if defined(__linux__)

namespace {

long futex(const std::atomic<std::uint32_t>& word, int verb, Ears ears, std::uint32_t value,
           const timespec* at_most)
{
    const int who = ears == Ears::of_this_process ? FUTEX_PRIVATE_FLAG : 0;
    return ::syscall(SYS_futex, &word, verb | who, value, at_most, nullptr, 0);
}

}  // namespace

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, Ears ears,
                 std::chrono::nanoseconds at_most)
{
    constexpr std::chrono::nanoseconds second = std::chrono::seconds(1);
    const timespec time{at_most / second, (at_most % second).count()};
    futex(word, FUTEX_WAIT, ears, value, &time);
}

void wake(const std::atomic<std::uint32_t>& word, Ears ears)
{
    futex(word, FUTEX_WAKE, ears, INT_MAX, nullptr);
}

#else

// Without futexes: naps, which need no waking.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, Ears,
                 std::chrono::nanoseconds at_most)
{
    constexpr std::chrono::nanoseconds nap = std::chrono::microseconds(50);
    if (word.load() == value) {
        std::this_thread::sleep_for(at_most < nap ? at_most : nap);
    }
}

void wake(const std::atomic<std::uint32_t>&, Ears) {}

#endif

}  // namespace scree::exec
