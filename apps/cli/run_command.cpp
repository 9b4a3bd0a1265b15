#include "run_command.hpp"

#include "device_option.hpp"
#include "exit_code.hpp"
#include "io/checkpoint.hpp"
#include "job.hpp"
#include "output_folder.hpp"
#include "run.hpp"
#include "scree/contact.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

namespace scree::cli {

namespace {

namespace fs = std::filesystem;

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
