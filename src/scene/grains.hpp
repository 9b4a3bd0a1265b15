// Making grains: what a table says about them, turned into bodies with ids that depend on source,
// layer and index alone.
#pragma once

#include "scene/scene.hpp"
#include "scree/world.hpp"

namespace scree::scene {

/// Ids of grains: 12 bits of source (1 …), 24 of layer, 28 of index. Below the first source's come
/// walls, obstacles and single bodies.
constexpr BodyId grain_id(std::uint64_t source, std::uint64_t layer, std::uint64_t index)
{
    return (source << 52U) | (layer << 28U) | index;
}
inline constexpr std::uint64_t most_sources = 1U << 12U, most_layers = 1U << 24U,
                               most_indices = 1U << 28U;

/// First numbers of a grain's random draws; sizes have those from 1000 on.
inline constexpr std::uint64_t velocity_draws = 0, spin_draws = 3, orientation_draws = 10,
                               place_draws = 100'000'000;

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

}  // namespace scree::scene
