// Making grains: what a table says about them, turned into bodies with ids that depend on source,
// layer and index alone, and fills of a region with many of them.
#pragma once

#include "scree/query.hpp"
#include "scree/scene/scene.hpp"
#include "scree/world.hpp"

#include <functional>
#include <limits>
#include <vector>

namespace scree::scene {

/// Ids of grains: 12 bits of source (1 …), 24 of layer, 28 of index. Below the first source's come
/// walls, obstacles and single bodies.
constexpr BodyId grain_id(std::uint64_t source, std::uint64_t layer, std::uint64_t index)
{
    return (source << 52U) | (layer << 28U) | index;
}
inline constexpr std::uint64_t most_sources = 1U << 12U, most_layers = 1U << 24U,
                               most_indices = 1U << 28U;

/// Makes the grains of one table.
class GrainMaker {
public:
    GrainMaker(const Scene& scene, const GrainTable& table, std::uint64_t source);
    /// The grain with its shape, mass, orientation and velocity; not yet placed.
    [[nodiscard]] Body make(std::uint64_t layer, std::uint64_t index) const;
    /// Of the grains [first, end) of the first layer.
    [[nodiscard]] double largest_radius(std::uint64_t first, std::uint64_t end) const;
    [[nodiscard]] std::uint64_t seed() const { return seed_; }

private:
    const GrainTable& table_;
    std::uint64_t seed_, source_;
    Shape shape_;
    double diameter_;  ///< of the sphere of the shape's volume
    MaterialId material_;
    double density_;
    Quat<double> orientation_;
};

/// What is there already, so that grains can be kept apart from it.
class Occupied {
public:
    /// `period` of the domain, 0 where it is not periodic.
    explicit Occupied(const Vec3<double>& period) : period_(period) {}
    void add(const Body& body);
    [[nodiscard]] bool free(const Body& body) const;
    /// Bodies that come from now on are kept only where they reach into one of these boxes: nobody
    /// will ask about other places.
    void keep_only_in(std::vector<Box> boxes) { asked_ = std::move(boxes); }
    /// Bodies up to this radius are found by their cells; larger ones are looked at one by one.
    void expect_radius(double radius);

private:
    static constexpr double inf = std::numeric_limits<double>::infinity();
    [[nodiscard]] std::uint64_t cell_of(const Vec3<double>& at, int dx, int dy, int dz) const;
    [[nodiscard]] bool overlap(const PlacedShape& a, const PlacedShape& b) const;
    [[nodiscard]] bool is_asked_about(const PlacedShape& body) const;
    void put(const PlacedShape& body);

    Vec3<double> period_;
    double cell_ = 0;
    std::vector<Box> asked_{{{-inf, -inf, -inf}, {inf, inf, inf}}};
    std::vector<PlacedShape> large_;  ///< walls and bodies much larger than a cell
    std::vector<PlacedShape> bodies_;
    std::vector<std::uint32_t> next_;  ///< chains of bodies in one bucket
    std::vector<std::uint32_t> bucket_;
};

/// Calls `visit` with the places of a grid in a region's box, in order. Returns how many there are.
std::uint64_t grid_places(
    const RegionTable& region, const Vec3<double>& spacing,
    const std::function<void(const Vec3<double>&)>& visit = [](const Vec3<double>&) {});
/// Whether a sphere about the point lies in the region.
bool inside(const RegionTable& region, const Vec3<double>& point, double radius);
Box box_of(const RegionTable& region);

/// Makes all grains of the scene's fills, none in the way of what is there already if it is to be
/// clear, and has `take` take them in the order of their ids. What is kept of them is what later
/// grains must not overlap. Throws scree::Error if there is no room for as many as are wanted.
void fill(const Scene& scene, Occupied& occupied, const std::function<void(const Body&)>& take);

/// Looks for a random place in the region for the grain. Returns how many attempts it took, 0 if
/// there was none.
int place_at_random(Body& grain, const RegionTable& region, const Occupied& occupied,
                    std::uint64_t seed, std::uint64_t draw, int attempts);

}  // namespace scree::scene
