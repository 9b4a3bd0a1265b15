// How a world is stepped: everything that is chosen once and stays.
#pragma once

#include "scree/law.hpp"
#include "scree/space.hpp"

#include <cstdint>

namespace scree {

/// What the gap term ξ/δt does to a contact's problem (docs/theory.md, "The time step").
enum class GapForm : std::uint8_t {
    /// It shifts plane and objective alike: sticking means no slip. The default.
    shifted,
    /// It shifts the plane of maximum compression alone, the paper's letter: penetrating contacts
    /// of bodies that are not spheres creep.
    plane_only
};

/// How orientations and angular velocities advance. Spheres do not care.
enum class Rotation : std::uint8_t {
    /// Carries angular momentum over the step, which free rotation then keeps to round-off, and
    /// turns the body by the angular velocity of the middle of the step: second order. The default.
    momentum,
    /// The paper's semi-implicit Euler with the gyroscopic term: first order, and unstable for long
    /// bodies that turn by more than about a radian per step.
    semi_implicit_euler
};

/// Numbers of the contacts of spheres on a GPU. The host's threads have doubles alone.
enum class Precision : std::uint8_t {
    full,  ///< doubles
    /// Velocities and impulses are floats while contacts are relaxed; positions, sums and all else
    /// are doubles.
    mixed
};

/// How a world is stepped. Lengths "in bounding radii" are relative to the smaller body of a
/// contact.
struct Settings {
    double time_step = 1e-4;              ///< δt > 0 [s]
    Vec3<double> gravity{0, 0, -9.81};    ///< [m/s²]
    Law law = Law::max_dissipation;       ///< of every contact
    GapForm gap_form = GapForm::shifted;  ///< of penetrating and open contacts
    double error_reduction = 0.2;  ///< ε: the part of a penetration removed per step, 0 … 1
    /// Deeper penetrations, in bounding radii of the smaller body, are corrected as if they were
    /// this deep: bodies that start inside each other come apart without a bang.
    double correction_limit = 0.2;
    /// Gaps and penetrations up to this, in bounding radii of the smaller body, count as none,
    /// 0 … 2e-5: what touches at many points comes to rest where rounding would not let it.
    double slack = 0;
    double restitution_threshold = 0.01;     ///< slower approaches do not bounce, ≥ 0 [m/s]
    Rotation rotation = Rotation::momentum;  ///< of bodies that are not spheres

    int sweeps = 100;         ///< at most, ≥ 1
    double tolerance = 1e-4;  ///< relative residual to stop at; 0: always all sweeps
    double relaxation = 1;    ///< part of each block's change that is applied, (0, 1]
    double warm_start = 1;    ///< part of the last step's impulses to start from, 0 … 1
    bool accelerate = true;   ///< Anderson acceleration when sweeps stall
    /// A body with more neighbours than this is split into copies that share its contacts, 1 … 32.
    /// With 1 every contact sees the velocities of the sweep before: weighted block Jacobi.
    int contacts_per_copy = 32;

    /// Contacts are swept region by region, so that a region's bodies stay in the cache: this many
    /// listed pairs, 0 for all at once. Worlds of more than one region are swept in four to sixteen
    /// parts, and contacts between parts last, so that threads need not wait for each other.
    /// Results depend on it.
    int region_pairs = 32768;

    double skin = 0.04;  ///< of neighbour lists, in bounding radii, ≥ 0
    /// That step the world. 0: the cores that the process may use at most, fewer where measuring
    /// shows that fewer are quicker. Results do not depend on it.
    int threads = 0;
    /// −1: the host's threads step the world; 0, 1, …: that GPU does (scree/device.hpp). A GPU
    /// sweeps all contacts at once, as the host does with region_pairs = 0, and then to the same
    /// bits.
    int gpu = -1;
    Precision precision = Precision::full;  ///< of a GPU's sweeps; mixed needs one
    /// Deeper penetrations, in bounding radii of the smaller body, are reported as a condition.
    double deep_penetration = 0.05;
    /// A step whose energy balance misses by more than this part of the energies that took part is
    /// reported as a condition.
    double energy_tolerance = 1e-9;

    Vec3<double> period{0, 0, 0};  ///< lengths of periodic axes, 0: not periodic [m]
    Vec3<double> origin{0, 0, 0};  ///< lower corner of the periodic box [m]
};

}  // namespace scree
