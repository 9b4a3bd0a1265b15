// What a contact's gap is compared with, and what follows from it: whether bodies touch, penetrate
// each other or do so too deep, and how far a step is to close or open the contact. Rows of all
// kinds, packs, devices and frames ask here.
#pragma once

#include "math/vec.hpp"
#include "scree/settings.hpp"

namespace scree::rows {

/// Touching: within this part of the radius that the gap is relative to.
inline constexpr double touching_gap = 2e-5;

/// The radius that a contact's gap is relative to: the bounding radius of the smaller body. Walls
/// have none, which bodies.ball says by 0.
template <class T> SCREE_HD T radius_of_gap(const T& radius_a, const T& radius_b)
{
    using namespace math;
    return select(radius_b > T(0), smaller(radius_a, radius_b), radius_a);
}

template <class T> SCREE_HD math::mask_of<T> is_touching(const T& gap, const T& radius)
{
    return gap <= math::constant<T>(touching_gap) * radius;
}

/// What reports count of a contact.
template <class T> struct GapState {
    math::mask_of<T> touching, penetrating, deep;
    T depth;  ///< of penetration, 0 if there is none
};
/// `deep`: Settings::deep_penetration.
template <class T> SCREE_HD GapState<T> state_of_gap(const T& gap, const T& radius, const T& deep)
{
    const T depth = math::larger(math::minus(gap), T(0));
    return {is_touching(gap, radius), gap<T(0), depth> deep * radius, depth};
}

/// What rows need to know of the step.
template <class T> struct StepConstants {
    T time_step, error_reduction, correction_limit, slack, threshold, deep;
    Vec3<T> gravity;
};

SCREE_HD StepConstants<double> constants_of(const Settings& s)
{
    return {s.time_step, s.error_reduction,       s.correction_limit,
            s.slack,     s.restitution_threshold, s.deep_penetration,
            s.gravity};
}

/// The gap term. g = ε min(0, ξ/δt) + max(0, ξ/δt), where ξ is by how much the gap exceeds the
/// slack, or the penetration does, and not below a part of the radius. A contact may bounce in the
/// step in which it would close; its penetration is then not corrected.
template <class T>
SCREE_HD T gap_term(const StepConstants<T>& s, const T& whole_gap, const T& radius,
                    const T& restitution, const T& approach, const T& fall,
                    math::mask_of<T>& bounces)
{
    using namespace math;
    const T slack = s.slack * radius;
    const T gap = larger(T(0), whole_gap - slack) + smaller(T(0), whole_gap + slack);
    bounces = restitution > T(0) && minus(approach) > s.threshold &&
              gap + s.time_step * (approach + fall) <= T(0);
    const T rate = larger(gap, minus(s.correction_limit * radius)) / s.time_step;
    const T open = larger(T(0), rate);
    return select(bounces, open, s.error_reduction * smaller(T(0), rate) + open);
}

}  // namespace scree::rows
