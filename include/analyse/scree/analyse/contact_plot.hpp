// The two pictures that explain one frictional contact, side by side in one SVG: the plane of
// maximum compression with the energy's contour lines, the friction cone's conic and all solutions,
// and the energy along that conic over the angle, whose least value is the maximum dissipation.
#pragma once

#include <string>
#include <vector>

#include "scree/types.hpp"

namespace scree::analyse {

/// What the picture of a contact shows.
struct ContactPicture {
    std::string title;                           ///< above the picture; may be empty
    ContactProblem<double> problem;              ///< the contact problem
    ContactVector<double> max_dissipation;       ///< its solution [N s]
    std::vector<ContactVector<double>> coulomb;  ///< all solutions, numbered in this order
};

/// The whole SVG document. Input that is no valid contact problem gives a picture that says so.
std::string contact_plot_svg(const ContactPicture& picture);

}  // namespace scree::analyse
