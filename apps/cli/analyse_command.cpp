#include "analyse_command.hpp"

#include "exit_code.hpp"
#include "files.hpp"
#include "job.hpp"
#include "machine.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "scene/text.hpp"
#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/run_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

io::RunFolder run_folder(const std::string& dir)
{
    const io::RunFolder folder{dir};
    if (!fs::is_directory(folder.dir)) {
        throw Error(fmt::format("{}: there is no such folder", dir));
    }
    if (!fs::exists(folder.scene()) || !fs::exists(folder.series())) {
        throw Error(fmt::format("{}: holds no run; `scree run` makes one", dir));
    }
    return folder;
}

std::optional<Json> read_json(const fs::path& path)
{
    if (!fs::exists(path)) {
        return std::nullopt;
    }
    try {
        return Json::parse(scene::read_text(path.string()));
    } catch (const Json::exception&) {
        throw Error(fmt::format("{}: is not JSON; was it edited?", path.string()));
    }
}

void analyse(const std::string& dir, bool json)
{
    const io::RunFolder folder = run_folder(dir);
    const scene::Scene scene = scene::read_scene(folder.scene().string()).scene;
    const Results results = analyse_run(folder, scene);
    if (!json) {
        print_results(folder, scene, results, {}, true);
        return;
    }
    Json values;
    for (const Result& r : results.all()) {
        values[r.name] = {{"value", std::isfinite(r.value) ? Json(r.value) : Json(nullptr)},
                          {"unit", r.unit}};
        if (std::isfinite(r.error)) {
            values[r.name]["error"] = r.error;
        }
    }
    fmt::print("{}\n", values.dump(2));
}

std::string text_of(const Json& j, const char* key)
{
    if (!j.contains(key)) {
        return "?";
    }
    return j[key].is_string() ? j[key].get<std::string>() : j[key].dump();
}

void info(const std::string& dir)
{
    if (dir.empty()) {
        fmt::print("scree {}, {}\n  processor   {}\n  threads     {}\n  instructions {}\n"
                   "  GPU         {}\n",
                   SCREE_VERSION, SCREE_COMPILER, processor(), std::thread::hardware_concurrency(),
                   name_of(default_instruction_set()), gpu_support());
        for (const Gpu& gpu : gpus()) {
            fmt::print("    cuda:{}    {}, {} multiprocessors, {:.1f} GB\n", gpu.number, gpu.name,
                       gpu.processors, 1e-9 * static_cast<double>(gpu.memory));
        }
        return;
    }
    const io::RunFolder folder = run_folder(dir);
    const std::vector<io::FrameFiles> frames = io::frames_of(folder.dir);
    if (const auto run = read_json(folder.run())) {
        fmt::print("{}\n  outcome     {}\n  scene       {}\n  command     {}\n",
                   text_of(*run, "title"), text_of(*run, "outcome"), text_of(*run, "scene"),
                   text_of(*run, "command"));
        fmt::print("  version     scree {}, {}\n  finished    {}\n", text_of(*run, "version"),
                   text_of(*run, "compiler"), text_of(*run, "finished"));
        fmt::print("  steps       {} ({} s), {} steps/s\n", text_of(*run, "steps"),
                   text_of(*run, "time"), text_of(*run, "steps_per_second"));
        fmt::print("  particles   {}\n  state hash  {}\n", text_of(*run, "particles"),
                   text_of(*run, "state_hash"));
        if (run->contains("conditions")) {
            for (const auto& [name, c] : (*run)["conditions"].items()) {
                if (c.value("steps", 0) > 0) {
                    fmt::print("  condition   {} in {} steps\n", name, c.value("steps", 0));
                }
            }
        }
    } else {
        fmt::print("{}: the run has not ended, or was killed\n", dir);
    }
    fmt::print("  frames      {}\n", frames.size());
    if (fs::exists(folder.checkpoint())) {
        const std::size_t ranks = io::share_count(folder.checkpoint());
        fmt::print("  checkpoint  {:.1f} MB{}; go on with `{}`\n",
                   static_cast<double>(io::checkpoint_bytes(folder.checkpoint())) / 1e6,
                   ranks > 0 ? fmt::format(" of {} ranks", ranks) : "",
                   resume_command(dir, std::max<std::size_t>(ranks, 1)));
    }
    if (const auto summary = read_json(folder.summary()); summary && summary->contains("results")) {
        fmt::print(
            "  results     {} in summary.json; `scree analyse {}` makes tables and pictures\n",
            (*summary)["results"].size(), dir);
    }
}

}  // namespace

void add_analyse_command(Command& program)
{
    Command command = program.add("analyse", "Compute results, tables and pictures of a run");
    struct Options {
        std::string dir;
        bool json = false;
    };
    auto o = std::make_shared<Options>();
    command.option("DIR", o->dir, "folder of a run").required();
    command.flag("--json", o->json, "print JSON");
    command.footer("\nTables and pictures go to DIR/analysis. Change [analysis] in DIR/scene.toml "
                   "for other regions or cells.\nExample:\n  scree analyse results/channel-small");
    command.does([o] {
        analyse(o->dir, o->json);
        return good;
    });
}

void add_info_command(Command& program)
{
    Command command = program.add("info", "Say what is in a run's folder, or what scree can do");
    auto dir = std::make_shared<std::string>();
    command.option("DIR", *dir, "folder of a run");
    command.footer("\nExamples:\n  scree info\n  scree info results/channel-small");
    command.does([dir] {
        info(*dir);
        return good;
    });
}

}  // namespace scree::cli
