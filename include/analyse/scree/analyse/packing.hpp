// How particles are packed: contacts, coordination, fabric, penetration, solid fraction and order
// of orientations. Particles are the dynamic bodies whose origin lies in a region; walls and
// obstacles are the prescribed ones. docs/analysis.md has the definitions.
#pragma once

#include "scree/analyse/tensor.hpp"

#include <vector>

namespace scree::analyse {

/// The deepest contact of the last step.
struct Penetration {
    double depth = 0;              ///< ≥ 0, at the beginning of the step [m]
    Vec point{0, 0, 0};            ///< [m]
    BodyId first = 0, second = 0;  ///< ids of the two bodies
};

/// How particles are packed in a region.
struct Packing {
    std::size_t particles = 0;      ///< with origin in the region
    std::size_t contacts = 0;       ///< touching points between particles, with point in the region
    std::size_t wall_contacts = 0;  ///< the same of particles with prescribed bodies
    std::size_t loaded = 0;         ///< of both, with an impulse
    /// 2 (contacts + wall_contacts) / particles: the number that needs no list of neighbours.
    double contacts_per_particle = 0;
    /// Mean number of bodies that a particle touches, prescribed ones included, several points
    /// between the same two counted once; and of other particles alone.
    double coordination = 0, coordination_between_particles = 0;
    std::vector<std::size_t> histogram;  ///< particles that touch 0, 1, 2, … bodies
    /// Particles that touch fewer bodies than asked for, taken away with their contacts until none
    /// is left; and the mean coordination of the rest among itself and prescribed bodies.
    std::size_t rattlers = 0;
    double coordination_without_rattlers = 0;  ///< as above
    Penetration deepest;                       ///< of the contacts of particles
    Tensor fabric{};               ///< ⟨n⊗n⟩ of the contacts between particles, trace 1
    Principal fabric_principal{};  ///< of the fabric
};

/// Means over nothing are NaN. A particle that touches fewer than `rattlers_below` bodies is a
/// rattler: 2 leaves out what hangs on a single contact, 4 fits spheres without friction.
Packing packing(const Frame& frame, const Region& region = everywhere,
                std::size_t rattlers_below = 2);

/// How much of a region particles fill.
struct SolidFraction {
    double particles;            ///< volume of the particles' parts in the region [m³]
    double particles_by_centre;  ///< volume of whole particles whose origin lies in it [m³]
    double space;                ///< of the region, without obstacles and walls [m³]
    double fraction;             ///< particles / space
    double fraction_by_centre;   ///< particles_by_centre / space
};

/// Of a bounded region. In a periodic box that is the region itself take `fraction_by_centre`:
/// parts beyond the border are not brought back. Particles that penetrate count twice there.
SolidFraction solid_fraction(const Frame& frame, const Region& region);

/// The axis of a shape that has one: along its longest extent if that is alone, else along its
/// shortest (a disc's axis). Zero for spheres and cubes.
Vec axis_of(const Shape& shape);

/// How parallel particles lie.
struct OrientationOrder {
    std::size_t particles = 0;  ///< with an axis
    Tensor nematic{};           ///< Q = ⟨3/2 u⊗u − 1/2⟩ of the axes u
    Principal principal{};      ///< of Q
    double order = 0;           ///< largest principal value: 1 all parallel, 0 isotropic
    Vec director{};             ///< its direction
};

/// Of the particles whose origin lies in the region.
OrientationOrder orientation_order(const Frame& frame, const Region& region = everywhere);

}  // namespace scree::analyse
