// Many small worlds at once: how far does a block slide, for twenty values of friction?
//
// Different worlds share nothing, so that each thread may step one of its own.
#include <scree/world.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

constexpr double start_speed = 2;  // [m/s]

/// How far a block comes on a floor with this friction [m].
double sliding_distance(double friction)
{
    scree::Settings settings;
    settings.time_step = 1e-3;
    settings.threads = 1;  // a small world is quickest so, and the cores are for the other worlds
    scree::World world(settings);
    world.set_surface(0, 0, {.friction = friction});
    world.add(scree::obstacle(scree::Shape::half_space()));
    scree::Body block;
    block.shape = scree::Shape::box(0.2, 0.2, 0.05);
    block.position = {0, 0, 0.025};
    block.velocity = {start_speed, 0, 0};
    const scree::BodyId id = world.add(block);
    while (world.body(id).velocity.x > 1e-3 * start_speed) {
        world.step();
    }
    return world.body(id).position.x;
}

int main()
{
    std::vector<double> friction(20), distance(friction.size());
    for (std::size_t i = 0; i < friction.size(); ++i) {
        friction[i] = 0.05 * static_cast<double>(i + 1);
    }

    // Each thread takes the next value that nobody has taken. Results do not depend on who does.
    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> threads;
        for (unsigned n = std::max(1U, std::thread::hardware_concurrency()); n > 0; --n) {
            threads.emplace_back([&] {
                for (std::size_t i; (i = next++) < friction.size();) {
                    distance[i] = sliding_distance(friction[i]);
                }
            });
        }
    }  // waits for all of them

    for (std::size_t i = 0; i < friction.size(); ++i) {
        std::printf("friction %.2f: slides %.3f m, in theory %.3f m\n", friction[i], distance[i],
                    start_speed * start_speed / (2 * friction[i] * 9.81));
    }
}
