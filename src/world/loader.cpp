#include "world/loader.hpp"

#include "scree/error.hpp"
#include "world/saved_names.hpp"

#include <cmath>
#include <limits>

namespace scree::world {

void refuse(std::string_view column, std::size_t row, const std::string& what)
{
    throw Error(std::string(column) + ": row " + std::to_string(row) + " " + what);
}

void require_finite(std::string_view name, const Column& column)
{
    if (!name.starts_with("bodies/") && !name.starts_with("gaps/") &&
        !name.starts_with("forces/") && !name.starts_with("pairs/")) {
        return;
    }
    const auto check = [&]<class T>(T value) {
        for (std::size_t i = 0; i < column.bytes.size() / sizeof(T); ++i) {
            std::memcpy(&value, &column.bytes[i * sizeof(T)], sizeof(T));
            if (!std::isfinite(value)) {
                refuse(name, i / column.width, "is not finite");
            }
        }
    };
    if (column.type == ColumnType::f64) {
        check(double{});
    } else if (column.type == ColumnType::f32) {
        check(float{});
    }
}

template <class T>
std::vector<T> Loader::read(std::string_view name, std::size_t width,
                            std::optional<std::size_t> rows) const
{
    const Column* column = find_(name);
    if (column == nullptr) {
        throw Error(std::string(name) + ": is missing");
    }
    const std::string wanted =
        std::string(name_of(column_type<T>())) + " in rows of " + std::to_string(width);
    if (column->type != column_type<T>() || column->width != width) {
        throw Error(std::string(name) + ": holds " + std::string(name_of(column->type)) +
                    " in rows of " + std::to_string(column->width) + ", must be " + wanted);
    }
    if (column->bytes.size() % (width * sizeof(T)) != 0 || (rows && column->rows() != *rows)) {
        throw Error(std::string(name) + ": has " + std::to_string(column->bytes.size()) +
                    " bytes, must be " + (rows ? std::to_string(*rows) + " rows of " : "whole ") +
                    wanted);
    }
    require_finite(name, *column);
    return values_of<T>(*column);
}
template std::vector<std::uint8_t> Loader::read(std::string_view, std::size_t,
                                                std::optional<std::size_t>) const;
template std::vector<std::uint16_t> Loader::read(std::string_view, std::size_t,
                                                 std::optional<std::size_t>) const;
template std::vector<std::uint32_t> Loader::read(std::string_view, std::size_t,
                                                 std::optional<std::size_t>) const;
template std::vector<std::uint64_t> Loader::read(std::string_view, std::size_t,
                                                 std::optional<std::size_t>) const;
template std::vector<float> Loader::read(std::string_view, std::size_t,
                                         std::optional<std::size_t>) const;
template std::vector<double> Loader::read(std::string_view, std::size_t,
                                          std::optional<std::size_t>) const;

template <class T> T Loader::below(std::string_view name, T limit) const
{
    const T value = one<T>(name);
    if (value >= limit) {
        refuse(name, 0, "is " + std::to_string(value) + ", must be below " + std::to_string(limit));
    }
    return value;
}
template std::uint8_t Loader::below(std::string_view, std::uint8_t) const;
template std::uint32_t Loader::below(std::string_view, std::uint32_t) const;
template std::uint64_t Loader::below(std::string_view, std::uint64_t) const;

namespace {

/// One value of each type that settings have.
struct Reader {
    const Loader& load;

    void operator()(std::string_view name, double& value) const { value = load.one<double>(name); }
    void operator()(std::string_view name, Vec3<double>& value) const
    {
        const std::vector<double> v = load.read<double>(name, 3, 1);
        value = {v[0], v[1], v[2]};
    }
    void operator()(std::string_view name, int& value) const
    {
        constexpr auto limit = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
        value = static_cast<int>(load.below<std::uint32_t>(name, limit));
    }
    void operator()(std::string_view name, bool& value) const
    {
        value = load.below<std::uint8_t>(name, 2) != 0;
    }
    void operator()(std::string_view name, Law& value) const
    {
        value = static_cast<Law>(load.below<std::uint8_t>(name, law_names.size()));
    }
    void operator()(std::string_view name, GapForm& value) const
    {
        value = static_cast<GapForm>(load.below<std::uint8_t>(name, 2));
    }
    void operator()(std::string_view name, Rotation& value) const
    {
        value = static_cast<Rotation>(load.below<std::uint8_t>(name, 2));
    }
};

}  // namespace

Settings Loader::settings() const
{
    Settings settings;
    const Reader read_one{*this};
    for_each_setting(settings, read_one);
    if (has("settings/slack")) {
        read_one("settings/slack", settings.slack);
    }
    return settings;
}

}  // namespace scree::world
