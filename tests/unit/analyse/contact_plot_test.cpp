// Pictures are well-formed and free of NaN for every class of problem.
#include "scree/analyse/contact_plot.hpp"

#include "scree/contact.hpp"
#include "support/batch_data.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(ContactPlot, EveryKindOfProblemGivesACleanPicture)
{
    const auto problems = test::mixed_problems<double>(600, 17);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const ContactProblem<double> c = problems.row(i);
        analyse::ContactPicture picture{"a < b & \"c\"", c, solve_contact(c).x, {}};
        for (const ContactSolution& s : coulomb_solutions(c).points) {
            picture.coulomb.push_back(s.x);
        }
        const std::string svg = analyse::contact_plot_svg(picture);
        EXPECT_EQ(svg.find("nan"), std::string::npos) << i;
        EXPECT_EQ(svg.find("=\"inf"), std::string::npos) << i;
        EXPECT_EQ(svg.find("a < b"), std::string::npos) << i;
        EXPECT_NE(svg.find("a &lt; b &amp;"), std::string::npos) << i;
        EXPECT_TRUE(svg.starts_with("<svg") || svg.starts_with("<?xml")) << i;
        EXPECT_NE(svg.find("</svg>"), std::string::npos) << i;
    }
}

}  // namespace
}  // namespace scree
