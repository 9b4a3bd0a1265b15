// The program from outside: output, exit codes, files left behind.
#include "support/batch_data.hpp"
#include "support/folder.hpp"
#include "support/paper.hpp"
#include "support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace scree {
namespace {

namespace fs = std::filesystem;

using test::Ran;
using test::scree;
using Program = test::InFolder;

const std::string scenes = SCREE_SOURCE_DIR "/scenes/contact/";

TEST_F(Program, PrintsTheTableOfThePaper)
{
    const Ran ran = scree("contact " + scenes + "academic.toml");
    EXPECT_EQ(ran.status, 0);
    for (const char* number : {"2.778287", "-10.22580", "-0.74831716", "1.603098", "-5.831965",
                               "-0.63400742", "ellipse", "sliding"}) {
        EXPECT_NE(ran.out.find(number), std::string::npos) << number;
    }
}

TEST_F(Program, JsonHoldsAllDigits)
{
    const Ran ran = scree("contact --json " + scenes + "academic.toml");
    ASSERT_EQ(ran.status, 0);
    const auto json = nlohmann::json::parse(ran.out);
    const test::Academic known[] = {test::academic_orthonormal(), test::academic_as_printed()};
    ASSERT_EQ(json["problems"].size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& problem = json["problems"][i];
        const auto vector = [](const auto& list) {
            return ContactVector<double>{list[0], list[1], list[2]};
        };
        test::expect_digits(vector(problem["max_dissipation"]["x"]), known[i].best.x);
        EXPECT_NEAR(problem["max_dissipation"]["energy"].get<double>(), known[i].best.energy,
                    1e-13);
        EXPECT_EQ(problem["max_dissipation"]["state"], "sliding");
        EXPECT_LE(problem["max_dissipation"]["certificate"]["stationarity"].get<double>(), 1e-14);
        EXPECT_GE(problem["max_dissipation"]["certificate"]["multiplier"].get<double>(), 0);
        ASSERT_EQ(problem["coulomb"].size(), 3u);
        for (std::size_t k = 0; k < 3; ++k) {
            test::expect_digits(vector(problem["coulomb"][k]["x"]), known[i].coulomb[k].x);
            EXPECT_NEAR(problem["coulomb"][k]["energy"].get<double>(), known[i].coulomb[k].energy,
                        1e-11);
            EXPECT_LE(problem["coulomb"][k]["certificate"]["slip_opposition"].get<double>(), 1e-14);
        }
        EXPECT_EQ(problem["A"][1][2], problem["A"][2][1]);
        EXPECT_EQ(problem["mu"], 3.7);
        EXPECT_TRUE(problem.contains("b"));
        EXPECT_TRUE(problem.contains("name"));
    }
}

TEST_F(Program, RodTellsWhichImpulseLeavesAParadox)
{
    const auto json = nlohmann::json::parse(scree("contact --json " + scenes + "rod.toml").out);
    int paradoxes = 0, continua = 0;
    for (const auto& problem : json["problems"]) {
        const double ratio = problem["mu"].get<double>() / problem["mu_critical"].get<double>();
        if (ratio < 1 - 1e-13) {
            EXPECT_TRUE(problem["non_impulsive_solution_exists"].get<bool>());
            EXPECT_EQ(problem["coulomb"].size(), 1u);
        } else if (ratio > 1 + 1e-13) {
            EXPECT_FALSE(problem["non_impulsive_solution_exists"].get<bool>());
            ASSERT_EQ(problem["coulomb"].size(), 2u);
            EXPECT_FALSE(problem["coulomb"][0]["post_impulse"]["reaction_exists"].get<bool>());
            EXPECT_TRUE(problem["max_dissipation"]["post_impulse"]["reaction_exists"].get<bool>());
            EXPECT_EQ(problem["max_dissipation"]["post_impulse"]["state"], "sticking");
            ++paradoxes;
        } else {
            EXPECT_TRUE(problem["max_dissipation"]["degenerate"].get<bool>());
            continua += problem.contains("coulomb_continuum");
        }
    }
    EXPECT_EQ(paradoxes, 10);
    EXPECT_EQ(continua, 5);
}

TEST_F(Program, OpenContactHasNoImpulse)
{
    write("open.toml",
          "[[problem]]\nmu = 1\n[problem.body1]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [0, 0, "
          "-1]\n"
          "[problem.contact]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\ngap = \"1 um\"\n");
    const auto json = nlohmann::json::parse(scree("contact --json " + path("open.toml")).out);
    EXPECT_EQ(json["problems"][0]["max_dissipation"]["state"], "open");
    EXPECT_EQ(json["problems"][0]["max_dissipation"]["x"], nlohmann::json({0.0, 0.0, 0.0}));
    EXPECT_EQ(json["problems"][0]["max_dissipation"]["velocity"][2].get<double>(), 0.0);
}

TEST_F(Program, BadInputIsExitCodeTwo)
{
    write("bad.toml", "[[problem]]\nmu = -1\n");
    EXPECT_EQ(scree("contact " + path("bad.toml")).status, 2);
    EXPECT_EQ(scree("contact " + path("missing.toml")).status, 2);
    EXPECT_EQ(scree("contact").status, 2);
    EXPECT_EQ(scree("concat").status, 2);
    EXPECT_EQ(scree("contact " + scenes + "rod.toml --law bounce").status, 2);
    EXPECT_EQ(scree("contact " + scenes + "rod.toml --only nothing").status, 2);
    EXPECT_EQ(scree("contact " + scenes + "rod.toml --output x.csv").status, 2);
    EXPECT_EQ(scree("--help").status, 0);
    EXPECT_EQ(scree("--version").status, 0);
}

TEST_F(Program, PlotsEachProblem)
{
    const Ran ran = scree("contact " + scenes + "academic.toml --plot " + path("academic.svg"));
    EXPECT_EQ(ran.status, 0);
    const std::string svg = read("academic-orthonormal-frame.svg");
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_NE(svg.find("Coulomb solution 3"), std::string::npos);
    EXPECT_TRUE(fs::exists(path("academic-frame-as-printed.svg")));
    EXPECT_TRUE(fs::exists(path("academic-frame-as-printed.png")));
    EXPECT_EQ(scree("contact " + scenes + "hyperbola.toml --plot " + path("no/where.svg")).status,
              2);
    EXPECT_EQ(scree("contact " + scenes + "hyperbola.toml --plot " + path("picture.gif")).status,
              2);
    // Problems of one name get numbers, an open contact no picture.
    const std::string problem = "[[problem]]\nname = \"日本\"\nmu = 1\nmatrix = "
                                "[[1,0,0],[0,1,0],[0,0,1]]\nvector = [1,0,0]\n";
    write("same.toml", problem + problem);
    EXPECT_EQ(scree("contact " + path("same.toml") + " --plot " + path("p.svg")).status, 0);
    EXPECT_TRUE(fs::exists(path("p-problem.svg")));
    EXPECT_TRUE(fs::exists(path("p-problem-2.svg")));
}

TEST_F(Program, BatchGivesTheBitsOfTheLibrary)
{
    const auto problems = test::mixed_problems<double>(3000, 91);
    std::string text = "class,Ann,Ant,Ano,Att,Ato,Aoo,bn,bt,bo,beta,mu\n";
    for (std::size_t i = 0; i < problems.size(); ++i) {
        text += "\"a, b\"";
        for (const auto& column : problems.values) {
            std::array<char, 64> cell;
            std::snprintf(cell.data(), cell.size(), i % 2 == 0 ? ",%.17g" : ",%a", column[i]);
            text += cell.data();
        }
        text += "\n";
    }
    write("in.csv", text);
    for (const LawName& entry : law_names) {
        const Ran ran = scree(fmt::format("contact {} --output {} --law {}", path("in.csv"),
                                          path("out.csv"), entry.name));
        ASSERT_EQ(ran.status, 0) << ran.out;
        test::Impulses<double> expected(problems.size());
        (void)solve_batch<double>(problems.columns(), expected.columns(), entry.law);
        std::ifstream in(path("out.csv"));
        std::string line;
        std::getline(in, line);
        EXPECT_EQ(line, "xn,xt,xo,state,residual");
        std::size_t i = 0;
        for (; std::getline(in, line); ++i) {
            std::stringstream cells(line);
            std::string xn, xt, xo, state, residual;
            std::getline(cells, xn, ',');
            std::getline(cells, xt, ',');
            std::getline(cells, xo, ',');
            std::getline(cells, state, ',');
            std::getline(cells, residual, ',');
            ASSERT_EQ(std::stod(xn), expected.xn[i]) << i;
            ASSERT_EQ(std::stod(xt), expected.xt[i]) << i;
            ASSERT_EQ(std::stod(xo), expected.xo[i]) << i;
            const char* names[] = {"separating", "sticking", "sliding"};
            ASSERT_EQ(state, names[static_cast<int>(expected.state[i])]);
        }
        EXPECT_EQ(i, problems.size());
    }
    EXPECT_EQ(files(), 2u);
}

TEST_F(Program, SolvesThePublishedVectorsAsBatch)
{
    const Ran ran = scree("contact " SCREE_SOURCE_DIR "/tests/data/contact-vectors.csv --output " +
                          path("out.csv"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("320 contacts"), std::string::npos);
}

TEST_F(Program, MalformedRowsAreNamedAndNothingIsWritten)
{
    const std::string header = "Ann,Ant,Ano,Att,Ato,Aoo,bn,bt,bo,beta,mu\n";
    const std::string good = "1,0,0,3.5,0,3.5,1,1,0,1,0.5\n";
    const struct {
        std::string row, problems_with;
    } bad[] = {{"1,0,0,3.5,0,3.5,1,1,0,1\n", ":3: the row has 10 cells"},
               {"1,0,0,x,0,3.5,1,1,0,1,0.5\n", ":3: Att = \"x\" is not a number"},
               {"1,0,0,3.5,0,3.5,1,1,0,1,0.5e\n", ":3: mu = \"0.5e\""},
               {"1,0,0,3.5,0,3.5,nan,1,0,1,0.5\n", ":3: bn = nan"},
               {"1,0,0,3.5,0,3.5,1,1,0,1,-0.5\n", ":3: mu = -0.5"},
               {"1,2,0,3.5,0,3.5,1,1,0,1,0.5\n", ":3: A is not positive definite"},
               {"1,0,0,3.5,0,3.5,1,1,0,1,0,5\n", ":3: the row has 12 cells, the header 11"},
               {"1,0,0,3.5,0,3.5,1e400,1,0,1,0.5\n", ":3: bn = \"1e400\" is beyond the range"},
               {"1,0,0,3.5,0,3.5,1e150,1,0,1,0.5\n", ":3: bn = 1e+150: must be between"},
               {"1e-200,0,0,3.5,0,3.5,1,1,0,1,0.5\n", ":3: Ann = 1e-200: must be at least"},
               {"\n", ":3: the row is empty"}};
    for (const auto& [row, problems_with] : bad) {
        write("in.csv", header + good + row + good);
        const Ran ran = scree("contact " + path("in.csv") + " --output " + path("out.csv"));
        EXPECT_EQ(ran.status, 2);
        EXPECT_NE(ran.out.find("in.csv" + problems_with), std::string::npos) << ran.out;
        EXPECT_EQ(files(), 1u) << row;
    }
    write("in.csv", "mu," + header + "1," + good);
    EXPECT_NE(scree("contact " + path("in.csv") + " --output " + path("out.csv"))
                  .out.find("column mu twice"),
              std::string::npos);
    write("in.csv", header + good);
    EXPECT_NE(scree("contact " + path("in.csv") + " --output " + path("in.csv"))
                  .out.find("is the input file itself"),
              std::string::npos);
    EXPECT_EQ(read("in.csv"), header + good);
    write("in.csv", "Ann,Ant\n1,2\n");
    EXPECT_NE(scree("contact " + path("in.csv") + " --output " + path("out.csv"))
                  .out.find("no column Ano, Att"),
              std::string::npos);
    write("in.csv", "");
    EXPECT_EQ(scree("contact " + path("in.csv") + " --output " + path("out.csv")).status, 2);
    write("in.csv", header + good);
    EXPECT_EQ(scree("contact " + path("in.csv")).status, 2);
    EXPECT_EQ(scree("contact " + path("in.csv") + " --output " + path("no/out.csv")).status, 2);
    EXPECT_EQ(scree("contact " + path("in.csv") + " --output " + folder.string()).status, 2);
    EXPECT_EQ(scree("contact " + folder.string()).status, 2);
}

// Links are followed, modes kept, pipes and devices written to.
TEST_F(Program, OutputGoesWhereItIsPointed)
{
    write("in.csv", "Ann,Ant,Ano,Att,Ato,Aoo,bn,bt,bo,beta,mu\n1,0,0,3.5,0,3.5,1,1,0,1,0.5\n");
    write("target.csv", "old");
    fs::permissions(path("target.csv"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(path("target.csv"), path("link.csv"));
    EXPECT_EQ(scree("contact " + path("in.csv") + " --output " + path("link.csv")).status, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.csv")));
    EXPECT_NE(read("target.csv").find("sticking"), std::string::npos);
    EXPECT_EQ(fs::status(path("target.csv")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_NE(scree("contact " + path("in.csv") + " --output /dev/stdout", "2>/dev/null")
                  .out.find("sticking"),
              std::string::npos);
    EXPECT_EQ(scree("contact " + path("in.csv") + " --output /dev/full").status, 1);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_EQ(scree("contact " + scenes + "academic.toml", ">/dev/full 2>&1").status, 1);
}

TEST_F(Program, InterruptedBatchLeavesNothing)
{
    std::string text = "Ann,Ant,Ano,Att,Ato,Aoo,bn,bt,bo,beta,mu\n";
    for (int i = 0; i < 2000000; ++i) {
        text += "1,0,0,3.5,0,3.5,1,1,0,1,0.5\n";
    }
    write("in.csv", text);
    const std::string command = "sh -c '" SCREE_PROGRAM " contact " + path("in.csv") +
                                " --output " + path("out.csv") +
                                " & child=$!; sleep 0.3; kill -TERM $child; wait $child'";
    (void)!std::system(command.c_str());
    EXPECT_EQ(files(), 1u);
}

// Windows line ends, a byte order mark, blank lines at the end, a missing beta column, any order.
TEST_F(Program, ForgivesWhatIsClear)
{
    write("in.csv",
          "mu,bo,bt,bn,Aoo,Ato,Att,Ano,Ant,Ann\r\n0.5, 0, 1, 1, 3.5, 0, 3.5, 0, 0, 1\r\n");
    const Ran ran = scree("contact " + path("in.csv") + " --output " + path("out.csv"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(read("out.csv").find("sticking"), std::string::npos);
}

}  // namespace
}  // namespace scree
