// What the documents say is what happens: links lead somewhere, files that are named exist, the
// README's output is the program's, and the example of the file reference is a good file.
#include "scree/error.hpp"
#include "scree/scene/contact_file.hpp"
#include "scree/scene/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

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

/// What people read in the repository, relative to its root; pages of docs/ by name.
std::vector<fs::path> documents()
{
    std::vector<fs::path> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(root / "docs")) {
        if (entry.path().extension() == ".md") {
            names.push_back("docs" / entry.path().filename());
        }
    }
    std::sort(names.begin(), names.end());
    names.insert(names.begin(), {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
                                 "bench/README.md"});
    return names;
}

TEST(Documents, LinksLeadSomewhere)
{
    const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    int links = 0;
    for (const fs::path& name : documents()) {
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

/// Our files, each with a slash in front: a name without its folder is the end of one.
std::vector<std::string> own_files()
{
    std::vector<std::string> files;
    for (const char* const top :
         {"apps", "bench", "cmake", "examples", "include", "scripts", "src", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            files.push_back("/" + entry.path().lexically_relative(root).string());
        }
    }
    return files;
}

/// A page without its blocks of code.
std::string without_blocks(std::string text)
{
    for (std::size_t at = text.find("```"); at != std::string::npos; at = text.find("```", at)) {
        const std::size_t end = text.find("```", at + 3);
        text.erase(at, end == std::string::npos ? end : end + 3 - at);
    }
    return text;
}

// The changelog may name what is gone.
TEST(Documents, SourceFilesThatAreNamedExist)
{
    const std::vector<std::string> files = own_files();
    const std::regex code("`([^`\n]+)`");
    const std::regex path(
        R"((^|[ (])((?:apps|bench|cmake|examples|include|scripts|src|tests)/[\w./-]+)"
        R"(|[\w./-]+\.(?:hpp|cpp|cuh|cu))(?![\w./*-]))");
    int named = 0;
    for (const fs::path& name : documents()) {
        if (name == "CHANGELOG.md") {
            continue;
        }
        const std::string text = without_blocks(content(root / name));
        for (std::sregex_iterator c(text.begin(), text.end(), code), end; c != end; ++c) {
            const std::string span = (*c)[1];
            for (std::sregex_iterator p(span.begin(), span.end(), path); p != end; ++p) {
                const std::string file = (*p)[2];
                const bool known = fs::exists(root / file) ||
                                   std::any_of(files.begin(), files.end(), [&](const auto& f) {
                                       return f.ends_with("/" + file);
                                   });
                EXPECT_TRUE(known) << name << ": " << file;
                ++named;
            }
        }
    }
    EXPECT_GT(named, 100);
}

/// What the program prints.
std::string output_of(const std::string& arguments)
{
    const std::string command = SCREE_PROGRAM " " + arguments;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string printed;
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        printed.append(buffer.data(), n);
    }
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return printed;
}

TEST(Documents, ReadmeShowsWhatTheProgramPrints)
{
    const std::string shown = between(content(root / "README.md"), "--only orthonormal\n", "```");
    const std::string printed = output_of(
        "contact " + (root / "scenes/contact/academic.toml").string() + " --only orthonormal");
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
    const ContactSolution s = solve_contact(cases[0].problem);
    EXPECT_NEAR(s.certificate.velocity.n, 0.5, 0.2);  // half of about 1 m/s, the spin added
    EXPECT_LE(s.residual, 1e-13);
}

/// The snippets of a Markdown file in one language.
std::vector<std::string> snippets(const std::string& text, const std::string& language)
{
    const std::string begin = "```" + language + "\n";
    std::vector<std::string> all;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
        at += begin.size();
        all.push_back(text.substr(at, text.find("```", at) - at));
    }
    return all;
}

// Parts of a file are completed with what they take for granted.
TEST(Documents, SnippetsOfTheSceneGuideAreGood)
{
    const std::vector<std::string> all = snippets(content(root / "docs/scenes.md"), "toml");
    EXPECT_GT(all.size(), 12u);
    for (std::string text : all) {
        const auto lacks = [&](const char* table) { return text.find(table) == std::string::npos; };
        if (lacks("[time]")) {
            text += "\n[time]\nstep = 1e-4\nend = 1\n";
        }
        if (lacks("[[material]]")) {
            text += "\n[[material]]\nname = \"glass\"\n[[material]]\nname = \"steel\"\n";
        }
        if (lacks("[[body]]") && lacks("[[fill]]") && lacks("[[source]]")) {
            text += "\n[[body]]\ntype = \"sphere\"\nradius = 0.01\nposition = [0, 0, 1]\n";
        }
        try {
            const scene::SceneFile file = scene::parse_scene(text, "snippet");
            scene::Simulation simulation(file.scene);
            EXPECT_EQ(simulation.step()[Condition::not_finite].count, 0u) << text;
        } catch (const Error& error) {
            ADD_FAILURE() << error.what() << "\n" << text;
        }
    }
}

TEST(Documents, EverySceneIsInTheGallery)
{
    const std::string gallery = content(root / "docs/gallery.md");
    const std::string readme = content(root / "README.md");
    int scenes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(root / "scenes")) {
        if (entry.path().extension() == ".toml") {
            const std::string file = "scenes/" + entry.path().filename().string();
            EXPECT_NE(gallery.find(file), std::string::npos) << file;
            EXPECT_NE(readme.find("(" + file + ")"), std::string::npos) << file;
            ++scenes;
        }
    }
    EXPECT_GE(scenes, 10);
    const std::string script = content(root / "scripts/gallery");
    const std::regex picture(R"(\npicture (\S+) (.*))");
    int pictures = 0;
    for (std::sregex_iterator p(script.begin(), script.end(), picture), end; p != end; ++p) {
        const std::string command =
            "scree render results/" + (*p)[1].str() + " " + (*p)[2].str() + "\n";
        EXPECT_NE(gallery.find(command), std::string::npos) << command;
        EXPECT_NE(gallery.find("(gallery/" + (*p)[1].str() + ".png)"), std::string::npos);
        ++pictures;
    }
    EXPECT_EQ(pictures, scenes - 1);  // the paper's channel takes hours
}

// The manual page names every command with every option.
TEST(Documents, ManualPageKnowsAllOptions)
{
    const std::string manual =
        std::regex_replace(content(root / "docs/scree.1"), std::regex(R"(\\-)"), "-");
    const std::regex option(R"(\n  (?:-\w,)?(--[a-z-]+))");
    const std::string commands = output_of("--help");
    const std::regex command(R"(\n  ([a-z]+) )");
    int options = 0;
    for (std::sregex_iterator c(commands.begin(), commands.end(), command), end; c != end; ++c) {
        const std::string name = (*c)[1];
        EXPECT_NE(manual.find("scree " + name), std::string::npos) << name;
        const std::string help = output_of(name + " --help");
        for (std::sregex_iterator o(help.begin(), help.end(), option); o != end; ++o) {
            if ((*o)[1] != "--help") {
                EXPECT_NE(manual.find((*o)[1]), std::string::npos) << name << " " << (*o)[1];
                ++options;
            }
        }
    }
    EXPECT_GT(options, 20);
}

}  // namespace
}  // namespace scree
