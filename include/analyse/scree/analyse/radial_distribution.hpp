// The radial distribution function g(r) of the particles in a box: how many others a particle has
// at a distance r, relative to particles strewn at random with the same density. Once as in the
// paper, where shells that reach out of the box are counted as if they were whole, so that g falls
// below 1 with growing r; and once corrected for that, where an ideal gas gives 1.
//
// The correction weighs each pair with the inverse of the volume in which its first particle can
// lie while both are in the box, ∏(L_i − |d_i|) (the translation correction). It uses all pairs,
// while centres from an inner box would waste most particles of a box that is a few r wide, and it
// is unbiased for any homogeneous structure, while shells' fractions inside the box ask for an
// isotropic one.
#pragma once

#include "scree/analyse/region.hpp"
#include "scree/analyse/series.hpp"

#include <vector>

namespace scree::analyse {

/// How far and how finely distances are counted.
struct RadialOptions {
    double r_max = 5;     ///< in mean diameters
    int bins = 250;       ///< of equal width from 0 to r_max
    double diameter = 0;  ///< the unit of r [m]; 0: the particles' mean diameter
};

/// The radial distribution function g(r), bin by bin.
struct RadialDistribution {
    std::size_t particles = 0;  ///< in the region
    double diameter = 0;        ///< the unit of r: mean over spheres of the particles' volumes [m]
    double density = 0;         ///< particles over the region's volume [1/m³]
    // One value per bin.
    std::vector<double> r;          ///< the bin's middle, in diameters
    std::vector<double> paper;      ///< g as in the paper
    std::vector<double> corrected;  ///< g corrected for the box's border; NaN beyond its least edge
    std::vector<double> error;      ///< of the corrected g, by the number of pairs: g/√pairs
    std::vector<double> neighbours;  ///< mean number of others up to the bin's end, corrected

    /// For a CSV file.
    [[nodiscard]] Series table() const;
};

/// Of the dynamic bodies with origins in a bounded region, which should hold no obstacle. Takes
/// time in proportion to the number of pairs. Throws Error for options that make no sense.
RadialDistribution radial_distribution(const Frame& frame, const Region& region,
                                       const RadialOptions& options = {});

}  // namespace scree::analyse
