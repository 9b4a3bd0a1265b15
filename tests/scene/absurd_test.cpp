// Scenes that ask for what no machine can do: each is refused with a reason before memory or time
// is spent on it. Without the refusals these tests would not end.
#include "scene/counts.hpp"
#include "scene/sizes.hpp"
#include "scree/error.hpp"
#include "scree/scene/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace scree;
using namespace scree::scene;

const std::string start = "gravity = [0, 0, -10]\n[time]\nstep = \"1 ms\"\nend = \"1 s\"\n";
const std::string box = "region = { min = [0, 0, 0], max = [0.1, 0.1, 0.1] }\n";
const std::string ball = "shape = { type = \"sphere\", radius = 0.001 }\n";

std::string refusal_of(const std::string& text)
{
    try {
        const Scene scene = parse_scene(start + text, "test.toml").scene;
        const Simulation simulation(scene);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

void expect_refused(const std::string& text, const std::string& why)
{
    const std::string said = refusal_of(text);
    EXPECT_NE(said.find(why), std::string::npos) << text << "said: " << said;
}

TEST(AbsurdScene, CountsAreRefused)
{
    expect_refused("[[fill]]\ntype = \"random\"\ncount = 1_000_000_000_000_000\n" + box + ball,
                   "must be at least 0 and at most 100000000");
    expect_refused("[[fill]]\ntype = \"random\"\ncount = 50_000_000\n" + box + ball,
                   "random placement ends near 0.3");
    expect_refused("[[fill]]\ntype = \"random\"\nfraction = 0.1\nregion = { min = [0, 0, 0], max = "
                   "[1e6, 1e6, 1e6] }\n" +
                       ball,
                   "must be at most 1e+08");
    expect_refused(
        "[[fill]]\ntype = \"pour\"\nregion = { min = [0, 0, 0], max = [1e9, 1e9, 1e9] }\n" + ball,
        "must be at most 1e+08");
    expect_refused("[[source]]\ntype = \"rain\"\nrate = 1e12\n" + box + ball,
                   "brings 1e+12 grains in the run");
    expect_refused(
        "[[source]]\ntype = \"piston\"\nposition = [0, 0, 0]\nspeed = 1\ndistance = 1e-8\n"
        "spacing = 0.01\n" +
            box + ball,
        "gives 1e+08 layers in the run");
}

// No place along one axis does not excuse endless ones along another.
TEST(AbsurdScene, ThinSpacingsAreRefused)
{
    expect_refused("[[fill]]\ntype = \"grid\"\nspacing = [1, 1e-9, 1e-9]\n" + box + ball,
                   "gives 1e+16 places");
    expect_refused(
        "[[fill]]\ntype = \"grid\"\nspacing = 1e-5\nregion = { type = \"cylinder\", centre "
        "= [0, 0, 0], radius = 1, length = 1e-3 }\n" +
            ball,
        "places, must be at most 1e+08");
}

TEST(AbsurdScene, NumbersBeyondAnythingMeantAreRefused)
{
    const std::string grid = "[[fill]]\ntype = \"grid\"\nspacing = 0.01\n" + box + ball;
    for (const char* line : {"velocity = [1e308, 0, 0]", "velocity_spread = [1e308, 0, 0]"}) {
        expect_refused(grid + line + "\n", "1e+308 is not allowed; must be");
    }
    expect_refused("[solver]\nregion_pairs = 4294967296\n" + grid, "4294967296 is not allowed");
    expect_refused(
        grid + "[[obstacle]]\nshapes = [{ type = \"half_space\", direction = [0, 0, 1e-200] "
               "}]\n",
        "must not be zero");
    expect_refused(grid + "turn = { axis = [1e-160, 0, 0], angle = 1 }\n", "must not be zero");
    expect_refused(grid + "[[body]]\ntype = \"sphere\"\nradius = 1e-100\n",
                   "1e-100 is not allowed");
    expect_refused(grid + "[[body]]\ntype = \"capsule\"\nradius = 1e-100\nlength = 1\n",
                   "must be 0 or at least 1e-9 m");
}

// Half of the room is more than places at random give: found out after a bounded number of
// attempts.
TEST(AbsurdScene, RandomFillsThatDoNotFitEnd)
{
    expect_refused("[[fill]]\ntype = \"random\"\nfraction = 0.6\n"
                   "region = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] }\n" +
                       ball,
                   "found no room for more than");
}

TEST(AbsurdScene, PouringWhereAllIsSolidEnds)
{
    expect_refused("[[obstacle]]\nshapes = [{ type = \"half_space\", position = [0, 0, 1e6] }]\n"
                   "[[fill]]\ntype = \"pour\"\ncount = 10\n"
                   "region = { min = [0, 0, 0], max = [1e6, 1e6, 1] }\n" +
                       ball,
                   "found no room for more than 0 of 10 grains");
}

// Limits that the draws miss: the diameter is cut off to them, even far below the mean.
TEST(AbsurdScene, SizesStayBetweenTheirLimits)
{
    SizeTable sizes;
    sizes.mean = 1;
    sizes.deviation = 0.5;
    sizes.max = 1e-4;
    for (const SizeKind kind : {SizeKind::normal, SizeKind::lognormal}) {
        sizes.kind = kind;
        for (std::uint64_t id = 0; id < 20; ++id) {
            const double d = draw_diameter(sizes, 1, id);
            EXPECT_GT(d, 0);
            EXPECT_LE(d, sizes.max);
        }
    }
}

// Rain that found no room for long does not come down at once when there is.
TEST(AbsurdScene, RainThatWaitedComesInByAndBy)
{
    const Scene scene =
        parse_scene(start +
                        "[[obstacle]]\nshapes = [{ type = \"sphere\", radius = 1 }]\n"
                        "remove_at = \"0.5 s\"\n"
                        "[[source]]\ntype = \"rain\"\nrate = 100_000\n"
                        "region = { min = [0, 0, 0], max = [0.5, 0.5, 0.5] }\n" +
                        ball,
                    "test.toml")
            .scene;
    Simulation simulation(scene);
    std::uint64_t before = 0;
    for (int i = 0; i < 500; ++i) {
        simulation.step();
    }
    EXPECT_EQ(simulation.progress().sources[0].count, 0U);
    EXPECT_EQ(simulation.progress().sources[0].blocked, 499U);  // nothing is due at the start
    for (int i = 0; i < 3; ++i) {
        simulation.step();
        const std::uint64_t now = simulation.progress().sources[0].count;
        EXPECT_EQ(now - before, 2000U);  // 1000, and ten times what an interval brings
        before = now;
    }
}

// Against counting by hand.
TEST(AbsurdScene, CountsAreEstimated)
{
    const Scene scene =
        parse_scene(
            start + "[[fill]]\ntype = \"grid\"\nspacing = [0.01, 0.02, 1]\n" + box + ball +
                "[[fill]]\ntype = \"random\"\nfraction = 0.1\n" + box + ball +
                "[[fill]]\ntype = \"pour\"\ncount = 7\n" + box + ball +
                "[[source]]\ntype = \"rain\"\nrate = 100\nstart = 0.2\nstop = 0.7\n" + box + ball +
                "[[source]]\ntype = \"piston\"\nposition = [0, 0, 0]\nspeed = 2\ndistance = "
                "0.1\nspacing = 0.01\n" +
                box + ball,
            "test.toml")
            .scene;
    EXPECT_NEAR(grains_of(scene.fills[0], 1), 50, 1e-9);
    EXPECT_NEAR(grains_of(scene.fills[1], 1), 1e-4 / (4 * M_PI / 3 * 1e-9), 1);
    EXPECT_EQ(grains_of(scene.fills[2], 1), 7);
    EXPECT_NEAR(grains_of(scene.sources[0], scene.time), 50, 1e-9);
    EXPECT_NEAR(layers_of(scene.sources[1], scene.time), 20, 1e-9);
}

}  // namespace
