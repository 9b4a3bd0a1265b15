// Reading TOML so that the person who wrote it is told everything that is wrong at once: file, line
// and column, the key, what was found, what is allowed, and the nearest valid key for a misspelt
// one.
#pragma once

#include "scree/space.hpp"

#include <toml++/toml.h>

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

/// Collects complaints about one file.
class Diagnostics {
public:
    /// `text` is the file's content, for showing the line that is meant.
    explicit Diagnostics(std::string file, std::string_view text = {});
    void add(const toml::source_region& where, const std::string& key, const std::string& what);
    std::size_t count() const { return complaints_.size(); }
    /// Throws scree::Error with all complaints, one per line, if there are any.
    void throw_if_any() const;

private:
    std::string file_;
    std::vector<std::string> lines_;
    std::vector<std::string> complaints_;
};

/// Allowed values of a number. Infinity is allowed only if `infinite` is set, and minus infinity
/// only if there is no `least` besides.
struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool open_at_least = false;  ///< `least` itself is not allowed
    bool infinite = false;
};
inline constexpr Range any_number{};
inline constexpr Range non_negative{.least = 0};
inline constexpr Range positive{.least = 0, .open_at_least = true};
inline constexpr Range positive_or_infinite{.least = 0, .open_at_least = true, .infinite = true};

/// One table of the file. Keys that nobody asked for are complained of by `done`.
class TableReader {
public:
    TableReader(const toml::table& table, std::string path, Diagnostics& diagnostics)
        : table_(table), path_(std::move(path)), diagnostics_(diagnostics)
    {
    }

    bool has(const std::string& key);
    std::optional<double> number(const std::string& key, const std::string& unit,
                                 const Range& range);
    double number_or(const std::string& key, const std::string& unit, const Range& range,
                     double fallback);
    double required_number(const std::string& key, const std::string& unit, const Range& range);
    /// One number or an array of them.
    std::vector<double> numbers(const std::string& key, const std::string& unit,
                                const Range& range);
    std::optional<Vec3<double>> vector(const std::string& key, const std::string& unit,
                                       const Range& range = any_number);
    Vec3<double> vector_or(const std::string& key, const std::string& unit,
                           const Vec3<double>& fallback);
    Vec3<double> required_vector(const std::string& key, const std::string& unit);
    std::optional<std::string> text(const std::string& key);
    std::optional<TableReader> table(const std::string& key);
    /// The tables of an array of tables, in order; empty if the key is missing.
    std::vector<TableReader> tables(const std::string& key);
    const toml::array* array(const std::string& key, std::size_t size);
    /// The node of a key, or nothing; the key counts as known.
    const toml::node* find(const std::string& key);
    [[nodiscard]] const toml::table& toml() const { return table_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// How many complaints there are about the whole file so far.
    std::size_t complaints() const { return diagnostics_.count(); }
    void complain(const std::string& key, const std::string& what);
    void complain(const std::string& what);
    /// Reports keys that are not known here.
    void done();

    /// A number inside an array, with its unit.
    std::optional<double> element(const std::string& key, const toml::node& node,
                                  const std::string& unit, const Range& range);

private:
    std::string full(const std::string& key) const
    {
        return path_.empty() ? key : path_ + "." + key;
    }

    const toml::table& table_;
    std::string path_;
    Diagnostics& diagnostics_;
    std::set<std::string> keys_asked_for_;
};

/// The candidate closest to the word, or nothing if none is close.
std::optional<std::string> nearest(const std::string& word,
                                   const std::set<std::string>& candidates);

/// Parses the file. Throws scree::Error if it cannot be read or is not TOML.
toml::table parse_toml(const std::string& file);
/// The same for a text; `name` stands for the file in messages.
toml::table parse_toml_text(const std::string& text, const std::string& name);
/// The content of a file. Throws scree::Error if it cannot be read.
std::string read_text(const std::string& file);

}  // namespace scree::scene
