// Sizes of grains: draws from a distribution of diameters, a pure function of seed and id.
#pragma once

#include "scree/scene/scene.hpp"

namespace scree::scene {

/// The diameter of grain `id` [m].
double draw_diameter(const SizeTable& sizes, std::uint64_t seed, std::uint64_t id);

/// A standard normal variate; uses draws from `draw` on.
double draw_normal(std::uint64_t seed, std::uint64_t id, std::uint64_t draw);

/// A rotation, evenly distributed; uses draws from `draw` on.
Quat<double> draw_orientation(std::uint64_t seed, std::uint64_t id, std::uint64_t draw);

}  // namespace scree::scene
