// Numbers of a world by their names, each list in one place, for reading and for writing.
#pragma once

#include "scree/report.hpp"
#include "scree/settings.hpp"

namespace scree::world {

/// f(name, member) for every setting that is always saved: slack is where it is not zero.
template <class S, class F> void for_each_setting(S& s, F&& f)
{
    f("settings/time_step", s.time_step);
    f("settings/gravity", s.gravity);
    f("settings/law", s.law);
    f("settings/gap_form", s.gap_form);
    f("settings/error_reduction", s.error_reduction);
    f("settings/correction_limit", s.correction_limit);
    f("settings/restitution_threshold", s.restitution_threshold);
    f("settings/rotation", s.rotation);
    f("settings/sweeps", s.sweeps);
    f("settings/tolerance", s.tolerance);
    f("settings/relaxation", s.relaxation);
    f("settings/warm_start", s.warm_start);
    f("settings/accelerate", s.accelerate);
    f("settings/contacts_per_copy", s.contacts_per_copy);
    f("settings/region_pairs", s.region_pairs);
    f("settings/skin", s.skin);
    f("settings/threads", s.threads);
    f("settings/deep_penetration", s.deep_penetration);
    f("settings/energy_tolerance", s.energy_tolerance);
    f("settings/period", s.period);
    f("settings/origin", s.origin);
}

/// f(name, member) for every term of the ledger that is kept from step to step.
template <class E, class F> void for_each_total(E& e, F&& f)
{
    f("energy/kinetic", e.kinetic);
    f("energy/potential", e.potential);
    f("energy/inserted", e.inserted);
    f("energy/removed", e.removed);
    f("energy/gravity_work", e.gravity_work);
    f("energy/force_work", e.force_work);
    f("energy/wall_work", e.wall_work);
    f("energy/normal_work", e.normal_work);
    f("energy/friction_work", e.friction_work);
    f("energy/gyroscopic_work", e.gyroscopic_work);
    f("energy/fall_error", e.gravity_error);
    f("energy/rotation_error", e.rotation_error);
    f("energy/wrap", e.periodic_wrap);
    f("energy/correction_work", e.correction_work);
    f("energy/gap_work", e.gap_work);
    f("energy/restitution_work", e.restitution_work);
}

}  // namespace scree::world
