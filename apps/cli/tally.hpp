// What a run counts beside its world, and the columns that this has in a checkpoint.
#pragma once

#include "scene/simulation.hpp"
#include "scree/checkpoint.hpp"
#include "scree/report.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::cli {

/// How often a condition occurred, and where first.
struct ConditionRecord {
    std::uint64_t steps = 0;  ///< in how many steps
    std::uint64_t first_step = 0;
    std::uint64_t first_body = 0, second_body = 0;
    std::uint64_t located = 0;
};

/// Counted at every step; sampled values start anew with each sample.
struct Tally {
    std::uint64_t steps = 0, sweeps = 0, passes = 0, rebuilds = 0;
    std::uint64_t threads = 0;  ///< of all steps since the run was resumed; waits likewise
    Waits waits;
    double residual = 0;     ///< largest since the last sample
    double penetration = 0;  ///< likewise [m]
    std::uint64_t sample_steps = 0, sample_sweeps = 0;
    std::array<ConditionRecord, condition_count> conditions{};
    std::array<double, stage_count> seconds{};  ///< of this process

    void add(const StepReport& report);
    /// After a sample.
    void begin_sample();
    [[nodiscard]] std::vector<Column> save() const;
    void restore(std::span<const Column> columns);
};

/// Progress of sources and sinks as columns, and back.
std::vector<Column> save(const scene::Progress& progress);
scene::Progress restore_progress(std::span<const Column> columns);

}  // namespace scree::cli
