// The two pictures that explain one frictional contact, side by side in one SVG: the plane of
// maximum compression with the energy's contour lines, the friction cone's conic and all solutions,
// and the energy along that conic over the angle, whose least value is the maximum dissipation.
#pragma once

#include <string>
#include <vector>

#include "scree/types.hpp"

namespace scree::analyse {

struct ContactPicture {
    std::string title;
    ContactProblem<double> problem;
    ContactVector<double> max_dissipation;
    std::vector<ContactVector<double>> coulomb;  ///< all solutions, numbered in this order
};

/// The whole SVG document. Input that is no valid contact problem gives a picture that says so.
std::string contact_plot_svg(const ContactPicture& picture);

}  // namespace scree::analyse
