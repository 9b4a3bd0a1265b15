// Fills of a region with many grains: on a grid, at random places, or poured in loose layers.
#pragma once

#include "scene/occupied.hpp"
#include "scene/scene.hpp"

#include <functional>

namespace scree::scene {

/// Makes all grains of the scene's fills, none in the way of what is there already if it is to be
/// clear, and has `take` take them in the order of their ids. What is kept of them is what later
/// grains must not overlap. Throws scree::Error if there is no room for as many as are wanted.
void fill(const Scene& scene, Occupied& occupied, const std::function<void(const Body&)>& take);

}  // namespace scree::scene
