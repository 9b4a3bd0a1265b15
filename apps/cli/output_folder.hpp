// The folder that a run writes to: it is made, locked, found to have room, and rid of an earlier
// run.
#pragma once

#include "folder_lock.hpp"
#include "io/run_folder.hpp"
#include "scene/simulation.hpp"
#include "scree/ranks.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace scree::cli {

/// A folder that was made, and is taken back if nothing was put into it.
struct MadeFolder {
    std::filesystem::path dir;  ///< empty: none was
    ~MadeFolder();
};

/// The folder for a new run, made by the first of several ranks. An earlier run in it is not
/// overwritten unless that is asked for.
MadeFolder prepare_folder(const io::RunFolder& folder, bool force,
                          const std::shared_ptr<Ranks>& ranks);

/// Removes an earlier run, when nothing speaks against the new one any more.
void clear_folder(const io::RunFolder& folder);

/// By the first of several ranks.
std::optional<FolderLock> locked(const std::string& folder, const std::shared_ptr<Ranks>& ranks);

/// What will be written at least must fit.
void require_space(const io::RunFolder& folder, const scene::Scene& scene,
                   const scene::Simulation& simulation, std::uint64_t end);

}  // namespace scree::cli
