// Painlevé's rod (docs/theory.md, "The paradox rod"): a slender rod at an angle θ whose tip slides
// away from under it. Above μ⋆(θ) = (cos θ + 1/(3 cos θ))/sin θ the tip jams within one step, with
// the impulse that brings it to rest; below, it slides on under an ordinary force.
#include "support/worlds.hpp"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

struct Tip {
    Vec impulse, velocity;
};

Tip step_of_rod(Law law, double mu, double angle, double h)
{
    Settings s = exact(h);
    s.law = law;
    World world(s);
    world.set_surface(0, 0, {mu, 0});
    world.add(obstacle(Shape::half_space()));
    Body rod;
    rod.shape = Shape::capsule(0, 1);
    rod.mass = MassProperties{1, {0, 0, 0}, {1e-3, 0, 0, 1.0 / 12, 0, 1.0 / 12}};
    const Vec up{std::cos(angle), 0, std::sin(angle)};
    rod.orientation = orientation_of_x(up);
    rod.position = 0.5 * up;
    rod.velocity = {-1, 0, 0};
    const BodyId id = world.add(rod);
    world.step();
    const Frame frame = world.frame();
    Tip tip{{0, 0, 0}, {0, 0, 0}};
    for (const Contact& c : frame.contacts) {
        tip.impulse = tip.impulse + c.impulse;
    }
    const Body b = world.body(id);
    tip.velocity = b.velocity - cross(b.angular_velocity, 0.5 * up);
    EXPECT_TRUE(world.report().good());
    return tip;
}

TEST(PainleveRod, JamsAboveTheCriticalFrictionAndSlidesBelow)
{
    const double h = 1e-5;
    for (const Law law : {Law::max_dissipation, Law::coulomb}) {
        for (const double angle : {0.6, 0.9, std::atan(2.0), 1.3}) {
            const double s = std::sin(angle);
            const double c = std::cos(angle);
            const double critical = (c + 1 / (3 * c)) / s;
            EXPECT_GE(critical, 4.0 / 3 - 1e-12);
            for (const double factor : {0.5, 0.95, 1.05, 3.0}) {
                const Tip tip = step_of_rod(law, factor * critical, angle, h);
                const double A_nn = 1 + 3 * c * c;
                const double A_nt = -3 * s * c;
                const double A_tt = 1 + 3 * s * s;
                if (factor > 1) {
                    // A x = (g δt, v₀), which is Λ₀ up to O(δt).
                    const double det = A_nn * A_tt - A_nt * A_nt;
                    const double x_n = (A_tt * g0 * h - A_nt) / det;
                    const double x_t = (A_nn - A_nt * g0 * h) / det;
                    EXPECT_NEAR(tip.impulse.z, x_n, 1e-9) << angle << " " << factor;
                    EXPECT_NEAR(tip.impulse.x, x_t, 1e-9) << angle << " " << factor;
                    EXPECT_NEAR(tip.impulse.z, 3.0 / 8 * std::sin(2 * angle), 1e-3);
                    EXPECT_NEAR(tip.impulse.x, (5 + 3 * std::cos(2 * angle)) / 8, 1e-3);
                    EXPECT_LT(norm(tip.velocity), 1e-9);
                } else {
                    // The tip's height is rounded: 1e-16 m in a step, against its fall.
                    const double x_n = g0 * h / (A_nn * (1 - factor));
                    EXPECT_NEAR(tip.impulse.z, x_n, 1e-6 * x_n) << angle << " " << factor;
                    EXPECT_NEAR(tip.impulse.x, factor * critical * x_n, 1e-5 * x_n);
                    EXPECT_LT(tip.velocity.x, -0.99);
                }
                EXPECT_NEAR(tip.velocity.z, 0, 1e-9);
            }
        }
    }
}

}  // namespace
}  // namespace scree::test
