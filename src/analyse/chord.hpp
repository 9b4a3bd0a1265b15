// Where lines run inside of shapes, by the names that the files of this room know.
#pragma once

#include "collide/chord.hpp"
#include "scree/analyse/region.hpp"

namespace scree::analyse {

using collide::chord;
using collide::common;
using collide::in_ball;
using collide::in_slab;
using collide::Interval;
using collide::joined;
using collide::no_part;
using collide::outward_normal;
using collide::whole_line;

}  // namespace scree::analyse
