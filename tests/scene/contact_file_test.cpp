// Files of contact problems: what they mean, and what is said about wrong ones.
#include "scree/scene/contact_file.hpp"

#include "support/paper.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <unistd.h>

namespace scree::scene {
namespace {

auto cases_of(const std::string& text)
{
    struct File {
        ~File() { std::filesystem::remove(path); }
        const std::string path =
            testing::TempDir() + "scree-contact-file-" + std::to_string(::getpid()) + ".toml";
    } const file;
    std::ofstream(file.path) << text;
    return read_contact_file(file.path);
}

std::string complaint_of(const std::string& text)
{
    try {
        (void)cases_of(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ContactFile, HoldsTheAcademicProblemInBothFrames)
{
    const auto cases = read_contact_file(SCREE_SOURCE_DIR "/scenes/contact/academic.toml");
    ASSERT_EQ(cases.size(), 2u);
    const test::Academic known[] = {test::academic_orthonormal(), test::academic_as_printed()};
    for (std::size_t i = 0; i < 2; ++i) {
        test::expect_digits(solve_contact(cases[i].problem).x, known[i].best.x);
        EXPECT_NEAR(cases[i].problem.A.nn, known[i].problem.A.nn, 1e-15);
    }
}

TEST(ContactFile, HoldsASweepOfRods)
{
    const auto cases = read_contact_file(SCREE_SOURCE_DIR "/scenes/contact/rod.toml");
    EXPECT_EQ(cases.size(), 25u);
    int impulses = 0;
    for (const ContactCase& given : cases) {
        ASSERT_TRUE(given.critical_friction.has_value());
        const ContactSolution s = solve_contact(given.problem);
        const double ratio = given.problem.mu / *given.critical_friction;
        if (std::abs(ratio - 1) > 1e-13) {
            EXPECT_EQ(s.x.n > 0, ratio > 1) << given.name;
        }
        impulses += s.x.n > 0;
    }
    EXPECT_GE(impulses, 10);
}

TEST(ContactFile, HyperbolaHasTwoMinimaOfWhichOneDissipates)
{
    const auto cases = read_contact_file(SCREE_SOURCE_DIR "/scenes/contact/hyperbola.toml");
    ASSERT_EQ(cases.size(), 1u);
    const ContactProblem<double>& c = cases[0].problem;
    EXPECT_EQ(conic_of(c), Conic::hyperbola);
    // Energies along the conic, angle by angle.
    const auto energy = [&](double alpha) {
        const double k = c.mu * (c.A.nt * std::cos(alpha) + c.A.no * std::sin(alpha)) / c.A.nn;
        const double r = c.mu * c.beta / (c.A.nn * (1 + k));
        return 1 + k > 0 ? certify(c, {r / c.mu, r * std::cos(alpha), r * std::sin(alpha)}).energy
                         : HUGE_VAL;
    };
    std::vector<double> minima;
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) {
        const double at = 2 * std::numbers::pi * i / steps, h = 2 * std::numbers::pi / steps;
        if (energy(at) < energy(at - h) && energy(at) <= energy(at + h)) {
            minima.push_back(energy(at));
        }
    }
    ASSERT_EQ(minima.size(), 2u);
    std::sort(minima.begin(), minima.end());
    EXPECT_NEAR(minima[0], solve_contact(c).certificate.energy, 1e-6);
    EXPECT_LT(minima[0], 0);
    EXPECT_GT(minima[1], 0);
}

TEST(ContactFile, KnowsUnitsGapsAndInfiniteMasses)
{
    const auto cases = cases_of(R"(
[[problem]]
mu = 0.5
[problem.body1]
mass = "2000 g"
inertia = ["inf", 0.1, "1000 g m2"]
orientation = { axis = [0, 0, 2], angle = "90 deg" }
velocity = [0, 0, "-100 cm/s"]
[problem.body2]
mass = inf
[problem.contact]
point = [0, 0, 0]
normal = [0, 0, 1]
gap = "0.1 mm"
)");
    ASSERT_EQ(cases.size(), 1u);
    EXPECT_TRUE(cases[0].open);
    EXPECT_DOUBLE_EQ(cases[0].problem.A.nn, 0.5);
    EXPECT_DOUBLE_EQ(cases[0].problem.b.n, 1);
    EXPECT_EQ(cases[0].name, "problem 1");
}

TEST(ContactFile, RestitutionMovesThePlane)
{
    const auto cases = cases_of(R"(
[[problem]]
mu = 0.5
restitution = 0.5
matrix = [[1, 0, 0], [0, 3.5, 0], [0, 0, 3.5]]
vector = [1, 0, 0]
)");
    EXPECT_DOUBLE_EQ(cases.at(0).problem.beta, 1.5);
}

TEST(ContactFile, EveryComplaintAtOnceWithLineAndSuggestion)
{
    const std::string text = complaint_of("[[problem]]\n"
                                          "mu = -1\n"
                                          "matricks = 3\n"
                                          "[problem.body1]\n"
                                          "mass = \"2 mm\"\n"
                                          "inertia = [1, 1]\n"
                                          "velocty = [0, 0, 1]\n");
    EXPECT_NE(text.find(".toml:2:6: problem[1].mu: -1 is not allowed; must be at least 0"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(":3:1: problem[1].matricks: unknown key; did you mean \"matrix\"?"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(":5:8: problem[1].body1.mass: \"2 mm\" has the wrong dimension; expected a "
                        "value in kg"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(":6:11: problem[1].body1.inertia: expected an array of 3 values"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(":7:1: problem[1].body1.velocty: unknown key; did you mean \"velocity\"?"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\"contact\" is missing"), std::string::npos) << text;
}

TEST(ContactFile, NothingGivenIsIgnored)
{
    const std::string matrix =
        "[[problem]]\nmu = 1\nmatrix = [[1,0,0],[0,1,0],[0,0,1]]\nvector = [1,0,0]\n";
    EXPECT_EQ(complaint_of(matrix), "accepted");
    EXPECT_NE(complaint_of(matrix + "gravity = [0, 0, -9.81]\n").find("goes with bodies"),
              std::string::npos);
    EXPECT_NE(complaint_of(matrix + "beta = 1\nrestitution = 0.5\n").find("goes without"),
              std::string::npos);
    const std::string bodies =
        "[[problem]]\nmu = 1\n@[problem.body1]\nmass = 1\ninertia = [1, 1, 1]\n"
        "[problem.contact]\npoint = [0, 0, 0]\nnormal = [0, 0, 1e-162]\n";
    const auto with = [&](const std::string& more) {
        return std::string(bodies).replace(bodies.find('@'), 1, more);
    };
    EXPECT_EQ(complaint_of(with("")), "accepted");
    EXPECT_NE(complaint_of(with("beta = 1\n")).find("goes with a matrix"), std::string::npos);
    EXPECT_NE(complaint_of(with("") + "orthogonal = [0, 0, 1]\n").find("to one side"),
              std::string::npos);
    EXPECT_NE(
        complaint_of(with("") + "[problem.body2]\nmass = 9007199254740993\ninertia = [0, 1, 1]\n")
            .find("body2.inertia: 0 is not allowed"),
        std::string::npos);
}

TEST(ContactFile, AbsurdFilesAreRefusedEarly)
{
    std::string key = "a";
    for (int i = 0; i < 100000; ++i) {
        key += ".a";
    }
    EXPECT_NE(complaint_of(key + " = 1\n").find("more than 1000 parts"), std::string::npos);
    EXPECT_NE(complaint_of("[" + key + "]\n").find("more than 1000 parts"), std::string::npos);
    std::string list = "1";
    for (int i = 0; i < 1000; ++i) {
        list += ",1";
    }
    EXPECT_NE(complaint_of("[[rod]]\nmass=1\nlength=1\nspeed=1\nangle=[" + list + "]\nmu=[" + list +
                           "]\n")
                  .find("more than 10000 problems"),
              std::string::npos);
}

TEST(ContactFile, WrongFilesAreRefused)
{
    EXPECT_NE(complaint_of("").find("no [[problem]]"), std::string::npos);
    EXPECT_NE(complaint_of("[[problem]\n").find(":1:"), std::string::npos);
    EXPECT_NE(complaint_of("problem = 3\n").find("[[problem]]"), std::string::npos);
    EXPECT_NE(complaint_of("[[problem]]\nmu = 1\n").find("expected either"), std::string::npos);
    EXPECT_NE(complaint_of(
                  "[[problem]]\nmu = 1\nmatrix = [[1,0,0],[0.1,1,0],[0,0,1]]\nvector = [1,0,0]\n")
                  .find("symmetric"),
              std::string::npos);
    EXPECT_NE(
        complaint_of("[[problem]]\nmu = 1\nmatrix = [[1,0,0],[0,-1,0],[0,0,1]]\nvector = [1,0,0]\n")
            .find("positive definite"),
        std::string::npos);
    EXPECT_NE(complaint_of(
                  "[[problem]]\nmu = nan\nmatrix = [[1,0,0],[0,1,0],[0,0,1]]\nvector = [1,0,0]\n")
                  .find("mu"),
              std::string::npos);
    EXPECT_NE(complaint_of("[[problem]]\nmu = 1\nrestitution = 1.5\nmatrix = "
                           "[[1,0,0],[0,1,0],[0,0,1]]\nvector = [1,0,0]\n")
                  .find("at least 0 and at most 1"),
              std::string::npos);
    EXPECT_THROW((void)read_contact_file("/nowhere/at/all.toml"), Error);
}

}  // namespace
}  // namespace scree::scene
