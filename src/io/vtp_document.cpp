#include "io/vtp_document.hpp"

#include "io/input.hpp"
#include "io/new_file.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

namespace scree::io::vtp {

NewDocument::NewDocument(const Frame& frame, std::size_t bytes_expected)
{
    data_.reserve(bytes_expected);
    xml_ = "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\">\n"
           "  <PolyData>\n"
           "    <FieldData>\n" +
           xml_of({frame.step, frame.time, frame.time_step});
}

void NewDocument::append(std::span<const std::byte> values)
{
    xml_ += fmt::format(" format=\"appended\" offset=\"{}\"/>\n", data_.size());
    const std::uint64_t bytes = values.size();
    data_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    data_.append(reinterpret_cast<const char*>(values.data()), bytes);
}

void NewDocument::write(const std::filesystem::path& path, std::string_view kind)
{
    xml_ += "    </Piece>\n  </PolyData>\n  ";
    xml_ += before_data;
    data_ += after_data;
    NewFile file(path.string());
    file.write(text_of({kind, checksum_of({xml_, data_})}));
    file.write(xml_);
    file.write(data_);
    file.commit();
}

StoredDocument::StoredDocument(std::string bytes, bool whole) : bytes_(std::move(bytes))
{
    std::string_view rest = bytes_;
    const auto [kind, checksum] = take_first_lines(rest);
    kind_ = kind;
    checksum_ = checksum;
    if (whole) {
        require_unharmed(rest);
    }
    const std::size_t end = rest.substr(0, longest_header).find(before_data);
    if (end == std::string_view::npos) {
        throw Error("is incomplete: its XML has no end");
    }
    tags_ = xml_tags(rest.substr(0, end));
    data_ = rest.substr(end + before_data.size());
}

void StoredDocument::require_unharmed(std::string_view rest) const
{
    if (!rest.ends_with(after_data)) {
        throw Error("is incomplete or damaged: its last lines are missing");
    }
    if (checksum_of({rest}) != checksum_) {
        throw Error("is damaged: its checksum is wrong");
    }
}

void StoredDocument::require_kind(std::string_view kind) const
{
    if (kind_ != kind) {
        throw Error(fmt::format("holds {}, not {}", kind_, kind));
    }
}

void StoredDocument::require_checksum(std::string_view listed) const
{
    if (checksum_ != listed) {
        throw Error(fmt::format("is a piece of another frame: its checksum is {}, and {} in "
                                "the index",
                                checksum_, listed));
    }
}

std::size_t StoredDocument::count(std::string_view key) const
{
    const auto value = number<std::uint64_t>(find_tag(tags_, "Piece").attribute(key));
    if (value > data_.size()) {
        throw Error(fmt::format("says {} = {}, but has only {} bytes", key, value, data_.size()));
    }
    return value;
}

std::size_t StoredDocument::rows(std::string_view name) const
{
    const auto value = number<std::uint64_t>(array(name).attribute("NumberOfTuples"));
    if (value > data_.size()) {
        throw Error(fmt::format("says that array {} has {} rows, but has only {} bytes", name,
                                value, data_.size()));
    }
    return value;
}

const XmlTag& StoredDocument::array(std::string_view name) const
{
    return find_tag(tags_, "DataArray", "Name", name);
}

std::string_view StoredDocument::array_bytes(std::string_view name, std::string_view type,
                                             std::size_t components, std::size_t byte_count) const
{
    const XmlTag& found = array(name);
    if (found.attribute("type") != type ||
        found.attribute("NumberOfComponents") != std::to_string(components)) {
        throw Error(fmt::format("has an array {} of {} × {}; expected {} × {}", name,
                                found.attribute("NumberOfComponents"), found.attribute("type"),
                                components, type));
    }
    const auto offset = number<std::uint64_t>(found.attribute("offset"));
    std::uint64_t bytes = 0;
    if (offset > data_.size() || data_.size() - offset < sizeof bytes) {
        throw Error(fmt::format("says that array {} is beyond its end", name));
    }
    std::memcpy(&bytes, data_.data() + offset, sizeof bytes);
    if (bytes > data_.size() - offset - sizeof bytes || bytes != byte_count) {
        throw Error(
            fmt::format("says that array {} has {} bytes; expected {}", name, bytes, byte_count));
    }
    return data_.substr(offset + sizeof bytes, bytes);
}

}  // namespace scree::io::vtp
