#include "scene/grains.hpp"

#include "math/elementary.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"
#include "scene/grain_sizes.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;

double sphere_diameter(double volume) { return math::cube_root(6 * volume / math::pi); }

Vec spread(const Vec& mean, const Vec& half, std::uint64_t seed, BodyId id, std::uint64_t draw)
{
    const auto at = [&](double m, double h, std::uint64_t k) {
        return h > 0 ? math::uniform(seed, id, draw + k, m - h, m + h) : m;
    };
    return {at(mean.x, half.x, 0), at(mean.y, half.y, 1), at(mean.z, half.z, 2)};
}

/// A polyhedron or clump is moved so that its centre of mass is its origin, about which it needs
/// least room.
Shape centred(const Shape& shape)
{
    if (shape.kind == ShapeKind::polyhedron) {
        const Vec centre = mass_properties(shape, 1).centre;
        std::vector<Vec> corners = corners_of(shape);
        for (Vec& corner : corners) {
            corner = corner - centre;
        }
        return Shape::polyhedron(corners);
    }
    if (shape.kind == ShapeKind::clump) {
        const Vec centre = mass_properties(shape, 1).centre;
        std::vector<Part> parts = parts_of(shape);
        for (Part& part : parts) {
            part.position = part.position - centre;
        }
        return Shape::clump(parts);
    }
    return shape;
}

}  // namespace

GrainMaker::GrainMaker(const Scene& scene, const GrainTable& table, std::uint64_t source)
    : table_(table), seed_(static_cast<std::uint64_t>(scene.seed)), source_(source),
      shape_(centred(table.shape.shape())), diameter_(sphere_diameter(volume(shape_))),
      material_(static_cast<MaterialId>(scene.material(table.material))),
      density_(scene.materials[material_].density), orientation_{1, 0, 0, 0}
{
    if (table.turn) {
        PlacedShapeTable turned;
        turned.turn = table.turn;
        orientation_ = turned.orientation();
    }
}

Body GrainMaker::make(std::uint64_t layer, std::uint64_t index) const
{
    if (layer >= most_layers || index >= most_indices || source_ >= most_sources) {
        throw Error(fmt::format("too many grains: at most {} sources, {} layers of a source and {} "
                                "grains of a layer",
                                most_sources - 1, most_layers, most_indices));
    }
    Body grain;
    const BodyId id = grain_id(source_, layer, index);
    grain.id = id;
    grain.shape = shape_;
    if (table_.sizes) {
        grain.shape = scaled(shape_, draw_diameter(*table_.sizes, seed_, id) / diameter_);
        if (const std::string_view wrong = problems_with(grain.shape); !wrong.empty()) {
            throw Error(fmt::format("a grain was drawn that cannot be: {}", wrong));
        }
    }
    grain.material = material_;
    grain.density = density_;
    grain.orientation = table_.orient == Orient::random
                            ? draw_orientation(seed_, id, orientation_draws)
                            : orientation_;
    grain.velocity = spread(table_.velocity, table_.velocity_spread, seed_, id, velocity_draws);
    grain.angular_velocity =
        spread(table_.angular_velocity, table_.angular_velocity_spread, seed_, id, spin_draws);
    return grain;
}

double GrainMaker::largest_radius(std::uint64_t first, std::uint64_t end) const
{
    if (!table_.sizes) {
        return outer_radius(shape_);
    }
    double largest = 0;
    for (; first < end; ++first) {
        largest = std::max(largest, outer_radius(make(0, first).shape));
    }
    return largest;
}

}  // namespace scree::scene
