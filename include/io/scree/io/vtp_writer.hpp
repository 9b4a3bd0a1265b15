// Frames as VTK XML poly data (.vtp), which ParaView, VisIt and VTK open: binary, uncompressed,
// every number as the world has it. docs/results.md lists the arrays. `read_frame` in
// vtp_reader.hpp reads them back.
#pragma once

#include "scree/world.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace scree::io {

/// All bodies as points. Throws Error if the file cannot be created, std::runtime_error if it
/// cannot be written; then no file is left.
void write_particles(const std::filesystem::path& path, const Frame& frame);

/// The polyhedra, clumps and meshes of a frame, each once, as shapes of scale 1.
std::vector<Shape> solids_of(const Frame& frame);
/// The bodies of one rank, with those that bodies of all ranks need (pvtp_index.hpp), in this
/// order: where all ranks write the same, numbers mean the same in all their files. Meshes are
/// written with the bodies that they belong to, which one rank has.
void write_particles(const std::filesystem::path& path, const Frame& frame,
                     std::span<const Shape> solids);
/// Without prescribed bodies, which the frames of all ranks have and one of them writes.
Frame dynamic_bodies(const Frame& frame);

/// Contacts that touch or carry an impulse, as lines. A line joins the two bodies' positions. It
/// ends at the contact point instead where the other body is a wall, or lies at the far side of a
/// periodic box, so that no line crosses the box. Throws like write_particles.
void write_contacts(const std::filesystem::path& path, const Frame& frame);

}  // namespace scree::io
