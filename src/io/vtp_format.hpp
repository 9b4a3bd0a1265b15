// What writers and readers of .vtp and .pvtp files agree on beside VTK's own format: a line that
// says who wrote the file and carries a checksum of all that follows, as an XML comment that VTK
// skips.
//
//   <?xml version="1.0"?>
//   <!-- scree particles 1, crc32 0123abcd -->
//   <VTKFile …> … <AppendedData encoding="raw">
//   _…
//
// Behind the underscore lie the arrays, each as its number of bytes and then the bytes.
#pragma once

#include "io/xml.hpp"
#include "scree/io/vtp_reader.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace scree::io::vtp {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

/// The XML of a file with arrays is shorter.
inline constexpr std::size_t longest_header = 1 << 16;
inline constexpr std::string_view before_data = "<AppendedData encoding=\"raw\">\n_";
inline constexpr std::string_view after_data = "\n  </AppendedData>\n</VTKFile>\n";

inline constexpr std::string_view particles = "particles";
inline constexpr std::string_view contacts = "contacts";

struct FirstLines {
    std::string_view kind, checksum;
};
std::string text_of(const FirstLines& lines);
/// Takes them away from the front of a file. Throws Error if it begins otherwise.
FirstLines take_first_lines(std::string_view& file);
/// Of what follows them, in parts.
std::string checksum_of(std::initializer_list<std::string_view> parts);

/// Fields that say when a frame is of.
std::string xml_of(const FrameStamp& stamp);
FrameStamp stamp_of(const std::vector<XmlTag>& tags);
/// The first tag of this name and, unless it is empty, with this value of an attribute. Throws
/// Error if there is none.
const XmlTag& find_tag(const std::vector<XmlTag>& tags, std::string_view name,
                       std::string_view key = "", std::string_view value = "");

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
