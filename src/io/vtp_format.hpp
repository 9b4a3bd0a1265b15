// What the writer and the reader of .vtp files agree on beside VTK's own format: a line that says
// who wrote the file and carries a checksum of all that follows, as an XML comment that VTK skips.
//
//   <?xml version="1.0"?>
//   <!-- scree particles 1, crc32 0123abcd -->
//   <VTKFile …> … <AppendedData encoding="raw">
//   _…
//
// Behind the underscore lie the arrays, each as its number of bytes and then the bytes.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scree::io::vtp {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

inline constexpr std::string_view first_line = "<?xml version=\"1.0\"?>\n";
inline constexpr std::string_view before_kind = "<!-- scree ";
inline constexpr std::string_view before_checksum = " 1, crc32 ";  // the 1 is the format's version
inline constexpr std::size_t checksum_digits = 8;
inline constexpr std::string_view after_checksum = " -->\n";
inline constexpr std::string_view before_data = "<AppendedData encoding=\"raw\">\n_";
inline constexpr std::string_view after_data = "\n  </AppendedData>\n</VTKFile>\n";

inline constexpr std::string_view particles = "particles";
inline constexpr std::string_view contacts = "contacts";

/// VTK's name of a number's type.
template <class T> constexpr std::string_view type_name()
{
    if constexpr (std::same_as<T, double>) {
        return "Float64";
    } else if constexpr (std::same_as<T, float>) {
        return "Float32";
    } else if constexpr (std::same_as<T, std::int64_t>) {
        return "Int64";
    } else if constexpr (std::same_as<T, std::uint64_t>) {
        return "UInt64";
    } else if constexpr (std::same_as<T, std::uint16_t>) {
        return "UInt16";
    } else {
        static_assert(std::same_as<T, std::uint8_t>);
        return "UInt8";
    }
}

/// How many Numbers a T is made of.
template <class Number, class T> constexpr std::size_t component_count()
{
    constexpr std::size_t whole = sizeof(T), part = sizeof(Number);
    static_assert(whole % part == 0);
    return whole / part;
}

}  // namespace scree::io::vtp
