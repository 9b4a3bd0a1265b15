// What an index says of arrays is taken from the first piece, so that it is said once. Its second
// line is that of a piece: who wrote it, and a checksum of what follows.
#include "scree/io/pvtp_index.hpp"

#include "io/input.hpp"
#include "io/new_file.hpp"
#include "io/vtp_format.hpp"
#include "io/xml.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

namespace scree::io {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view end_of_index = "</VTKFile>\n";

/// A file without its arrays.
struct Head {
    std::string kind, checksum, xml;
};

Head head_of(const fs::path& file, std::uintmax_t limit)
{
    const std::string bytes = read_bytes(file, limit);
    std::string_view rest = bytes;
    const vtp::FirstLines lines = vtp::take_first_lines(rest);
    return {std::string(lines.kind), std::string(lines.checksum),
            std::string(rest.substr(0, rest.find(vtp::before_data)))};
}
Head head_of_piece(const fs::path& piece)
{
    return about_file(piece, [&] { return head_of(piece, vtp::longest_header); });
}

/// Arrays of points and cells, as the parallel format lists them.
std::string arrays_of(const Head& piece)
{
    std::string xml, section;
    const auto close = [&] {
        xml += section.empty() ? "" : fmt::format("    </P{}>\n", section);
        section.clear();
    };
    for (const XmlTag& tag : xml_tags(piece.xml)) {
        if (tag.name == "PointData" || tag.name == "CellData" || tag.name == "Points") {
            close();
            section = tag.name;
            xml += fmt::format("    <P{}>\n", section);
        } else if (tag.name != "DataArray") {
            close();  // Verts or Lines, which it does not list
        } else if (!section.empty()) {
            xml += "      <PDataArray";
            for (const auto& [key, value] : tag.attributes) {
                if (key != "format" && key != "offset") {
                    xml += fmt::format(" {}=\"{}\"", key, xml_escaped(value));
                }
            }
            xml += "/>\n";
        }
    }
    close();
    return xml;
}

}  // namespace

fs::path index_of(fs::path frame) { return frame.replace_extension(".pvtp"); }

bool is_index(const fs::path& file) { return file.extension() == ".pvtp"; }

fs::path piece_of(const fs::path& index, std::size_t rank)
{
    return index.parent_path() / index.stem() / fmt::format("{}.vtp", rank);
}

void write_index(const fs::path& index, std::size_t pieces)
{
    const Head first = head_of_piece(piece_of(index, 0));
    std::string xml =
        fmt::format("<VTKFile type=\"PPolyData\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                    "  <PPolyData GhostLevel=\"0\">\n"
                    "    <FieldData>\n"
                    "{}    </FieldData>\n"
                    "{}",
                    vtp::xml_of(vtp::stamp_of(xml_tags(first.xml))), arrays_of(first));
    for (std::size_t rank = 0; rank < pieces; ++rank) {
        const fs::path piece = piece_of(index, rank);
        const Head head = rank == 0 ? first : head_of_piece(piece);
        xml +=
            fmt::format("    <Piece Source=\"{}\" crc32=\"{}\"/>\n",
                        xml_escaped(piece.lexically_relative(index.parent_path()).generic_string()),
                        head.checksum);
    }
    xml += "  </PPolyData>\n";
    xml += end_of_index;
    NewFile file(index.string());
    file.write(vtp::text_of({first.kind, vtp::checksum_of({xml})}));
    file.write(xml);
    file.commit();
    for (std::size_t rank = pieces; fs::remove(piece_of(index, rank)); ++rank) {
    }
}

FrameIndex read_index(const fs::path& index)
{
    return about_file(index, [&] {
        const Head head = head_of(index, all_bytes);
        if (!head.xml.ends_with(end_of_index)) {
            throw Error("is incomplete or damaged: its last lines are missing");
        }
        if (vtp::checksum_of({head.xml}) != head.checksum) {
            throw Error("is damaged: its checksum is wrong");
        }
        const std::vector<XmlTag> tags = xml_tags(head.xml);
        FrameIndex found{vtp::stamp_of(tags), {}};
        for (const XmlTag& tag : tags) {
            if (tag.name == "Piece") {
                found.pieces.push_back(
                    {index.parent_path() / tag.attribute("Source"), tag.attribute("crc32")});
            }
        }
        if (found.pieces.empty()) {
            throw Error("names no pieces");
        }
        return found;
    });
}

void remove_frame(const fs::path& file)
{
    fs::remove(file);
    if (is_index(file)) {
        fs::remove_all(piece_of(file, 0).parent_path());
    }
}

}  // namespace scree::io
