// The files of a run: collections, the list of frames, and the text formats read back by parsers
// that know nothing of the writers.
#include "io/csv.hpp"
#include "io/frame_index.hpp"
#include "io/lammps.hpp"
#include "io/pvd.hpp"
#include "io/run_folder.hpp"
#include "io/stored_frame.hpp"
#include "io/vtp.hpp"
#include "scree/error.hpp"
#include "support/folder.hpp"
#include "support/mixed_world.hpp"
#include "support/rank_frames.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace scree::io {
namespace {

namespace fs = std::filesystem;
using RunFiles = test::InFolder;

TEST_F(RunFiles, CollectionsComeBack)
{
    const std::vector<PvdEntry> entries{{0, path("frames/a.vtp")},
                                        {0.1 + 0.2, path("frames/<b> & \"c\".vtp")},
                                        {1e-300, path("d d.vtp")}};
    write_pvd(path("all.pvd"), entries);
    const std::vector<PvdEntry> back = read_pvd(path("all.pvd"));
    ASSERT_EQ(back.size(), entries.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        EXPECT_EQ(back[i].time, entries[i].time);
        EXPECT_EQ(back[i].file, entries[i].file);
    }
    EXPECT_NE(read("all.pvd").find("file=\"frames/a.vtp\""), std::string::npos);
    write_pvd(path("all.pvd"), {});
    EXPECT_TRUE(read_pvd(path("all.pvd")).empty());
    EXPECT_EQ(files(), 1u);
}

TEST_F(RunFiles, DamagedCollectionsAreRefused)
{
    write_pvd(path("all.pvd"), std::vector<PvdEntry>{{0.5, "frames/a.vtp"}});
    const std::string good = read("all.pvd");
    const std::size_t end = good.find("</VTKFile>") + 10;
    for (std::size_t size = 0; size < end; ++size) {
        write("all.pvd", good.substr(0, size));
        EXPECT_THROW((void)read_pvd(path("all.pvd")), Error) << size;
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c : {'\0', '<', '>', '"', '/', '=', ' '}) {
            std::string bad = good;
            bad[at] = c;
            write("all.pvd", bad);
            try {
                (void)read_pvd(path("all.pvd"));  // may be good still
            } catch (const Error&) {
            }
        }
    }
    write("all.pvd", "<VTKFile type=\"PolyData\"></VTKFile>");
    EXPECT_THROW((void)read_pvd(path("all.pvd")), Error);
    EXPECT_THROW((void)read_pvd(path("none.pvd")), Error);
}

TEST_F(RunFiles, FramesAreListedByStep)
{
    const RunFolder run{folder};
    EXPECT_TRUE(frames_of(folder).empty());
    fs::create_directories(run.frames());
    EXPECT_TRUE(frames_of(folder).empty());
    World world = test::mixed_world(0);
    std::map<std::uint64_t, double> times;
    for (int i = 0; i < 12; ++i) {
        const Frame frame = world.frame();
        write_particles(run.particles(frame.step), frame);
        if (i != 3) {
            write_contacts(run.contacts(frame.step), frame);
        }
        times[frame.step] = frame.time;
        world.step();
    }
    EXPECT_TRUE(fs::exists(folder / "frames" / "particles_000000000011.vtp"));
    EXPECT_TRUE(fs::exists(folder / "frames" / "contacts_000000000011.vtp"));
    write("frames/particles_11.vtp", "not named like a frame");
    write("frames/particles_00000000000x.vtp", "nor this");
    write("frames/.scree-12-0.tmp", "left behind");
    const std::vector<io::FrameFiles> found = frames_of(folder);
    ASSERT_EQ(found.size(), times.size());
    auto expected = times.begin();
    for (const io::FrameFiles& f : found) {
        EXPECT_EQ(f.step, expected->first);
        EXPECT_EQ(f.time, expected->second);
        EXPECT_EQ(f.particles, run.particles(f.step));
        EXPECT_EQ(f.contacts, f.step == 3 ? fs::path() : run.contacts(f.step));
        ++expected;
    }
    EXPECT_EQ(run.particles(1'234'567'890'123).filename(), "particles_1234567890123.vtp");
    // Of ranks; pieces without an index are no frame, and go.
    const fs::path particles = index_of(run.particles(12)), contacts = index_of(run.contacts(12));
    test::write_frame_of_ranks(particles, contacts, world.frame(), 2);
    ASSERT_EQ(frames_of(folder).size(), found.size() + 1);
    EXPECT_EQ(frames_of(folder).back().particles, particles);
    EXPECT_EQ(frames_of(folder).back().contacts, contacts);
    fs::remove(particles);
    EXPECT_EQ(frames_of(folder).size(), found.size());
    fs::create_directories(run.frames() / "mine");
    remove_loose_pieces(folder);
    EXPECT_FALSE(fs::exists(piece_of(particles, 0).parent_path()));
    EXPECT_TRUE(fs::exists(piece_of(contacts, 1)));
    EXPECT_TRUE(fs::exists(run.frames() / "mine"));
    write("frames/particles_000000000100.vtp", "foreign");
    EXPECT_THROW((void)frames_of(folder), Error);
}

std::vector<std::string> split(const std::string& line, char separator)
{
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, separator);) {
        cells.push_back(cell);
    }
    return cells;
}

TEST(Converters, LammpsDumpHoldsTheBodies)
{
    World world = test::mixed_world();
    const World other = test::mixed_world(3);
    std::stringstream in(lammps_frame(other.frame()) + lammps_frame(world.frame()));
    int frames = 0;
    for (const World* w : {&other, static_cast<const World*>(&world)}) {
        const auto line = [&] {
            std::string text;
            EXPECT_TRUE(std::getline(in, text));
            return text;
        };
        EXPECT_EQ(line(), "ITEM: TIMESTEP");
        EXPECT_EQ(line(), std::to_string(w->frame().step));
        EXPECT_EQ(line(), "ITEM: NUMBER OF ATOMS");
        EXPECT_EQ(line(), std::to_string(w->dynamic_count()));
        EXPECT_EQ(line(), "ITEM: BOX BOUNDS ss ss ss");
        double low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            std::stringstream(line()) >> low[k] >> high[k];
        }
        EXPECT_EQ(line(), "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz "
                          "quati quatj quatk quatw shapex shapey shapez");
        BodyId last = 0;
        for (std::size_t i = 0; i < w->dynamic_count(); ++i) {
            std::vector<double> n;
            const std::vector<std::string> cells = split(line(), ' ');
            ASSERT_EQ(cells.size(), 19u);
            for (const std::string& cell : cells) {
                n.push_back(std::stod(cell));
            }
            const BodyId id = std::stoull(cells[0]);
            EXPECT_LT(last, id);
            last = id;
            const Body b = w->body(id);
            const int number =
                static_cast<int>(b.shape.kind) - (b.shape.kind > ShapeKind::sphere_wall ? 3 : 0);
            EXPECT_EQ(n[1], 1 + 8 * b.material + number);
            const double expected[] = {
                b.velocity.x,         b.velocity.y,         b.velocity.z,    b.angular_velocity.x,
                b.angular_velocity.y, b.angular_velocity.z, b.orientation.x, b.orientation.y,
                b.orientation.z,      b.orientation.w};
            for (std::size_t k = 0; k < std::size(expected); ++k) {
                EXPECT_EQ(n[6 + k], expected[k]) << id << " " << k;
            }
            const double x[] = {b.position.x, b.position.y, b.position.z};
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(n[2 + k], x[k]);
                EXPECT_LE(low[k], x[k] - n[5]);
                EXPECT_GE(high[k], x[k] + n[5]);
            }
        }
        ++frames;
    }
    EXPECT_EQ(frames, 2);
    EXPECT_EQ(in.peek(), std::stringstream::traits_type::eof());
}

/// Extents and bounding radii as columns, by hand.
TEST(Converters, ExtentsFitTheShapes)
{
    const struct {
        Shape shape;
        double x, y, z, radius;
    } known[] = {{Shape::sphere(2), 4, 4, 4, 2},
                 {Shape::box(2, 3, 6), 2, 3, 6, 3.5},
                 {Shape::capsule(1, 6), 8, 2, 2, 4},
                 {Shape::cylinder(3, 8), 8, 6, 6, 5},
                 {Shape::ellipsoid(1, 3, 2), 2, 6, 4, 3},
                 {Shape::profile(2, 3, 12), 5, 4, 12, 7},
                 {Shape::polyhedron(std::vector<Vec3<double>>{
                      {1, 0, 0}, {-2, 0, 0}, {0, 3, 0}, {0, 0, -4}, {0, 0, 0.5}}),
                  3, 3, 4.5, 4}};
    for (const auto& k : known) {
        StoredFrame f;
        f.dynamic_count = 1;
        f.ids = {7};
        f.positions = {{0, 0, 0}};
        f.orientations = {{1, 0, 0, 0}};
        f.velocities = f.angular_velocities = {{0, 0, 0}};
        f.masses = {1};
        f.shapes = {k.shape};
        f.materials = {2};
        const std::string text = lammps_frame(f.view());
        const std::vector<std::string> cells = split(split(text, '\n').back(), ' ');
        EXPECT_EQ(std::stod(cells[5]), k.radius) << text;
        EXPECT_EQ(std::stod(cells[16]), k.x) << text;
        EXPECT_EQ(std::stod(cells[17]), k.y) << text;
        EXPECT_EQ(std::stod(cells[18]), k.z) << text;
        const bool polyhedron = k.shape.kind == ShapeKind::polyhedron;
        EXPECT_EQ(std::stoi(cells[1]), 17 + (polyhedron ? 6 : static_cast<int>(k.shape.kind)));
    }
}

TEST(Converters, CsvHoldsTheBodies)
{
    const World world = test::mixed_world();
    const std::string header = csv_header();
    ASSERT_TRUE(header.ends_with('\n'));
    const std::vector<std::string> names = split(header.substr(0, header.size() - 1), ',');
    std::stringstream rows(csv_rows(world.frame()));
    std::size_t count = 0;
    BodyId last = 0;
    for (std::string row; std::getline(rows, row); ++count) {
        const std::vector<std::string> cells = split(row, ',');
        ASSERT_EQ(cells.size(), names.size());
        std::map<std::string, std::string> cell;
        for (std::size_t i = 0; i < names.size(); ++i) {
            cell[names[i]] = cells[i];
        }
        const auto value = [&](const char* name) {
            EXPECT_TRUE(cell.contains(name)) << name;
            return std::stod(cell[name]);
        };
        const BodyId id = std::stoull(cell["id"]);
        EXPECT_LT(last, id);
        last = id;
        const Body b = world.body(id);
        EXPECT_EQ(value("step"), 150);
        EXPECT_EQ(value("time [s]"), world.time());
        EXPECT_EQ(cell["shape"], name_of(b.shape.kind));
        EXPECT_EQ(value("dynamic"), b.motion == Motion::dynamic ? 1 : 0);
        EXPECT_EQ(value("material"), b.material);
        EXPECT_EQ(value("x [m]"), b.position.x);
        EXPECT_EQ(value("y [m]"), b.position.y);
        EXPECT_EQ(value("z [m]"), b.position.z);
        EXPECT_EQ(value("qw"), b.orientation.w);
        EXPECT_EQ(value("qx"), b.orientation.x);
        EXPECT_EQ(value("qy"), b.orientation.y);
        EXPECT_EQ(value("qz"), b.orientation.z);
        EXPECT_EQ(value("vx [m/s]"), b.velocity.x);
        EXPECT_EQ(value("vy [m/s]"), b.velocity.y);
        EXPECT_EQ(value("vz [m/s]"), b.velocity.z);
        EXPECT_EQ(value("wx [rad/s]"), b.angular_velocity.x);
        EXPECT_EQ(value("wy [rad/s]"), b.angular_velocity.y);
        EXPECT_EQ(value("wz [rad/s]"), b.angular_velocity.z);
        EXPECT_EQ(value("size_1 [m]"), b.shape.size.x);
        EXPECT_EQ(value("size_2 [m]"), b.shape.size.y);
        EXPECT_EQ(value("size_3 [m]"), b.shape.size.z);
        if (b.motion == Motion::dynamic) {
            EXPECT_EQ(value("mass [kg]"), b.mass->mass);
        } else {
            EXPECT_EQ(cell["mass [kg]"], "inf");
        }
    }
    EXPECT_EQ(count, world.body_count());
}

}  // namespace
}  // namespace scree::io
