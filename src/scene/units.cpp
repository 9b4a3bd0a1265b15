#include "scene/units.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <charconv>
#include <limits>
#include <memory>

namespace scree::scene {
namespace {

struct FreeUnit {
    void operator()(ut_unit* unit) const { ut_free(unit); }
};
using Unit = std::unique_ptr<ut_unit, FreeUnit>;

/// The unit database, read once.
ut_system* unit_system()
{
    static ut_system* const system = [] {
        ut_set_error_message_handler(ut_ignore);
        ut_system* const read = ut_read_xml(nullptr);
        if (read == nullptr) {
            throw Error("the unit database of udunits2 cannot be read (package libudunits2-data)");
        }
        const Unit degree(ut_get_unit_by_name(read, "degree"));
        ut_map_name_to_unit("deg", UT_ASCII, degree.get());
        return read;
    }();
    return system;
}

Unit parse(const std::string& text) { return Unit(ut_parse(unit_system(), text.c_str(), UT_UTF8)); }

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

double quantity(std::string_view text, const std::string& unit)
{
    std::string_view rest = trimmed(text);
    const std::string expected = unit == "1" ? "a number without unit" : "a value in " + unit;
    double sign = 1;
    if (rest.starts_with('+') || rest.starts_with('-')) {
        sign = rest[0] == '-' ? -1 : 1;
        rest.remove_prefix(1);
    }
    double number = 0;
    if (rest.starts_with("inf")) {
        number = std::numeric_limits<double>::infinity();
        rest.remove_prefix(rest.starts_with("infinity") ? 8 : 3);
    } else {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc()) {
            throw Error(
                fmt::format("\"{}\" does not start with a number; expected {}", text, expected));
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    number *= sign;
    const std::string unit_text(trimmed(rest));
    if (unit_text.empty()) {
        return number;
    }
    const Unit from = parse(unit_text);
    if (!from) {
        throw Error(fmt::format("unknown unit \"{}\"; expected {}", unit_text, expected));
    }
    const Unit to = parse(unit);
    if (ut_are_convertible(from.get(), to.get()) == 0) {
        throw Error(fmt::format("\"{}\" has the wrong dimension; expected {}", text, expected));
    }
    const std::unique_ptr<cv_converter, void (*)(cv_converter*)> converter(
        ut_get_converter(from.get(), to.get()), cv_free);
    return cv_convert_double(converter.get(), number);
}

}  // namespace scree::scene
