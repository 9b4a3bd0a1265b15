// A ball falls from one metre and bounces. Start here: everything that a simulation needs is in it.
#include <scree/world.hpp>

#include <cstdio>

int main()
{
    // All quantities are in SI units: metres, seconds, kilograms.
    scree::Settings settings;
    settings.time_step = 1e-4;
    scree::World world(settings);

    // Bodies are of material 0 unless they say otherwise. Each bounce gives back 0.8 of the speed.
    world.set_surface(0, 0, {.friction = 0.5, .restitution = 0.8});

    // The floor: a half-space, solid where z < 0. Obstacles do not move.
    world.add(scree::obstacle(scree::Shape::half_space()));

    // The ball. Gravity points along −z by default.
    constexpr double radius = 0.05;
    scree::Body ball;
    ball.shape = scree::Shape::sphere(radius);
    ball.position = {0, 0, 1 + radius};
    ball.density = 1200;
    const scree::BodyId id = world.add(ball);

    double speed_before = 0;
    for (int bounces = 0; bounces <= 5;) {
        world.step();
        const scree::Body now = world.body(id);
        const double speed = now.velocity.z;
        if (speed_before < 0 && speed > 0) {
            ++bounces;
        }
        if (speed_before > 0 && speed <= 0) {
            // The highest point. In theory it is 0.8² = 0.64 of the one before.
            std::printf("bounce %d: up to %.3f m at %.3f s\n", bounces, now.position.z - radius,
                        world.time());
        }
        speed_before = speed;
    }

    // Where the energy went. What is left over in the account is rounding.
    const scree::EnergyLedger& energy = world.energy();
    std::printf("lost in bounces: %.3f J, unaccounted for: %.0e J\n", -energy.normal_work,
                energy.residual());
}
