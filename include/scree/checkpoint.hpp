// What a world is saved as: named columns of numbers, from which an equal world can be made that
// goes on to the same bits. The columns know no file format; scree::io writes them to one.
//
//   std::vector<scree::Column> columns;
//   world.save([&](scree::Column&& column) { columns.push_back(std::move(column)); });
//   scree::World again = scree::World::restore([&](std::string_view name) {
//       return scree::find_column(columns, name);
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scree {

/// The type of the numbers of a column.
enum class ColumnType : std::uint8_t { u8, u16, u32, u64, f32, f64 };
/// How many types there are.
inline constexpr int column_type_count = 6;
/// "u8" … "f64"
std::string_view name_of(ColumnType type);
/// Of one number [bytes].
std::size_t size_of(ColumnType type);

/// Rows of `width` numbers each, row by row, in the machine's byte order.
struct Column {
    std::string name;                  ///< words separated by '/', as in "bodies/position"
    ColumnType type = ColumnType::u8;  ///< of each number
    std::size_t width = 1;             ///< at least 1
    std::vector<std::byte> bytes;      ///< rows × width numbers

    /// The number of rows.
    [[nodiscard]] std::size_t rows() const { return bytes.size() / (width * size_of(type)); }
};

/// The type for numbers of type T.
template <class T> constexpr ColumnType column_type()
{
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        return ColumnType::u8;
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
        return ColumnType::u16;
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
        return ColumnType::u32;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return ColumnType::u64;
    } else if constexpr (std::is_same_v<T, float>) {
        return ColumnType::f32;
    } else {
        static_assert(std::is_same_v<T, double>);
        return ColumnType::f64;
    }
}

/// A column of these numbers.
template <class T> Column column_of(std::string name, std::span<const T> values, std::size_t width)
{
    Column column{std::move(name), column_type<T>(), width, {}};
    const std::span<const std::byte> bytes = std::as_bytes(values);
    column.bytes.assign(bytes.begin(), bytes.end());
    return column;
}
/// A column of one number.
template <class T>
requires std::is_arithmetic_v<T> Column column_of(std::string name, T value)
{
    return column_of<T>(std::move(name), std::span<const T>(&value, 1), 1);
}
/// A text, as a column of bytes.
Column column_of(std::string name, std::string_view text);

/// The numbers of a column; throws Error if they are of another type.
template <class T> std::vector<T> values_of(const Column& column);
/// The text of a column of bytes; throws Error if they are none.
std::string text_of(const Column& column);
/// The column of that name, or null.
const Column* find_column(std::span<const Column> columns, std::string_view name);

/// The digest that World::state_hash() gives, from all columns of a world in their order.
std::uint64_t state_hash_of(std::span<const Column> columns);
/// The one that it gives where the world is spread, from those of all ranks' shares.
std::uint64_t state_hash_of(std::span<const std::uint64_t> shares);

/// Takes a world's columns one after the other.
using ColumnSink = std::function<void(Column&&)>;
/// Gives the column of a name, or null; it has to stay until the next call.
using ColumnSource = std::function<const Column*(std::string_view name)>;

/// Of the set of columns, their meaning and their order: a world of another version cannot be
/// restored.
inline constexpr std::uint32_t checkpoint_version = 1;

}  // namespace scree
