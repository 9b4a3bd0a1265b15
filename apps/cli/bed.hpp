// A bed of grains at rest: a small periodic tile is settled by stepping, then repeated sideways, so
// that even a bed of a million grains starts at once.
#pragma once

#include "scree/device.hpp"
#include "scree/world.hpp"

#include <functional>
#include <vector>

namespace scree::cli {

/// What grains of a bed are: all of one kind, or boxes, capsules, ellipsoids and cylinders in turn.
enum class Grains { spheres, boxes, capsules, ellipsoids, cylinders, polyhedra, clumps, mixed };
inline constexpr const char* grain_names[] = {"spheres",   "boxes",     "capsules", "ellipsoids",
                                              "cylinders", "polyhedra", "clumps",   "mixed"};

struct BedOptions {
    std::size_t particles = 20000;
    Grains grains = Grains::spheres;
    double radius = 0.47e-3;  ///< of spheres; other grains have the same volume [m]
    double density = 2650;
    double friction = 0.4;
    std::uint64_t seed = 1;
    Settings settings;  ///< gravity and what the run is to use
};

/// A world with the settled bed on a floor, periodic in x and y. The number of particles is rounded
/// up to whole tiles. `progress` is told the share of the settling that is done.
World settled_bed(const BedOptions& options, const std::function<void(double)>& progress);

}  // namespace scree::cli
