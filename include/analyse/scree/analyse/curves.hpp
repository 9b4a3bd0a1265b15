// Curves over a common axis as a picture: lines, points or histogram bars, each with a label in the
// legend, bands for errors, reference lines, and linear or logarithmic axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace scree::analyse {

/// How a curve is drawn.
enum class CurveStyle { line, points, bars };

/// A curve of a picture.
struct Curve {
    std::string label;             ///< empty: not in the legend
    std::vector<double> x{}, y{};  ///< NaN lifts the pen
    std::vector<double> error{};   ///< empty, or half the width of a band about a line (of points'
                                   ///< bars)
    CurveStyle style = CurveStyle::line;  ///< how it is drawn
    std::string dash{};                   ///< of a line, as in SVG, e.g. "6 4"
    std::string colour{};                 ///< empty: the next one of a palette
};

/// A straight line across the whole picture at one value.
struct Reference {
    double value;           ///< on the y axis, or on the x axis if vertical
    std::string label{};    ///< in the legend; may be empty
    bool vertical = false;  ///< stands at an x
};

/// Curves over a common axis.
struct CurvePicture {
    std::string title{};                             ///< may be empty
    std::string x_name, x_unit{}, y_name, y_unit{};  ///< of the axes; units may be empty
    std::vector<Curve> curves{};                     ///< in the order of the legend
    std::vector<Reference> references{};             ///< drawn over all
    bool log_x = false, log_y = false;               ///< values that are not positive are left out
    std::optional<double> x_low{}, x_high{}, y_low{}, y_high{};  ///< else all that there is
};

/// The whole SVG document. Throws Error if a curve's columns are of different lengths.
std::string curves_svg(const CurvePicture& picture);

}  // namespace scree::analyse
