// Shapes that a scene takes from other files. What is read becomes part of the scene, so that the
// scene kept with the results needs no other file.
#pragma once

#include "scene/toml_reader.hpp"

namespace scree::scene {

/// Puts `vertices`, and for meshes `triangles`, in the place of `file` wherever a table of the type
/// "polyhedron" or "mesh" has one. Files
/// are looked for beside the scene's. Says whether there were any.
bool embed_shape_files(toml::table& root, const std::string& scene, Diagnostics& diagnostics);

}  // namespace scree::scene
