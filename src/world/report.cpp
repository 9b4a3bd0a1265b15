// Names and advice of what a report holds, and orientations that people ask for.
#include "scree/report.hpp"

#include "math/rigid.hpp"
#include "scree/body.hpp"
#include "scree/error.hpp"

namespace scree {

std::string_view name_of(Stage stage)
{
    constexpr std::string_view names[stage_count] = {
        "broad_phase",        "narrow_phase", "contact_setup",
        "integrate_velocity", "relax",        "integrate_pose",
        "store_impulses",     "account",      "observe"};
    return names[static_cast<std::size_t>(stage)];
}

std::string_view name_of(Condition condition)
{
    constexpr std::string_view names[condition_count] = {"unconverged",    "deep_penetration",
                                                         "missed_contact", "degenerate",
                                                         "not_finite",     "energy_unbalanced"};
    return names[static_cast<std::size_t>(condition)];
}

std::string_view advice(Condition condition)
{
    switch (condition) {
    case Condition::unconverged: return "raise sweeps or tolerance, or lower time_step";
    case Condition::deep_penetration:
        return "lower time_step, raise sweeps, or start without overlaps";
    case Condition::missed_contact: return "lower time_step: bodies are too fast for their size";
    case Condition::degenerate:
        return "check masses and moments: they are too far apart for doubles";
    case Condition::not_finite: return "lower time_step; look at the bodies named";
    default: return "lower time_step; if that does not help, report it as a defect";
    }
}

namespace {

/// The shortest rotation that takes the unit vector `from` to the direction `to`.
Quat<double> rotation_between(const Vec3<double>& from, const Vec3<double>& to)
{
    if (!(dot(to, to) > 0) || !(dot(to, to) < 1e300)) {
        throw Error("a direction must be finite and not zero");
    }
    const Vec3<double> u = direction_of(to);
    const double c = dot(from, u);
    if (c < -1 + 1e-15) {
        // Half a turn about any axis across.
        return from.x == 0 ? Quat<double>{0, 1, 0, 0} : Quat<double>{0, 0, 0, 1};
    }
    const Vec3<double> axis = cross(from, u);
    const Quat<double> q{1 + c, axis.x, axis.y, axis.z};
    const double s = 1 / norm(q);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

}  // namespace

Quat<double> orientation_of_z(const Vec3<double>& direction)
{
    return rotation_between({0, 0, 1}, direction);
}
Quat<double> orientation_of_x(const Vec3<double>& direction)
{
    return rotation_between({1, 0, 0}, direction);
}

}  // namespace scree
