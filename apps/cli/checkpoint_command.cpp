// What `scree checkpoint` does with its arguments: a checkpoint into parts and back, for channels
// that take no large files, and the shares of several ranks into one.
#include "checkpoint_command.hpp"

#include "exit_code.hpp"
#include "io/parts.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/run_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string source, out;
    std::vector<std::string> parts;
    std::uint64_t size = 0;
    bool force = false;
};

void split(const Options& o)
{
    const fs::path file =
        fs::is_directory(o.source) ? io::RunFolder{o.source}.checkpoint() : fs::path(o.source);
    if (const std::size_t ranks = io::share_count(file); ranks > 0) {
        throw Error(fmt::format("{}: is the checkpoint of {} ranks, each with a file of its own; "
                                "make one of them first: scree checkpoint join {}",
                                file.string(), ranks, o.source));
    }
    const fs::path folder = o.out.empty() ? file.parent_path() : fs::path(o.out);
    if (!folder.empty() && !fs::is_directory(folder)) {
        throw Error(fmt::format("--out {}: is no folder", folder.string()));
    }
    for (const fs::path& part :
         io::parts_in(folder.empty() ? "." : folder, file.filename().string())) {
        if (!o.force) {
            throw Error(fmt::format("{}: is a part of an earlier checkpoint; remove it, or replace "
                                    "it with --force",
                                    part.string()));
        }
        fs::remove(part);
    }
    for (const fs::path& part : io::split_file(file, o.size, folder)) {
        fmt::print("{}\n", part.string());
    }
}

void require_new(const fs::path& file, bool force)
{
    if (fs::exists(file) && !force) {
        throw Error(fmt::format("{}: exists already; choose another with --out, or replace it with "
                                "--force",
                                file.string()));
    }
}

/// Makes one file of a checkpoint of several ranks, in its place unless another is named. Returns
/// false if there is no such checkpoint.
bool join_shares(const fs::path& checkpoint, const Options& o)
{
    if (io::share_count(checkpoint) == 0) {
        return false;
    }
    const fs::path file = o.out.empty()             ? checkpoint
                          : fs::is_directory(o.out) ? io::RunFolder{o.out}.checkpoint()
                                                    : fs::path(o.out);
    if (!o.out.empty()) {
        require_new(file, o.force);
    }
    const io::Checkpoint whole = io::read_checkpoint(checkpoint);
    io::write_checkpoint(file, whole.world, whole.extras);
    fmt::print("{}\n", file.string());
    return true;
}

void join(const Options& o)
{
    const bool folder = o.parts.size() == 1 && fs::is_directory(o.parts.front());
    std::vector<fs::path> parts(o.parts.begin(), o.parts.end());
    fs::path file = o.out;
    if (folder) {
        const io::RunFolder run{o.parts.front()};
        parts = io::parts_in(run.dir, run.checkpoint().filename().string());
        if (parts.empty() && join_shares(run.checkpoint(), o)) {
            return;
        }
        if (parts.empty()) {
            throw Error(fmt::format("{}: holds no parts of a checkpoint ({}.part-…)",
                                    run.dir.string(), run.checkpoint().filename().string()));
        }
        file = file.empty() ? run.checkpoint() : file;
    } else if (file.empty()) {
        const std::string name = io::whole_name(parts.front());
        if (name.empty()) {
            throw Error(fmt::format("{}: is not called like a part; say with --out what to write",
                                    parts.front().string()));
        }
        file = parts.front().parent_path() / name;
    }
    if (fs::is_directory(file)) {
        file = io::RunFolder{file}.checkpoint();
    }
    require_new(file, o.force);
    io::join_parts(parts, file);
    fmt::print("{}\n", file.string());
}

}  // namespace

void add_checkpoint_command(Command& program)
{
    auto options = std::make_shared<Options>();
    Options& o = *options;
    Command command = program.add(
        "checkpoint", "Split a checkpoint into parts that are small enough to be moved, and back");
    Command parted = command.add("split", "Write a checkpoint's parts beside it");
    parted.option("DIR", o.source, "a run's folder, or a checkpoint's file").required();
    parted.option("--size", o.size, "no part is larger, e.g. \"16 MB\" or 16MiB")
        .required()
        .bytes();
    parted.option("-o,--out", o.out, "folder for the parts");
    parted.flag("--force", o.force, "replace parts of an earlier checkpoint");
    parted.does([options] {
        split(*options);
        return good;
    });
    Command joined = command.add("join", "Make a checkpoint of its parts");
    joined
        .option(
            "PART", o.parts,
            "all parts, in any order; or the folder that holds them, or shares of several ranks")
        .required();
    joined.option("-o,--out", o.out, "the file to write, or a run's folder");
    joined.flag("--force", o.force, "replace the file if there is one");
    joined.does([options] {
        join(*options);
        return good;
    });
    command.footer("\nA missing, truncated, damaged or mixed-up part is refused, and nothing is "
                   "written.\nExamples:\n  scree checkpoint split results/channel --size \"16 "
                   "MB\"\n  scree checkpoint join results/channel\n  scree run --resume "
                   "results/channel");
}

}  // namespace scree::cli
