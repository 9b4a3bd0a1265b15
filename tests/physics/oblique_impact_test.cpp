// A spinning sphere hits a plane. With slip s of the contact point and normal impulse
// x_n = (1+e) m |v_n|, friction takes u = −s min(2m/7, μ x_n/|s|): it sticks, or slides on.
#include "support/random.hpp"
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

void impact(Law law, double e, int& stuck, int& slid)
{
    Random random(17);
    for (int i = 0; i < 300; ++i) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.law = law;
        s.warm_start = 0;
        World world(s);
        const double mu = random.uniform(0, 1.2);
        world.set_surface(0, 0, {mu, e});
        const Vec n = random.direction();
        world.add(obstacle(Shape::half_space(), {0, 0, 0}, orientation_of_z(n)));
        const double r = random.uniform(0.01, 1);
        const Vec v_to = 3.0 * random.in_ball();
        const Vec v = -random.uniform(0.1, 3) * n + (v_to - dot(v_to, n) * n);
        const Vec w = (random.uniform(0, 4) / r) * random.direction();
        const BodyId id = world.add(sphere(r, r * n, v, w));
        const double m = world.body(id).mass->mass;
        const double I = 0.4 * m * r * r;
        world.step();

        const Vec lever = -r * n;
        const Vec dv = v + cross(w, lever);
        const Vec slip = dv - dot(dv, n) * n;
        const double x_n = -(1 + e) * m * dot(v, n);
        const double cone = law == Law::frictionless ? 0 : mu * x_n;
        const bool sticks = 2.0 / 7 * m * norm(slip) <= cone;
        const Vec u = -(sticks ? 2.0 / 7 * m : cone / norm(slip)) * slip;
        ++(sticks ? stuck : slid);
        const Body b = world.body(id);
        EXPECT_LT(norm(b.velocity - (v + (1 / m) * (x_n * n + u))), 1e-11) << i;
        EXPECT_LT(norm(b.angular_velocity - (w + (1 / I) * cross(lever, u))), 1e-11 / r) << i;
    }
}

TEST(ObliqueImpact, SticksOrSlidesAsInTheClosedForm)
{
    for (const Law law : {Law::max_dissipation, Law::coulomb, Law::frictionless}) {
        for (const double e : {0.0, 0.6}) {
            int stuck = 0;
            int slid = 0;
            impact(law, e, stuck, slid);
            EXPECT_GT(slid, 50) << name_of(law) << " " << e;
            if (law != Law::frictionless) {
                EXPECT_GT(stuck, 50) << name_of(law) << " " << e;
            }
        }
    }
}

// The projected law leaves the cone by √2 at most, and its sticking is the same.
TEST(ObliqueImpact, TheProjectedLawStaysInItsBox)
{
    Random random(18);
    for (int i = 0; i < 300; ++i) {
        Settings s = exact(1e-3, {0, 0, 0});
        s.law = Law::projected;
        World world(s);
        const double mu = random.uniform(0, 1.2);
        world.set_surface(0, 0, {mu, 0});
        world.add(obstacle(Shape::half_space()));
        const Vec v{random.uniform(-3, 3), 0.7, -1};
        const BodyId id = world.add(sphere(0.1, {0, 0, 0.1}, v));
        const double m = world.body(id).mass->mass;
        world.step();
        const Vec dv = world.body(id).velocity - v;
        const double friction = std::hypot(dv.x, dv.y);
        EXPECT_NEAR(dv.z, 1, 1e-11);
        const double stick = 2.0 / 7 * std::hypot(v.x, v.y);
        EXPECT_LE(friction, std::min(stick, std::sqrt(2.0) * mu) + 1e-11);
        EXPECT_GE(friction, std::min(stick, mu) - 1e-11);
        EXPECT_GT(m, 0);
    }
}

}  // namespace
}  // namespace scree::test
