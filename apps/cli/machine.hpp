// The machine a result was made on.
#pragma once

#include <string>

namespace scree::cli {

/// The processor's name.
std::string processor();
/// UTC, as 2026-01-31T12:00:00Z.
std::string timestamp();

}  // namespace scree::cli
