// What several commands do with files, beside writing them (io/atomic_file.hpp).
#pragma once

#include <string>

namespace scree::cli {

/// Throws scree::Error if the file cannot be read, is a directory or does not exist.
void require_readable(const std::string& path);

/// Turns an SVG into a PNG. False if the converter is missing or failed.
bool convert_svg(const std::string& svg, const std::string& png);

}  // namespace scree::cli
