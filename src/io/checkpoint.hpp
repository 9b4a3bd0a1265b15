// Checkpoints: a world and what a run adds to it, as an HDF5 file that any HDF5 tool opens.
//
// The columns of World::save are datasets of the same names below /world, a run's further columns
// lie below /run. Attributes of the root say what wrote the file and the world's state_hash. Behind
// the HDF5 file come 64 bytes that name its length and a digest of it: a file that is truncated or
// damaged is refused before anything in it is believed. Files appear under their name only when
// they are whole and on the disk, so that whatever happens the last good one is there.
#pragma once

#include "scree/world.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scree::io {

/// What a checkpoint keeps of a world, so that it can be written while the world goes on.
struct SavedWorld {
    std::vector<Column> columns;
    std::uint64_t step = 0;
    double time = 0;  ///< [s]
};
/// Throws Error if a body is not finite.
SavedWorld save(const World& world);

/// Replaces the file. Names of extras are unique, of letters, digits, '_', '-', '.' and '/'. Throws
/// Error if the world, a name or the path cannot be used and std::runtime_error if writing fails,
/// as on a full disk; an earlier file is then left as it was.
void write_checkpoint(const std::filesystem::path& path, const World& world,
                      std::span<const Column> extras = {});
/// The same; columns are let go one by one.
void write_checkpoint(const std::filesystem::path& path, SavedWorld world,
                      std::span<const Column> extras);

struct Checkpoint {
    World world;
    std::vector<Column> extras;  ///< what the run added, under their own names, sorted by them
    std::string program;         ///< that wrote it, with its version
};

/// Throws Error that names the file and says what is wrong: it is no checkpoint, of another
/// version, truncated, damaged, or not the state that its hash says.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace scree::io
