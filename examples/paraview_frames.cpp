// A ball breaks a wall of bricks, and every 20 ms a frame is written for ParaView.
//
// Open wall/particles.pvd in ParaView (or VisIt) to see it. `scree render wall` draws a picture.
#include <scree/io/pvd.hpp>
#include <scree/io/run_folder.hpp>
#include <scree/io/vtp_reader.hpp>
#include <scree/io/vtp_writer.hpp>
#include <scree/world.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

int main()
{
    scree::Settings settings;
    settings.time_step = 1e-3;
    scree::World world(settings);
    world.add(scree::obstacle(scree::Shape::half_space()));

    // Six courses of bricks, every other one moved by half a brick.
    for (int row = 0; row < 6; ++row) {
        for (int column = 0; column < 4; ++column) {
            scree::Body brick;
            brick.shape = scree::Shape::box(0.1, 0.2, 0.1);
            brick.position = {0, 0.2 * column + 0.1 * (row % 2), 0.05 + 0.1 * row};
            world.add(brick);
        }
    }
    scree::Body ball;
    ball.shape = scree::Shape::sphere(0.12);
    ball.density = 8000;  // of steel [kg/m³]
    ball.position = {-1, 0.35, 0.3};
    ball.velocity = {8, 0, 1};
    world.add(ball);

    // The names that `scree run` gives to files, too.
    const scree::io::RunFolder folder{"wall"};
    std::filesystem::create_directories(folder.frames());
    std::vector<scree::io::PvdEntry> series;
    world.observe(20, [&](const scree::Frame& frame) {
        const std::filesystem::path file = folder.particles(frame.step);
        scree::io::write_particles(file, frame);
        series.push_back({frame.time, file});
    });
    while (world.time() < 0.4) {
        world.step();
    }
    // The collection says which file belongs to which time.
    scree::io::write_pvd(folder.particles_collection(), series);

    // Frames are read back as they were, to the last bit.
    const scree::io::StoredFrame last = scree::io::read_frame(series.back().file);
    const auto moved =
        std::ranges::count_if(last.positions, [](const auto& p) { return p.x > 0.05; });
    std::printf("%zu frames: at %.2f s %d of %zu bodies are behind the wall\n", series.size(),
                last.time, static_cast<int>(moved), last.dynamic_count);
}
