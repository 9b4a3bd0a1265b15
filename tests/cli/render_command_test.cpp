// `scree render` from outside.
#include "scree/analyse/png.hpp"
#include "scree/analyse/render.hpp"
#include "scree/io/pvtp_index.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/vtp_writer.hpp"
#include "support/folder.hpp"
#include "support/mixed_world.hpp"
#include "support/program.hpp"
#include "support/rank_frames.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::Ran;

/// A run with frames of the steps 0, 5, 10.
class Render : public test::InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        run = {folder / "run"};
        fs::create_directories(run.frames());
        for (int i = 0; i < 3; ++i) {
            io::write_particles(run.particles(world.frame().step), world.frame());
            io::write_contacts(run.contacts(world.frame().step), world.frame());
            test::run(world, i < 2 ? 5 : 0);
        }
    }
    [[nodiscard]] static Ran render(const std::string& arguments)
    {
        const bool sized = arguments.find("--size") != std::string::npos;
        return test::scree("render --samples 1 --threads 1 " + arguments +
                           (sized ? "" : " --size 160x100"));
    }
    void expect_refused(const std::string& arguments, const std::string& problems_with) const
    {
        const Ran ran = render(arguments);
        EXPECT_EQ(ran.status, 2) << arguments << "\n" << ran.out;
        EXPECT_NE(ran.out.find(problems_with), std::string::npos) << problems_with << "\n"
                                                                  << ran.out;
    }

    World world = test::mixed_world(0);
    io::RunFolder run;
};

TEST_F(Render, APictureIsWhatTheLibraryDraws)
{
    const Ran ran = render(run.dir.string() +
                           " --colour id --view 30,40 --lens 0 --zoom 2 --look-at 0.5,0,0.2 "
                           "--clip x=..0.7 --clip z=0.01..0.9 --obstacles 0.5 --out " +
                           path("a.png"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("wrote " + path("a.png")), std::string::npos) << ran.out;
    analyse::RenderOptions o;
    o.width = 160;
    o.height = 100;
    o.samples = 1;
    o.colour_by = analyse::ColourBy::id;
    o.view = {.azimuth = 30, .elevation = 40, .field_of_view = 0, .zoom = 2};
    o.view.look_at = Vec3<double>{0.5, 0, 0.2};
    o.clip.high.x = 0.7;
    o.clip.low.z = 0.01;
    o.clip.high.z = 0.9;
    o.obstacle_opacity = 0.5;
    const analyse::Image image = analyse::render(world.frame(), o);
    EXPECT_EQ(read("a.png"), analyse::encode_png(160, 100, image.rgb));
}

TEST_F(Render, FramesOfRanksAreDrawnLikeThoseOfOneProcess)
{
    const io::RunFolder ranks{folder / "ranks"};
    const std::uint64_t step = world.frame().step;
    test::write_frame_of_ranks(io::index_of(ranks.particles(step)),
                               io::index_of(ranks.contacts(step)), world.frame(), 3);
    for (const char* colour : {"id", "coordination"}) {
        const std::string drawn = std::string(" --colour ") + colour + " --out ";
        const Ran one = render(run.dir.string() + drawn + path("one.png"));
        const Ran many = render(ranks.dir.string() + drawn + path("many.png"));
        const Ran single =
            render(io::index_of(ranks.particles(step)).string() + drawn + path("single.png"));
        EXPECT_EQ(one.status + many.status + single.status, 0) << many.out << single.out;
        EXPECT_EQ(read("one.png"), read("many.png"));
        EXPECT_EQ(read("one.png"), read("single.png"));
    }
    fs::resize_file(io::piece_of(io::index_of(ranks.particles(step)), 1), 3000);
    expect_refused(ranks.dir.string() + " --out " + path("no.png"), "/1.vtp: is incomplete");
}

TEST_F(Render, NamesFilesAndWritesWords)
{
    EXPECT_EQ(render(run.dir.string()).status, 0);
    EXPECT_EQ(read("run/analysis/picture_000000000010.png").substr(1, 3), "PNG");
    EXPECT_EQ(render(run.particles(5).string() + " --colour coordination").status, 0);
    EXPECT_EQ(read("run/frames/particles_000000000005.png").substr(1, 3), "PNG");
    EXPECT_EQ(render(run.dir.string() + " --colour force --out " + path("run/force.png")).status,
              0);
    const Ran ran = render(run.dir.string() + " --frame 5 --title Heap --time --range 0,4 --out " +
                           path("a.svg"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    const std::string svg = read("a.svg");
    for (const char* text : {">Heap<", ">t = 0.005 s<", ">speed [m/s]<", ">4<"}) {
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    }
    EXPECT_EQ(files(), 2u);  // the run and a.svg
}

TEST_F(Render, MakesAFilm)
{
    const Ran ran = render(run.dir.string() + " --frame all --no-bar --out " + path("film"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    for (const char* name : {"film/000000.png", "film/000001.png", "film/000002.png"}) {
        EXPECT_EQ(read(name).substr(1, 3), "PNG") << name;
    }
    EXPECT_NE(ran.out.find("ffmpeg"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(path("film/%06d.png")), std::string::npos) << ran.out;
}

TEST_F(Render, BadInputIsRefusedAndNothingWritten)
{
    const std::string dir = run.dir.string(), out = " --out " + path("out.png");
    expect_refused(dir + out + " --frame 6", "--frame 6: ");
    expect_refused(dir + out + " --view 30", "--view 30: must be of the form AZIMUTH,ELEVATION");
    expect_refused(dir + out + " --view 30,nan", "--view");
    expect_refused(dir + out + " --size 64", "WIDTHxHEIGHT");
    expect_refused(dir + out + " --no-bar --size 8x8", "8 × 8 pixels");
    expect_refused(dir + out + " --size 64x40", "no room for a colour bar");
    expect_refused(dir + out + " --clip w=0..1", "--clip w=0..1");
    expect_refused(dir + out + " --clip x=0", "--clip x=0");
    expect_refused(dir + out + " --clip x=1..0", "clip box is empty");
    expect_refused(dir + out + " --clip x=80..90", "nothing to be seen");
    expect_refused(dir + out + " --colour mood", "mood");
    expect_refused(dir + out + " --zoom 0", "zoom = 0");
    expect_refused(dir + " --out " + path("out.jpg"), "must end in .png or .svg");
    expect_refused(run.particles(5).string() + out + " --frame all", "is a single frame");
    expect_refused(path("none") + out, "cannot be read");
    fs::remove(run.contacts(10));
    expect_refused(dir + out + " --colour coordination", "no file of contacts");
    expect_refused(dir + out + " --colour force", "no file of contacts");
    EXPECT_EQ(files(), 1u);
    EXPECT_FALSE(fs::exists(run.analysis()));
}

}  // namespace
}  // namespace scree
