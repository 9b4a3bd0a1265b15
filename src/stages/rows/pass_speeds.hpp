// What velocities of a pass are compared with.
#pragma once

#include "math/lane.hpp"

namespace scree::rows {

struct PassSpeeds {
    double of_contacts[2];  ///< the largest of all contacts: depth, relative speed squared
    double pushed;          ///< the largest change of a velocity by forces

    [[nodiscard]] SCREE_HD double max_depth() const { return of_contacts[0]; }
    [[nodiscard]] SCREE_HD double relative_speed() const { return math::sqrt(of_contacts[1]); }
    /// The larger of a relative speed and a change by forces.
    [[nodiscard]] SCREE_HD static double larger(double relative, double pushed)
    {
        return relative > pushed ? relative : pushed;
    }
    /// Where nothing moves, velocities are compared with 1 m/s.
    [[nodiscard]] SCREE_HD static double scale_of(double fastest)
    {
        return fastest > 0 ? fastest : 1;
    }
    [[nodiscard]] SCREE_HD double fastest() const { return larger(relative_speed(), pushed); }
    [[nodiscard]] SCREE_HD double scale() const { return scale_of(fastest()); }
};

}  // namespace scree::rows
