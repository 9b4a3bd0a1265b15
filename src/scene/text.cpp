#include "scene/text.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <numeric>
#include <sstream>
#include <system_error>
#include <vector>

namespace scree::scene {

static std::size_t edit_distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[k - 1]);
            diagonal = row[k];
            row[k] = std::min({row[k] + 1, row[k - 1] + 1, replaced});
        }
    }
    return row.back();
}

std::string read_text(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    std::stringstream content;
    if (in.peek() != std::ifstream::traits_type::eof()) {
        content << in.rdbuf();
    }
    if (in.bad() || !in.is_open()) {
        throw Error(
            fmt::format("{}: cannot be read: {}", file, std::generic_category().message(errno)));
    }
    return content.str();
}

std::optional<std::string> nearest(const std::string& word, const std::set<std::string>& candidates)
{
    std::optional<std::string> best;
    std::size_t least = word.size() / 3 + 2;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace scree::scene
