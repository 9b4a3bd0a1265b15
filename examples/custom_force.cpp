// A force of your own: the drag of the air on falling balls.
//
// Scree knows gravity and contacts. Any other force is set by you before each step, here
// F = −½ ρ c A |v| v. A ball then falls no faster than √(2 m g / (ρ c A)), the terminal speed.
#include <scree/world.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

constexpr double air_density = 1.2;       // [kg/m³]
constexpr double drag_coefficient = 0.5;  // of a sphere

/// Area across the fall times what stands before |v| v [kg/m].
double drag_of(double radius)
{
    return 0.5 * air_density * drag_coefficient * std::numbers::pi * radius * radius;
}

int main()
{
    scree::Settings settings;
    settings.time_step = 1e-3;
    scree::World world(settings);

    struct Ball {
        scree::BodyId id;
        double radius;
    };
    std::vector<Ball> balls;
    for (const double radius : {0.01, 0.02, 0.04}) {
        scree::Body body;
        body.shape = scree::Shape::sphere(radius);
        body.density = 80;  // light as foam [kg/m³]
        body.position = {10 * radius, 0, 0};
        balls.push_back({world.add(body), radius});
    }

    while (world.time() < 10) {
        // A force acts until it is set anew.
        for (const Ball& ball : balls) {
            const scree::Vec3<double> v = world.body(ball.id).velocity;
            const double k = drag_of(ball.radius) * std::hypot(v.x, v.y, v.z);
            world.set_force(ball.id, {-k * v.x, -k * v.y, -k * v.z});
        }
        world.step();
    }

    for (const Ball& ball : balls) {
        const scree::Body body = world.body(ball.id);
        const double terminal = std::sqrt(body.mass->mass * 9.81 / drag_of(ball.radius));
        std::printf("radius %.0f cm: falls at %.3f m/s, in theory %.3f m/s\n", 100 * ball.radius,
                    -body.velocity.z, terminal);
    }
}
