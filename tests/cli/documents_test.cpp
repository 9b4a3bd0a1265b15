// What the documents say is what happens: links lead somewhere, the README's output is the
// program's, and the example of the file reference is a good file.
#include "scene/contact_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace scree {
namespace {

namespace fs = std::filesystem;
const fs::path root = SCREE_SOURCE_DIR;

std::string content(const fs::path& file)
{
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The text between two markers, the first of which may not be missing.
std::string between(const std::string& text, const std::string& begin, const std::string& end)
{
    const std::size_t from = text.find(begin);
    EXPECT_NE(from, std::string::npos) << begin;
    const std::size_t start = from + begin.size();
    return text.substr(start, text.find(end, start) - start);
}

std::string without_trailing_blanks(const std::string& text)
{
    std::string out = std::regex_replace(text, std::regex(" +\n"), "\n");
    while (out.ends_with('\n')) {
        out.pop_back();
    }
    return out;
}

TEST(Documents, LinksLeadSomewhere)
{
    const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    int links = 0;
    for (const char* name :
         {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/theory.md",
          "docs/contact-files.md", "docs/shapes.md", "docs/world.md", "docs/results.md",
          "docs/pictures.md", "bench/README.md"}) {
        const std::string text = content(root / name);
        ASSERT_FALSE(text.empty()) << name;
        for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end;
             ++match) {
            EXPECT_TRUE(fs::exists((root / name).parent_path() / (*match)[1].str()))
                << name << ": " << (*match)[1];
            ++links;
        }
    }
    EXPECT_GT(links, 10);
}

TEST(Documents, ReadmeShowsWhatTheProgramPrints)
{
    const std::string shown = between(content(root / "README.md"), "--only orthonormal\n", "```");
    const std::string command = SCREE_PROGRAM " contact " +
                                (root / "scenes/contact/academic.toml").string() +
                                " --only orthonormal";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string printed;
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        printed.append(buffer.data(), n);
    }
    EXPECT_EQ(::pclose(pipe), 0);
    EXPECT_EQ(without_trailing_blanks(shown), without_trailing_blanks(printed));
}

TEST(Documents, ExampleOfTheFileReferenceIsGood)
{
    const std::string example =
        between(content(root / "docs/contact-files.md"), "```toml\n", "```");
    const std::string path =
        testing::TempDir() + "scree-document-" + std::to_string(::getpid()) + ".toml";
    std::ofstream(path) << example;
    const auto cases = scene::read_contact_file(path);
    fs::remove(path);
    ASSERT_EQ(cases.size(), 1u);
    const ContactSolution s = solve(cases[0].problem);
    EXPECT_NEAR(s.certificate.velocity.n, 0.5, 0.2);  // half of about 1 m/s, the spin added
    EXPECT_LE(s.residual, 1e-13);
}

}  // namespace
}  // namespace scree
