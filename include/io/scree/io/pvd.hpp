// Collections (.pvd): a small XML file that names the files of a series and their times, which
// ParaView opens as one.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace scree::io {

/// A file of a collection.
struct PvdEntry {
    double time;                 ///< [s]
    std::filesystem::path file;  ///< where it is
};

/// Writes the collection anew; files are named relative to its folder. Throws Error if it cannot be
/// created, std::runtime_error if it cannot be written.
void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

/// The entries in the file's order, with paths that lead to the files. Throws Error with the reason
/// if the file is no collection.
std::vector<PvdEntry> read_pvd(const std::filesystem::path& path);

}  // namespace scree::io
