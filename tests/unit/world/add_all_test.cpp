// Many bodies at once make the world that they make one by one.
#include "engine/emulation.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "scree/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree {
namespace {

constexpr std::size_t number = 9000;

/// Spheres of a few kinds, boxes, kinds of one body each, loaded and prescribed bodies.
Body body_of(std::size_t i)
{
    Body b;
    const double r = 0.01 + 0.001 * static_cast<double>(i % 5);
    b.shape = i % 7 == 3 ? Shape::box(r, 2 * r, r) : Shape::sphere(r);
    if (i % 1000 == 999) {
        b.shape = Shape::ellipsoid(r, r + 1e-6 * static_cast<double>(i), r);
    }
    if (i % 501 == 500) {
        b.mass = MassProperties{0.1, {0, 0, 0.1 * r}, {1e-5, 0, 0, 2e-5, 0, 2e-5}};
    }
    if (i % 900 == 17) {
        b.motion = Motion::prescribed;
        b.angular_velocity = {0, 0, i % 1800 == 17 ? 1.0 : 0.0};
    }
    b.position = {0.05 * static_cast<double>(i % 30), 0.05 * static_cast<double>(i / 30 % 30),
                  0.012 + 0.025 * static_cast<double>(i / 900)};
    b.velocity = {0, 0, -0.1 * static_cast<double>(i % 3)};
    return b;
}

World empty(int threads, int gpu)
{
    Settings s;
    s.threads = threads;
    s.gpu = gpu;
    s.sweeps = 4;
    s.tolerance = 0;
    s.region_pairs = 0;
    World world(s);
    world.add(obstacle(Shape::half_space()));
    return world;
}

struct Place {
    int threads, gpu;
    bool spheres_alone;
};

class AddAll : public ::testing::TestWithParam<Place> {};

TEST_P(AddAll, IsTheSameAsOneByOne)
{
    const Place p = GetParam();
    World at_once = empty(p.threads, p.gpu);
    World one_by_one = empty(1, p.gpu);
    Body apart = body_of(0);
    apart.position.z = 2;
    apart.id = 40;
    const auto body = [&](std::size_t i) {
        Body b = body_of(i);
        if (p.spheres_alone) {
            b.shape = Shape::sphere(b.shape.size.x);
            b.mass.reset();
            b.motion = Motion::dynamic;
        }
        return b;
    };
    for (World* world : {&at_once, &one_by_one}) {
        world->add(apart);
        world->step();
    }
    // Twice: into a world without such kinds, and while it is under way.
    for (std::size_t round = 0; round < 2; ++round) {
        const auto this_round = [&](std::size_t i) {
            Body b = body(round * number / 2 + i);
            // Some choose their ids: in runs, downwards, among those of others.
            if (round == 1 && i % 100 < 40) {
                b.id = 100'000 + i + (i % 1000 < 20 ? 50'000 - 2 * i : 0);
            }
            return b;
        };
        const std::vector<BodyId> ids = at_once.add_all(number / 2, this_round);
        for (std::size_t i = 0; i < number / 2; ++i) {
            ASSERT_EQ(one_by_one.add(this_round(i)), ids[i]) << i;
        }
        EXPECT_EQ(at_once.body_count(), one_by_one.body_count());
        EXPECT_EQ(at_once.dynamic_count(), one_by_one.dynamic_count());
        EXPECT_EQ(at_once.solid_volume(), one_by_one.solid_volume());
        for (int k = 0; k < 2; ++k) {
            at_once.step();
            one_by_one.step();
        }
        EXPECT_EQ(at_once.energy().inserted, one_by_one.energy().inserted);
        EXPECT_EQ(at_once.state_hash(), one_by_one.state_hash());
    }
    EXPECT_GT(at_once.report().contacts, 100U);
    EXPECT_EQ(at_once.body(50).position.x, one_by_one.body(50).position.x);
}
INSTANTIATE_TEST_SUITE_P(Everywhere, AddAll,
                         ::testing::Values(Place{1, no_gpu, false}, Place{4, no_gpu, false},
                                           Place{4, no_gpu, true}, Place{2, emulated_gpu, false},
                                           Place{2, emulated_gpu, true}));

TEST(AddAllRefuses, TakesNoneBecauseOfOne)
{
    World world = empty(4, no_gpu);
    world.add_all(100, body_of);
    const std::uint64_t before = world.state_hash();
    const auto problems_with = [&](const std::function<Body(std::size_t)>& body) {
        try {
            world.add_all(number, body);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string dense = problems_with([](std::size_t i) {
        Body b = body_of(i);
        b.density = i == 7000 || i == 8999 ? -1 : 1000;
        b.mass.reset();
        return b;
    });
    EXPECT_NE(dense.find("number 7000"), std::string::npos) << dense;
    EXPECT_NE(dense.find("density is -1"), std::string::npos) << dense;
    // An id of a body that is there, of one in the same run, of one further back, and of nobody.
    for (const auto& [number_of, id] :
         {std::pair<std::size_t, BodyId>{5, 50}, {6, 5002}, {900, 5002}, {7, ~BodyId{0}}}) {
        const std::string chosen = problems_with([n = number_of, id = id](std::size_t i) {
            Body b = body_of(i);
            if (i < 5) {
                b.id = 5000 + i;
            } else if (i == n) {
                b.id = id;
            }
            return b;
        });
        EXPECT_NE(chosen.find(id == ~BodyId{0} ? "number 7, a body's id must be less"
                                               : "id " + std::to_string(id) + " exists already"),
                  std::string::npos)
            << chosen;
    }
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(world.body_count(), 101U);
    EXPECT_TRUE(world.add_all(0, body_of).empty());
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(world.add(body_of(0)), 101U);
}

}  // namespace
}  // namespace scree
