// The layout of a run's folder: every name in it, said once.
//
//   DIR/scene.toml  run.json  summary.json  series.csv  particles.pvd  contacts.pvd  checkpoint.h5
//       frames/particles_000000001000.vtp  frames/contacts_000000001000.vtp   (12 digits: the step)
//       analysis/
//
// Of several ranks, frames are an index (.pvtp, pvtp_index.hpp) with a folder of pieces, and the
// checkpoint is one as well, with a folder checkpoint.ranks (checkpoint.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace scree::io {

/// Where a run's files are.
struct RunFolder {
    std::filesystem::path dir;  ///< the folder itself

    /// The scene as it was run.
    [[nodiscard]] std::filesystem::path scene() const { return dir / "scene.toml"; }
    /// How it was run.
    [[nodiscard]] std::filesystem::path run() const { return dir / "run.json"; }
    /// What came out.
    [[nodiscard]] std::filesystem::path summary() const { return dir / "summary.json"; }
    /// The whole over time.
    [[nodiscard]] std::filesystem::path series() const { return dir / "series.csv"; }
    /// All frames of bodies.
    [[nodiscard]] std::filesystem::path particles_collection() const
    {
        return dir / "particles.pvd";
    }
    /// All frames of contacts.
    [[nodiscard]] std::filesystem::path contacts_collection() const { return dir / "contacts.pvd"; }
    /// The state to go on from.
    [[nodiscard]] std::filesystem::path checkpoint() const { return dir / "checkpoint.h5"; }
    /// The folder of tables and pictures.
    [[nodiscard]] std::filesystem::path analysis() const { return dir / "analysis"; }
    /// The folder of frames.
    [[nodiscard]] std::filesystem::path frames() const { return dir / "frames"; }
    /// Bodies after a step.
    [[nodiscard]] std::filesystem::path particles(std::uint64_t step) const;
    /// Contacts after a step.
    [[nodiscard]] std::filesystem::path contacts(std::uint64_t step) const;
};

/// The contacts that go with particles of a step: beside them, and an index if these are.
std::filesystem::path contacts_beside(const std::filesystem::path& particles, std::uint64_t step);

/// A frame on disk.
struct FrameFiles {
    std::uint64_t step;               ///< steps done
    double time;                      ///< [s]
    std::filesystem::path particles;  ///< its bodies, a file or an index
    std::filesystem::path contacts;   ///< empty if there is none
};

/// The frames in a run's folder by step: what lies in frames/, whether or not the collections name
/// it yet. Empty if there are none. Throws Error if one of them is not ours or has no good
/// beginning; what follows is not read.
std::vector<FrameFiles> frames_of(const std::filesystem::path& dir);

/// Removes pieces of frames without an index, which a run has left that was cut off.
void remove_loose_pieces(const std::filesystem::path& dir);

}  // namespace scree::io
