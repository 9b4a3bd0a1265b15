#include "run_command.hpp"
#include "device_option.hpp"

#include "exit_code.hpp"
#include "folder_lock.hpp"
#include "io/new_file.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "results.hpp"
#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

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

/// Signals end the run after the step at hand.
class StopOnSignal {
public:
    StopOnSignal()
    {
        struct sigaction action {};
        action.sa_handler = ask_to_stop;
        sigaction(SIGINT, &action, &old_interrupt_);
        sigaction(SIGTERM, &action, &old_terminate_);
    }
    ~StopOnSignal()
    {
        sigaction(SIGINT, &old_interrupt_, nullptr);
        sigaction(SIGTERM, &old_terminate_, nullptr);
    }
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

private:
    struct sigaction old_interrupt_ {
    }, old_terminate_{};
};

struct RunOptions {
    std::string scene, out, resume, branch, until, law, command;
    std::vector<std::string> set;
    std::int64_t steps = -1, seed = -1;
    int threads = -1, gpu = -1;
    bool force = false, quiet = false;
};

std::vector<scene::Override> overrides_of(const RunOptions& o)
{
    std::vector<scene::Override> all;
    for (const std::string& text : o.set) {
        all.push_back(scene::parse_override(text));
    }
    if (!o.until.empty()) {
        all.push_back({"time.end", o.until});
    }
    if (!o.law.empty()) {
        all.push_back({"solver.law", '"' + o.law + '"'});
    }
    if (o.seed >= 0) {
        all.push_back({"seed", std::to_string(o.seed)});
    }
    return all;
}

bool holds_a_run(const io::RunFolder& folder)
{
    std::error_code error;
    return fs::exists(folder.series(), error) || fs::exists(folder.checkpoint(), error);
}

/// A folder that was made, and is taken back if nothing was put into it.
struct MadeFolder {
    fs::path dir;  ///< empty: none was
    ~MadeFolder()
    {
        std::error_code error;
        if (!dir.empty() && fs::is_empty(dir, error)) {
            fs::remove(dir, error);
        }
    }
};

/// The folder for a new run, made by the first of several ranks. An earlier run in it is not
/// overwritten unless that is asked for.
MadeFolder prepare_folder(const io::RunFolder& folder, bool force,
                          const std::shared_ptr<Ranks>& ranks)
{
    if (!is_first(ranks)) {
        return {};
    }
    std::error_code error;
    const bool there = fs::exists(folder.dir, error);
    if (there && !fs::is_directory(folder.dir, error)) {
        throw Error(fmt::format("{}: is a file, not a folder; choose another with --out",
                                folder.dir.string()));
    }
    if (holds_a_run(folder) && !force) {
        throw Error(fmt::format("{}: holds a run already; go on with `{}`, choose another folder "
                                "with --out, or replace it with --force",
                                folder.dir.string(),
                                resume_command(folder.dir.string(), process_count(ranks))));
    }
    fs::create_directories(folder.dir, error);
    if (error || ::access(folder.dir.c_str(), W_OK) != 0) {
        throw Error(fmt::format("{}: cannot be written to: {}", folder.dir.string(),
                                error ? error.message() : std::generic_category().message(errno)));
    }
    return {there ? fs::path() : folder.dir};
}

/// Removes an earlier run, when nothing speaks against the new one any more.
void clear_folder(const io::RunFolder& folder)
{
    if (!holds_a_run(folder)) {
        return;
    }
    for (const fs::path& old :
         {folder.series(), folder.checkpoint(), folder.summary(), folder.run(),
          folder.particles_collection(), folder.contacts_collection()}) {
        fs::remove(old);
    }
    fs::remove_all(io::shares_of(folder.checkpoint()));
    fs::remove_all(folder.frames());
    fs::remove_all(folder.analysis());
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

/// By the first of several ranks.
std::optional<FolderLock> locked(const std::string& folder, const std::shared_ptr<Ranks>& ranks)
{
    return is_first(ranks) ? std::optional<FolderLock>(std::in_place, folder) : std::nullopt;
}

/// What will be written at least must fit.
void require_space(const io::RunFolder& folder, const scene::Scene& scene,
                   const scene::Simulation& simulation, std::uint64_t end)
{
    const double left =
        static_cast<double>(end - std::min(end, simulation.world().steps())) * scene.time.step;
    const double frames = 2 + (scene.output.frames > 0 ? left / scene.output.frames : 0);
    const double particle = scene.output.contacts ? 700 : 190;  // bytes, contacts included
    const double need =
        static_cast<double>(simulation.world().dynamic_count()) * (frames * particle + 2 * 250);
    std::error_code error;
    const fs::space_info space = fs::space(folder.dir, error);
    if (!error && need > static_cast<double>(space.available)) {
        throw Error(fmt::format(
            "{}: needs about {:.2g} GB ({:.0f} frames), and {:.2g} GB are free; "
            "write fewer frames (output.frames), no contacts "
            "(output.contacts = false) or elsewhere (--out)",
            folder.dir.string(), need / 1e9, frames, static_cast<double>(space.available) / 1e9));
    }
}

class Run {
public:
    Run(const RunOptions& o, scene::SceneFile file, const std::string& folder,
        std::optional<io::Checkpoint> checkpoint, const std::shared_ptr<Ranks>& ranks)
        : o_(o), file_(fitting(std::move(file), o, ranks)), ranks_(ranks),
          quiet_(o.quiet || !is_first(ranks)),
          simulation_(checkpoint ? std::make_unique<scene::Simulation>(
                                       file_.scene, std::move(checkpoint->world),
                                       restore_progress(checkpoint->extras), ranks)
                                 : std::make_unique<scene::Simulation>(file_.scene, ranks)),
          recorder_(file_.scene, *simulation_, folder, file_.text, ranks),
          end_(static_cast<std::uint64_t>(file_.scene.time.end / file_.scene.time.step + 0.5))
    {
        if (o.gpu == no_gpu && file_.scene.solver.settings.precision == Precision::mixed) {
            throw Error("solver.precision = \"mixed\" is for GPUs, a CPU has doubles alone: add "
                        "--device cuda, or --set solver.precision=double");
        }
        if (o.threads >= 0 || o.gpu != no_gpu || checkpoint || ranks) {
            Settings settings =
                o.branch.empty() ? simulation_->world().settings() : file_.scene.settings();
            settings.gpu = o.gpu;
            if (o.gpu >= 0 && ranks) {
                settings.gpu = gpu_of_rank(o.gpu, ranks->rank_on_machine(), gpus().size());
            }
            settings.precision = file_.scene.solver.settings.precision;
            settings.threads =
                o.threads >= 0 ? o.threads : static_cast<int>(file_.scene.solver.threads);
            // Ranks share the machine's cores: one thread each, unless somebody says otherwise.
            if (ranks && o.threads < 0 && settings.threads == 0 &&
                std::getenv("OMP_NUM_THREADS") == nullptr) {
                settings.threads = 1;
            }
            simulation_->world().set(settings);
        }
        if (checkpoint) {
            resumed_at_ = simulation_->world().steps();
        }
        if (o.steps >= 0) {
            end_ =
                std::min(end_, simulation_->world().steps() + static_cast<std::uint64_t>(o.steps));
        }
        if (!o.branch.empty() && end_ <= simulation_->world().steps()) {
            throw Error(
                fmt::format("--branch {}: is at {:.6g} s already, and no step is left to do; "
                            "let the branch go on longer with --until",
                            o.branch, simulation_->time()));
        }
        if (checkpoint && o.branch.empty()) {
            recorder_.resume(checkpoint->extras, simulation_->world().steps() < end_);
        } else {
            if (is_first(ranks)) {
                require_space(recorder_.folder(), file_.scene, *simulation_, end_);
                clear_folder(recorder_.folder());
            }
            recorder_.begin();
        }
    }

    int go()
    {
        stop_asked = 0;
        const StopOnSignal signals;
        const Clock::time_point start = Clock::now();
        const std::string started = timestamp();
        step(start);
        const std::uint64_t done = simulation_->world().steps();
        const bool finished = done >= whole_steps();
        recorder_.finish();
        seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
        const io::RunFolder& folder = recorder_.folder();
        if (!recorder_.lost()) {
            hash_ = simulation_->world().state_hash();
        }
        share_costs();
        const bool stopped = asked_to_stop();
        if (!is_first(ranks_)) {
            return good;  // the first rank speaks
        }
        if (stopped) {
            write_run_file(started, "interrupted");
            fmt::print(stderr, "Stopped after step {} ({:.6g} s). Go on with\n  {}\n", done,
                       simulation_->time(),
                       resume_command(folder.dir.string(), process_count(ranks_)));
            return interrupted;
        }
        const Verdict verdict = judge(recorder_.tally(), file_.scene);
        const Results results = analyse_run(folder, file_.scene);
        const bool expected = write_summary(folder, file_.scene, results, verdict, finished, hash_);
        write_run_file(started, verdict.trusted ? (expected ? "good" : "unexpected") : "untrusted");
        if (!quiet_) {
            print_results(folder, file_.scene, results, verdict, finished);
            fmt::print("\n{} steps in {}: {:.1f} steps/s\n", done - resumed_at_.value_or(0),
                       duration(seconds_),
                       static_cast<double>(done - resumed_at_.value_or(0)) / seconds_);
            if (!finished && !recorder_.lost()) {
                fmt::print("The scene goes on to {:.6g} s: {}\n", file_.scene.time.end,
                           resume_command(folder.dir.string(), process_count(ranks_)));
            }
        }
        return !verdict.trusted ? untrusted : (expected ? good : unexpected);
    }

private:
    [[nodiscard]] std::uint64_t whole_steps() const
    {
        return static_cast<std::uint64_t>(file_.scene.time.end / file_.scene.time.step + 0.5);
    }

    /// Whether a signal has come, to any rank.
    bool asked_to_stop()
    {
        double asked = stop_asked != 0 ? 1 : 0;
        if (ranks_) {
            ranks_->largest(std::span<double>(&asked, 1));
        }
        return asked > 0;
    }

    /// Memory of all ranks, and the time that each spent in talking to others and waiting [s].
    void share_costs()
    {
        const World& world = simulation_->world();
        double bytes[]{static_cast<double>(world.bytes()),
                       static_cast<double>(world.memory().device)};
        if (ranks_) {
            communication_.assign(static_cast<std::size_t>(ranks_->size()), 0.0);
            communication_[static_cast<std::size_t>(ranks_->rank())] = ranks_->seconds();
            ranks_->sum(communication_);
            ranks_->sum(bytes);
        }
        bytes_ = static_cast<std::uint64_t>(bytes[0]);
        device_bytes_ = static_cast<std::uint64_t>(bytes[1]);
    }

    void step(Clock::time_point start)
    {
        const std::uint64_t from = simulation_->world().steps();
        cli::Progress bar(static_cast<double>(end_ > from ? end_ - from : 0), !quiet_);
        while (simulation_->world().steps() < end_ && !asked_to_stop()) {
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

    void write_run_file(const std::string& started, const std::string& outcome)
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
               {"command", o_.command},
               {"scene", o_.scene},
               {"title", file_.scene.title},
               {"outcome", outcome},
               {"started", started},
               {"finished", timestamp()},
               {"machine",
                {{"processor", processor()},
                 {"device", device_in_words(world.settings().gpu)},
                 {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
                 {"threads", world.settings().threads},
                 {"instructions", std::string(name_of(default_isa()))}}},
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

    const RunOptions& o_;
    scene::SceneFile file_;
    std::shared_ptr<Ranks> ranks_;
    bool quiet_;
    std::unique_ptr<scene::Simulation> simulation_;
    Recorder recorder_;
    std::uint64_t end_;
    std::optional<std::uint64_t> resumed_at_;
    double seconds_ = 0;
    std::optional<std::uint64_t> hash_;  ///< of the last state
    std::vector<double> communication_;
    std::uint64_t bytes_ = 0, device_bytes_ = 0;
};

/// A run that was written to a folder, as far as its checkpoint.
struct Earlier {
    scene::SceneFile file;
    io::Checkpoint checkpoint;
};
/// Reads one, with changes to keys that begin like one of these; `why` says why to no others.
Earlier read_earlier(const RunOptions& o, const std::string& dir,
                     std::initializer_list<std::string_view> keys, const char* why,
                     const std::shared_ptr<Ranks>& ranks)
{
    const io::RunFolder folder{dir};
    if (!fs::is_directory(folder.dir)) {
        throw Error(fmt::format("{}: there is no such folder", dir));
    }
    if (!fs::exists(folder.checkpoint())) {
        throw Error(fmt::format("{}: holds no checkpoint to go on from", dir));
    }
    io::Checkpoint checkpoint = io::read_checkpoint(folder.checkpoint(), ranks ? ranks->rank() : 0,
                                                    ranks ? ranks->size() : 1);
    const Column* text = find_column(checkpoint.extras, "scene");
    if (text == nullptr) {
        throw Error(
            fmt::format("{}: is not the checkpoint of a run", folder.checkpoint().string()));
    }
    const std::vector<scene::Override> changes = overrides_of(o);
    for (const scene::Override& change : changes) {
        if (std::none_of(keys.begin(), keys.end(),
                         [&](std::string_view key) { return change.key.starts_with(key); })) {
            throw Error(fmt::format("--set {}: {}", change.key, why));
        }
    }
    scene::SceneFile file = scene::parse_scene(text_of(*text), folder.scene().string(), changes);
    return {std::move(file), std::move(checkpoint)};
}

int resume(const RunOptions& o, const std::shared_ptr<Ranks>& ranks)
{
    if (!o.scene.empty() || !o.out.empty() || !o.law.empty() || o.seed >= 0 || o.force) {
        throw Error("--resume goes on with the folder's own scene: leave out SCENE, --out, "
                    "--law, --seed and --force");
    }
    const std::optional<FolderLock> lock = locked(o.resume, ranks);
    Earlier from = read_earlier(
        o, o.resume, {"time.end", "output.", "analysis.", "partition", "solver.precision"},
        "a resumed run can change time.end, output.*, analysis.*, partition and "
        "solver.precision alone, or it would not be the same run; --branch starts "
        "another one",
        ranks);
    return Run(o, std::move(from.file), o.resume, std::move(from.checkpoint), ranks).go();
}

int branch(const RunOptions& o, const std::shared_ptr<Ranks>& ranks)
{
    if (!o.scene.empty() || !o.resume.empty() || o.seed >= 0) {
        throw Error("--branch starts from the state and the scene of another run: leave out SCENE, "
                    "--resume and --seed");
    }
    if (o.out.empty()) {
        throw Error("--branch needs a folder of its own for its results: add --out DIR");
    }
    std::error_code error;
    if (fs::equivalent(o.out, o.branch, error)) {
        throw Error(fmt::format("--out {}: is the folder of the run that this one starts from; "
                                "choose another",
                                o.out));
    }
    Earlier from =
        read_earlier(o, o.branch, {"time.end", "output.", "analysis.", "solver.", "partition"},
                     "a branch can change solver.*, time.end, output.*, analysis.* and partition "
                     "alone: bodies and materials are those of the run it starts from",
                     ranks);
    const MadeFolder made = prepare_folder(io::RunFolder{o.out}, o.force, ranks);
    const std::optional<FolderLock> lock = locked(o.out, ranks);
    return Run(o, std::move(from.file), o.out, std::move(from.checkpoint), ranks).go();
}

int run(const RunOptions& o, const std::shared_ptr<Ranks>& ranks)
{
    if (!o.branch.empty()) {
        return branch(o, ranks);
    }
    if (!o.resume.empty()) {
        return resume(o, ranks);
    }
    if (o.scene.empty()) {
        throw Error("which scene? scree run SCENE, or scree run --resume DIR; `scree init` writes "
                    "an example");
    }
    scene::SceneFile file = scene::read_scene(o.scene, overrides_of(o));
    const std::string out =
        o.out.empty() ? (fs::path("results") / fs::path(o.scene).stem()).string() : o.out;
    const MadeFolder made = prepare_folder(io::RunFolder{out}, o.force, ranks);
    const std::optional<FolderLock> lock = locked(out, ranks);
    return Run(o, std::move(file), out, std::nullopt, ranks).go();
}

/// As one of several processes: what goes wrong on one ends all, with its message.
int run_together(const RunOptions& o, const std::shared_ptr<Ranks>& ranks)
{
    try {
        return run(o, ranks);
    } catch (const std::exception& error) {
        complain_as(ranks->rank(), error.what(), std::chrono::milliseconds(500));
        end_job(dynamic_cast<const Error*>(&error) != nullptr ? bad_input : failed);
    }
}

}  // namespace

void add_run_command(Command& program)
{
    Command command = program.add("run", "Run a scene and write results");
    auto options = std::make_shared<RunOptions>();
    RunOptions& o = *options;
    command.option("SCENE", o.scene, "scene file (TOML)");
    command.option("--out", o.out, "folder for results; default results/NAME");
    command.option("--resume", o.resume, "go on from the checkpoint in this folder");
    command.option("--branch", o.branch,
                   "start another run, with other solver.* keys, from the checkpoint in this "
                   "folder; needs --out");
    command.option("--until", o.until, "end at this time, e.g. \"0.05 s\"");
    command.option("--steps", o.steps, "do at most this many steps now")
        .between(std::int64_t(0), std::int64_t(1'000'000'000'000));
    command.option("--threads", o.threads, "number of threads; 0: as many as measuring finds best")
        .between(0, 1024);
    add_device_option(command, o.gpu);
    std::vector<std::string> laws;
    for (const LawName& entry : law_names) {
        laws.emplace_back(entry.name);
    }
    command.option("--law", o.law, "contact law").one_of(laws);
    command.repeated("--set", o.set, "change a key of the scene: KEY=VALUE");
    command.option("--seed", o.seed, "seed of all random numbers")
        .between(std::int64_t(0), std::int64_t(1'000'000'000'000'000));
    command.flag("--force", o.force, "replace an earlier run in the folder");
    command.flag("--quiet", o.quiet, "no progress, no table");
    command.footer(
        "\nExit status: 0 good, 2 bad input, 3 results not to be trusted, 4 interrupted (a "
        "checkpoint was written), 5 outside of [expect].\nExamples:\n  scree run "
        "scenes/channel-small.toml\n  scree run scenes/channel.toml --until \"0.05 s\" --law "
        "coulomb --out slice\n  scree run scenes/drum.toml --set material.1.friction=0.3 --set "
        "obstacle.drum.motion.rate=\"20 rpm\"\n  scree run scenes/channel.toml --device cuda\n  "
        "scree run --resume results/channel-small\n  scree run --branch results/channel --out "
        "more-sweeps --set solver.sweeps=40 --until \"10.1 s\"");
    command.does([options, command] {
        options->command = "scree run" + command.given();
        const std::shared_ptr<Ranks> ranks = job_ranks();
        return ranks ? run_together(*options, ranks) : run(*options, nullptr);
    });
}

}  // namespace scree::cli
