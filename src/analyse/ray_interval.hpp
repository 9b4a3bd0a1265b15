// Where lines run inside of shapes, by the names that the files of this room know.
#pragma once

#include "scree/analyse/region.hpp"
#include "shapes/ray_interval.hpp"

namespace scree::analyse {

using shapes::chord;
using shapes::common;
using shapes::in_ball;
using shapes::in_slab;
using shapes::Interval;
using shapes::joined;
using shapes::no_part;
using shapes::outward_normal;
using shapes::whole_line;

}  // namespace scree::analyse
