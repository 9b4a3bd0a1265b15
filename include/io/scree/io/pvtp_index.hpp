// Frames of several ranks: each writes a file of its own bodies or contacts (vtp_writer.hpp), and
// an index (.pvtp) names these, which ParaView, VisIt and VTK open as one.
//
//   frames/particles_000000001000.pvtp  frames/particles_000000001000/0.vtp  …/1.vtp
#pragma once

#include "scree/io/vtp_reader.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace scree::io {

/// The index in place of a single file, or of a folder of pieces.
std::filesystem::path index_of(std::filesystem::path frame);
/// Whether a path is that of an index, by its name.
bool is_index(const std::filesystem::path& file);

/// The file that a rank writes.
std::filesystem::path piece_of(const std::filesystem::path& index, std::size_t rank);

/// Names the first so many pieces, all of which are there. Files of further ranks are removed: they
/// are of a run that was cut off. Throws Error if a piece is not ours or the file cannot be
/// created, std::runtime_error if it cannot be written.
void write_index(const std::filesystem::path& index, std::size_t pieces);

/// What an index says.
struct FrameIndex {
    /// The file of one rank.
    struct Piece {
        std::filesystem::path file;  ///< where it is
        std::string checksum;        ///< that stands in the file
    };
    FrameStamp stamp;           ///< when the frame is of
    std::vector<Piece> pieces;  ///< by rank
};

/// Throws Error that says what is wrong with the file.
FrameIndex read_index(const std::filesystem::path& index);

/// Removes a file of a frame, and what it names if it is an index.
void remove_frame(const std::filesystem::path& file);

}  // namespace scree::io
