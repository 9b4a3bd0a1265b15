// What no single key of a scene can know: names that refer to each other, regions that are turned
// inside out, shapes that cannot be.
#pragma once

#include "scene/reader.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Notes whatever is wrong with several keys together.
void check(const Scene& scene, Diagnostics& diagnostics);

}  // namespace scree::scene
