// What a user of the libraries beside the core writes first: a scene runs, is measured, drawn,
// written to files and read back.
#include <scree/analyse/curves.hpp>
#include <scree/analyse/packing.hpp>
#include <scree/analyse/png.hpp>
#include <scree/analyse/render.hpp>
#include <scree/io/checkpoint.hpp>
#include <scree/io/vtp_reader.hpp>
#include <scree/io/vtp_writer.hpp>
#include <scree/scene/simulation.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

namespace analyse = scree::analyse;
namespace io = scree::io;
namespace scene = scree::scene;

/// A ball that lies on a floor, with numbers that have units.
const char* const text = R"(
[time]
step = "1 ms"
end = "10 ms"
[domain]
min = [0, 0, 0]
max = [1, 1, 1]
z = ["wall", "open"]
[[body]]
name = "ball"
type = "sphere"
radius = "5 cm"
position = [0.5, 0.5, "50 mm"]
)";

int main()
{
    const scene::SceneFile file = scene::parse_scene(text, "scene.toml");
    scene::Simulation simulation(file.scene);
    while (simulation.time() < file.scene.time.end) {
        simulation.step();
    }
    const scree::World& world = simulation.world();
    const analyse::Packing packing = analyse::packing(world.frame());
    std::printf("%zu contact of a ball on a floor\n", packing.wall_contacts);

    const std::filesystem::path folder = "out";
    std::filesystem::create_directories(folder);
    io::write_particles(folder / "ball.vtp", world.frame());
    const io::StoredFrame frame = io::read_frame(folder / "ball.vtp");
    io::write_checkpoint(folder / "ball.h5", world);
    const bool same =
        io::read_checkpoint(folder / "ball.h5").world.state_hash() == world.state_hash();
    std::printf("the checkpoint is %s\n", same ? "the same world" : "another world");

    const analyse::Image image = analyse::render(frame.view(), {.width = 64, .height = 48});
    const std::string png = analyse::encode_png(image.width, image.height, image.rgb);
    const std::string svg = analyse::curves_svg(
        {.x_name = "x", .y_name = "y", .curves = {{.label = "line", .x = {0, 1}, .y = {0, 1}}}});
    std::printf("a picture of %d x %d pixels, and a drawing\n", image.width, image.height);
    const bool drawn = png.starts_with("\x89PNG") && svg.find("<svg") != std::string::npos;
    return packing.wall_contacts == 1 && frame.dynamic_count == 1 && same && drawn ? 0 : 1;
}
