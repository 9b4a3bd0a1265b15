// Changes of a scene file's keys from the command line.
#pragma once

#include "scene/reader.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Changes `root` as "a.b.2.c=value" says; numbers count the tables of a list from 1, names find
/// them by their key `name`.
void apply(toml::table& root, const Override& change);

}  // namespace scree::scene
