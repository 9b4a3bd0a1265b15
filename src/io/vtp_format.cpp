// The lines declared in vtp_format.hpp.
#include "io/vtp_format.hpp"

#include "io/input.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace scree::io::vtp {

namespace {

constexpr std::string_view first_line = "<?xml version=\"1.0\"?>\n";
constexpr std::string_view before_kind = "<!-- scree ";
constexpr std::string_view before_checksum = " 1, crc32 ";  // the 1 is the format's version
constexpr std::size_t checksum_digits = 8;
constexpr std::string_view after_checksum = " -->\n";

/// Takes the expected text away from the front.
bool take(std::string_view& rest, std::string_view expected)
{
    const bool there = rest.starts_with(expected);
    rest.remove_prefix(there ? expected.size() : 0);
    return there;
}

}  // namespace

std::string text_of(const FirstLines& lines)
{
    return fmt::format("{}{}{}{}{}{}", first_line, before_kind, lines.kind, before_checksum,
                       lines.checksum, after_checksum);
}

FirstLines take_first_lines(std::string_view& file)
{
    if (!take(file, first_line) || !take(file, before_kind)) {
        throw Error("was not written by scree, or its beginning is damaged");
    }
    FirstLines lines;
    lines.kind = file.substr(0, file.find(' '));
    file.remove_prefix(lines.kind.size());
    if (!take(file, before_checksum) || file.size() < checksum_digits) {
        throw Error("is of a format that this version of scree does not know, or its beginning "
                    "is damaged");
    }
    lines.checksum = file.substr(0, checksum_digits);
    file.remove_prefix(checksum_digits);
    if (!take(file, after_checksum)) {
        throw Error("has a damaged beginning");
    }
    return lines;
}

std::string checksum_of(std::initializer_list<std::string_view> parts)
{
    uLong sum = 0;
    for (const std::string_view part : parts) {
        sum = crc32_z(sum, reinterpret_cast<const Bytef*>(part.data()), part.size());
    }
    return fmt::format("{:0{}x}", sum, checksum_digits);
}

std::string xml_of(const FrameStamp& stamp)
{
    return fmt::format("      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                       "format=\"ascii\">{}</DataArray>\n"
                       "      <DataArray type=\"UInt64\" Name=\"step\" NumberOfTuples=\"1\" "
                       "format=\"ascii\">{}</DataArray>\n"
                       "      <DataArray type=\"Float64\" Name=\"time_step\" NumberOfTuples=\"1\" "
                       "format=\"ascii\">{}</DataArray>\n",
                       stamp.time, stamp.step, stamp.time_step);
}

FrameStamp stamp_of(const std::vector<XmlTag>& tags)
{
    const auto text = [&](std::string_view name) {
        return find_tag(tags, "DataArray", "Name", name).text;
    };
    return {number<std::uint64_t>(text("step")), number<double>(text("TimeValue")),
            number<double>(text("time_step"))};
}

const XmlTag& find_tag(const std::vector<XmlTag>& tags, std::string_view name, std::string_view key,
                       std::string_view value)
{
    const auto found = std::find_if(tags.begin(), tags.end(), [&](const XmlTag& t) {
        return t.name == name && (key.empty() || t.attribute(key) == value);
    });
    if (found == tags.end()) {
        throw Error(fmt::format("has no {} {}", name, value));
    }
    return *found;
}

}  // namespace scree::io::vtp
