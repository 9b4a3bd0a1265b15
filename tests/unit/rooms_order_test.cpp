// The house rules that a compiler does not check: rooms stand in one order and include only what is
// above them, headers of others are included where they belong, and what a room declares is in the
// room's own namespace.
#include "support/folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace scree::test {
namespace {

namespace fs = std::filesystem;

/// All rooms, top to bottom. A room includes itself and those above it; rooms of one line do not
/// include each other. What stands below them (apps, bench, tests) may use everything.
const std::vector<std::vector<std::string>> order{
    {"include/scree"},
    {"math"},
    {"exec"},
    {"law"},
    {"single_contact"},
    {"shapes"},
    {"state"},
    {"ranks"},
    {"stages/neighbours"},
    {"stages/candidates"},
    {"stages/rows"},
    {"stages/velocities"},
    {"stages/relax"},
    {"stages/finish"},
    {"engine"},
    {"world"},
    {"mpi", "scene", "io", "analyse"},
};

/// Headers of others, and the files that may include them.
struct Outside {
    std::regex header, users;
};
const std::vector<Outside> outside{
    {std::regex("xsimd/.*"), std::regex("src/exec/.*|src/.*_isa\\.cpp")},
    {std::regex("cuda.*\\.h|cooperative_groups\\.h|(cub|thrust)/.*"),
     std::regex("src/exec/.*\\.cuh|src/engine/.*\\.cu|src/engine/cuda_devices\\.cpp")},
    {std::regex("linux/.*|pthread\\.h|sched\\.h"), std::regex("src/exec/.*")},
    {std::regex("sys/.*|unistd\\.h"), std::regex("src/(exec|mpi|io)/.*")},
    {std::regex("fcntl\\.h|signal\\.h|hdf5\\.h"), std::regex("src/io/.*")},
    {std::regex("mpi\\.h"), std::regex("(src|include)/mpi/.*")},
    {std::regex("zlib\\.h"), std::regex("src/(io|analyse)/.*")},
    {std::regex("fmt/.*"), std::regex("src/(scene|io|analyse)/.*")},
    {std::regex("(toml\\+\\+|nlohmann)/.*|udunits2\\.h"), std::regex("src/scene/.*")},
};

/// How far down a room stands; the number of lines if there is no such room.
std::size_t line_of(const std::string& room)
{
    const auto found = std::find_if(order.begin(), order.end(), [&](const auto& rooms) {
        return std::find(rooms.begin(), rooms.end(), room) != rooms.end();
    });
    return static_cast<std::size_t>(found - order.begin());
}

/// The room of a file: include/mpi/scree/mpi.hpp is of the room mpi.
std::string room_of(const fs::path& file)
{
    std::vector<std::string> names(file.begin(), file.end());
    names.resize(std::max<std::size_t>(names.size(), 4));
    if (names[0] == "include" && names[1] == "scree") {
        return "include/scree";
    }
    return names[1] == "stages" ? "stages/" + names[2] : names[1];
}

/// All files with code, relative to the root.
std::vector<fs::path> files_of(const fs::path& root)
{
    std::vector<fs::path> files;
    for (const char* const top : {"include", "src"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const fs::path kind = entry.path().extension();
            if (kind == ".hpp" || kind == ".cpp" || kind == ".cu" || kind == ".cuh") {
                files.push_back(entry.path().lexically_relative(root));
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The first group of each line of a file that a pattern is found in.
std::vector<std::string> matches_in(const fs::path& file, const std::regex& pattern)
{
    std::ifstream in(file);
    std::vector<std::string> found;
    for (std::string line; std::getline(in, line);) {
        if (std::smatch match; std::regex_search(line, match, pattern)) {
            found.push_back(match[1]);
        }
    }
    return found;
}

/// Our own file of this name; an empty path if there is none.
fs::path own_file(const fs::path& root, const std::string& name)
{
    std::vector<fs::path> folders{"src", "include"};
    for (const auto& entry : fs::directory_iterator(root / "include")) {
        folders.push_back(fs::path("include") / entry.path().filename());
    }
    for (const fs::path& folder : folders) {
        if (fs::is_regular_file(root / folder / name)) {
            return folder / name;
        }
    }
    return {};
}

/// Why a file of this room may not include this header; empty if it may.
std::string objection(const fs::path& root, const fs::path& file, const std::string& header)
{
    const fs::path own = own_file(root, header);
    if (!own.empty()) {
        const std::string room = room_of(file), other = room_of(own);
        const bool allowed = other == room || line_of(other) < line_of(room);
        return allowed ? "" : other + " is not above " + room;
    }
    const bool standard = header.find_first_of("./") == std::string::npos;
    const bool known = std::any_of(outside.begin(), outside.end(), [&](const Outside& rule) {
        return std::regex_match(header, rule.header) && std::regex_match(file.string(), rule.users);
    });
    return standard || known ? "" : "neither a header of ours nor one that is for this file";
}

/// All that is against the order of rooms in the tree at this root.
std::vector<std::string> order_complaints(const fs::path& root)
{
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^">]+)[">])");
    std::vector<std::string> complaints;
    std::vector<std::string> seen;
    for (const fs::path& file : files_of(root)) {
        seen.push_back(room_of(file));
        if (line_of(seen.back()) == order.size()) {
            complaints.push_back(file.string() + " is in no room");
            continue;
        }
        for (const std::string& header : matches_in(root / file, include)) {
            const std::string reason = objection(root, file, header);
            if (!reason.empty()) {
                complaints.push_back(file.string() + " includes " + header + ": " + reason);
            }
        }
    }
    for (const auto& rooms : order) {
        for (const std::string& room : rooms) {
            if (std::find(seen.begin(), seen.end(), room) == seen.end()) {
                complaints.push_back("nothing is in the room " + room);
            }
        }
    }
    return complaints;
}

/// All declarations in the tree at this root that are in the namespace of another room.
std::vector<std::string> namespace_complaints(const fs::path& root)
{
    static const std::regex opened(R"(^\s*(?:inline\s+)?namespace\s+([\w:]+)\s*(?:\{|$))");
    std::vector<std::string> complaints;
    for (const fs::path& file : files_of(root)) {
        const std::string room = room_of(file);
        const std::string last = fs::path(room).filename().string(), own = "scree::" + last;
        for (const std::string& name : matches_in(root / file, opened)) {
            // `detail` and the room's last name alone stand in another namespace of the file. Two
            // vocabularies of math have short names, since every kernel is written in them.
            const bool of_math =
                last == "math" && (name == "scree::lane" || name == "scree::plane");
            const bool in_own = name == own || name.rfind(own + "::", 0) == 0 || name == last ||
                                name == "detail" || of_math;
            if (name != "scree" && (room == "include/scree" || !in_own)) {
                complaints.push_back(file.string() + " declares namespace " + name);
            }
        }
    }
    return complaints;
}

std::string lines_of(const std::vector<std::string>& complaints)
{
    std::string text;
    for (const std::string& problems_with : complaints) {
        text += problems_with + "\n";
    }
    return text;
}

TEST(Rooms, IncludeOnlyWhatIsAboveThem)
{
    EXPECT_EQ(lines_of(order_complaints(SCREE_SOURCE_DIR)), "");
}

TEST(Rooms, DeclareTheirOwnNamespaceOnly)
{
    EXPECT_EQ(lines_of(namespace_complaints(SCREE_SOURCE_DIR)), "");
}

/// A small tree with a file in each room, to be broken.
class RoomsOfATree : public InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        for (const auto& rooms : order) {
            for (const std::string& room : rooms) {
                put(room == "include/scree" ? "include/scree/a.hpp" : "src/" + room + "/a.hpp", "");
            }
        }
    }
    void put(const std::string& file, const std::string& text)
    {
        fs::create_directories(fs::path(path(file)).parent_path());
        write(file, text);
    }
    std::string order_after(const std::string& file, const std::string& text)
    {
        put(file, text);
        const std::string found = lines_of(order_complaints(folder));
        put(file, "");
        return found;
    }
    std::string namespaces_after(const std::string& file, const std::string& text)
    {
        put(file, text);
        return lines_of(namespace_complaints(folder));
    }
};

TEST_F(RoomsOfATree, MayIncludeWhatIsAbove)
{
    EXPECT_EQ(lines_of(order_complaints(folder)), "");
    EXPECT_EQ(order_after("src/stages/relax/a.hpp",
                          "#include \"stages/relax/a.hpp\"\n#include <vector>\n"
                          "#include \"stages/rows/a.hpp\"\n#include <scree/a.hpp>\n"),
              "");
    EXPECT_EQ(order_after("src/exec/a.hpp", "#include <xsimd/xsimd.hpp>\n"), "");
    EXPECT_EQ(order_after("src/stages/rows/row_isa.cpp", "#include <xsimd/xsimd.hpp>\n"), "");
    EXPECT_EQ(order_after("src/engine/a.cu", "#include <cuda_runtime.h>\n"), "");
    EXPECT_EQ(order_after("src/exec/a.cuh", "#include <cub/device/device_scan.cuh>\n"), "");
    EXPECT_EQ(order_after("src/mpi/a.hpp", "#include <mpi.h>\n#include \"world/a.hpp\"\n"), "");
}

TEST_F(RoomsOfATree, MayNotIncludeWhatIsBelowOrBeside)
{
    for (const char* const kind : {".hpp", ".cpp", ".cu", ".cuh"}) {
        const std::string file = std::string("src/exec/b") + kind;
        EXPECT_EQ(order_after(file, "#include \"shapes/a.hpp\"\n"),
                  file + " includes shapes/a.hpp: shapes is not above exec\n");
    }
    EXPECT_EQ(order_after("include/scree/a.hpp", "  #  include <math/a.hpp>\n"),
              "include/scree/a.hpp includes math/a.hpp: math is not above include/scree\n");
    EXPECT_EQ(order_after("src/stages/rows/a.hpp", "#include \"stages/relax/a.hpp\"\n"),
              "src/stages/rows/a.hpp includes stages/relax/a.hpp: stages/relax is not above "
              "stages/rows\n");
    EXPECT_EQ(order_after("src/io/a.hpp", "#include \"scene/a.hpp\"\n"),
              "src/io/a.hpp includes scene/a.hpp: scene is not above io\n");
    put("include/mpi/scree/mpi.hpp", "");
    EXPECT_EQ(order_after("src/world/a.hpp", "#include \"scree/mpi.hpp\"\n"),
              "src/world/a.hpp includes scree/mpi.hpp: mpi is not above world\n");
}

TEST_F(RoomsOfATree, MayNotIncludeHeadersForOtherRooms)
{
    const std::string reason = ": neither a header of ours nor one that is for this file\n";
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"src/law/a.hpp", "xsimd/xsimd.hpp"},
        {"src/stages/relax/kernel.hpp", "xsimd/xsimd.hpp"},
        {"src/exec/a.hpp", "cuda_runtime.h"},
        {"src/engine/a.hpp", "cuda_runtime.h"},
        {"src/stages/relax/a.cuh", "cub/device/device_scan.cuh"},
        {"src/world/a.hpp", "mpi.h"},
        {"src/state/a.hpp", "unistd.h"},
        {"src/scene/a.hpp", "hdf5.h"},
        {"src/math/a.hpp", "fmt/format.h"},
        {"src/math/a.hpp", "math/gone.hpp"}};
    for (const auto& [file, header] : wrong) {
        EXPECT_EQ(order_after(file, "#include <" + header + ">\n"),
                  file + " includes " + header + reason);
    }
}

TEST_F(RoomsOfATree, AreAllInTheOrderAndNotEmpty)
{
    EXPECT_EQ(order_after("src/stages/a.hpp", ""), "src/stages/a.hpp is in no room\n");
    fs::remove(path("src/stages/a.hpp"));
    EXPECT_EQ(order_after("src/device/a.cu", ""), "src/device/a.cu is in no room\n");
    fs::remove(path("src/device/a.cu"));
    fs::remove(path("src/state/a.hpp"));
    EXPECT_EQ(lines_of(order_complaints(folder)), "nothing is in the room state\n");
}

TEST_F(RoomsOfATree, MayNotDeclareForOthers)
{
    const std::string file = "src/stages/relax/a.hpp";
    EXPECT_EQ(namespaces_after(
                  file, "namespace scree::relax {\nnamespace {\nnamespace detail {\n"
                        "namespace relax {\nnamespace scree {\nnamespace fs = std::filesystem;\n"),
              "");
    for (const std::string name :
         {"scree::rows", "scree::stages", "rows", "scree::relaxed", "std"}) {
        EXPECT_EQ(namespaces_after(file, "inline namespace " + name + "\n{\n"),
                  file + " declares namespace " + name + "\n");
    }
    put(file, "");
    EXPECT_EQ(namespaces_after("include/scree/a.hpp",
                               "namespace scree::world { struct ContactState; }\n"),
              "include/scree/a.hpp declares namespace scree::world\n");
}

}  // namespace
}  // namespace scree::test
