// A closed system: what contacts may not change. Impulses act at one point on two bodies, so that a
// step keeps linear momentum, and angular momentum too as x′ × p′ = x × p′; and a converged
// inelastic step without penetration correction never gains kinetic energy.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

Shape mixed_shape(Random& random, int kind)
{
    const double a = random.uniform(0.05, 0.1);
    const double b = random.uniform(0.05, 0.1);
    const double c = random.uniform(0.05, 0.1);
    switch (kind % 7) {
    case 0: return Shape::sphere(a);
    case 1: return Shape::box(2 * a, 2 * b, 2 * c);
    case 2: return Shape::capsule(0.6 * a, 2 * b);
    case 3: return Shape::cylinder(a, 2 * b);
    case 4: return Shape::ellipsoid(a, b, c);
    case 5:
        return Shape::clump(std::vector<Part>{{Shape::sphere(0.7 * a), {b, 0, 0}},
                                              {Shape::sphere(0.6 * a), {0, 0, 0}},
                                              {Shape::box(a, b, c), {-b, 0, 0}}});
    default: {
        std::vector<Vec> points;
        for (int i = 0; i < 10; ++i) {
            points.push_back(1.3 * a * random.direction());
        }
        return Shape::polyhedron(points);
    }
    }
}

/// Bodies on a loose grid that fly to the middle.
void add_crowd(World& world, int edge, double speed)
{
    Random random(23);
    int kind = 0;
    for (int i = 0; i < edge * edge * edge; ++i) {
        Body b;
        b.shape = mixed_shape(random, kind++);
        const double half = 0.5 * (edge - 1);
        b.position = 0.3 * Vec{i % edge - half, i / edge % edge - half, i / edge / edge - half};
        b.orientation = random.orientation();
        b.velocity = (-speed) * b.position + (0.3 * speed) * random.in_ball();
        b.angular_velocity = 4.0 * random.in_ball();
        b.density = random.uniform(500, 2000);
        world.add(b);
    }
}

struct Case {
    const char* name;
    Law law;
    int contacts_per_copy;
    double relaxation;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Crowd : public testing::TestWithParam<Case> {};

TEST_P(Crowd, KeepsMomentumAndGainsNoEnergy)
{
    Settings s = exact(4e-3, {0, 0, 0});
    s.law = GetParam().law;
    s.contacts_per_copy = GetParam().contacts_per_copy;
    s.relaxation = GetParam().relaxation;
    s.rotation = Rotation::momentum;
    s.error_reduction = 0;
    s.tolerance = 1e-10;
    World world(s);
    add_crowd(world, shorter > 1 ? 3 : 4, 2);
    world.step();
    const World::Momentum start = world.momentum();
    double size = 0;  // of momenta that could have been exchanged
    for (const BodyId id : world.frame().ids) {
        const Body b = world.body(id);
        size += b.mass->mass * norm(b.velocity);
    }
    double before = world.report().energy.kinetic;
    std::size_t most = 0;
    int unconverged = 0;
    for (int i = 0; i < (shorter > 1 ? 60 : 80); ++i) {
        const StepReport& r = world.step();
        const World::Momentum now = world.momentum();
        EXPECT_LT(norm(now.linear - start.linear), 1e-12 * size) << i;
        EXPECT_LT(norm(now.angular - start.angular), 1e-12 * size) << i;
        // Turning a body without contacts costs it O(δt³) of energy, which is told apart.
        const double gained = r.energy.kinetic - r.energy.rotation_error - before;
        if (r[Condition::unconverged].count == 0) {
            EXPECT_LE(gained, 1e-9 * before) << i;
        } else {
            ++unconverged;
        }
        EXPECT_LT(std::abs(r.energy.residual()), 1e-12 * (before + r.energy.kinetic)) << i;
        before = r.energy.kinetic;
        most = std::max(most, r.loaded_contacts);
    }
    EXPECT_GT(most, shorter > 1 ? 10U : 40U);
    EXPECT_LE(unconverged, 12);  // lest little be tested
    EXPECT_LT(before, (shorter > 1 ? 0.99 : 0.7) * world.energy().inserted);
}

INSTANTIATE_TEST_SUITE_P(Laws, Crowd,
                         testing::Values(Case{"max_dissipation", Law::max_dissipation, 32, 1},
                                         Case{"relaxed", Law::max_dissipation, 32, 0.7},
                                         Case{"jacobi", Law::max_dissipation, 1, 1},
                                         Case{"coulomb", Law::coulomb, 32, 1},
                                         Case{"frictionless", Law::frictionless, 32, 1},
                                         Case{"projected", Law::projected, 32, 1},
                                         Case{"projected_jacobi", Law::projected, 1, 1}),
                         [](const auto& given) { return given.param.name; });

// A box of 4 × 1 × 1 m and 1 kg that lies along y and falls with 1 m/s on a support 1.5 m from its
// middle: I_xx = 17/12 kg m², A_nn = 1 + 2.25/I_xx, x_n = 1/A_nn, and ½ − ½x_n is left.
TEST(BoxOnASupport, TakesTheImpulseOfItsTurnedInertia)
{
    World world(exact(1e-3, {0, 0, 0}));
    world.set_surface(0, 0, {0, 0});
    Body box = block({4, 1, 1}, {0, 0, 0.5}, about({0, 0, 1}, std::acos(-1.0) / 2));
    box.density = 0.25;
    box.velocity = {0, 0, -1};
    const BodyId id = world.add(box);
    world.add(obstacle(Shape::sphere(0.01), {0, 1.5, -0.01}));
    world.step();
    const double x_n = 1 / (1 + 2.25 / (17.0 / 12));
    ASSERT_EQ(world.frame().contacts.size(), 1U);
    EXPECT_NEAR(world.frame().contacts[0].impulse.z, x_n, 1e-12);
    EXPECT_NEAR(x_n, 0.386364, 1e-6);
    EXPECT_NEAR(world.report().energy.kinetic, 0.5 - 0.5 * x_n, 1e-12);
    EXPECT_NEAR(world.report().energy.kinetic, 0.306818, 1e-6);
    EXPECT_NEAR(world.body(id).angular_velocity.x, 1.5 * x_n / (17.0 / 12), 1e-12);
}

}  // namespace
}  // namespace scree::test
