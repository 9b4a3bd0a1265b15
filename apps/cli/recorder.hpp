// What a run writes down while it goes: samples in series.csv, frames for ParaView, checkpoints.
// What is due is taken from the world at once and written by a thread of its own. A recorder made
// from a checkpoint forgets everything later than the checkpoint and goes on, so that a resumed run
// leaves the same files as one that was never interrupted.
//
// Of several ranks each writes its own share of frames and checkpoints, and the first one, when all
// of them have, an index of these: what has no index does not exist yet.
#pragma once

#include "scree/analyse/series.hpp"
#include "scree/analyse/wall_forces.hpp"
#include "scree/checkpoint.hpp"
#include "scree/io/pvd.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/scene/simulation.hpp"
#include "shared_solids.hpp"
#include "writer.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
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
    [[nodiscard]] std::vector<Column> save() const;
    void restore(std::span<const Column> columns);
};

class Recorder {
public:
    /// With ranks, all of them record, and the first one writes what is small.
    Recorder(const scene::Scene& scene, scene::Simulation& simulation, const std::string& folder,
             const std::string& scene_text, std::shared_ptr<Ranks> ranks = nullptr);

    /// Makes the folder, the first sample and the first frame. Throws scree::Error before anything
    /// is written if the folder cannot be used.
    void begin();
    /// Goes on after the step of the checkpoint; `more` if there are steps to come.
    void resume(std::span<const Column> extras, bool more);
    /// Whether the world has numbers that are not finite: nothing of it is written any more.
    [[nodiscard]] bool lost() const
    {
        return tally_.conditions[static_cast<std::size_t>(Condition::not_finite)].steps > 0;
    }
    /// Whatever is due after a step.
    void after_step(const StepReport& report);
    /// The checkpoint, and then the last sample and frame, due or not. A run that is resumed takes
    /// those back that were not due. Everything is written when it returns.
    void finish();
    void write_checkpoint();

    [[nodiscard]] const Tally& tally() const { return tally_; }
    [[nodiscard]] const io::RunFolder& folder() const { return folder_; }
    /// For which checkpoints held up the run; and what all writing took, beside it [s].
    [[nodiscard]] double checkpoint_seconds() const { return checkpoint_seconds_; }
    [[nodiscard]] double writing_seconds() { return writer_.seconds(); }

private:
    [[nodiscard]] std::vector<analyse::Column> columns() const;
    void sample(const StepReport& report);
    [[nodiscard]] Vec3<double> force_on(const scene::MeasureTable& measure,
                                        std::span<const analyse::WallLoad> loads);
    void write_frame();
    void write_shares(std::function<void()> share, std::function<void()> index);
    void write_indices();
    void finish_writing();
    [[nodiscard]] std::vector<std::uint64_t> of_all_ranks(std::uint64_t here) const;
    void write_collections() const;
    [[nodiscard]] std::uint64_t every(double interval) const;

    const scene::Scene& scene_;
    scene::Simulation& simulation_;
    io::RunFolder folder_;
    std::string scene_text_;
    std::shared_ptr<Ranks> ranks_;
    bool writes_;
    Tally tally_;
    std::vector<io::PvdEntry> particles_, contacts_;
    std::uint64_t sample_steps_, frame_steps_, checkpoint_steps_;
    std::uint64_t last_frame_ = ~std::uint64_t{0};
    double checkpoint_seconds_ = 0;
    SharedSolids shared_solids_;
    /// What the first rank writes when so many large jobs are done on every rank.
    struct Index {
        std::uint64_t jobs;
        std::function<void()> write;
    };
    std::deque<Index> indices_;
    std::uint64_t large_given_ = 0;
    Writer writer_;  ///< last: its jobs use the others
};

/// Progress of sources and sinks as columns, and back.
std::vector<Column> save(const scene::Progress& progress);
scene::Progress restore_progress(std::span<const Column> columns);

}  // namespace scree::cli
