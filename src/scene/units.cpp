// Units by udunits2, with its generosity reined in: no reciprocals, no further numbers, no offsets,
// and angles must be named.
#include "scene/units.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <cctype>
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

/// Whether a text can be a unit and nothing else: udunits would take further numbers as factors and
/// "@" as an offset.
bool looks_like_unit(std::string_view text)
{
    if (text.starts_with("1/")) {
        text.remove_prefix(2);
    }
    char before = ' ';
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        const bool exponent = std::isalpha(static_cast<unsigned char>(before)) != 0 ||
                              before == '^' || before == '-' || before == '+' ||
                              (before >= '0' && before <= '9') || before == ')';
        if (c == '\0' || c == '@' || (digit && !exponent)) {
            return false;
        }
        before = c;
    }
    const auto first = static_cast<unsigned char>(text.empty() ? ' ' : text.front());
    return std::isalpha(first) != 0 || first == '%' || first == '(' || first >= 0x80;
}

/// Of the same dimension, not the inverse one, which udunits would convert too.
bool same_dimension(const Unit& a, const Unit& b)
{
    const Unit ratio(ut_divide(a.get(), b.get()));
    return ratio && ut_is_dimensionless(ratio.get()) != 0;
}

/// udunits has radians without dimension; where an angle is meant the unit must name one.
bool names_an_angle(std::string_view text)
{
    for (const char* word : {"rad", "deg", "°", "rev", "rpm", "arc", "turn", "circle"}) {
        if (text.find(word) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

double quantity(std::string_view text, const std::string& unit)
{
    std::string_view rest = trimmed(text);
    const std::string expected = unit == "1" ? "a number without unit" : "a value in " + unit;
    const auto no_number = [&] {
        return Error(
            fmt::format("\"{}\" does not start with a number; expected {}", text, expected));
    };
    double sign = 1;
    if (rest.starts_with('+') || rest.starts_with('-')) {
        sign = rest[0] == '-' ? -1 : 1;
        rest.remove_prefix(1);
    }
    if (rest.starts_with('-')) {
        throw no_number();
    }
    double number = 0;
    if (rest.starts_with("inf")) {
        number = std::numeric_limits<double>::infinity();
        rest.remove_prefix(rest.starts_with("infinity") ? 8 : 3);
    } else {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc()) {
            throw no_number();
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    number *= sign;
    const std::string unit_text(trimmed(rest));
    if (unit_text.empty()) {
        return number;
    }
    const Unit from = looks_like_unit(unit_text) ? parse(unit_text) : Unit();
    if (!from) {
        throw Error(fmt::format("unknown unit \"{}\"; expected {}", unit_text, expected));
    }
    const Unit to = parse(unit);
    const bool angle = unit.find("rad") != std::string::npos;
    if (!same_dimension(from, to) || angle != names_an_angle(unit_text)) {
        throw Error(fmt::format("\"{}\" has the wrong dimension; expected {}", text, expected));
    }
    const std::unique_ptr<cv_converter, void (*)(cv_converter*)> converter(
        ut_get_converter(from.get(), to.get()), cv_free);
    return cv_convert_double(converter.get(), number);
}

}  // namespace scree::scene
