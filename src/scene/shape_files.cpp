#include "scene/shape_files.hpp"

#include "scree/error.hpp"
#include "scree/scene/surface_file.hpp"
#include "scree/shape.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::scene {

namespace {

/// A scene keeps its meshes as text.
constexpr std::size_t most_scene_triangles = 1000000;

toml::array rows_of(const std::vector<Vec3<double>>& points)
{
    toml::array rows;
    for (const Vec3<double>& p : points) {
        rows.push_back(toml::array{p.x, p.y, p.z});
    }
    return rows;
}

/// What a file gives to a table of this type.
void take(const std::string& file, bool mesh, toml::table& table)
{
    const SurfaceFile surface = read_surface(file);
    if (!mesh) {
        table.insert("vertices", rows_of(corners_of(Shape::polyhedron(surface.points))));
        return;
    }
    if (surface.triangles.size() > most_scene_triangles) {
        throw Error(fmt::format("{}: has {} triangles, must be {} at most in a scene; Shape::mesh "
                                "takes more",
                                file, surface.triangles.size(), most_scene_triangles));
    }
    // As the mesh is, so that what is refused is refused here, with the file's name.
    const Shape made = Shape::mesh(surface.points, surface.triangles);
    toml::array rows;
    for (const std::array<std::uint32_t, 3>& t : triangles_of(made)) {
        rows.push_back(toml::array{t[0], t[1], t[2]});
    }
    table.insert("vertices", rows_of(points_of(made)));
    table.insert("triangles", std::move(rows));
}

class Embedding {
public:
    Embedding(std::filesystem::path folder, Diagnostics& diagnostics)
        : folder_(std::move(folder)), diagnostics_(diagnostics)
    {
    }

    void visit(toml::table& table, const std::string& path)
    {
        const auto type = table["type"].value<std::string>();
        if (type == "polyhedron" || type == "mesh") {
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
        if (table.contains("vertices") || table.contains("triangles")) {
            diagnostics_.add(node->source(), path, "give either vertices or a file");
            return;
        }
        try {
            take((folder_ / *file).string(), table["type"].value<std::string>() == "mesh", table);
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
