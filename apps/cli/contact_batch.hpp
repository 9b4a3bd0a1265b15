// Many contact problems in a CSV file, solved into another.
#pragma once

#include "scree/contact.hpp"

#include <string>

namespace scree::cli {

struct BatchSummary {
    BatchReport report;
    std::size_t rows = 0;
    std::size_t worst_line = 0;  ///< of the input file
    double seconds = 0;
};

/// Reads columns by header name, solves every row and writes `output` whole or not at all. Throws
/// scree::Error that names the lines of malformed rows.
BatchSummary solve_csv(const std::string& input, const std::string& output, Law law);

}  // namespace scree::cli
