// Stress in a region, from the particles' velocity fluctuations and from contact forces, and the
// granular temperature. Compression is positive. docs/analysis.md has the definitions.
#pragma once

#include "scree/analyse/tensor.hpp"

namespace scree::analyse {

/// Stress, mean velocity and granular temperature of a region.
struct Stress {
    std::size_t particles = 0;  ///< with origin in the region
    double mass = 0;            ///< theirs [kg]
    Vec velocity{0, 0, 0};      ///< their mean, weighted with mass [m/s]
    double temperature = 0;     ///< ⅓⟨|v − velocity|²⟩, weighted with mass [m²/s²]
    Tensor kinetic{};           ///< (1/V) Σ m v′⊗v′ [Pa]
    Tensor contact{};           ///< (1/V) Σ f⊗l, symmetric part [Pa]
    Tensor total{};             ///< their sum [Pa]
    Principal principal{};      ///< of the sum [Pa]
    double pressure = 0;        ///< ⅓ tr [Pa]
    double deviator = 0;        ///< √(3/2 s:s) of the deviator s [Pa]
};

/// Of a bounded region. f is the force on a contact's first body, its impulse over the time step,
/// and l leads from the second body's centre to the first one's; where one of them is prescribed
/// it ends at the contact point. A contact counts with the part of l that lies in the region.
/// `period` has the lengths of periodic axes [m], 0 for others.
Stress stress(const Frame& frame, const Region& region, const Vec& period = {0, 0, 0});

/// The difference of two points, to the nearest periodic image.
Vec nearest_image(const Vec& difference, const Vec& period);

}  // namespace scree::analyse
