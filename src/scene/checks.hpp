// What no single key of a scene can know: names that refer to each other, regions that are turned
// inside out, shapes that cannot be.
#pragma once

#include "scene/scene.hpp"
#include "scene/toml_reader.hpp"

namespace scree::scene {

/// Notes whatever is wrong with several keys together.
void check(const Scene& scene, Diagnostics& diagnostics);

}  // namespace scree::scene
