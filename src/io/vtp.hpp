// Frames as VTK XML poly data (.vtp), which ParaView, VisIt and VTK open: binary, uncompressed,
// every number as the world has it. docs/results.md lists the arrays. `read_frame` in
// stored_frame.hpp reads them back.
#pragma once

#include "scree/world.hpp"

#include <filesystem>

namespace scree::io {

/// All bodies as points. Throws Error if the file cannot be created, std::runtime_error if it
/// cannot be written; then no file is left.
void write_particles(const std::filesystem::path& path, const Frame& frame);

/// Arrays that a file has only if some body needs them.
struct SolidArrays {
    bool polyhedron, clump, mesh;
};
SolidArrays solid_arrays(const Frame& frame);
/// The bodies of one rank, with the arrays that bodies of all need (frame_index.hpp).
void write_particles(const std::filesystem::path& path, const Frame& frame,
                     const SolidArrays& arrays);
/// Without prescribed bodies, which the frames of all ranks have and one of them writes.
Frame dynamic_bodies(const Frame& frame);

/// Contacts that touch or carry an impulse, as lines. A line joins the two bodies' positions. It
/// ends at the contact point instead where the other body is a wall, or lies at the far side of a
/// periodic box, so that no line crosses the box. Throws like write_particles.
void write_contacts(const std::filesystem::path& path, const Frame& frame);

}  // namespace scree::io
