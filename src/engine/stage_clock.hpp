// Adds the time until it goes out of scope to a stage of the report.
#pragma once

#include "scree/report.hpp"

#include <chrono>

namespace scree::engine {

class StageClock {
public:
    StageClock(StepReport& report, Stage stage)
        : seconds_(report.seconds[static_cast<std::size_t>(stage)]), start_(Clock::now())
    {
    }
    ~StageClock() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_;
};

}  // namespace scree::engine
