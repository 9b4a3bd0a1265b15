#include "stop_signal.hpp"

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace scree::cli {

namespace {

/// Seconds of a clock that may be asked in a signal handler.
std::int64_t seconds_now()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

volatile std::sig_atomic_t stop_asked = 0;
volatile std::int64_t stop_asked_at = 0;
void ask_to_stop(int signal)
{
    // Asked twice: now. What comes within a second is the same wish: timeout(1) and batch systems
    // signal the process and then its group.
    if (stop_asked != 0 && seconds_now() - stop_asked_at > 1) {
        std::_Exit(128 + signal);
    }
    if (stop_asked == 0) {
        stop_asked_at = seconds_now();
    }
    stop_asked = 1;
}

}  // namespace

StopOnSignal::StopOnSignal()
{
    stop_asked = 0;
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
}

StopOnSignal::~StopOnSignal()
{
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool StopOnSignal::asked() const { return stop_asked != 0; }

}  // namespace scree::cli
