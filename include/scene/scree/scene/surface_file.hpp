// Surfaces of triangles from files that other programs write: STL (text or binary) and OBJ.
#pragma once

#include "scree/space.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::scene {

/// The triangles of a file.
struct SurfaceFile {
    std::vector<Vec3<double>> points;  ///< each once, in the file's unit of length
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< numbers of points, from 0 on
};

/// Reads a file named *.stl or *.obj. Polygons of more than three corners are cut into triangles
/// from their first corner; everything but corners and faces is skipped. Throws Error that says
/// where the file is wrong.
SurfaceFile read_surface(const std::string& file);

}  // namespace scree::scene
