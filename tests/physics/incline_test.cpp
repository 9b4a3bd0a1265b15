// A box on an incline and on a level plane: stays below the angle of friction, slides with
// g (sin θ − μ cos θ) above it, and stops after v₀²/(2μg).
//
// Under maximum dissipation a box that slides along an edge feels a little less. At each corner
// the slip is −ν(e + κ), so that friction e deviates from the slip by κ⊥, the part of κ across it;
// left and right corners deviate to opposite sides, and what is left along the slip is √(1 − κ⊥²).
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

struct Incline {
    World world;
    BodyId box;
    Vec normal, down;
};

Incline incline(const Settings& s, double mu, double angle)
{
    const Vec n{std::sin(angle), 0, std::cos(angle)};
    Incline scene{World(s), 0, n, {std::cos(angle), 0, -std::sin(angle)}};
    scene.world.set_surface(0, 0, {mu, 0});
    const Quat<double> q = orientation_of_z(n);
    scene.world.add(obstacle(Shape::half_space(), {0, 0, 0}, q));
    scene.box = scene.world.add(block({0.3, 0.2, 0.1}, 0.05 * n, q));
    return scene;
}

/// √(1 − κ⊥²) for a box that slides along x on its face.
double face_factor(const Vec& edges, double mu)
{
    const Vec a{edges.x / 2, edges.y / 2, edges.z / 2};
    const double I_x = (a.y * a.y + a.z * a.z) / 3;  // of 1 kg
    const double I_y = (a.x * a.x + a.z * a.z) / 3;
    const double A_nn = 1 + a.y * a.y / I_x + a.x * a.x / I_y;
    const double across = mu * (a.y * a.z / I_x) / A_nn;
    return std::sqrt(1 - across * across);
}

TEST(Incline, ABoxStaysBelowTheAngleOfFriction)
{
    for (const Law law : {Law::max_dissipation, Law::coulomb, Law::projected}) {
        for (const double mu : {0.2, 0.6}) {
            Settings s = exact(5e-3);
            s.law = law;
            s.tolerance = 1e-10;
            Incline scene = incline(s, mu, 0.95 * std::atan(mu));
            const Vec start = scene.world.body(scene.box).position;
            run(scene.world, 2000 / shorter);
            const Body b = scene.world.body(scene.box);
            // 2000 steps that may each leave 1e-10 of the speed that a step's fall adds.
            const double creep = 2000 * s.time_step * (1e-10 * g0 * s.time_step) * 10;
            EXPECT_LT(norm(b.position - start), creep) << name_of(law) << " " << mu;
            EXPECT_TRUE(scene.world.report().good());
        }
    }
}

TEST(Incline, ABoxSlidesAboveIt)
{
    const double h = 1e-3;
    for (const Law law : {Law::max_dissipation, Law::coulomb, Law::frictionless, Law::projected}) {
        for (const double mu : {0.2, 0.6}) {
            Settings s = exact(h);
            s.law = law;
            s.tolerance = 1e-11;
            const double angle = 1.3 * std::atan(mu);
            Incline scene = incline(s, mu, angle);
            run(scene.world, 500);
            const Body b = scene.world.body(scene.box);
            const double a = dot(b.velocity, scene.down) / 0.5;
            const double friction = (g0 * std::sin(angle) - a) / (mu * g0 * std::cos(angle));
            if (law == Law::frictionless) {
                EXPECT_NEAR(friction, 0, 1e-8);
            } else if (law == Law::projected) {
                // As much as its box allows in this direction.
                EXPECT_GT(friction, 1 - 1e-8);
                EXPECT_LT(friction, std::sqrt(2.0));
            } else {
                const double factor = law == Law::coulomb ? 1 : face_factor({0.3, 0.2, 0.1}, mu);
                EXPECT_NEAR(friction, factor, 1e-7) << name_of(law) << " " << mu;
            }
            EXPECT_NEAR(dot(b.velocity, scene.normal), 0, 1e-9);
            EXPECT_LT(norm(b.angular_velocity), 1e-7);
        }
    }
}

// v_k = v₀ − k μ g δt, so that the way is v₀²/(2μg) − ½ v₀ δt up to O(δt²).
TEST(Incline, ABlockStopsAfterItsStoppingDistance)
{
    const double h = 1e-4;
    const double v0 = 1.5;
    for (const Law law : {Law::max_dissipation, Law::coulomb}) {
        Settings s = exact(h);
        s.law = law;
        s.tolerance = 1e-10;
        World world(s);
        world.set_surface(0, 0, {0.4, 0});
        const bool coulomb = law == Law::coulomb;
        const double mu = coulomb ? 0.4 : 0.4 * face_factor({0.3, 0.2, 0.1}, 0.4);
        world.add(obstacle(Shape::half_space()));
        Body box = block({0.3, 0.2, 0.1}, {0, 0, 0.05}, about({0, 0, 1}, coulomb ? 0.3 : 0));
        box.velocity = {v0, 0, 0};
        const BodyId id = world.add(box);
        const double m = world.body(id).mass->mass;
        run(world, static_cast<long>(v0 / (mu * g0) / h) + 100);
        const double distance = v0 * v0 / (2 * mu * g0);
        const Body b = world.body(id);
        EXPECT_NEAR(b.position.x, distance - 0.5 * v0 * h, mu * g0 * h * h) << name_of(law);
        EXPECT_LT(norm(b.velocity), 1e-9);
        EXPECT_LT(std::abs(b.position.y), 1e-9);
        // All the kinetic energy went into friction.
        EXPECT_NEAR(world.energy().friction_work, -0.5 * m * v0 * v0, 1e-8 * m);
    }
}

}  // namespace
}  // namespace scree::test
