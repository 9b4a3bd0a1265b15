// The straight line through points by least squares, with the standard errors of its coefficients:
// drifts of time series and slopes of free surfaces.
#pragma once

#include <cstddef>
#include <span>

namespace scree::analyse {

/// y ≈ intercept + slope x. Without two different abscissae all but `points` are NaN; with just two
/// points the errors are NaN.
struct LinearFit {
    std::size_t points = 0;             ///< that took part
    double slope, slope_error;          ///< and its standard error
    double intercept, intercept_error;  ///< at x = 0
    double scatter;                     ///< standard deviation of y about the line

    /// The line at x.
    [[nodiscard]] double operator()(double x) const { return intercept + slope * x; }
};

/// Points with a coordinate that is not finite are left out.
LinearFit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace scree::analyse
