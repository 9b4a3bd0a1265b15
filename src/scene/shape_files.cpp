#include "scene/shape_files.hpp"

#include "scene/surface_file.hpp"
#include "scree/error.hpp"
#include "scree/shape.hpp"

#include <filesystem>

namespace scree::scene {

namespace {

toml::array corners_in(const std::string& file)
{
    toml::array rows;
    for (const Vec3<double>& p : corners_of(Shape::polyhedron(read_surface(file).points))) {
        rows.push_back(toml::array{p.x, p.y, p.z});
    }
    return rows;
}

class Embedding {
public:
    Embedding(std::filesystem::path folder, Diagnostics& diagnostics)
        : folder_(std::move(folder)), diagnostics_(diagnostics)
    {
    }

    void visit(toml::table& table, const std::string& path)
    {
        if (table["type"].value<std::string>() == "polyhedron") {
            embed(table, path.empty() ? "file" : path + ".file");
        }
        for (auto&& [key, node] : table) {
            visit(node,
                  path.empty() ? std::string(key.str()) : path + "." + std::string(key.str()));
        }
    }
    [[nodiscard]] bool found() const { return found_; }

private:
    void visit(toml::node& node, const std::string& path)
    {
        if (toml::table* table = node.as_table()) {
            visit(*table, path);
        } else if (toml::array* list = node.as_array()) {
            for (toml::node& item : *list) {
                visit(item, path);
            }
        }
    }
    void embed(toml::table& table, const std::string& path)
    {
        const toml::node* node = table.get("file");
        const auto file = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
        if (!file) {
            return;  // none, or what the reader complains of
        }
        if (table.contains("vertices")) {
            diagnostics_.add(node->source(), path, "give either vertices or a file");
            return;
        }
        try {
            toml::array rows = corners_in((folder_ / *file).string());
            table.insert("vertices", std::move(rows));
            table.erase("file");
            found_ = true;
        } catch (const Error& error) {
            diagnostics_.add(node->source(), path, error.what());
        }
    }

    std::filesystem::path folder_;
    Diagnostics& diagnostics_;
    bool found_ = false;
};

}  // namespace

bool embed_shape_files(toml::table& root, const std::string& scene, Diagnostics& diagnostics)
{
    Embedding embedding(std::filesystem::path(scene).parent_path(), diagnostics);
    embedding.visit(root, "");
    return embedding.found();
}

}  // namespace scree::scene
