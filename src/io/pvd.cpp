// Collections of frames.
#include "scree/io/pvd.hpp"

#include "io/input.hpp"
#include "io/new_file.hpp"
#include "io/xml.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace scree::io {

namespace fs = std::filesystem;

void write_pvd(const fs::path& path, std::span<const PvdEntry> entries)
{
    std::string text = "<?xml version=\"1.0\"?>\n"
                       "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                       "  <Collection>\n";
    for (const PvdEntry& entry : entries) {
        const fs::path file = entry.file.lexically_proximate(path.parent_path());
        text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                            xml_escaped(file.generic_string()));
    }
    text += "  </Collection>\n</VTKFile>\n";
    NewFile out(path.string());
    out.write(text);
    out.commit();
}

std::vector<PvdEntry> read_pvd(const fs::path& path)
{
    return about_file(path, [&] {
        const std::string text = read_bytes(path);
        const std::vector<XmlTag> tags = xml_tags(text);
        if (std::none_of(tags.begin(), tags.end(), [](const XmlTag& t) {
                return t.name == "VTKFile" && t.attribute("type") == "Collection";
            })) {
            throw Error("is no collection of VTK files");
        }
        if (text.find("</VTKFile>") == std::string::npos) {
            throw Error("is incomplete: its last lines are missing");
        }
        std::vector<PvdEntry> entries;
        for (const XmlTag& tag : tags) {
            if (tag.name == "DataSet") {
                entries.push_back({number<double>(tag.attribute("timestep")),
                                   path.parent_path() / tag.attribute("file")});
            }
        }
        return entries;
    });
}

}  // namespace scree::io
