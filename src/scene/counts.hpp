// How many grains a scene asks for, before any is made: so that a slip of the pen, such as metres
// for millimetres, is answered with a sentence and not by filling the machine's memory.
#pragma once

#include "scree/scene/scene.hpp"

namespace scree::scene {

/// More grains than this in one fill or from one rain are a mistake.
inline constexpr double most_grains = 1e8;

/// Volume of a region [m³].
double volume_of(const RegionTable& region);
/// Mean volume of the grains of a table [m³].
double mean_volume(const GrainTable& table, std::int64_t seed);
/// Steps of a grid along the axes of the region's box that have to be looked at.
double places_of(const RegionTable& region, const Vec3<double>& spacing);
/// About as many grains as the fill wants; of a grid its places.
double grains_of(const FillTable& table, std::int64_t seed);
/// Layers that a piston makes in a run, or grains that rain brings in.
double layers_of(const SourceTable& piston, const TimeTable& time);
double grains_of(const SourceTable& rain, const TimeTable& time);

}  // namespace scree::scene
