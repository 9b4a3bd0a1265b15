// The free surface of a heap: height over a horizontal axis or over the distance from a vertical
// one, and its slope between two places. Angles of repose, run-outs of collapsed columns and
// dynamic angles of drums come from it.
#pragma once

#include "scree/analyse/line_fit.hpp"
#include "scree/analyse/region.hpp"
#include "scree/analyse/series.hpp"

#include <vector>

namespace scree::analyse {

/// Which surface is looked for, and along which axis.
struct SurfaceOptions {
    double from = 0, to = 1;  ///< positions that bins cover [m]
    int bins = 50;            ///< of equal width, ≥ 1
    int up = 2;               ///< vertical axis: 0, 1, 2 for x, y, z
    int axis = 0;             ///< horizontal axis of positions; unused if radial
    bool radial = false;      ///< positions are distances from the vertical line through `centre`
    Vec centre{0, 0, 0};      ///< where positions are counted from, a drum's axis say [m]
    /// Bins are divided across into this many strips of the region, or sectors of the circle; the
    /// height is then the mean of the strips' heights, which a few stray particles disturb less.
    int strips = 1;
    Region region = everywhere;  ///< takes part whose origin lies in it; bounded across if strips
};

/// Height over position, bin by bin.
struct SurfaceProfile {
    std::vector<double> position;   ///< middles of bins, relative to the centre [m]
    std::vector<double> height;     ///< of the highest particle's top; NaN where there is none [m]
    std::vector<double> deviation;  ///< standard deviation of strips; NaN with fewer than two [m]

    /// For a CSV file.
    [[nodiscard]] Series table() const;
};

/// A particle belongs to the bin and strip of its origin. Throws Error for options that make no
/// sense.
SurfaceProfile surface_profile(const Frame& frame, const SurfaceOptions& options);

/// The slope of a surface.
struct SurfaceSlope {
    LinearFit line;      ///< height over position
    double angle;        ///< arctan of the slope; positive where the surface rises [rad]
    double angle_error;  ///< standard error [rad]
};

/// The straight line through the heights of bins whose middle lies between two positions.
SurfaceSlope surface_slope(const SurfaceProfile& profile, double from, double to);

/// The run-out: the last position at which the surface is at least so high, between bins by linear
/// interpolation; NaN if it never is [m].
double surface_front(const SurfaceProfile& profile, double least_height);

}  // namespace scree::analyse
