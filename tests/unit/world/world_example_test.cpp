// docs/world.md says what is true: its example compiles and does what it says, its defaults and
// ranges of settings are the real ones, its advice is the engine's, and its links lead somewhere.
#include "scree/error.hpp"
#include "scree/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

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

std::string between(const std::string& text, const std::string& begin, const std::string& end)
{
    const std::size_t from = text.find(begin);
    EXPECT_NE(from, std::string::npos) << begin;
    if (from == std::string::npos) {
        return "";
    }
    const std::size_t start = from + begin.size();
    return text.substr(start, text.find(end, start) - start);
}

/// Lines without the given number of blanks at their beginning.
std::string outdented(const std::string& text, std::size_t blanks)
{
    std::istringstream in(text);
    std::string out;
    for (std::string line; std::getline(in, line);) {
        EXPECT_EQ(line.find_first_not_of(' ') < blanks, false) << line;
        out += line.substr(std::min(blanks, line.size())) + "\n";
    }
    return out;
}

TEST(WorldExample, DoesWhatTheDocumentSays)
{
    // The document shows what stands between these two lines.
    // example begins
    scree::Settings settings;
    settings.time_step = 1e-3;
    scree::World world(settings);
    world.add(scree::obstacle(scree::Shape::half_space()));  // a floor, the solid z ≤ 0
    scree::Body ball;
    ball.shape = scree::Shape::sphere(0.05);
    ball.position = {0, 0, 0.05};  // on the floor
    ball.velocity = {1, 0, 0};     // slides at first, without spin
    const scree::BodyId id = world.add(ball);
    while (world.time() < 0.2) {
        world.step();
    }
    const scree::Body rolling = world.body(id);  // at 5/7 m/s
    // example ends

    EXPECT_NEAR(rolling.velocity.x, 5.0 / 7, 1e-12);
    EXPECT_NEAR(rolling.angular_velocity.y, 5.0 / 7 / 0.05, 1e-11);
    EXPECT_NEAR(rolling.velocity.z, 0, 1e-12);
    EXPECT_NEAR(rolling.position.z, 0.05, 1e-12);
    // It slides for T = 2 v₀/(7 μ g); a step of first order is off by some part of a step's way.
    const double T = 2 / (7 * scree::ContactMaterial{}.friction * 9.81);
    const double slid = T - 0.25 * 9.81 * T * T;
    EXPECT_NEAR(rolling.position.x, slid + 5.0 / 7 * (world.time() - T), settings.time_step);
    EXPECT_TRUE(world.report().good());
    EXPECT_EQ(world.report().contacts, 1U);
    EXPECT_NEAR(world.energy().residual(), 0, 1e-12);
    EXPECT_LT(world.energy().friction_work, 0);
}

TEST(WorldExample, IsTheOneInTheDocument)
{
    const std::string here = between(content(root / "tests/unit/world/world_example_test.cpp"),
                                     "    // example begins\n", "    // example ends");
    const std::string shown =
        between(content(root / "docs/world.md"), "```cpp\n#include <scree/world.hpp>\n\n", "```");
    EXPECT_EQ(outdented(here, 4), shown);
}

TEST(WorldExample, OfTheReadmeComesToRest)
{
    // readme begins
    scree::World world;                                      // δt = 0.1 ms, gravity 9.81 m/s²
    world.add(scree::obstacle(scree::Shape::half_space()));  // a floor
    scree::Body box;
    box.shape = scree::Shape::box(0.1, 0.1, 0.1);
    box.position = {0, 0, 1};
    const scree::BodyId id = world.add(box);
    while (world.time() < 1) {
        world.step();
    }
    const double height = world.body(id).position.z;  // it lies on the floor: 0.05 m
    // readme ends
    EXPECT_NEAR(height, 0.05, 1e-6);
    EXPECT_TRUE(world.report().good());
    const std::string here = between(content(root / "tests/unit/world/world_example_test.cpp"),
                                     "    // readme begins\n", "    // readme ends");
    const std::string shown =
        between(content(root / "README.md"), "```cpp\n#include <scree/world.hpp>\n\n", "```");
    EXPECT_EQ(outdented(here, 4), shown);
}

TEST(WorldExample, OfRanksIsTheOneInTheDocument)
{
    const std::string here = content(root / "tests/consumer/ranks_consumer.cpp");
    EXPECT_EQ(here.substr(here.find('\n') + 1),
              between(content(root / "docs/ranks.md"), "```cpp\n", "```"));
}

/// The rows of the first table whose head begins with these cells; cells without blanks around.
std::vector<std::vector<std::string>> table(const std::string& text, const std::string& head)
{
    std::vector<std::vector<std::string>> rows;
    const std::size_t at = text.find("| " + head);
    EXPECT_NE(at, std::string::npos) << head;
    std::istringstream in(at == std::string::npos ? "" : text.substr(at));
    std::string line;
    std::getline(in, line);  // head
    std::getline(in, line);  // rule
    while (std::getline(in, line) && line.starts_with("|")) {
        std::vector<std::string> cells;
        std::istringstream row(line.substr(1));
        for (std::string cell; std::getline(row, cell, '|');) {
            const std::size_t from = cell.find_first_not_of(' ');
            const std::size_t to = cell.find_last_not_of(' ');
            cells.push_back(from == std::string::npos ? "" : cell.substr(from, to - from + 1));
        }
        rows.push_back(cells);
    }
    return rows;
}

std::string without_ticks(const std::string& cell)
{
    EXPECT_TRUE(cell.size() > 2 && cell.front() == '`' && cell.back() == '`') << cell;
    return cell.size() > 2 ? cell.substr(1, cell.size() - 2) : "";
}

/// All numbers in a text, in order.
std::vector<double> numbers(const std::string& text)
{
    std::vector<double> out;
    for (const char* p = text.c_str(); *p != '\0';) {
        char* end = nullptr;
        const double value = std::strtod(p, &end);
        if (end != p) {
            out.push_back(value);
            p = end;
        } else {
            ++p;
        }
    }
    return out;
}

/// A setting as the document has to show it, and how to give it a number.
struct Entry {
    std::vector<double> value;  ///< the default, of numbers
    std::string word;           ///< the default, of names
    std::function<void(scree::Settings&, double)> set;
};

std::string word_of(scree::GapForm form)
{
    return form == scree::GapForm::shifted ? "GapForm::shifted" : "GapForm::plane_only";
}
std::string word_of(scree::Rotation rotation)
{
    return rotation == scree::Rotation::momentum ? "Rotation::momentum"
                                                 : "Rotation::semi_implicit_euler";
}
std::string word_of(scree::Law law)
{
    switch (law) {
    case scree::Law::max_dissipation: return "Law::max_dissipation";
    case scree::Law::coulomb: return "Law::coulomb";
    case scree::Law::frictionless: return "Law::frictionless";
    default: return "Law::projected";
    }
}

std::map<std::string, Entry> actual_settings()
{
    const scree::Settings d;
    using scree::Settings;
    const auto vec = [](const scree::Vec3<double>& v) { return std::vector{v.x, v.y, v.z}; };
    const auto number = [](double value, auto Settings::*member) {
        return Entry{{value}, "", [member](Settings& s, double x) {
                         using Member = std::remove_reference_t<decltype(s.*member)>;
                         s.*member = static_cast<Member>(x);
                     }};
    };
    return {
        {"time_step", number(d.time_step, &Settings::time_step)},
        {"gravity", {vec(d.gravity), "", {}}},
        {"law", {{}, word_of(d.law), {}}},
        {"gap_form", {{}, word_of(d.gap_form), {}}},
        {"error_reduction", number(d.error_reduction, &Settings::error_reduction)},
        {"correction_limit", number(d.correction_limit, &Settings::correction_limit)},
        {"slack", number(d.slack, &Settings::slack)},
        {"restitution_threshold",
         number(d.restitution_threshold, &Settings::restitution_threshold)},
        {"rotation", {{}, word_of(d.rotation), {}}},
        {"sweeps", number(d.sweeps, &Settings::sweeps)},
        {"tolerance", number(d.tolerance, &Settings::tolerance)},
        {"relaxation", number(d.relaxation, &Settings::relaxation)},
        {"warm_start", number(d.warm_start, &Settings::warm_start)},
        {"accelerate", {{}, d.accelerate ? "true" : "false", {}}},
        {"contacts_per_copy", number(d.contacts_per_copy, &Settings::contacts_per_copy)},
        {"region_pairs", number(d.region_pairs, &Settings::region_pairs)},
        {"skin", number(d.skin, &Settings::skin)},
        {"threads", number(d.threads, &Settings::threads)},
        {"gpu", {{double(d.gpu)}, "", {}}},  // which numbers are allowed depends on the machine
        {"precision", {{}, "Precision::full", {}}},
        {"deep_penetration", number(d.deep_penetration, &Settings::deep_penetration)},
        {"energy_tolerance", number(d.energy_tolerance, &Settings::energy_tolerance)},
        {"period", {vec(d.period), "", [](Settings& s, double x) { s.period.y = x; }}},
        {"origin", {vec(d.origin), "", {}}},
    };
}

const std::string settings_head = "key | unit | default | range | what it does |";

/// Members of Settings as the header names them.
std::vector<std::string> declared_settings()
{
    const std::string text = content(root / "include/scree/settings.hpp");
    std::istringstream in(between(text, "struct Settings {\n", "\n};"));
    const std::regex member(R"(^    (?:\w|:|<|>)+ (\w+)(?: = [^;]+|\{[^}]*\});.*)");
    std::vector<std::string> names;
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_match(line, match, member)) {
            names.push_back(match[1]);
        } else {
            EXPECT_TRUE(line.empty() || line.find("///") != std::string::npos) << line;
        }
    }
    return names;
}

TEST(WorldExample, EverySettingIsKnownHere)
{
    const std::map<std::string, Entry> known = actual_settings();
    for (const std::string& name : declared_settings()) {
        EXPECT_TRUE(known.contains(name)) << "list " << name << " here and in docs/world.md";
    }
    EXPECT_EQ(declared_settings().size(), known.size());
}

TEST(WorldExample, DocumentedDefaultsAreTheRealOnes)
{
    std::map<std::string, Entry> actual = actual_settings();
    for (const auto& row : table(content(root / "docs/world.md"), settings_head)) {
        ASSERT_EQ(row.size(), 5U);
        const std::string key = without_ticks(row[0]);
        ASSERT_TRUE(actual.contains(key)) << key;
        const std::string shown = without_ticks(row[2]);
        const Entry& entry = actual[key];
        if (entry.value.empty()) {
            EXPECT_EQ(shown, entry.word) << key;
        } else {
            EXPECT_EQ(numbers(shown), entry.value) << key << ": " << shown;
        }
        actual.erase(key);
    }
    for (const auto& [key, entry] : actual) {
        ADD_FAILURE() << "docs/world.md does not list " << key;
    }
}

bool accepted(const Entry& entry, double value)
{
    scree::Settings s;
    entry.set(s, value);
    try {
        const scree::World world(s);
        return true;
    } catch (const scree::Error&) {
        return false;
    }
}

// Ranges are written [0, 1], (0, 1] or [0, ∞), with a round bracket where the end is not allowed.
TEST(WorldExample, DocumentedRangesAreTheRealOnes)
{
    std::map<std::string, Entry> actual = actual_settings();
    int checked = 0;
    for (const auto& row : table(content(root / "docs/world.md"), settings_head)) {
        const std::string key = without_ticks(row[0]);
        const Entry& entry = actual[key];
        if (!entry.set) {
            continue;
        }
        const std::string& range = row[3];
        const std::vector<double> ends = numbers(range);
        ASSERT_GE(ends.size(), 1U) << key;
        EXPECT_EQ(accepted(entry, ends[0]), range.starts_with("[")) << key << " " << ends[0];
        EXPECT_FALSE(accepted(entry, ends[0] - 1)) << key;
        if (range.ends_with("∞)")) {
            EXPECT_TRUE(accepted(entry, 1e300)) << key;
        } else {
            ASSERT_EQ(ends.size(), 2U) << key;
            EXPECT_EQ(accepted(entry, ends[1]), range.ends_with("]")) << key << " " << ends[1];
            EXPECT_FALSE(accepted(entry, ends[1] * 1.001 + 1)) << key;
        }
        ++checked;
    }
    EXPECT_EQ(checked, std::count_if(actual.begin(), actual.end(),
                                     [](const auto& e) { return bool(e.second.set); }));
}

TEST(WorldExample, DocumentedAdviceIsWhatTheReportSays)
{
    const auto rows =
        table(content(root / "docs/world.md"), "condition | what happened | advice |");
    ASSERT_EQ(rows.size(), std::size_t(scree::condition_count));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto condition = static_cast<scree::Condition>(k);
        EXPECT_EQ(without_ticks(rows[k][0]), scree::name_of(condition));
        EXPECT_EQ(rows[k][2], scree::advice(condition));
    }
}

/// A heading as a link names it: lower case, blanks to dashes, punctuation left out.
std::string anchor_of(const std::string& heading)
{
    std::string out;
    for (const char c : heading) {
        if (c == ' ') {
            out += '-';
        } else if (c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   static_cast<unsigned char>(c) >= 0x80) {
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return out;
}

TEST(WorldExample, LinksOfTheDocumentLeadSomewhere)
{
    std::string text;
    std::istringstream lines(content(root / "docs/world.md"));
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        code = code != line.starts_with("```");
        text += code ? "" : line + "\n";
    }
    int links = 0;
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
        const std::string link = text.substr(at + 2, text.find(')', at) - at - 2);
        const std::string file = link.substr(0, link.find('#'));
        const fs::path target = root / "docs" / (file.empty() ? "world.md" : file);
        EXPECT_TRUE(fs::exists(target)) << link;
        if (link.find('#') != std::string::npos) {
            bool found = false;
            std::istringstream in(content(target));
            for (std::string line; std::getline(in, line);) {
                const std::size_t from = line.find_first_not_of('#');
                found =
                    found || (line.starts_with("#") && from != std::string::npos &&
                              anchor_of(line.substr(from + 1)) == link.substr(link.find('#') + 1));
            }
            EXPECT_TRUE(found) << link;
        }
        ++links;
    }
    EXPECT_GT(links, 10);
}

}  // namespace
