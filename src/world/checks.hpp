// What users may get wrong, said before anything is changed. Every function throws Error with all
// that is wrong.
#pragma once

#include "scree/body.hpp"
#include "scree/settings.hpp"
#include "state/model.hpp"

#include <string_view>

namespace scree::world {

void check(const Settings& settings);
void check(const ContactMaterial& surface, MaterialId first, MaterialId second,
           std::size_t materials);
void check(const Body& body, const state::Model& model);
/// A body that is not prescribed must not move along or turn about what is infinitely inert.
void check_velocity(const Vec3<double>& velocity, const Vec3<double>& angular_velocity,
                    const Quat<double>& orientation, const state::Prototype& kind);
/// A body must be small enough for a periodic box: it may not meet another body twice.
void check_fits(const state::Prototype& kind, const Vec3<double>& period);
void check_finite(const Vec3<double>& value, std::string_view name);
/// The unit quaternion, if it is one within 1e-6.
Quat<double> checked_orientation(const Quat<double>& q);

}  // namespace scree::world
