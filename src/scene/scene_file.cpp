// A scene file from its text: changes from the command line, shapes in other files, keys, and
// what keys have to do with each other.
#include "scene/checks.hpp"
#include "scene/overrides.hpp"
#include "scene/read_keys.hpp"
#include "scene/shape_files.hpp"
#include "scene/text.hpp"

#include <sstream>

namespace scree::scene {

SceneFile parse_scene(const std::string& text, const std::string& name,
                      const std::vector<Override>& overrides)
{
    SceneFile file;
    file.text = text;
    toml::table root = parse_toml_text(text, name);
    Diagnostics diagnostics(name, text);
    for (const Override& change : overrides) {
        apply(root, change);
    }
    if (embed_shape_files(root, name, diagnostics) || !overrides.empty()) {
        std::ostringstream out;
        out << toml::toml_formatter(root) << '\n';
        file.text = out.str();
    }
    read_keys(root, file.scene, diagnostics);
    if (diagnostics.count() == 0) {
        check(file.scene, diagnostics);
    }
    diagnostics.throw_if_any();
    if (file.scene.materials.empty()) {
        file.scene.materials.emplace_back();
    }
    return file;
}

SceneFile read_scene(const std::string& file, const std::vector<Override>& overrides)
{
    return parse_scene(read_text(file), file, overrides);
}

}  // namespace scree::scene
