// Runs a scene file and watches it: scene_file [SCENE.toml].
//
// A scene file says what there is and how it moves. An observer sees the world after every so many
// steps, here to say how high the grains reach and how fast they are.
#include <scree/error.hpp>
#include <scree/scene/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main(int argc, char** argv)
try {
    const char* const file = argc > 1 ? argv[1] : "pile.toml";
    // Every mistake in the file is named, with line and column: see the end of this program.
    const scree::scene::Scene scene = scree::scene::read_scene(file).scene;

    // The simulation holds the world, and does what happens to it between steps: sources, sinks,
    // obstacles that move. The scene has to live as long.
    scree::scene::Simulation simulation(scene);
    scree::World& world = simulation.world();

    // A frame has a column for each quantity, dynamic bodies first.
    world.observe(500, [](const scree::Frame& frame) {
        double top = 0, fastest = 0;
        for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
            const scree::Vec3<double>& v = frame.velocities[i];
            top = std::max(top, frame.positions[i].z);
            fastest = std::max(fastest, std::hypot(v.x, v.y, v.z));
        }
        std::printf("t = %.2f s: grains up to %.0f cm, at most %.3f m/s\n", frame.time, 100 * top,
                    fastest);
    });

    int doubtful = 0;  // steps that say that something went wrong
    while (simulation.time() < scene.time.end) {
        doubtful += simulation.step().good() ? 0 : 1;
    }
    std::printf("%s: %zu grains, %zu contacts, %d doubtful steps\n", scene.title.c_str(),
                world.dynamic_count(), world.report().contacts, doubtful);
} catch (const scree::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
