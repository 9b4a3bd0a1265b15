// Reading the keys of a scene file into their structs.
#pragma once

#include "scene/reader.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Reads each key that is described into its place; what is wrong, or not a key, is noted.
void read_keys(const toml::table& root, Scene& scene, Diagnostics& diagnostics);

}  // namespace scree::scene
