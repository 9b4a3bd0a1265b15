// Columns of numbers by themselves: types, texts, looking them up.
#include "scree/checkpoint.hpp"
#include "scree/error.hpp"

#include <algorithm>

namespace scree {

std::string_view name_of(ColumnType type)
{
    constexpr std::string_view names[column_type_count] = {"u8", "u16", "u32", "u64", "f32", "f64"};
    return names[static_cast<std::size_t>(type)];
}

std::size_t size_of(ColumnType type)
{
    constexpr std::size_t sizes[column_type_count] = {1, 2, 4, 8, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}

Column column_of(std::string name, std::string_view text)
{
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return column_of<std::uint8_t>(std::move(name), {bytes, text.size()}, 1);
}

template <class T> std::vector<T> values_of(const Column& column)
{
    if (column.type != column_type<T>()) {
        throw Error(column.name + ": holds " + std::string(name_of(column.type)) + ", not " +
                    std::string(name_of(column_type<T>())));
    }
    std::vector<T> values(column.bytes.size() / sizeof(T));
    if (!values.empty()) {  // memcpy is not for null pointers
        std::memcpy(values.data(), column.bytes.data(), values.size() * sizeof(T));
    }
    return values;
}
template std::vector<std::uint8_t> values_of(const Column&);
template std::vector<std::uint16_t> values_of(const Column&);
template std::vector<std::uint32_t> values_of(const Column&);
template std::vector<std::uint64_t> values_of(const Column&);
template std::vector<float> values_of(const Column&);
template std::vector<double> values_of(const Column&);

std::string text_of(const Column& column)
{
    const std::vector<std::uint8_t> letters = values_of<std::uint8_t>(column);
    return {letters.begin(), letters.end()};
}

const Column* find_column(std::span<const Column> columns, std::string_view name)
{
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const Column& column) { return column.name == name; });
    return at == columns.end() ? nullptr : &*at;
}

}  // namespace scree
