// Scene files: what is read, and what is said about files that are wrong.
#include "scene/reference.hpp"
#include "scree/error.hpp"
#include "scree/scene/scene.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using namespace scree;
using namespace scree::scene;

const std::string minimal = R"(
[time]
step = "10 us"
end = "1 ms"
[[body]]
type = "sphere"
radius = "0.94 mm"
)";

std::string complaint_of(const std::string& text, const std::vector<Override>& set = {})
{
    try {
        (void)parse_scene(text, "test.toml", set);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

void expect_all(const std::string& text, std::initializer_list<const char*> parts)
{
    for (const char* part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in\n" << text;
    }
}

TEST(SceneFile, UnitsAreConverted)
{
    const Scene s = parse_scene(minimal, "test.toml").scene;
    EXPECT_DOUBLE_EQ(s.time.step, 1e-5);
    EXPECT_DOUBLE_EQ(s.bodies.at(0).radius, 0.94e-3);
    EXPECT_EQ(s.materials.size(), 1U);  // the one with the defaults
}

TEST(SceneFile, ComplaintsHaveLineColumnTextRangeAndSuggestion)
{
    const std::string text = complaint_of(R"([time]
step = "10 kg"
end = -1
[[body]]
type = "spere"
[solver]
sweps = 3
)");
    expect_all(text, {"test.toml:2:8: time.step:", "step = \"10 kg\"", "test.toml:3:7: time.end:",
                      "-1 is not allowed; must be at least 1e-12 and at most 1000000000000000 s",
                      "\"spere\" is not one of", "did you mean \"sphere\"?",
                      "test.toml:7:1: solver.sweps: unknown key; did you mean \"sweeps\"?"});
}

TEST(SceneFile, MissingKeysAreNamed)
{
    const std::string text = complaint_of("[[body]]\ntype = \"box\"\n");
    expect_all(text, {"key \"time\" is missing", "key \"size\" is missing"});
}

TEST(SceneFile, KeysOfAnotherTypeAreUnknown)
{
    expect_all(complaint_of(minimal + "length = 3\n"), {"body[1].length: unknown key"});
}

TEST(SceneFile, NamesMustExist)
{
    const std::string text =
        complaint_of(minimal + "material = \"glas\"\n[[material]]\nname = \"glass\"\n");
    expect_all(text, {"there is no material \"glas\"", "did you mean \"glass\"?"});
}

TEST(SceneFile, CopiesNeedWaysAndBounds)
{
    expect_all(complaint_of(minimal + "repeat = [{ count = 3 }]\n"),
               {"body.repeat", "all copies would be at the same place: give step, turn or both"});
    expect_all(complaint_of(minimal + "repeat = [{ count = 100000, step = [1, 0, 0] }, { count = "
                                      "100000, step = [0, 1, 0] }]\n"),
               {"body.repeat", "makes 1e+10 bodies, must be at most 1e+08"});
    expect_all(complaint_of(minimal + "repeat = [{ count = 0, step = [1, 0, 0] }]\n"),
               {"body[1].repeat[1].count", "must be at least 1"});
    expect_all(complaint_of(minimal +
                            "repeat = [{ count = 2, turn = { axis = [0, 0, 0], angle = 1 } }]\n"),
               {"body.repeat.turn.axis"});
}

TEST(SceneFile, RegionsInsideOutAreRefused)
{
    const std::string text = complaint_of(R"([time]
step = 1
end = 1
[[fill]]
type = "grid"
spacing = 1
region = { min = [0, 0, 0], max = [1, -1, 1] }
shape = { type = "sphere", radius = 0.1 }
)");
    expect_all(text, {"fill.region", "max must be larger than min"});
}

TEST(SceneFile, AGridOfAbsurdSizeIsRefused)
{
    const std::string text = complaint_of(R"([time]
step = 1
end = 1
[[fill]]
type = "grid"
spacing = "1 um"
region = { min = [0, 0, 0], max = [1, 1, 1] }
shape = { type = "sphere", radius = 1e-7 }
)");
    expect_all(text, {"fill.spacing", "1e+18 places"});
}

TEST(SceneFile, OverridesReachTablesAndListsByNumberAndName)
{
    const std::string text = minimal + "name = \"ball\"\n[[material]]\nname = \"a\"\n";
    const Scene s = parse_scene(text, "test.toml",
                                {{"solver.sweeps", "20"},
                                 {"material.1.friction", "0.25"},
                                 {"body.ball.radius", "2 mm"},
                                 {"time.end", "\"3 s\""}})
                        .scene;
    EXPECT_EQ(s.solver.sweeps, 20);
    EXPECT_EQ(s.materials[0].friction, 0.25);
    EXPECT_DOUBLE_EQ(s.bodies[0].radius, 2e-3);
    EXPECT_EQ(s.time.end, 3);
    expect_all(complaint_of(text, {{"material.2.friction", "0.25"}}),
               {"--set material.2.friction=0.25", "count from 1 to 1"});
    expect_all(complaint_of(text, {{"solver.sweps", "20"}}), {"did you mean \"sweeps\"?"});
}

TEST(SceneFile, OverriddenTextReadsBackToTheSameScene)
{
    const std::string text = parse_scene(minimal, "test.toml", {{"solver.sweeps", "20"}}).text;
    const Scene again = parse_scene(text, "again.toml").scene;
    EXPECT_EQ(again.solver.sweeps, 20);
    EXPECT_DOUBLE_EQ(again.time.step, 1e-5);
}

TEST(SceneFile, ExpectationsMayBeNestedOrDotted)
{
    const Scene s =
        parse_scene(minimal + "[expect]\n\"a.b\" = [1, 2]\na.c = [3, 4]\n", "test.toml").scene;
    ASSERT_EQ(s.expect.size(), 2U);
    EXPECT_TRUE((s.expect[0].name == "a.b") != (s.expect[1].name == "a.b"));
    expect_all(complaint_of(minimal + "[expect]\nx = [2, 1]\n"), {"the smaller first"});
}

std::string content(const std::string& path)
{
    std::ifstream in(std::string(SCREE_SOURCE_DIR) + path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

TEST(SceneFile, TheReferencePageIsTheOneOfTheCode)
{
    EXPECT_EQ(content("/docs/scene-reference.md"), scene_reference())
        << "make it anew: scree reference > docs/scene-reference.md";
    EXPECT_EQ(content("/docs/scene.schema.json"), scene_schema())
        << "make it anew: scree reference --schema > docs/scene.schema.json";
}

TEST(SceneFile, AllScenesOfTheProjectAreGood)
{
    int scenes = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SCREE_SOURCE_DIR) + "/scenes")) {
        if (entry.path().extension() == ".toml") {
            EXPECT_NO_THROW((void)read_scene(entry.path().string())) << entry.path();
            ++scenes;
        }
    }
    EXPECT_GE(scenes, 2);
}

}  // namespace
