// Waiting for another thread or process without taking the core that it needs: who waits looks
// again and again for some microseconds, then sleeps until the bell is rung. On a quiet machine
// what is waited for comes while one looks; on a busy one whoever is waited for may have no core,
// and gets this one.
#pragma once

#include "scree/report.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace scree::exec {

/// Who is inside: threads of one process, or processes that share the bell's memory.
enum class Ears : std::uint8_t { of_this_process, of_all_processes };

/// Sleeps while the word has this value, until it is woken or the time is over. May return early.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, Ears ears,
                 std::chrono::nanoseconds at_most);
/// Wakes all who sleep on the word.
void wake(const std::atomic<std::uint32_t>& word, Ears ears);

/// Longer than nearly all waits of a machine with nothing else to do, and about the time for which
/// a core is given away. With more threads or ranks than cores the one that is waited for may well
/// have none.
inline constexpr std::chrono::nanoseconds long_patience = std::chrono::microseconds(3000),
                                          short_patience = std::chrono::microseconds(1);

/// A thread that waits: how it went, which others may read, and for how long looking has been worth
/// while.
struct alignas(64) Waiter {
    std::atomic<std::uint64_t> waits{0}, looks{0}, sleeps{0};
    std::chrono::nanoseconds patience = long_patience;
    std::chrono::steady_clock::time_point next_chance{}, next_yield{};

    /// Looking in vain takes the core from whoever is waited for, again and again: it has to have
    /// been worth while six times for each time that it was not. Now and then it gets another
    /// chance, since a machine may have become quiet whose waits are all longer than patience was.
    void looked(bool in_vain, std::chrono::steady_clock::time_point now)
    {
        patience = in_vain ? patience / 2 : patience + patience / 8;
        if (now >= next_chance) {
            patience = long_patience;
            next_chance = now + 300 * long_patience;
        }
        patience = std::clamp(patience, short_patience, long_patience);
    }
    static void add(std::atomic<std::uint64_t>& count, std::uint64_t n)
    {
        count.store(count.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    [[nodiscard]] Waits so_far() const
    {
        return {waits.load(std::memory_order_relaxed), looks.load(std::memory_order_relaxed),
                sleeps.load(std::memory_order_relaxed)};
    }
};

/// Tells the processor that this thread only looks.
inline void pause_a_little()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

class alignas(64) Bell {
public:
    [[nodiscard]] std::uint32_t rung() const { return rung_.load(std::memory_order_acquire); }

    /// What was written before is seen by whoever waited.
    void ring(Ears ears = Ears::of_this_process)
    {
        rung_.fetch_add(1, std::memory_order_seq_cst);
        if (sleepers_.load(std::memory_order_seq_cst) != 0) {
            wake(rung_, ears);
        }
    }

    /// Waits until there() is true. Whoever makes it so rings afterwards; without that it is looked
    /// at again after `at_most`.
    template <class There>
    void wait(There&& there, Waiter& waiter, std::chrono::nanoseconds longest_patience,
              Ears ears = Ears::of_this_process,
              std::chrono::nanoseconds at_most = std::chrono::hours(1))
    {
        if (there()) {
            return;
        }
        Waiter::add(waiter.waits, 1);
        const bool came = longest_patience == short_patience
                              ? give_way(there, waiter)
                              : look(there, longest_patience, waiter);
        if (came) {
            return;
        }
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        for (;;) {
            const std::uint32_t rung = rung_.load(std::memory_order_seq_cst);
            if (there()) {
                break;
            }
            Waiter::add(waiter.sleeps, 1);
            sleep_while(rung_, rung, ears, at_most);
        }
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
    }

private:
    /// Whether it is there before patience is at its end.
    template <class There>
    static bool look(There&& there, std::chrono::nanoseconds longest_patience, Waiter& waiter)
    {
        using Clock = std::chrono::steady_clock;
        constexpr std::uint64_t looks_per_glance = 32;  // at the clock
        const Clock::time_point begin = Clock::now();
        const Clock::time_point end = begin + std::min(waiter.patience, longest_patience);
        Clock::time_point now = begin;
        std::uint64_t looks = 0;
        bool came = false;
        do {
            for (std::uint64_t k = 0; k < looks_per_glance && !came; ++k) {
                pause_a_little();
                came = there();
                ++looks;
            }
        } while (!came && (now = Clock::now()) < end);
        Waiter::add(waiter.looks, looks);
        waiter.looked(!came, now);
        return came;
    }

    /// The same where cores are missing: whoever is waited for may be next. If it was another
    /// program, which keeps the core for long, this is left alone for thirty times as long.
    template <class There> static bool give_way(There&& there, Waiter& waiter)
    {
        using Clock = std::chrono::steady_clock;
        constexpr std::uint64_t most = 20;
        constexpr std::chrono::nanoseconds long_time = std::chrono::milliseconds(2);
        std::uint64_t looks = 0;
        bool came = false;
        Clock::time_point now = Clock::now();
        while (!came && looks < most && now >= waiter.next_yield) {
            std::this_thread::yield();
            came = there();
            ++looks;
            const Clock::time_point before = std::exchange(now, Clock::now());
            if (now - before > long_time) {
                waiter.next_yield = now + 30 * (now - before);
            }
        }
        Waiter::add(waiter.looks, looks);
        return came;
    }

    std::atomic<std::uint32_t> rung_{0}, sleepers_{0};
};

}  // namespace scree::exec
