// Checkpoints: a world and what a run adds to it, as an HDF5 file that any HDF5 tool opens.
//
// The columns of World::save are datasets of the same names below /world, a run's further columns
// lie below /run. Attributes of the root say what wrote the file and the world's state_hash. Behind
// the HDF5 file come 64 bytes that name its length and a digest of it: a file that is truncated or
// damaged is refused before anything in it is believed. Files appear under their name only when
// they are whole and on the disk, so that whatever happens the last good one is there.
//
// Of a world that is spread over ranks each rank writes its share, as such a file without a run's
// columns, and the first one, once all of them are there, the checkpoint itself: it has the run's
// columns and, in place of /world, the shares' hashes (/shares/state_hash).
//
//   checkpoint.h5  checkpoint.ranks/000000001000-0.h5  checkpoint.ranks/000000001000-1.h5  …
#pragma once

#include "scree/world.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scree::io {

/// What a checkpoint keeps of a world, so that it can be written while the world goes on.
struct SavedWorld {
    std::vector<Column> columns;  ///< of World::save
    std::uint64_t step = 0;       ///< steps done
    double time = 0;              ///< [s]
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

/// Where a rank's share of the checkpoint of a step is, and the folder of all.
std::filesystem::path share_of(const std::filesystem::path& checkpoint, std::uint64_t step,
                               std::size_t rank);
/// The folder of the shares of all ranks.
std::filesystem::path shares_of(std::filesystem::path checkpoint);

/// One rank's share; `hash` is the state_hash_of its columns. Columns are let go one by one. The
/// checkpoint stays as it was. Throws like write_checkpoint.
void write_share(const std::filesystem::path& checkpoint, std::size_t rank, SavedWorld share,
                 std::uint64_t hash);
/// Replaces the checkpoint by one of shares that have these hashes, all of which are there, and
/// removes earlier ones. Throws like write_checkpoint.
void write_checkpoint_of_shares(const std::filesystem::path& checkpoint, std::uint64_t step,
                                double time, std::span<const std::uint64_t> hashes,
                                std::span<const Column> extras);
/// How many shares a checkpoint has; 0: it is a single file, or none at all.
std::size_t share_count(const std::filesystem::path& checkpoint);
/// What it takes on the disk, with all shares that are there.
std::uintmax_t checkpoint_bytes(const std::filesystem::path& checkpoint);

/// What a checkpoint holds.
struct Checkpoint {
    World world;                 ///< ready for its next step
    std::vector<Column> extras;  ///< what the run added, under their own names, sorted by them
    std::string program;         ///< that wrote it, with its version
};

/// The whole world or, for ranks, what World::join_shares makes of it for one of them. Throws Error
/// that names the file and says what is wrong: it is no checkpoint, of another version, truncated,
/// damaged, or not the state that its hash says.
Checkpoint read_checkpoint(const std::filesystem::path& path, int rank = 0, int ranks = 1);

}  // namespace scree::io
