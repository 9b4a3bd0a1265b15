// Masonry of polyhedra: what stands by equilibrium has to stand, and what cannot has to fall.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace scree::test {
namespace {

Settings quiet()
{
    Settings s;
    s.time_step = 5e-3;
    s.threads = 1;
    s.sweeps = 500;
    return s;
}

/// The farthest that any body has moved from where it was.
double way(World& world, const std::vector<Vec>& start)
{
    double most = 0;
    for (BodyId id = 1; id < start.size(); ++id) {
        most = std::max(most, norm(world.body(id).position - start[id]));
    }
    return most;
}

Shape brick(double x, double y, double z)
{
    std::vector<Vec> corners;
    for (int k = 0; k < 8; ++k) {
        corners.push_back({(k & 1) * x, (k >> 1 & 1) * y, (k >> 2 & 1) * z});
    }
    return Shape::polyhedron(corners);
}

// A wall in running bond, with open joints: every brick rests on two halves.
TEST(Masonry, a_wall_of_bricks_stands)
{
    World world(quiet());
    std::vector<Vec> start(1);
    world.add(obstacle(Shape::half_space()));
    for (int course = 0; course < 6; ++course) {
        const int odd = course % 2;
        for (int i = 0; i < 4 + odd; ++i) {
            const bool cut = odd == 1 && (i == 0 || i == 4);
            const double x = 0.25 * i - (odd == 1 && i > 0 ? 0.125 : 0);
            Body b;
            b.shape = brick(cut ? 0.124 : 0.249, 0.12, 0.065);
            b.position = {x, 0, 0.065 * course};
            b.density = 1800;
            start.push_back(b.position);
            world.add(b);
        }
    }
    run(world, 600 / shorter);
    EXPECT_LT(way(world, start), 1e-5);
    EXPECT_TRUE(world.report().good());
}

/// A half circle of wedges on the floor, all of them one shape turned about the circle's centre,
/// and how far its stones have moved after a time.
double way_of_arch(double thickness, double friction, double seconds)
{
    constexpr int stones = 9;
    constexpr double angle = std::numbers::pi / stones, inner = 1;
    std::vector<Vec> corners;
    for (const double y : {-0.2, 0.2}) {
        for (const double r : {inner, inner + thickness}) {
            for (const double a : {0.0, angle}) {
                corners.push_back({r * std::cos(a), y, r * std::sin(a)});
            }
        }
    }
    const Shape stone = Shape::polyhedron(corners);
    World world(quiet());
    world.set_surface(0, 0, {friction, 0});
    world.add(obstacle(Shape::half_space()));
    std::vector<Vec> tops(1);
    const Vec centre = mass_properties(stone, 1).centre;
    for (int i = 0; i < stones; ++i) {
        Body b;
        b.shape = stone;
        b.orientation = about({0, -1, 0}, i * angle);
        b.density = 2000;
        tops.push_back(rotate(b.orientation, centre));
        world.add(b);
    }
    run(world, std::lround(seconds / world.settings().time_step));
    double most = 0;
    for (BodyId id = 1; id < tops.size(); ++id) {
        const Body b = world.body(id);
        most = std::max(most, norm(b.position + rotate(b.orientation, centre) - tops[id]));
    }
    return most;
}

// A half circle stands if it is thicker than 0.1136 of its mean radius (Milankovitch): the line of
// thrust has to find room.
TEST(Masonry, a_thick_arch_stands) { EXPECT_LT(way_of_arch(0.3, 0.8, 2.0 / shorter), 1e-4); }
TEST(Masonry, a_thin_arch_falls) { EXPECT_GT(way_of_arch(0.05, 0.8, 1), 0.1); }
// Its feet push outwards with about a third of its weight.
TEST(Masonry, an_arch_on_ice_falls) { EXPECT_GT(way_of_arch(0.3, 0.05, 1), 0.1); }

}  // namespace
}  // namespace scree::test
