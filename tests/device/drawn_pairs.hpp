// Pairs of bodies drawn at random, as the narrow phase of a step gets them: for comparing what the
// host and a device find.
#pragma once

#include "state/model.hpp"
#include "state/pairs.hpp"

#include <string>
#include <vector>

namespace scree::test {

/// Two kinds of shapes of the table of docs/shapes.md.
struct TwoKinds {
    ShapeKind a, b;
};
std::vector<TwoKinds> all_two_kinds();
std::string name_of(const TwoKinds& kinds);

struct DrawnPairs {
    state::Model model;
    state::Bodies bodies;
    state::PairList list;
    double spare = 1e-3;  ///< speed [m/s]
};

/// `each` pairs of each two kinds, no body in two of them: of all aspect ratios and poses that the
/// full draw of shapes has, each with a reach of its own.
DrawnPairs draw_pairs(const std::vector<TwoKinds>& kinds, std::size_t each);

}  // namespace scree::test
