// Physical values in files: a plain number is SI, a text is a number with a unit ("0.47 mm") that
// is checked for its dimension.
#pragma once

#include <string>
#include <string_view>

namespace scree::scene {

/// The value of `text` in `unit` (for instance "m/s"; "1" for a pure number). Accepts "inf". Throws
/// scree::Error that says what is wrong: no number, unknown unit, wrong dimension.
double quantity(std::string_view text, const std::string& unit);

}  // namespace scree::scene
