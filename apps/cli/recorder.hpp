// What a run writes down while it goes: samples in series.csv, frames for ParaView, checkpoints.
// What is due is taken from the world at once and written by a thread of its own. A recorder made
// from a checkpoint forgets everything later than the checkpoint and goes on, so that a resumed run
// leaves the same files as one that was never interrupted.
//
// Of several ranks each writes its own share of frames and checkpoints, and the first one, when all
// of them have, an index of these: what has no index does not exist yet.
#pragma once

#include "io/pvd.hpp"
#include "io/run_folder.hpp"
#include "scene/simulation.hpp"
#include "scree/checkpoint.hpp"
#include "shared_solids.hpp"
#include "tally.hpp"
#include "writer.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::cli {

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
    void sample(const StepReport& report);
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

}  // namespace scree::cli
