// The quantities of one frictional contact, in the contact frame (n, t, o): n points from the
// second body towards the first, t and o span the tangential plane. Every struct is a plain
// aggregate templated on the scalar: double, float, or a pack of either with one contact per lane.
#pragma once

#include <string_view>

namespace scree {

/// A vector in the contact frame: impulse [N s] or velocity [m/s].
template <class T> struct ContactVector {
    T n, t, o;  ///< components along normal and tangents
};

/// The symmetric positive definite 3×3 block A that maps a contact's impulse to the change of its
/// relative velocity [1/kg].
template <class T> struct DelassusBlock {
    T nn, nt, no, tt, to, oo;  ///< components [1/kg]
};

/// One contact: minimise ½xᵀAx − xᵀb over the friction cone |x_to| ≤ μ x_n cut by the plane of
/// maximum compression a_n·x = β. The relative velocity afterwards is A x − b.
template <class T> struct ContactProblem {
    DelassusBlock<T> A;  ///< [1/kg], symmetric positive definite
    ContactVector<T> b;  ///< negated relative velocity without this contact's impulse [m/s]
    T beta;              ///< offset of the plane [m/s]; b.n for an inelastic closed contact
    T mu;                ///< friction coefficient, ≥ 0
};

/// What an impulse leaves behind. The numerical values are what kernels return per lane.
enum class ContactState : signed char {
    invalid = -1,    ///< the input was not finite, A not positive definite or μ negative; x = 0
    separating = 0,  ///< β < 0: the contact opens by itself; x = 0
    /// x inside the friction cone: no slip if β = b.n, see docs/theory.md (M1) if not
    sticking = 1,
    sliding = 2  ///< x on the friction cone (x = 0 at its apex when β = 0)
};

/// "invalid", "separating", "sticking" or "sliding"
constexpr std::string_view name_of(ContactState state)
{
    switch (state) {
    case ContactState::separating: return "separating";
    case ContactState::sticking: return "sticking";
    case ContactState::sliding: return "sliding";
    default: return "invalid";
    }
}

/// The proof that goes with an impulse (docs/theory.md, "Certificate"). Residuals are relative, of
/// the order of the rounding error for a solution.
template <class T> struct Certificate {
    ContactVector<T> velocity;  ///< relative velocity afterwards, A x − b [m/s]
    T energy;                   ///< change of kinetic energy ½xᵀAx − xᵀb [J]
    T cone;                     ///< how far |x_to| exceeds μ x_n, relative
    T plane;                    ///< distance from the plane of maximum compression, relative
    T stationarity;             ///< reduced gradient left over beside −ν N, relative
    T multiplier;               ///< ν ≥ 0 of the friction cone [m/s]
    T gap;                      ///< upper bound of the energy that could still be dissipated [J]
    T slip_error;               ///< Coulomb: how far friction is from opposing the slip, relative
};

}  // namespace scree
