// The fit declared in line_fit.hpp, about the points' centre, where nothing cancels.
#include "scree/analyse/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::analyse {

LinearFit fit_line(std::span<const double> x, std::span<const double> y)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    LinearFit fit{0, nan, nan, nan, nan, nan};
    const std::size_t size = std::min(x.size(), y.size());
    const auto usable = [&](std::size_t i) { return std::isfinite(x[i]) && std::isfinite(y[i]); };
    double mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (usable(i)) {
            ++fit.points;
            mean_x += (x[i] - mean_x) / static_cast<double>(fit.points);
            mean_y += (y[i] - mean_y) / static_cast<double>(fit.points);
        }
    }
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (usable(i)) {
            xx += (x[i] - mean_x) * (x[i] - mean_x);
            xy += (x[i] - mean_x) * (y[i] - mean_y);
        }
    }
    if (!(xx > 0)) {
        return fit;
    }
    fit.slope = xy / xx;
    fit.intercept = mean_y - fit.slope * mean_x;
    if (fit.points < 3) {
        return fit;
    }
    double rest = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (usable(i)) {
            const double d = y[i] - mean_y - fit.slope * (x[i] - mean_x);
            rest += d * d;
        }
    }
    const auto n = static_cast<double>(fit.points);
    fit.scatter = std::sqrt(rest / (n - 2));
    fit.slope_error = fit.scatter / std::sqrt(xx);
    fit.intercept_error = fit.scatter * std::sqrt(1 / n + mean_x * mean_x / xx);
    return fit;
}

}  // namespace scree::analyse
