// Columns on their way into a world: each is asked for by name, and refused if it is missing, of
// another type or size, or holds what no world has.
#pragma once

#include "scree/checkpoint.hpp"
#include "scree/settings.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace scree::world {

class Loader {
public:
    explicit Loader(const ColumnSource& find) : find_(find) {}

    [[nodiscard]] bool has(std::string_view name) const { return find_(name) != nullptr; }
    /// The numbers of a column with this many in a row, and this many rows, if given.
    template <class T>
    [[nodiscard]] std::vector<T> read(std::string_view name, std::size_t width,
                                      std::optional<std::size_t> rows = std::nullopt) const;
    template <class T> [[nodiscard]] T one(std::string_view name) const
    {
        return read<T>(name, 1, 1)[0];
    }
    /// One number below a limit.
    template <class T> [[nodiscard]] T below(std::string_view name, T limit) const;

    [[nodiscard]] Settings settings() const;

private:
    const ColumnSource& find_;
};

/// Throws Error if a column that has to be finite is not.
void require_finite(std::string_view name, const Column& column);
/// Throws Error: column, row and what is wrong with it.
[[noreturn]] void refuse(std::string_view column, std::size_t row, const std::string& what);

}  // namespace scree::world
