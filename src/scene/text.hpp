// Text that people write: files as a whole, and words that are misspelt.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace scree::scene {

/// The content of a file. Throws scree::Error if it cannot be read.
std::string read_text(const std::string& file);

/// The candidate closest to the word, or nothing if none is close.
std::optional<std::string> nearest(const std::string& word,
                                   const std::set<std::string>& candidates);

}  // namespace scree::scene
