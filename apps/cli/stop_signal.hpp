// A run is asked to stop by SIGINT or SIGTERM.
#pragma once

#include <csignal>

namespace scree::cli {

/// Signals end the run after the step at hand.
class StopOnSignal {
public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

    /// Whether one has come since this was made.
    [[nodiscard]] bool asked() const;

private:
    struct sigaction old_interrupt_ {
    }, old_terminate_{};
};

}  // namespace scree::cli
