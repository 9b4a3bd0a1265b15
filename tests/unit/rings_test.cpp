// The house rules that a compiler does not check: dependencies point inwards only, law headers know
// neither SIMD nor CUDA, and no code for one instruction set can be picked for another.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Which rooms a room's files may include.
const std::map<std::string, std::set<std::string>> allowed{
    {"include/scree", {"scree"}},
    {"include/mpi", {"scree", "mpi.h"}},
    {"src/math", {"scree", "math"}},
    {"src/law", {"scree", "math", "law"}},
    {"src/state", {"scree", "math", "state", "collide", "sys", "unistd.h"}},
    {"src/collide", {"scree", "math", "state", "exec", "contact", "collide", "domain"}},
    {"src/contact", {"scree", "math", "law", "state", "exec", "collide", "solve", "contact"}},
    {"src/exec",
     {"scree", "math", "law", "state", "collide", "solve", "move", "exec", "xsimd", "linux",
      "pthread.h", "sched.h", "sys", "unistd.h"}},
    {"src/domain", {"scree", "math", "state", "exec", "collide", "contact", "solve", "domain"}},
    {"src/mpi", {"scree", "exec", "mpi", "mpi.h", "unistd.h"}},
    {"src/solve", {"scree", "math", "law", "state", "exec", "move", "solve", "domain"}},
    {"src/move", {"scree", "math", "state", "exec", "move"}},
    {"src/world",
     {"scree", "math", "state", "exec", "collide", "contact", "solve", "move", "domain", "world",
      "device"}},
    {"src/device",
     {"scree", "math", "law", "state", "exec", "collide", "contact", "solve", "move", "world",
      "domain", "device", "cub", "thrust", "cuda_runtime.h", "cooperative_groups.h"}},
    {"src/scene", {"scree", "math", "scene", "toml++", "udunits2.h", "fmt", "nlohmann"}},
    {"src/io",
     {"scree", "math", "collide", "io", "fmt", "hdf5.h", "zlib.h", "fcntl.h", "signal.h", "sys",
      "unistd.h"}},
    {"src/analyse", {"scree", "math", "law", "exec", "collide", "analyse", "fmt", "zlib.h"}},
};

std::vector<std::string> includes_of(const fs::path& file)
{
    static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^">]+)[">])");
    std::ifstream in(file);
    std::vector<std::string> found;
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_search(line, match, pattern)) {
            found.push_back(match[1]);
        }
    }
    return found;
}

TEST(Rings, DependenciesPointInwards)
{
    const fs::path root = SCREE_SOURCE_DIR;
    int files = 0;
    for (const auto& [room, rooms] : allowed) {
        ASSERT_TRUE(fs::exists(root / room)) << room;
        for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
            if (!entry.is_regular_file() ||
                (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp")) {
                continue;
            }
            ++files;
            for (const std::string& include : includes_of(entry.path())) {
                const std::string first = include.substr(0, include.find('/'));
                const bool standard = include.find('/') == std::string::npos &&
                                      include.find('.') == std::string::npos;
                EXPECT_TRUE(standard || rooms.contains(first))
                    << entry.path() << " includes " << include;
            }
        }
    }
    EXPECT_GT(files, 15);
    for (const auto& entry : fs::directory_iterator(root / "src")) {
        if (entry.is_directory()) {
            EXPECT_TRUE(allowed.contains("src/" + entry.path().filename().string()))
                << entry.path();
        }
    }
}

}  // namespace
