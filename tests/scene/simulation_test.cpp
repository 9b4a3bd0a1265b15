// Scenes brought to life: counts, places, motions, sources and sinks against what the scene says.
#include "scree/scene/simulation.hpp"

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/grains.hpp"
#include "scree/query.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace {

using namespace scree;
using namespace scree::scene;
using Vec = Vec3<double>;

const std::string weightless = "gravity = [0, 0, 0]\n[time]\nstep = \"1 ms\"\nend = \"1 s\"\n";

Scene scene_of(const std::string& text) { return parse_scene(text, "test.toml").scene; }

TEST(Simulation, TheChannelHasTheCountsOfThePaper)
{
    const Scene s = read_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/channel.toml").scene;
    const Simulation simulation(s);
    const Frame frame = simulation.world().frame();
    // 150 · 65 · 20 places, less those that the obstacle reaches.
    const Shape obstacle = Shape::profile(0.01, 0.01, 0.02);
    std::size_t left_out = 0;
    for (int i = 0; i < 150; ++i) {
        for (int k = 0; k < 65; ++k) {
            const Vec p{(i + 0.5) * 1e-3, (k + 0.5) * 1e-3, 0.5e-3};
            // distance to half disc and box about (4, 4) cm, by hand
            const double x = p.x - 0.04;
            const double y = p.y - 0.04;
            const double dx = std::max(x - 0.01, 0.0);
            const double dy = std::max(std::abs(y) - 0.01, 0.0);
            const double distance = x <= 0 ? std::hypot(x, y) - 0.01 : std::hypot(dx, dy);
            left_out += distance < 0.47e-3 ? 20 : 0;
        }
    }
    EXPECT_EQ(frame.dynamic_count, 195000 - left_out);
    EXPECT_GT(left_out, 7000U);
    for (std::size_t i = 0; i < frame.dynamic_count; i += 97) {
        EXPECT_EQ(frame.velocities[i].x, 1);
        EXPECT_LE(std::abs(frame.velocities[i].y), 0.5);
        EXPECT_GE(signed_distance({Shape::sphere(0.47e-3), frame.positions[i]},
                                  {obstacle, {0.04, 0.04, 0.01}}, 1),
                  0);
    }
}

// A ring of rows: along each row the first repeat, then the ring about an axis off the origin.
TEST(Simulation, CopiesAreInRowsAndRings)
{
    const Scene s = scene_of(weightless + R"(
[[body]]
type = "box"
size = [0.3, 0.2, 0.1]
position = [2, 0, 1]
turn = { axis = [0, 1, 0], angle = 0.3 }
velocity = [0.1, 0, 0]
angular_velocity = [0, 0, 0.2]
mass = 3
repeat = [
    { count = 4, step = [0, 0, 0.5] },
    { count = 6, turn = { axis = [0, 0, 2], angle = "60 deg" }, centre = [1, 0, 0] },
]
[[body]]
type = "sphere"
radius = 0.1
)");
    EXPECT_EQ(s.bodies.at(0).count(), 24);
    const Simulation simulation(s);
    const World& world = simulation.world();
    constexpr BodyId first = 2ULL << 32;
    const Frame frame = world.frame();
    ASSERT_EQ(frame.dynamic_count, 25U);
    for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
        if (frame.ids[i] != first + 24) {
            EXPECT_NEAR(frame.masses[i], 3, 1e-12);
        }
    }
    for (int ring = 0; ring < 6; ++ring) {
        for (int row = 0; row < 4; ++row) {
            const Body b = world.body(first + static_cast<BodyId>(4 * ring + row));
            const double angle = ring * math::pi / 3;
            const Vec out{std::cos(angle), std::sin(angle), 0};
            const Vec up{0, 0, 1};
            EXPECT_LT(norm(b.position - (Vec{1, 0, 1 + 0.5 * row} + out)), 1e-14);
            EXPECT_LT(norm(b.velocity - 0.1 * out), 1e-14);
            EXPECT_LT(norm(b.angular_velocity - 0.2 * up), 1e-14);
            // The box's own x axis was turned down by 0.3 before the ring turned it.
            const Vec x = rotate(b.orientation, Vec{1, 0, 0});
            EXPECT_LT(norm(x - (std::cos(0.3) * out - std::sin(0.3) * up)), 1e-14);
        }
    }
    EXPECT_EQ(world.body(first + 24).shape.kind, ShapeKind::sphere);
}

// Rows of long grains that fill the channel jam between its walls as soon as one of them turns, and
// the piston pushes them into each other.
TEST(Simulation, LongGrainsComeInWithRoomToTurn)
{
    for (const char* grains : {"boxes", "capsules", "ellipsoids", "polyhedra"}) {
        SCOPED_TRACE(grains);
        const Scene s =
            read_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/channel-" + grains + ".toml").scene;
        const Simulation simulation(s);
        const Frame frame = simulation.world().frame();
        const auto grain = [&](std::size_t i) {
            return PlacedShape{frame.shapes[i], frame.positions[i], frame.orientations[i]};
        };
        const Vec corner = frame.positions[0];
        int beside = 0, in_layer = 0;
        for (std::size_t i = 1; i < frame.dynamic_count; ++i) {
            const Vec d = frame.positions[i] - corner;
            const Vec& spacing = s.sources[0].spacing;
            in_layer += d.x < 0.5 * spacing.x ? 1 : 0;
            if (norm(d) < 1.1 * std::max({spacing.x, spacing.y, spacing.z})) {
                ++beside;
                EXPECT_GT(signed_distance(grain(0), grain(i), 1), 0.1e-3);
            }
        }
        EXPECT_GE(beside, 3);
        // All places of a layer are taken: three parts in ten of the room that the piston leaves.
        const double volume = frame.masses[0] / 2650;
        const double room = s.sources[0].distance * 0.022 * 0.005;
        EXPECT_NEAR((in_layer + 1) * volume / room, 0.3, 0.001);
    }
}

TEST(Simulation, ThePistonBringsALayerPerDiameter)
{
    const Scene s = read_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/channel-small.toml").scene;
    Simulation simulation(s);
    for (int i = 0; i < 95; ++i) {
        simulation.step();
    }
    EXPECT_EQ(simulation.progress().sources[0].count, 22U * 8U);
    EXPECT_EQ(simulation.progress().sources[0].layers, 1U);
    const auto ids = simulation.world().bodies_in({{0, 0, 0}, {0.9e-3, 0.022, 0.008}});
    std::size_t layer = 0;
    for (const BodyId id : ids) {
        layer += id >= grain_id(2, 1, 0) && id < grain_id(2, 1, 22 * 8) ? 1 : 0;
    }
    EXPECT_EQ(layer, 22U * 8U);
    // the plane has been set back: 95 steps of 10 µm less one diameter
    const double x = simulation.world().body(BodyId(1) << 32U).position.x;
    EXPECT_NEAR(x, 0.95e-3 - 0.94e-3, 1e-12);
}

TEST(Simulation, IdsAndGrainsDoNotDependOnOtherFills)
{
    const std::string fill = R"([[fill]]
type = "random"
count = 50
region = { min = [0, 0, 0], max = [1, 1, 1] }
shape = { type = "ellipsoid", semi_axes = [0.04, 0.02, 0.02] }
sizes = { type = "lognormal", mean = 0.05, deviation = 0.01 }
orientation = "random"
velocity_spread = [1, 1, 1]
)";
    const Scene one = scene_of(weightless + fill);
    const Scene two = scene_of(weightless + fill + R"([[fill]]
type = "grid"
spacing = 0.1
region = { min = [2, 0, 0], max = [3, 1, 1] }
shape = { type = "sphere", radius = 0.04 }
)");
    const Simulation a(one);
    const Simulation b(two);
    for (BodyId id = grain_id(1, 0, 0); id < grain_id(1, 0, 50); ++id) {
        const Body x = a.world().body(id);
        const Body y = b.world().body(id);
        EXPECT_EQ(x.position.x, y.position.x);
        EXPECT_EQ(x.velocity.z, y.velocity.z);
        EXPECT_EQ(x.orientation.w, y.orientation.w);
        EXPECT_EQ(x.shape.size.x, y.shape.size.x);
    }
    EXPECT_EQ(b.world().dynamic_count(), 50U + 1000U);
}

TEST(Simulation, RandomAndPouredGrainsDoNotOverlapNorLeaveTheirRegion)
{
    for (const char* type : {"random", "pour"}) {
        const Scene s = scene_of(weightless + R"([domain]
min = [0, 0, 0]
max = [1, 1, 2]
x = "periodic"
z = "wall"
[[obstacle]]
shapes = [{ type = "sphere", radius = 0.2, position = [0.5, 0.5, 0.5] }]
[[fill]]
type = ")" + std::string(type) + R"("
count = 150
region = { type = "cylinder", centre = [0.5, 0.5, 1], radius = 0.5, length = 2 }
shape = { type = "capsule", radius = 0.02, length = 0.06 }
sizes = { type = "uniform", min = 0.04, max = 0.09 }
orientation = "random"
)");
        const Simulation simulation(s);
        const Frame f = simulation.world().frame();
        ASSERT_EQ(f.dynamic_count, 150U);
        for (std::size_t i = 0; i < f.dynamic_count; ++i) {
            const PlacedShape a{f.shapes[i], f.positions[i], f.orientations[i]};
            EXPECT_LE(std::hypot(f.positions[i].x - 0.5, f.positions[i].y - 0.5), 0.5);
            for (std::size_t k = 0; k < f.ids.size(); ++k) {
                if (k != i) {
                    EXPECT_GE(signed_distance(a, {f.shapes[k], f.positions[k], f.orientations[k]}),
                              0)
                        << type << i << " " << k;
                }
            }
        }
    }
}

/// What is remembered of a fill's grains is where others may come: here all fills get in each
/// other's way and in their own, also across the period and above a pour's region.
TEST(Simulation, SeveralFillsDoNotOverlap)
{
    const Scene s = scene_of(weightless + R"([domain]
min = [0, 0, 0]
max = [1, 1, 4]
x = "periodic"
[[fill]]
type = "grid"
spacing = 0.13
region = { min = [0, 0, 0], max = [1, 1, 0.5] }
shape = { type = "sphere", radius = 0.06 }
[[fill]]
type = "grid"
spacing = 0.11
region = { min = [0, 0, 0.3], max = [1, 1, 0.8] }
shape = { type = "capsule", radius = 0.02, length = 0.06 }
sizes = { type = "uniform", min = 0.04, max = 0.09 }
orientation = "random"
[[fill]]
type = "random"
count = 40
region = { min = [0.6, 0, 0.5], max = [1.4, 1, 1.2] }
shape = { type = "sphere", radius = 0.05 }
sizes = { type = "uniform", min = 0.04, max = 0.12 }
[[fill]]
type = "pour"
count = 150
region = { min = [0.2, 0, 0.6], max = [0.8, 1, 1.0] }
shape = { type = "sphere", radius = 0.05 }
sizes = { type = "uniform", min = 0.06, max = 0.1 }
[[fill]]
type = "pour"
region = { min = [-0.5, 0, 1.1], max = [1, 1, 1.6] }
shape = { type = "sphere", radius = 0.07 }
)");
    const Simulation simulation(s);
    const Frame f = simulation.world().frame();
    std::array<std::size_t, 6> count{};
    for (std::size_t i = 0; i < f.dynamic_count; ++i) {
        ++count.at(f.ids[i] >> 52U);
        const PlacedShape a{f.shapes[i], f.positions[i], f.orientations[i]};
        for (std::size_t k = 0; k < i; ++k) {
            PlacedShape b{f.shapes[k], f.positions[k], f.orientations[k]};
            b.position.x += std::nearbyint(a.position.x - b.position.x);
            EXPECT_GE(signed_distance(a, b), 0) << f.ids[i] << ' ' << f.ids[k];
        }
    }
    EXPECT_EQ(count[1], 147U);
    EXPECT_GT(count[2], 40U);
    EXPECT_LT(count[2], 300U);
    EXPECT_EQ(count[3], 40U);
    EXPECT_EQ(count[4], 150U);
    EXPECT_GT(count[5], 40U);
    EXPECT_LT(count[5], 150U);
}

TEST(Simulation, MotionsFollowTheirFormulas)
{
    const Scene s = scene_of(weightless + R"([[body]]
type = "sphere"
radius = 0.1
position = [100, 0, 0]
[[obstacle]]
name = "shaker"
shapes = [{ type = "box", size = 1 }]
motion = { type = "oscillate", amplitude = [0, 0, 0.1], frequency = 3, phase = "30 deg", start = 0.1 }
[[obstacle]]
name = "arm"
position = [10, 0, 0]
shapes = [{ type = "box", size = 1, position = [2, 0, 0] }, { type = "box", size = 1 }]
motion = { type = "rotate", axis = [0, 0, 2], rate = "60 rpm", stop = 0.5 }
[[obstacle]]
name = "belt"
shapes = [{ type = "box", size = 1, position = [0, 20, 0] }]
motion = { type = "constant", velocity = [1, 0, 0], start = 0.2, stop = 0.4 }
)");
    Simulation simulation(s);
    const auto place = [&](const std::string& name, std::size_t part = 0) {
        return simulation.world().body(simulation.bodies_of(name).at(part));
    };
    for (int i = 1; i <= 1000; ++i) {
        simulation.step();
        const double t = i * 1e-3;
        const double since = std::max(0.0, t - 0.1);
        EXPECT_NEAR(place("shaker").position.z,
                    0.1 * (std::sin(6 * math::pi * since + math::pi / 6) - 0.5), 1e-12);
        const double angle = 2 * math::pi * std::min(t, 0.5);
        EXPECT_NEAR(place("arm").position.x, 10 + 2 * std::cos(angle), 1e-12);
        EXPECT_NEAR(place("arm").position.y, 2 * std::sin(angle), 1e-12);
        EXPECT_NEAR(place("arm", 1).position.y, 0, 1e-12);
        const Vec axis = rotate(place("arm", 1).orientation, Vec{1, 0, 0});
        EXPECT_NEAR(axis.y, std::sin(angle), 1e-9);
        EXPECT_NEAR(place("belt").position.x, std::clamp(t - 0.2, 0.0, 0.2), 1e-12);
    }
}

TEST(Simulation, GatesOpenAndSinksCount)
{
    const Scene s = scene_of(R"([time]
step = "1 ms"
end = "2 s"
[[material]]
name = "m"
density = 1000
[[obstacle]]
name = "gate"
remove_at = 0.5
shapes = [{ type = "box", size = [2, 2, 0.1], position = [0, 0, -0.05] }]
[[body]]
type = "sphere"
radius = 0.1
position = [0, 0, 0.1]
[[sink]]
name = "below"
max = ["inf", "inf", -1]
)");
    Simulation simulation(s);
    for (int i = 0; i < 499; ++i) {
        simulation.step();
    }
    EXPECT_NEAR(simulation.world().frame().positions[0].z, 0.1, 1e-6);
    EXPECT_EQ(simulation.bodies_of("gate").size(), 1U);
    int steps = 0;
    while (simulation.progress().sinks[0].count == 0 && steps < 2000) {
        simulation.step();
        ++steps;
    }
    EXPECT_TRUE(simulation.bodies_of("gate").empty());
    EXPECT_NEAR(steps, std::sqrt(2 * 1.1 / 9.81) * 1000, 5);
    EXPECT_NEAR(simulation.progress().sinks[0].mass, 4 * math::pi / 3, 1e-12);
    EXPECT_EQ(simulation.world().dynamic_count(), 0U);
}

TEST(Simulation, RainKeepsItsRateAndWaitsForRoom)
{
    const Scene s = scene_of(R"(gravity = [0, 0, -9.81]
[time]
step = "1 ms"
end = "2 s"
[[source]]
name = "sky"
type = "rain"
rate = 300
count = 200
region = { min = [0, 0, 5], max = [1, 1, 6] }
shape = { type = "sphere", radius = 0.03 }
[[sink]]
max = ["inf", "inf", 0]
)");
    Simulation simulation(s);
    for (int i = 0; i < 500; ++i) {
        simulation.step();
    }
    EXPECT_NEAR(static_cast<double>(simulation.progress().sources[0].count), 150, 21);
    for (int i = 0; i < 500; ++i) {
        simulation.step();
    }
    EXPECT_EQ(simulation.progress().sources[0].count, 200U);
    EXPECT_EQ(simulation.progress().sources[0].blocked, 0U);
    std::set<BodyId> ids;
    for (BodyId i = 0; i < 200; ++i) {
        ids.insert(grain_id(1, 0, i));
    }
    for (std::size_t i = 0; i < simulation.world().dynamic_count(); ++i) {
        EXPECT_TRUE(ids.contains(simulation.world().frame().ids[i]));
    }

    // No room: without gravity the region fills up, and the source says so.
    const Scene full = scene_of(weightless + R"([[source]]
type = "rain"
rate = 10000
region = { min = [0, 0, 0], max = [1, 1, 1] }
shape = { type = "sphere", radius = 0.2 }
)");
    Simulation stuck(full);
    for (int i = 0; i < 300; ++i) {
        stuck.step();
    }
    EXPECT_GT(stuck.progress().sources[0].blocked, 10U);
    EXPECT_LT(stuck.world().dynamic_count(), 20U);
}

TEST(Simulation, MaterialsMeetBySmallerFrictionUnlessASurfaceSaysOtherwise)
{
    const std::string text = R"([time]
step = "1 ms"
end = "1 s"
[[material]]
name = "floor"
friction = 1
[[material]]
name = "ice"
friction = 0.1
[domain]
min = [0, 0, 0]
max = [10, 10, 10]
z = "wall"
[[body]]
type = "box"
size = 0.2
position = [1, 5, 0.1]
velocity = [1, 0, 0]
material = "ice"
)";
    const auto way = [](const std::string& t) {
        const Scene s = scene_of(t);
        Simulation simulation(s);
        for (int i = 0; i < 1000; ++i) {
            simulation.step();
        }
        return simulation.world().frame().positions[0].x - 1;
    };
    EXPECT_NEAR(way(text), 1 / (2 * 0.1 * 9.81), 0.01);
    EXPECT_NEAR(way(text + "[[surface]]\nbetween = [\"floor\", \"ice\"]\nfriction = 0.5\n"),
                1 / (2 * 0.5 * 9.81), 0.01);
}

}  // namespace
