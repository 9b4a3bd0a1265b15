// A contact between two rigid bodies, and the contact problem it poses.
//
//   scree::TwoBodies pair;                       // the second body is immovable by default
//   pair.first.mass = 0.2;                       // a sphere of radius 5 cm, spinning
//   pair.first.moments = {2e-4, 2e-4, 2e-4};
//   pair.first.position = {0, 0, 0.05};
//   pair.first.velocity = {1, 0, -2};
//   pair.first.angular_velocity = {0, 10, 0};
//   pair.frame = scree::orthonormal_frame({0, 0, 0}, {0, 0, 1});
//   pair.mu = 0.3;
//   const auto x = scree::solve_contact(scree::contact_problem(pair)).x;
//   const scree::TwoBodies after = scree::after_impulse(pair, x);
#pragma once

#include "scree/contact.hpp"
#include "scree/space.hpp"

#include <limits>
#include <optional>

namespace scree {

/// A rigid body as a contact sees it. SI units, world frame unless said otherwise. Masses and
/// moments may be infinite (std::numeric_limits<double>::infinity()).
struct BodyState {
    double mass = std::numeric_limits<double>::infinity();  ///< [kg], > 0
    Vec3<double> moments{
        std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::infinity()};  ///< principal, body frame [kg m²]
    Quat<double> orientation{1, 0, 0, 0};          ///< of length 1 within 1e-6
    Vec3<double> position{0, 0, 0};                ///< centre of mass [m]
    Vec3<double> velocity{0, 0, 0};                ///< [m/s]
    Vec3<double> angular_velocity{0, 0, 0};        ///< [rad/s]
    Vec3<double> impulse{0, 0, 0};                 ///< external, acting at the same instant [N s]
    Vec3<double> angular_impulse{0, 0, 0};         ///< [N m s]
    Vec3<double> force{0, 0, 0};                   ///< external, without gravity [N]
    Vec3<double> torque{0, 0, 0};                  ///< [N m]
};

/// The contact frame. [n t o] need not be right-handed, and is taken as it is: `orthonormal_frame`
/// makes unit vectors of it.
struct ContactFrame {
    Vec3<double> point{0, 0, 0};  ///< [m]
    /// The normal, from the second body to the first, and two tangents.
    Vec3<double> n{0, 0, 1}, t{1, 0, 0}, o{0, 1, 0};
    /// Signed distance [m]; with gap > 0 no impulse acts, whatever `contact_problem` says.
    double gap = 0;
};

/// n normalised; t the given tangent made orthonormal to n, or any if none is given; o = n × t.
/// Throws Error if n is zero or the tangent parallel to it.
ContactFrame orthonormal_frame(const Vec3<double>& point, const Vec3<double>& n,
                               const std::optional<Vec3<double>>& tangent = std::nullopt);

/// Two bodies in contact; reactions act positively on the first.
struct TwoBodies {
    BodyState first, second;        ///< the bodies; the first takes +x, the second −x
    ContactFrame frame;             ///< where and how they touch
    double mu = 0;                  ///< friction coefficient, ≥ 0
    double restitution = 0;         ///< Newton's coefficient e, 0 … 1
    Vec3<double> gravity{0, 0, 0};  ///< [m/s²]
};

/// A and b of the closed contact, external impulses included in b, and β = (1 + e) b_n. Throws
/// Error with everything that is wrong: masses, moments, values that are not finite, μ, e, or
/// bodies that no impulse can move.
ContactProblem<double> contact_problem(const TwoBodies& bodies);

/// The bodies after the contact impulse x and the external impulses, which are then zero.
TwoBodies after_impulse(const TwoBodies& bodies, const ContactVector<double>& x);

/// Whether a finite contact force can keep a closed contact from closing further once all impulses
/// have acted: the contact point is fixed to the first body and the normal to the second.
struct Reaction {
    /// Whether the contact opens, sticks or slides.
    enum class Slip { separating, sticking, sliding };
    Slip slip;    ///< of the state it is asked for
    bool exists;  ///< such a force exists
    /// λ [N], the one of least energy if there are several; without meaning if none exists.
    ContactVector<double> force;
};
/// Finds the reaction of least energy.
Reaction non_impulsive_reaction(const TwoBodies& bodies);

}  // namespace scree
