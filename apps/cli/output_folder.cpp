#include "output_folder.hpp"

#include "io/checkpoint.hpp"
#include "job.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace scree::cli {

namespace fs = std::filesystem;

namespace {

bool holds_a_run(const io::RunFolder& folder)
{
    std::error_code error;
    return fs::exists(folder.series(), error) || fs::exists(folder.checkpoint(), error);
}

}  // namespace

MadeFolder::~MadeFolder()
{
    std::error_code error;
    if (!dir.empty() && fs::is_empty(dir, error)) {
        fs::remove(dir, error);
    }
}

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

std::optional<FolderLock> locked(const std::string& folder, const std::shared_ptr<Ranks>& ranks)
{
    return is_first(ranks) ? std::optional<FolderLock>(std::in_place, folder) : std::nullopt;
}

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

}  // namespace scree::cli
