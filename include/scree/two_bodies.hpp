// A contact between two rigid bodies, and the contact problem it poses.
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
    Quat<double> orientation{1, 0, 0, 0};
    Vec3<double> position{0, 0, 0};          ///< centre of mass [m]
    Vec3<double> velocity{0, 0, 0};          ///< [m/s]
    Vec3<double> angular_velocity{0, 0, 0};  ///< [rad/s]
    Vec3<double> impulse{0, 0, 0};           ///< external, acting at the same instant [N s]
    Vec3<double> angular_impulse{0, 0, 0};   ///< [N m s]
    Vec3<double> force{0, 0, 0};             ///< external, without gravity [N]
    Vec3<double> torque{0, 0, 0};            ///< [N m]
};

/// The contact frame. [n t o] need not be right-handed.
struct ContactFrame {
    Vec3<double> point{0, 0, 0};  ///< [m]
    Vec3<double> n{0, 0, 1}, t{1, 0, 0}, o{0, 1, 0};
    double gap = 0;  ///< signed distance [m]; > 0 is an open contact
};

/// n normalised; t the given tangent made orthonormal to n, or any if none is given; o = n × t.
/// Throws Error if n is zero or the tangent parallel to it.
ContactFrame orthonormal_frame(const Vec3<double>& point, const Vec3<double>& n,
                               const std::optional<Vec3<double>>& tangent = std::nullopt);

/// Two bodies in contact; reactions act positively on the first.
struct TwoBodies {
    BodyState first, second;
    ContactFrame frame;
    double mu = 0;
    double restitution = 0;
    Vec3<double> gravity{0, 0, 0};  ///< [m/s²]
};

/// A and b of the contact, β = (1 + e) b_n. Throws Error if masses or moments are not positive, a
/// value is not finite where it must be, or no impulse can change the relative velocity.
ContactProblem<double> contact_problem(const TwoBodies& bodies);

/// The bodies after the contact impulse x and the external impulses.
TwoBodies after_impulse(const TwoBodies& bodies, const ContactVector<double>& x);

/// Whether a finite contact force can keep a closed contact from closing further once all impulses
/// have acted: the contact point is fixed to the first body and the normal to the second.
struct Reaction {
    enum class Slip { separating, sticking, sliding } slip;  ///< of the state it is asked for
    bool exists;
    ContactVector<double> force;  ///< λ [N], the one of least energy if there are several
};
Reaction non_impulsive_reaction(const TwoBodies& bodies);

}  // namespace scree
