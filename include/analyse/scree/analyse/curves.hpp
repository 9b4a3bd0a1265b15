// Curves over a common axis as a picture: lines, points or histogram bars, each with a label in the
// legend, bands for errors, reference lines, and linear or logarithmic axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace scree::analyse {

enum class CurveStyle { line, points, bars };

struct Curve {
    std::string label;             ///< empty: not in the legend
    std::vector<double> x{}, y{};  ///< NaN lifts the pen
    std::vector<double> error{};   ///< empty, or half the width of a band about a line (of points'
                                   ///< bars)
    CurveStyle style = CurveStyle::line;
    std::string dash{};    ///< of a line, as in SVG, e.g. "6 4"
    std::string colour{};  ///< empty: the next one of a palette
};

/// A straight line across the whole picture at one value.
struct Reference {
    double value;
    std::string label{};
    bool vertical = false;
};

struct CurvePicture {
    std::string title{};  ///< may be empty
    std::string x_name, x_unit{}, y_name, y_unit{};
    std::vector<Curve> curves{};
    std::vector<Reference> references{};
    bool log_x = false, log_y = false;  ///< values that are not positive are left out
    std::optional<double> x_low{}, x_high{}, y_low{}, y_high{};  ///< else all that there is
};

/// The whole SVG document. Throws Error if a curve's columns are of different lengths.
std::string curves_svg(const CurvePicture& picture);

}  // namespace scree::analyse
