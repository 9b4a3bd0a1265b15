// Texts of scenes, broken in the ways that people, editors and bad disks break them.
#pragma once

#include "support/random.hpp"

#include <string>
#include <vector>

namespace scree::fuzz {

class Mutator {
public:
    /// `pool`: texts whose lines, words and units may turn up in others.
    explicit Mutator(const std::vector<std::string>& pool);
    /// The text with one to six changes.
    [[nodiscard]] std::string broken(const std::string& text, test::Random& random) const;

private:
    void change(std::string& text, test::Random& random) const;

    std::vector<std::string> lines_;  ///< "key = value" of all texts
    std::vector<std::string> words_;  ///< in quotes
};

}  // namespace scree::fuzz
