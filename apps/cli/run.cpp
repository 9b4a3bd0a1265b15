#include "run.hpp"

#include "device_option.hpp"
#include "exit_code.hpp"
#include "io/atomic_file.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "output_folder.hpp"
#include "progress.hpp"
#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace scree::cli {

using Json = nlohmann::ordered_json;

namespace {

std::unique_ptr<scene::Simulation> simulation_of(const scene::Scene& scene,
                                                 std::optional<io::Checkpoint>& checkpoint,
                                                 const std::shared_ptr<Ranks>& ranks)
{
    return checkpoint
               ? std::make_unique<scene::Simulation>(scene, std::move(checkpoint->world),
                                                     restore_progress(checkpoint->extras), ranks)
               : std::make_unique<scene::Simulation>(scene, ranks);
}

/// The scene, if all ranks have the same one and it is for as many as there are.
scene::SceneFile fitting(scene::SceneFile file, const RunOptions& o,
                         const std::shared_ptr<Ranks>& ranks)
{
    if (!ranks) {
        return file;
    }
    const auto digest = static_cast<double>(std::hash<std::string>{}(file.text + o.command) >> 12U);
    double both[]{digest, -digest};
    ranks->largest(both);
    if (both[0] != -both[1]) {
        throw Error("ranks were started with different scenes or options: all of them have to run "
                    "the same command, with the same files");
    }
    const auto [x, y, z] = file.scene.ranks_partition().boxes;
    if (x > 0 && static_cast<std::int64_t>(x) * y * z != ranks->size()) {
        throw Error(fmt::format(
            "partition = [{}, {}, {}] does not fit {} ranks; start as many as it has boxes, or let "
            "space be shared out by work: --set \"partition=[0, 0, 0]\"",
            x, y, z, ranks->size()));
    }
    return file;
}

}  // namespace

Run::Run(const RunOptions& options, scene::SceneFile file, const std::string& folder,
         std::optional<io::Checkpoint> checkpoint, const std::shared_ptr<Ranks>& ranks)
    : options_(options), file_(fitting(std::move(file), options, ranks)), ranks_(ranks),
      quiet_(options.quiet || !is_first(ranks)),
      simulation_(simulation_of(file_.scene, checkpoint, ranks)),
      recorder_(file_.scene, *simulation_, folder, file_.text, ranks)
{
    if (checkpoint) {
        resumed_at_ = simulation_->world().steps();
    }
    choose_settings();
    choose_end();
    if (checkpoint && options.branch.empty()) {
        recorder_.resume(checkpoint->extras, simulation_->world().steps() < end_);
        return;
    }
    if (is_first(ranks)) {
        require_space(recorder_.folder(), file_.scene, *simulation_, end_);
        clear_folder(recorder_.folder());
    }
    recorder_.begin();
}

/// What the options and this machine change of the scene's settings, or of the checkpoint's.
void Run::choose_settings()
{
    const RunOptions& o = options_;
    const scene::SolverTable& solver = file_.scene.solver;
    if (o.gpu == no_gpu && solver.settings.precision == Precision::mixed) {
        throw Error("solver.precision = \"mixed\" is for GPUs, a CPU has doubles alone: add "
                    "--device cuda, or --set solver.precision=double");
    }
    if (o.threads < 0 && o.gpu == no_gpu && !resumed_at_ && !ranks_) {
        return;
    }
    Settings settings = o.branch.empty() ? simulation_->world().settings() : file_.scene.settings();
    settings.gpu = o.gpu;
    if (o.gpu >= 0 && ranks_) {
        settings.gpu = gpu_of_rank(o.gpu, ranks_->rank_on_machine(), gpus().size());
    }
    settings.precision = solver.settings.precision;
    settings.threads = o.threads >= 0 ? o.threads : static_cast<int>(solver.threads);
    // Ranks share the machine's cores: one thread each, unless somebody says otherwise.
    if (ranks_ && o.threads < 0 && settings.threads == 0 &&
        std::getenv("OMP_NUM_THREADS") == nullptr) {
        settings.threads = 1;
    }
    simulation_->world().set_settings(settings);
}

void Run::choose_end()
{
    const std::uint64_t done = simulation_->world().steps();
    end_ = whole_steps();
    if (options_.steps >= 0) {
        end_ = std::min(end_, done + static_cast<std::uint64_t>(options_.steps));
    }
    if (!options_.branch.empty() && end_ <= done) {
        throw Error(fmt::format("--branch {}: is at {:.6g} s already, and no step is left to do; "
                                "let the branch go on longer with --until",
                                options_.branch, simulation_->time()));
    }
}

int Run::go()
{
    const StopOnSignal signals;
    const Clock::time_point start = Clock::now();
    const std::string started = timestamp();
    step(start, signals);
    recorder_.finish();
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (!recorder_.lost()) {
        hash_ = simulation_->world().state_hash();
    }
    share_costs();
    const bool stopped = asked_to_stop(signals);
    if (!is_first(ranks_)) {
        return good;  // the first rank speaks
    }
    return stopped ? interrupt(started) : conclude(started);
}

/// The end that a signal makes.
int Run::interrupt(const std::string& started)
{
    write_run_file(started, "interrupted");
    fmt::print(stderr, "Stopped after step {} ({:.6g} s). Go on with\n  {}\n",
               simulation_->world().steps(), simulation_->time(),
               resume_command(recorder_.folder().dir.string(), process_count(ranks_)));
    return interrupted;
}

/// Makes and says what came out.
int Run::conclude(const std::string& started)
{
    const io::RunFolder& folder = recorder_.folder();
    const bool finished = simulation_->world().steps() >= whole_steps();
    const Verdict verdict = judge(recorder_.tally(), file_.scene);
    const Results results = analyse_run(folder, file_.scene);
    const bool expected = write_summary(folder, file_.scene, results, verdict, finished, hash_);
    write_run_file(started, verdict.trusted ? (expected ? "good" : "unexpected") : "untrusted");
    if (!quiet_) {
        print_end(results, verdict, finished);
    }
    return !verdict.trusted ? untrusted : (expected ? good : unexpected);
}

void Run::print_end(const Results& results, const Verdict& verdict, bool finished)
{
    print_results(recorder_.folder(), file_.scene, results, verdict, finished);
    const std::uint64_t steps = simulation_->world().steps() - resumed_at_.value_or(0);
    fmt::print("\n{} steps in {}: {:.1f} steps/s\n", steps, duration(seconds_),
               static_cast<double>(steps) / seconds_);
    if (!finished && !recorder_.lost()) {
        fmt::print("The scene goes on to {:.6g} s: {}\n", file_.scene.time.end,
                   resume_command(recorder_.folder().dir.string(), process_count(ranks_)));
    }
}

std::uint64_t Run::whole_steps() const
{
    return static_cast<std::uint64_t>(file_.scene.time.end / file_.scene.time.step + 0.5);
}

/// Whether a signal has come, to any rank.
bool Run::asked_to_stop(const StopOnSignal& signals)
{
    double asked = signals.asked() ? 1 : 0;
    if (ranks_) {
        ranks_->largest(std::span<double>(&asked, 1));
    }
    return asked > 0;
}

/// Memory of all ranks, and the time that each spent in talking to others and waiting [s].
void Run::share_costs()
{
    const World& world = simulation_->world();
    double bytes[]{static_cast<double>(world.bytes()), static_cast<double>(world.memory().device)};
    if (ranks_) {
        communication_.assign(static_cast<std::size_t>(ranks_->size()), 0.0);
        communication_[static_cast<std::size_t>(ranks_->rank())] = ranks_->seconds();
        ranks_->sum(communication_);
        ranks_->sum(bytes);
    }
    bytes_ = static_cast<std::uint64_t>(bytes[0]);
    device_bytes_ = static_cast<std::uint64_t>(bytes[1]);
}

void Run::step(Clock::time_point start, const StopOnSignal& signals)
{
    const std::uint64_t from = simulation_->world().steps();
    cli::Progress bar(static_cast<double>(end_ > from ? end_ - from : 0), !quiet_);
    while (simulation_->world().steps() < end_ && !asked_to_stop(signals)) {
        const StepReport& report = simulation_->step();
        recorder_.after_step(report);
        const std::uint64_t done = report.step - from;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        bar.update(static_cast<double>(done),
                   fmt::format("t = {:.4g} s  {:.3g} steps/s  {} particles  {} contacts  "
                               "residual {:.1e}  penetration {:.1e} m",
                               simulation_->time(), static_cast<double>(done) / seconds,
                               report.bodies, report.contacts, report.residual,
                               report.max_penetration));
        if (report[Condition::not_finite].count > 0) {
            break;  // from here on there are no numbers
        }
    }
}

void Run::write_run_file(const std::string& started, const std::string& outcome)
{
    const Tally& t = recorder_.tally();
    Json stages;
    for (std::size_t i = 0; i < stage_count; ++i) {
        stages[std::string(name_of(static_cast<Stage>(i)))] = t.seconds[i];
    }
    const World& world = simulation_->world();
    const auto steps = static_cast<double>(world.steps() - resumed_at_.value_or(0));
    Json j{{"program", "scree"},
           {"version", SCREE_VERSION},
           {"compiler", SCREE_COMPILER},
           {"command", options_.command},
           {"scene", options_.scene},
           {"title", file_.scene.title},
           {"outcome", outcome},
           {"started", started},
           {"finished", timestamp()},
           {"machine",
            {{"processor", processor()},
             {"device", device_in_words(world.settings().gpu)},
             {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
             {"threads", world.settings().threads},
             {"instructions", std::string(name_of(default_instruction_set()))}}},
           {"steps", world.steps()},
           {"time", simulation_->time()},
           {"resumed_at_step", resumed_at_ ? Json(*resumed_at_) : Json(nullptr)},
           {"wall_seconds", seconds_},
           {"steps_per_second", steps / seconds_},
           {"checkpoint_seconds", recorder_.checkpoint_seconds()},
           {"writing_seconds", recorder_.writing_seconds()},
           {"stage_seconds", stages},
           {"sweeps", t.sweeps},
           {"passes", t.passes},
           {"list_rebuilds", t.rebuilds},
           {"threads_per_step", static_cast<double>(t.threads) / std::max(steps, 1.0)},
           {"waits", t.waits.waits},
           {"sleeps", t.waits.sleeps},
           {"bytes", bytes_},
           {"device_bytes", device_bytes_},
           {"particles", world.dynamic_count()},
           {"conditions", conditions_json(t)},
           {"state_hash", hash_json(hash_)}};
    if (ranks_) {
        j["ranks"] = ranks_->size();
        j["communication_seconds"] = communication_;
    }
    io::NewFile file(recorder_.folder().run().string());
    file.write(j.dump(2) + "\n");
    file.commit();
}

}  // namespace scree::cli
