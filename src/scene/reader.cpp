// Typed reading of TOML with complaints that point to the place.
#include "scene/reader.hpp"

#include "scene/printable.hpp"
#include "scene/units.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <sstream>

namespace scree::scene {
namespace {

std::string described(const Range& range, const std::string& unit)
{
    const std::string suffix = unit == "1" ? "" : " " + unit;
    std::string text;
    if (std::isinf(range.least)) {
        text = std::isinf(range.most) ? "any finite number"
                                      : fmt::format("at most {}{}", range.most, suffix);
    } else if (std::isinf(range.most)) {
        text = fmt::format("{} {}{}", range.open_at_least ? "more than" : "at least", range.least,
                           suffix);
    } else {
        text = fmt::format("{} {} and at most {}{}", range.open_at_least ? "more than" : "at least",
                           range.least, range.most, suffix);
    }
    if (range.infinite) {
        text += std::isinf(range.least) ? ", inf or -inf" : ", or inf";
    }
    return text;
}

bool allowed(const Range& range, double value)
{
    if (std::isinf(value)) {
        return range.infinite && (value > 0 || std::isinf(range.least));
    }
    return value >= range.least && value <= range.most &&
           !(range.open_at_least && value == range.least);
}

std::size_t edit_distance(const std::string& a, const std::string& b)
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

}  // namespace

Diagnostics::Diagnostics(std::string file, std::string_view text) : file_(std::move(file))
{
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) {
        lines_.push_back(line.substr(0, 200));
    }
}

void Diagnostics::add(const toml::source_region& where, const std::string& key,
                      const std::string& what)
{
    const std::string place =
        where.begin && where.path  // not so for what came from the command line
            ? fmt::format(":{}:{}", where.begin.line, where.begin.column)
            : "";
    complaints_.push_back(
        fmt::format("{}{}: {}{}{}", file_, place, key, key.empty() ? "" : ": ", what));
    if (where.begin && where.path && where.begin.line <= lines_.size()) {
        const std::string& line = lines_[where.begin.line - 1];
        complaints_.back() += fmt::format(
            "\n{:>6} | {}\n{:>6} | {}^", where.begin.line, line, "",
            std::string(std::min<std::size_t>(where.begin.column - 1, line.size()), ' '));
    }
}

void Diagnostics::throw_if_any() const
{
    if (complaints_.empty()) {
        return;
    }
    constexpr std::size_t most = 20;
    const auto end =
        complaints_.begin() + static_cast<std::ptrdiff_t>(std::min(most, complaints_.size()));
    std::string text = fmt::format("{}", fmt::join(complaints_.begin(), end, "\n"));
    if (complaints_.size() > most) {
        text += fmt::format("\n{}: and {} more", file_, complaints_.size() - most);
    }
    throw Error(printable(text));
}

const toml::node* TableReader::find(const std::string& key)
{
    keys_asked_for_.insert(key);
    return table_.get(key);
}

bool TableReader::has(const std::string& key) { return find(key) != nullptr; }

void TableReader::complain(const std::string& key, const std::string& what)
{
    const toml::node* node = table_.get(key);
    diagnostics_.add(node != nullptr ? node->source() : table_.source(), full(key), what);
}

void TableReader::complain(const std::string& what)
{
    diagnostics_.add(table_.source(), path_, what);
}

std::optional<double> TableReader::element(const std::string& key, const toml::node& node,
                                           const std::string& unit, const Range& range)
{
    double value = 0;
    try {
        if (const auto text = node.value_exact<std::string>()) {
            value = quantity(*text, unit);
        } else if (const auto whole = node.value_exact<std::int64_t>()) {
            value = static_cast<double>(*whole);
        } else if (const auto real = node.value_exact<double>()) {
            value = *real;
        } else {
            throw Error(fmt::format("expected a number{}",
                                    unit == "1" ? "" : " or a text such as \"1 " + unit + "\""));
        }
    } catch (const Error& error) {
        diagnostics_.add(node.source(), full(key), error.what());
        return std::nullopt;
    }
    if (!allowed(range, value)) {
        diagnostics_.add(
            node.source(), full(key),
            fmt::format("{} is not allowed; must be {}", value, described(range, unit)));
        return std::nullopt;
    }
    return value;
}

std::optional<double> TableReader::number(const std::string& key, const std::string& unit,
                                          const Range& range)
{
    const toml::node* node = find(key);
    return node == nullptr ? std::nullopt : element(key, *node, unit, range);
}

double TableReader::number_or(const std::string& key, const std::string& unit, const Range& range,
                              double fallback)
{
    return number(key, unit, range).value_or(fallback);
}

double TableReader::required_number(const std::string& key, const std::string& unit,
                                    const Range& range)
{
    if (!has(key)) {
        complain(fmt::format("key \"{}\" is missing; must be {}", key, described(range, unit)));
    }
    return number_or(key, unit, range, 0);
}

std::vector<double> TableReader::numbers(const std::string& key, const std::string& unit,
                                         const Range& range)
{
    const toml::node* node = find(key);
    if (node == nullptr) {
        return {};
    }
    std::vector<double> values;
    if (const toml::array* list = node->as_array()) {
        for (const toml::node& item : *list) {
            values.push_back(element(key, item, unit, range).value_or(0));
        }
    } else {
        values.push_back(element(key, *node, unit, range).value_or(0));
    }
    return values;
}

const toml::array* TableReader::array(const std::string& key, std::size_t size)
{
    const toml::node* node = find(key);
    const toml::array* list = node == nullptr ? nullptr : node->as_array();
    if (node != nullptr && (list == nullptr || list->size() != size)) {
        complain(key, fmt::format("expected an array of {} values", size));
        return nullptr;
    }
    return list;
}

std::optional<Vec3<double>> TableReader::vector(const std::string& key, const std::string& unit,
                                                const Range& range)
{
    const toml::array* list = array(key, 3);
    if (list == nullptr) {
        return std::nullopt;
    }
    const auto at = [&](std::size_t i) {
        return element(key, (*list)[i], unit, range).value_or(0);
    };
    const double x = at(0), y = at(1), z = at(2);
    return Vec3<double>{x, y, z};
}

Vec3<double> TableReader::vector_or(const std::string& key, const std::string& unit,
                                    const Vec3<double>& fallback)
{
    return vector(key, unit).value_or(fallback);
}

Vec3<double> TableReader::required_vector(const std::string& key, const std::string& unit)
{
    if (!has(key)) {
        complain(fmt::format("key \"{}\" is missing; expected three values{}", key,
                             unit == "1" ? "" : " in " + unit));
    }
    return vector_or(key, unit, {0, 0, 0});
}

std::optional<std::string> TableReader::text(const std::string& key)
{
    const toml::node* node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    auto value = node->value_exact<std::string>();
    if (!value) {
        complain(key, "expected a text in quotes");
    }
    return value;
}

std::optional<TableReader> TableReader::table(const std::string& key)
{
    const toml::node* node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (!node->is_table()) {
        complain(key, fmt::format("expected a table, written as [… {}] or {{ … }}", key));
        return std::nullopt;
    }
    return TableReader(*node->as_table(), full(key), diagnostics_);
}

std::vector<TableReader> TableReader::tables(const std::string& key)
{
    std::vector<TableReader> all;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return all;
    }
    const toml::array* list = node->as_array();
    if (list == nullptr || !list->is_array_of_tables()) {
        complain(key, fmt::format("expected tables, each written as [[{}]]", key));
        return all;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        all.emplace_back(*(*list)[i].as_table(), fmt::format("{}[{}]", full(key), i + 1),
                         diagnostics_);
    }
    return all;
}

void TableReader::done()
{
    for (const auto& [key, node] : table_) {
        const std::string name(key.str());
        if (keys_asked_for_.contains(name)) {
            continue;
        }
        std::string what = "unknown key";
        if (const auto close = nearest(name, keys_asked_for_)) {
            what += fmt::format("; did you mean \"{}\"?", *close);
        } else {
            what += fmt::format("; known here: {}", fmt::join(keys_asked_for_, ", "));
        }
        diagnostics_.add(key.source(), full(name), what);
    }
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

namespace {

/// The parser recurses once per part of a dotted key: refuse absurd ones before it does.
void refuse_endless_keys(const std::string& file, const std::string& text)
{
    constexpr int most = 1000;
    int dots = 0;
    std::size_t line = 1;
    for (const char c : text) {
        line += c == '\n';
        if (c == '.') {
            if (++dots > most) {
                throw Error(fmt::format("{}:{}: a key with more than {} parts", file, line, most));
            }
        } else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '{' ||
                   c == '}') {
            dots = 0;
        }
    }
}

}  // namespace

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

toml::table parse_toml_text(const std::string& text, const std::string& name)
{
    refuse_endless_keys(name, text);
    try {
        return toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        const auto& where = error.source().begin;
        throw Error(printable(
            fmt::format("{}:{}:{}: {}", name, where.line, where.column, error.description())));
    }
}

toml::table parse_toml(const std::string& file) { return parse_toml_text(read_text(file), file); }

}  // namespace scree::scene
