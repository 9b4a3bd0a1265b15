// What there is to know about the keys of a scene file.
#pragma once

#include <string>

namespace scree::scene {

/// The reference page (Markdown) and the schema for editors (JSON).
std::string scene_reference();
std::string scene_schema();

}  // namespace scree::scene
