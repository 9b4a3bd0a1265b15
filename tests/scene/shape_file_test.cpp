// Polyhedra in scene files, and the files that they may come from.
#include "scree/error.hpp"
#include "scree/query.hpp"
#include "scree/scene/scene.hpp"
#include "scree/scene/simulation.hpp"
#include "scree/scene/surface_file.hpp"
#include "support/folder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

namespace {

using namespace scree;
using namespace scree::scene;

const std::string start = "[time]\nstep = \"1 ms\"\nend = \"10 ms\"\n";

class ShapeFiles : public test::InFolder {
protected:
    std::string put(const std::string& name, const std::string& bytes)
    {
        write(name, bytes);
        return path(name);
    }
    static std::string complaint_of(const auto& call)
    {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    static void expect_part(const std::string& text, const std::string& part)
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in\n" << text;
    }
};

/// The corner tetrahedron of edge `a` as triangles.
std::string text_stl(double a)
{
    const double p[4][3] = {{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::string text = "solid corner\n";
    for (const auto& face : faces) {
        text += "facet normal 0 0 0\n outer loop\n";
        for (const int i : face) {
            text += "  vertex " + std::to_string(p[i][0]) + " " + std::to_string(p[i][1]) + " " +
                    std::to_string(p[i][2]) + "\r\n";
        }
        text += " endloop\nendfacet\n";
    }
    return text + "endsolid corner\n";
}

std::string binary_stl(float a)
{
    const float p[4][3] = {{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::string bytes = "solid in name only" + std::string(62, ' ');
    const auto append = [&](const auto& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    append(std::uint32_t(4));
    for (const auto& face : faces) {
        append(p[0]);
        for (const int i : face) {
            append(p[i]);
        }
        append(std::uint16_t(0));
    }
    return bytes;
}

const std::string obj = R"(# a comment
o corner
v 0 0 0
v 2 0 0 1.0
v 0 2 0
vn 0 0 1
v +0 0 2e0
f 1//1 3//1 2//1
f 1 2 4
f -4 -1 -2
f 2/7 3/7 4/7
)";

TEST_F(ShapeFiles, StlAndObjGiveTheSame)
{
    for (const SurfaceFile& s :
         {read_surface(put("a.stl", text_stl(2))), read_surface(put("b.STL", binary_stl(2))),
          read_surface(put("c.obj", obj))}) {
        ASSERT_EQ(s.points.size(), 4U);
        ASSERT_EQ(s.triangles.size(), 4U);
        const Shape shape = Shape::polyhedron(s.points);
        EXPECT_NEAR(volume(shape), 8.0 / 6, 1e-14);
        // All triangles look outwards.
        double sum = 0;
        for (const auto& t : s.triangles) {
            const auto &a = s.points[t[0]], &b = s.points[t[1]], &c = s.points[t[2]];
            sum += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                   a.z * (b.x * c.y - b.y * c.x);
        }
        EXPECT_NEAR(sum / 6, 8.0 / 6, 1e-14);
    }
}

TEST_F(ShapeFiles, BrokenFilesAreRefusedWithAReason)
{
    const auto expect = [&](const std::string& name, const std::string& bytes,
                            const std::string& part) {
        expect_part(complaint_of([&] { (void)read_surface(put(name, bytes)); }), part);
    };
    expect("a.stl", "", "too short");
    expect("a.stl", std::string(200, 'x'), "no STL file");
    expect("a.stl", binary_stl(1).substr(0, 200), "cut off");
    expect("a.stl", "solid\nouter loop\nvertex 1 2\n", "line 3: expected three numbers");
    expect("a.stl", "solid\nvertex 1 2 3\nendloop\n", "1 corners");
    expect("a.stl", "solid\nvertex 1 2 3\n", "ends within a facet");
    expect("a.obj", "v 1 2 x\n", "line 1: expected three numbers, found \"x\"");
    expect("a.obj", "v 0 0 0\nf 1 2 3\n", "corner \"2\"; so far there are 1");
    expect("a.obj", "v 0 0 0\nf 1 1\n", "2 corners");
    expect("a.obj", "v 0 0 0\nf -2 1 1\n", "corner \"-2\"");
    expect("a.ply", "ply", "must end in .stl or .obj");
    expect_part(complaint_of([&] { (void)read_surface(path("none.stl")); }), "cannot be");
}

TEST_F(ShapeFiles, VerticesHaveUnits)
{
    const Scene s = parse_scene(start + R"(
[[body]]
type = "polyhedron"
vertices = [[0, 0, 0], ["1 cm", 0, 0], [0, "10 mm", 0], [0, 0, 0.01], ["1 mm", "1 mm", "1 mm"]]
scale = 2
[[obstacle]]
shapes = [{ type = "polyhedron", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]] }]
)",
                                "test.toml")
                        .scene;
    const Shape shape = s.bodies.at(0).shape();
    EXPECT_EQ(corners_of(shape).size(), 4U);
    EXPECT_NEAR(volume(shape), 8e-6 / 6, 1e-18);
    EXPECT_NEAR(volume(s.obstacles.at(0).shapes.at(0).shape()), 1.0 / 6, 1e-14);
}

TEST_F(ShapeFiles, ComplaintsNameTheKey)
{
    const auto expect = [&](const std::string& body, const std::string& part) {
        expect_part(complaint_of([&] {
                        (void)parse_scene(start + "[[body]]\ntype = \"polyhedron\"\n" + body,
                                          "test.toml");
                    }),
                    part);
    };
    expect("", "needs vertices, or a file");
    expect("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n", "body.vertices: a polyhedron needs 4");
    expect("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\n", "flat");
    expect("vertices = [[0, 0], [1, 0], [0, 1], [1, 1]]\n", "rows of 3 values");
    expect("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, \"1 s\"]]\n",
           "body[1].vertices: \"1 s\" has the wrong dimension");
    expect("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nscale = 1e-12\n", "1e-9");
    expect("file = \"nowhere.stl\"\n", "body.file: nowhere.stl: cannot be read");
    expect("file = \"nowhere.stl\"\nvertices = [[0, 0, 0]]\n", "either vertices or a file");
}

// The scene that is kept has the corners in it, to the bit, and needs the file no longer.
TEST_F(ShapeFiles, FilesBecomePartOfTheScene)
{
    put("grain.stl", binary_stl(0.1f));
    put("scene.toml", start + R"(
[[fill]]
type = "grid"
shape = { type = "polyhedron", file = "grain.stl", scale = 0.1 }
region = { type = "box", min = [0, 0, 0], max = [0.1, 0.1, 0.1] }
spacing = "5 cm"
)");
    const SceneFile file = read_scene(path("scene.toml"));
    EXPECT_EQ(file.text.find("grain.stl"), std::string::npos);
    std::filesystem::remove(path("grain.stl"));
    const SceneFile again = parse_scene(file.text, "elsewhere/scene.toml");
    const Shape shape = file.scene.fills.at(0).shape.shape();
    EXPECT_EQ(again.scene.fills.at(0).shape.shape().solid, shape.solid);
    EXPECT_EQ(again.text, file.text);
    // Grains turn about their centre of mass.
    Simulation simulation(file.scene);
    const Frame frame = simulation.world().frame();
    ASSERT_EQ(frame.dynamic_count, 8U);
    EXPECT_NEAR(volume(frame.shapes[0]), volume(shape), 1e-12 * volume(shape));
    const Vec3<double> centre = mass_properties(frame.shapes[0], 1).centre;
    EXPECT_LT(std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z), 1e-16);
}

const std::string ball = "[[body]]\ntype = \"sphere\"\nradius = 0.1\nposition = [0, 0, 5]\n";

TEST_F(ShapeFiles, MeshesBecomePartOfTheSceneToo)
{
    put("corner.stl", text_stl(0.1));
    put("scene.toml", start + ball + R"(
[[obstacle]]
shapes = [{ type = "mesh", file = "corner.stl", scale = 2 }]
)");
    const SceneFile file = read_scene(path("scene.toml"));
    std::filesystem::remove(path("corner.stl"));
    const SceneFile again = parse_scene(file.text, "elsewhere/scene.toml");
    EXPECT_EQ(again.text, file.text);
    const Shape shape = file.scene.obstacles.at(0).shapes.at(0).shape();
    EXPECT_EQ(again.scene.obstacles.at(0).shapes.at(0).shape().surface, shape.surface);
    EXPECT_EQ(triangles_of(shape).size(), 4U);
    EXPECT_EQ(points_of(shape).size(), 4U);
    const PlacedShape mesh{shape, {0, 0, 0}, {1, 0, 0, 0}};
    EXPECT_NEAR(
        signed_distance({Shape::sphere(0.01), {0.05, 0.05, -0.02}, {1, 0, 0, 0}}, mesh, 0.1), 0.01,
        1e-15);
}

// Whatever a file has in it, there is a mesh or a complaint that names the file.
TEST_F(ShapeFiles, MeshesThatCannotBeAreNamed)
{
    const auto expect = [&](const std::string& name, const std::string& bytes,
                            const std::string& part) {
        put(name, bytes);
        put("scene.toml", start + ball + "[[obstacle]]\nshapes = [{ type = \"mesh\", file = \"" +
                              name + "\" }]\n");
        const std::string said = complaint_of([&] { (void)read_scene(path("scene.toml")); });
        EXPECT_EQ(said.empty(), part.empty()) << said;
        expect_part(said, part);
    };
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    expect("good.obj", square + "f 1 2 3 4\n", "");
    expect("turned-twice-and-flat.obj", square + "f 1 2 3\nf 3 2 1\nf 1 1 2\nf 1 4 3\n", "");
    expect("nan.obj", "v nan 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "not finite");
    expect("inf.obj", "v 0 inf 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "not finite");
    expect("flat.obj", square + "f 1 1 2\n", "none is left");
    expect("points.obj", square, "none is left");
    std::string broken = binary_stl(1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(broken.data() + 84 + 12, &nan, sizeof nan);
    expect("nan.stl", broken, "not finite");
    const auto direct = [&](const std::string& keys, const std::string& part) {
        expect_part(complaint_of([&] {
                        (void)parse_scene(start + ball +
                                              "[[obstacle]]\nshapes = [{ type = \"mesh\"" + keys +
                                              " }]\n",
                                          "test.toml");
                    }),
                    part);
    };
    const std::string three = ", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]";
    direct("", "needs vertices and triangles, or a file");
    direct(three, "needs vertices and triangles");
    direct(three + ", triangles = [[0, 1, 3]]", "corner 3");
    direct(three + ", triangles = [[0, 1, 1.5]]", "whole number");
    direct(three + ", triangles = [[0, 1, -2]]", "triangles");
    direct(three + ", triangles = [[0, 1, 2]], scale = 1e-11", "1e-9");
    direct(three + ", triangles = [[0, 1, 2]], file = \"a.stl\"", "either vertices or a file");
}

}  // namespace
