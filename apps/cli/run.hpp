// A run of a scene, from its first step or from a checkpoint, with all that it writes and says.
#pragma once

#include "io/checkpoint.hpp"
#include "recorder.hpp"
#include "results.hpp"
#include "scene/simulation.hpp"
#include "scree/ranks.hpp"
#include "stop_signal.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::cli {

/// What was asked for.
struct RunOptions {
    std::string scene, out, resume, branch, until, law, command;
    std::vector<std::string> set;
    std::int64_t steps = -1, seed = -1;
    int threads = -1, gpu = -1;
    bool force = false, quiet = false;
};

class Run {
public:
    /// Makes the folder ready. With ranks, all of them make the same run.
    Run(const RunOptions& options, scene::SceneFile file, const std::string& folder,
        std::optional<io::Checkpoint> checkpoint, const std::shared_ptr<Ranks>& ranks);

    /// Steps to the end. Returns the exit status.
    int go();

private:
    using Clock = std::chrono::steady_clock;

    void choose_settings();
    void choose_end();
    [[nodiscard]] std::uint64_t whole_steps() const;
    bool asked_to_stop(const StopOnSignal& signals);
    void step(Clock::time_point start, const StopOnSignal& signals);
    void share_costs();
    int interrupt(const std::string& started);
    int conclude(const std::string& started);
    void print_end(const Results& results, const Verdict& verdict, bool finished);
    void write_run_file(const std::string& started, const std::string& outcome);

    const RunOptions& options_;
    scene::SceneFile file_;
    std::shared_ptr<Ranks> ranks_;
    bool quiet_;
    std::unique_ptr<scene::Simulation> simulation_;
    Recorder recorder_;
    std::uint64_t end_ = 0;                    ///< the step after which it stops
    std::optional<std::uint64_t> resumed_at_;  ///< the checkpoint's step
    double seconds_ = 0;
    std::optional<std::uint64_t> hash_;  ///< of the last state
    std::vector<double> communication_;  ///< of each rank [s]
    std::uint64_t bytes_ = 0, device_bytes_ = 0;
};

}  // namespace scree::cli
