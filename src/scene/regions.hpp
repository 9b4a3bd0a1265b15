// The regions of a scene: what lies inside, and the places of a grid in one.
#pragma once

#include "scene/scene.hpp"
#include "scree/world.hpp"

#include <cstdint>
#include <functional>

namespace scree::scene {

/// Calls `visit` with the places of a grid in a region's box, in order. Returns how many there are.
std::uint64_t grid_places(
    const RegionTable& region, const Vec3<double>& spacing,
    const std::function<void(const Vec3<double>&)>& visit = [](const Vec3<double>&) {});
/// Whether a sphere about the point lies in the region.
bool inside(const RegionTable& region, const Vec3<double>& point, double radius);
Box box_of(const RegionTable& region);

}  // namespace scree::scene
