#include "io/vtp_solids.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <span>

namespace scree::io::vtp {
namespace {

using Vec = Vec3<double>;

void add_polyhedra(const collide::Solids& solids, NewDocument& document)
{
    std::vector<std::int64_t> begin{0};
    std::vector<Vec> corner;
    for (const Polyhedron* p : solids.polyhedra()) {
        corner.insert(corner.end(), p->vertices(), p->vertices() + p->vertex_count);
        begin.push_back(std::ssize(corner));
    }
    document.field<std::int64_t>("polyhedron_begin", begin);
    document.field<double>("polyhedron_corner", corner);
}

void add_clumps(const collide::Solids& solids, NewDocument& document)
{
    std::vector<std::int64_t> begin{0}, polyhedron;
    std::vector<std::uint8_t> shape;
    std::vector<Vec> size, position;
    std::vector<Quat<double>> orientation;
    for (const Clump* c : solids.clumps()) {
        for (std::uint32_t k = 0; k < c->count; ++k) {
            const ClumpPart& part = c->parts()[k];
            const Polyhedron* solid = part.shape.solid;
            shape.push_back(static_cast<std::uint8_t>(part.shape.kind));
            size.push_back(part.shape.size);
            position.push_back(part.pose.position);
            orientation.push_back(part.pose.orientation);
            polyhedron.push_back(solid != nullptr ? static_cast<std::int64_t>(solids.number(solid))
                                                  : -1);
        }
        begin.push_back(std::ssize(shape));
    }
    document.field<std::int64_t>("clump_begin", begin);
    document.field<std::uint8_t>("part_shape", shape);
    document.field<double>("part_size", size);
    document.field<double>("part_position", position);
    document.field<double>("part_orientation", orientation);
    document.field<std::int64_t>("part_polyhedron", polyhedron);
}

void add_meshes(const collide::Solids& solids, NewDocument& document)
{
    std::vector<std::int64_t> point_begin{0}, triangle_begin{0};
    std::vector<Vec> point;
    std::vector<std::int64_t> corner;
    for (const Mesh* m : solids.meshes()) {
        point.insert(point.end(), m->points(), m->points() + m->point_count);
        for (std::uint32_t k = 0; k < m->triangle_count; ++k) {
            const std::uint32_t* c = m->triangles()[k].corner;
            corner.insert(corner.end(), {c[0], c[1], c[2]});
        }
        point_begin.push_back(std::ssize(point));
        triangle_begin.push_back(std::ssize(corner));
    }
    document.field<std::int64_t>("mesh_point_begin", point_begin);
    document.field<double>("mesh_point", point);
    document.field<std::int64_t>("mesh_corner_begin", triangle_begin);
    document.field<std::int64_t>("mesh_corner", corner);
}

bool any(const std::vector<std::uint8_t>& kinds, ShapeKind kind)
{
    return std::find(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(kind)) != kinds.end();
}

/// f(first, end) for each list, of `count` rows in all, that an array says the beginnings of.
template <class F>
void for_each_list(const StoredDocument& file, std::string_view name, std::size_t count, F&& f)
{
    const auto begin = file.column<std::int64_t, std::int64_t>(name, file.rows(name));
    for (std::size_t i = 1; i < begin.size(); ++i) {
        if (begin[i - 1] < 0 || begin[i] < begin[i - 1] ||
            begin[i] > static_cast<std::int64_t>(count)) {
            throw Error(fmt::format("has {} = {} at the end of list {} of {} rows", name, begin[i],
                                    i - 1, count));
        }
        f(static_cast<std::size_t>(begin[i - 1]), static_cast<std::size_t>(begin[i]));
    }
}

/// What is made only if some shape needs it: a piece of a frame lists what other pieces need, too.
template <class T> class MadeWhenNeeded {
public:
    using Make = std::function<const T*()>;
    void add(Make make) { makers_.push_back(std::move(make)); }
    [[nodiscard]] std::size_t size() const { return makers_.size(); }

    /// For each of `count` shapes what an array of numbers says; −1 is nothing.
    std::vector<const T*> chosen(const StoredDocument& file, std::string_view name,
                                 std::size_t count)
    {
        made_.resize(size(), nullptr);
        std::vector<const T*> result;
        for (const std::int64_t number : file.column<std::int64_t, std::int64_t>(name, count)) {
            if (number < -1 || number >= std::ssize(makers_)) {
                throw Error(fmt::format("has {} = {}; there are {}", name, number, size()));
            }
            const auto i = static_cast<std::size_t>(number);
            if (number >= 0 && made_[i] == nullptr) {
                made_[i] = makers_[i]();
            }
            result.push_back(number < 0 ? nullptr : made_[i]);
        }
        return result;
    }

private:
    std::vector<Make> makers_;
    std::vector<const T*> made_;
};

std::vector<std::array<std::uint32_t, 3>> triangles_of(std::span<const std::int64_t> corners)
{
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::size_t from = 0; from + 2 < corners.size(); from += 3) {
        std::array<std::uint32_t, 3> t{};
        for (std::size_t k = 0; k < 3; ++k) {
            // What is no number of a point is refused by the mesh.
            t[k] = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                static_cast<std::uint64_t>(corners[from + k]), 0xffffffffU));
        }
        triangles.push_back(t);
    }
    return triangles;
}

/// Reads the shapes of a file's bodies.
class ShapesReader {
public:
    ShapesReader(const StoredDocument& file, std::size_t count)
        : file_(file), kinds_(file.column<std::uint8_t, std::uint8_t>("shape", count))
    {
        const auto sizes = file.column<double, Vec>("size", count);
        shapes_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (kinds_[i] >= shape_kind_count) {
                throw Error(fmt::format("has a body of shape {}; there are shapes 0 to {}",
                                        kinds_[i], shape_kind_count - 1));
            }
            shapes_.push_back({static_cast<ShapeKind>(kinds_[i]), sizes[i]});
        }
    }

    std::vector<Shape> read()
    {
        const bool clumps = any(kinds_, ShapeKind::clump);
        if (clumps) {
            part_kinds_ =
                file_.column<std::uint8_t, std::uint8_t>("part_shape", file_.rows("part_shape"));
        }
        if (any(kinds_, ShapeKind::polyhedron) || any(part_kinds_, ShapeKind::polyhedron)) {
            read_polyhedra();
        }
        if (clumps) {
            read_clumps();
        }
        if (any(kinds_, ShapeKind::mesh)) {
            read_meshes();
        }
        require_all();
        return std::move(shapes_);
    }

private:
    void read_polyhedra()
    {
        corners_ = file_.column<double, Vec>("polyhedron_corner", file_.rows("polyhedron_corner"));
        for_each_list(file_, "polyhedron_begin", corners_.size(),
                      [&](std::size_t from, std::size_t to) {
                          polyhedra_.add([own = std::span(corners_).subspan(from, to - from)] {
                              return Shape::polyhedron(own).solid;
                          });
                      });
        point(&Shape::solid, polyhedra_.chosen(file_, "polyhedron", kinds_.size()));
    }

    void read_clumps()
    {
        const std::size_t n = part_kinds_.size();
        const auto size = file_.column<double, Vec>("part_size", n);
        const auto position = file_.column<double, Vec>("part_position", n);
        const auto orientation = file_.column<double, Quat<double>>("part_orientation", n);
        const auto solid = polyhedra_.chosen(file_, "part_polyhedron", n);
        MadeWhenNeeded<Clump> clumps;
        for_each_list(file_, "clump_begin", n, [&](std::size_t begin, std::size_t end) {
            clumps.add([&, begin, end] {
                std::vector<Part> parts;
                for (std::size_t k = begin; k < end; ++k) {
                    parts.push_back({{static_cast<ShapeKind>(part_kinds_[k]), size[k], solid[k]},
                                     position[k],
                                     orientation[k]});
                }
                return Shape::clump(parts).parts;
            });
        });
        point(&Shape::parts, clumps.chosen(file_, "clump", kinds_.size()));
    }

    void read_meshes()
    {
        const auto points_of_all =
            file_.column<double, Vec>("mesh_point", file_.rows("mesh_point"));
        const auto corners =
            file_.column<std::int64_t, std::int64_t>("mesh_corner", file_.rows("mesh_corner"));
        std::vector<std::span<const Vec>> points;
        for_each_list(file_, "mesh_point_begin", points_of_all.size(),
                      [&](std::size_t from, std::size_t to) {
                          points.push_back(std::span(points_of_all).subspan(from, to - from));
                      });
        MadeWhenNeeded<Mesh> meshes;
        for_each_list(
            file_, "mesh_corner_begin", corners.size(), [&](std::size_t from, std::size_t to) {
                if (meshes.size() >= points.size()) {
                    throw Error("has more lists in mesh_corner_begin than in mesh_point_begin");
                }
                meshes.add([own_points = points[meshes.size()],
                            own_corners = std::span(corners).subspan(from, to - from)] {
                    return Shape::mesh(own_points, triangles_of(own_corners)).surface;
                });
            });
        point(&Shape::surface, meshes.chosen(file_, "mesh", kinds_.size()));
    }

    template <class T> void point(const T* Shape::*member, const std::vector<const T*>& solids)
    {
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            shapes_[i].*member = solids[i];
        }
    }

    void require_all() const
    {
        for (const Shape& shape : shapes_) {
            const bool missing = (shape.kind == ShapeKind::polyhedron && shape.solid == nullptr) ||
                                 (shape.kind == ShapeKind::clump && shape.parts == nullptr) ||
                                 (shape.kind == ShapeKind::mesh && shape.surface == nullptr);
            if (missing) {
                throw Error(fmt::format("has a {} without corners, parts or triangles",
                                        name_of(shape.kind)));
            }
        }
    }

    const StoredDocument& file_;
    std::vector<std::uint8_t> kinds_;
    std::vector<Shape> shapes_;
    std::vector<std::uint8_t> part_kinds_;  ///< of clumps
    std::vector<Vec> corners_;
    MadeWhenNeeded<Polyhedron> polyhedra_;  ///< from these corners
};

}  // namespace

void add_solids(const collide::Solids& solids, bool meshes, NewDocument& document)
{
    if (!solids.polyhedra().empty()) {
        add_polyhedra(solids, document);
    }
    if (!solids.clumps().empty()) {
        add_clumps(solids, document);
    }
    if (meshes) {
        add_meshes(solids, document);
    }
}

void add_shapes(std::span<const Shape> shapes, const collide::Solids& solids, NewDocument& document)
{
    const std::size_t n = shapes.size();
    document.make<std::uint8_t>(
        "shape", n, [&](std::size_t i) { return static_cast<std::uint8_t>(shapes[i].kind); });
    document.make<double>("size", n, [&](std::size_t i) { return shapes[i].size; });
    const auto number = [&](const void* solid) {
        return solid != nullptr ? static_cast<std::int64_t>(solids.number(solid)) : -1;
    };
    if (!solids.polyhedra().empty()) {
        document.make<std::int64_t>("polyhedron", n,
                                    [&](std::size_t i) { return number(shapes[i].solid); });
    }
    if (!solids.clumps().empty()) {
        document.make<std::int64_t>("clump", n,
                                    [&](std::size_t i) { return number(shapes[i].parts); });
    }
    if (!solids.meshes().empty()) {
        document.make<std::int64_t>("mesh", n,
                                    [&](std::size_t i) { return number(shapes[i].surface); });
    }
}

std::vector<Shape> read_shapes(const StoredDocument& file, std::size_t count)
{
    return ShapesReader(file, count).read();
}

}  // namespace scree::io::vtp
