// What the files that describe a scene's keys have in common: ranges, and the functions, each of
// which Keys::table and Keys::tables find by its second argument.
#pragma once

#include "scene/counts.hpp"
#include "scene/keys.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

inline constexpr Range share{.least = 0, .most = 1};
inline constexpr Range positive_share{.least = 0, .most = 1, .open_at_least = true};
inline constexpr Range whole{.least = 0, .most = 1e15};
inline constexpr Range number_of_grains{.least = 0, .most = most_grains};
// Wider than anything that is meant, and narrow enough that squares, cubes and masses stay numbers.
/// Positions, velocities, directions, angles.
inline constexpr Range moderate{.least = -1e9, .most = 1e9};
inline constexpr Range extent{.least = 1e-9, .most = 1e9};  ///< sizes of what is solid [m]
inline constexpr Range up_to_moderate{.least = 0, .most = 1e9};
inline constexpr Range above_zero{.least = 0, .most = 1e9, .open_at_least = true};
inline constexpr Range duration{.least = 0, .most = 1e15};  ///< [s]

void describe(Keys& k, Scene& scene);
void describe(Keys& k, Turn& table);
void describe(Keys& k, ShapeTable& table);
void describe(Keys& k, PlacedShapeTable& table);
void describe(Keys& k, PartTable& table);
void describe(Keys& k, MaterialTable& table);
void describe(Keys& k, SurfaceTable& table);
void describe(Keys& k, DomainTable& table);
void describe(Keys& k, SolverTable& table);
void describe(Keys& k, TimeTable& table);
void describe(Keys& k, MotionTable& table);
void describe(Keys& k, RepeatTable& table);
void describe(Keys& k, BodyTable& table);
void describe(Keys& k, ObstacleTable& table);
void describe(Keys& k, SizeTable& table);
void describe(Keys& k, RegionTable& table);
void describe(Keys& k, FillTable& table);
void describe(Keys& k, SourceTable& table);
void describe(Keys& k, SinkTable& table);
void describe(Keys& k, OutputTable& table);
void describe(Keys& k, AnalysisTable& table);
void describe(Keys& k, MeasureTable& table);

}  // namespace scree::scene
