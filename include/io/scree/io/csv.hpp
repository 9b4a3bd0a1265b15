// Frames as text with commas: a header with units, then one row per body, by id. Numbers have as
// many digits as it takes to read back the same double. docs/results.md lists the columns.
#pragma once

#include "scree/world.hpp"

#include <string>

namespace scree::io {

/// The first line.
std::string csv_header();

/// The rows of one frame; those of several may follow each other.
std::string csv_rows(const Frame& frame);

}  // namespace scree::io
