// The keys of shapes and where they are, of materials, bodies and obstacles.
#include "scene/describe.hpp"

#include <algorithm>
#include <iterator>

namespace scree::scene {

namespace {

constexpr Choice shape_kinds[]{
    {"clump", int(ShapeKind::clump), "a rigid union of other shapes"},
    {"sphere", int(ShapeKind::sphere)},
    {"box", int(ShapeKind::box)},
    {"capsule", int(ShapeKind::capsule), "a cylinder with half spheres at its ends; axis x"},
    {"cylinder", int(ShapeKind::cylinder), "axis x"},
    {"ellipsoid", int(ShapeKind::ellipsoid)},
    {"profile", int(ShapeKind::profile), "half a disc and a box behind it (+x), extruded along z"},
    {"polyhedron", int(ShapeKind::polyhedron), "the convex hull of points"},
    {"half_space", int(ShapeKind::half_space), "a plane wall: solid below z = 0"},
    {"cylinder_wall", int(ShapeKind::cylinder_wall), "solid outside an endless cylinder; axis x"},
    {"sphere_wall", int(ShapeKind::sphere_wall), "solid outside a sphere"},
    {"mesh", int(ShapeKind::mesh), "a surface of triangles, both of whose sides touch"}};
constexpr std::span<const Choice> body_kinds = std::span(shape_kinds).first(8);
constexpr std::span<const Choice> convex_kinds = body_kinds.subspan(1);
constexpr std::span<const Choice> obstacle_kinds = std::span(shape_kinds).subspan(1);
constexpr Choice motions[]{{"constant", int(MotionKind::constant)},
                           {"oscillate", int(MotionKind::oscillate)},
                           {"rotate", int(MotionKind::rotate)}};

/// The keys that give a shape its size, for each type.
class ShapeKeys {
public:
    ShapeKeys(Keys& keys, ShapeTable& shape) : keys_(keys), shape_(shape) {}

    /// Shapes of a few lengths.
    void simple_shapes()
    {
        if (begin(ShapeKind::sphere)) {
            radius(extent);
            keys_.end_case();
        }
        if (begin(ShapeKind::box)) {
            keys_.vector({.name = "size",
                          .unit = "m",
                          .range = extent,
                          .help = "edge lengths",
                          .required = true,
                          .uniform = true},
                         shape_.size);
            keys_.end_case();
        }
        if (begin(ShapeKind::capsule)) {
            radius(up_to_moderate);
            length("between the centres of the half spheres", extent);
            keys_.end_case();
        }
        if (begin(ShapeKind::cylinder)) {
            radius(extent);
            length("from end to end", extent);
            keys_.end_case();
        }
        if (begin(ShapeKind::ellipsoid)) {
            keys_.vector({.name = "semi_axes",
                          .unit = "m",
                          .range = extent,
                          .help = "along x, y, z",
                          .required = true},
                         shape_.size);
            keys_.end_case();
        }
        if (begin(ShapeKind::profile)) {
            radius(extent);
            length("of the box behind the half disc", up_to_moderate);
            keys_.number({.name = "height",
                          .unit = "m",
                          .range = extent,
                          .help = "along z",
                          .required = true},
                         shape_.height);
            keys_.end_case();
        }
    }

    void polyhedron()
    {
        if (begin(ShapeKind::polyhedron)) {
            static constexpr std::string_view units[]{"m", "m", "m"};
            keys_.rows(
                {.name = "vertices",
                 .range = moderate,
                 .help =
                     "points, at least 4, whose convex hull is the shape; others may lie inside"},
                units, shape_.vertices);
            keys_.text({.name = "file",
                        .help = "instead of vertices: an STL or OBJ file, named from the scene's "
                                "folder, whose points are taken"},
                       shape_.file);
            scale("factor of all coordinates, e.g. 0.001 for a file in mm");
            keys_.end_case();
        }
    }

    void clump()
    {
        if (begin(ShapeKind::clump)) {
            keys_.tables({.name = "parts",
                          .help = "shapes that make up the clump; they may overlap",
                          .required = true},
                         shape_.parts);
            scale("factor of all lengths");
            keys_.end_case();
        }
    }

    void curved_walls()
    {
        for (const ShapeKind wall : {ShapeKind::cylinder_wall, ShapeKind::sphere_wall}) {
            if (begin(wall)) {
                radius(extent);
                keys_.end_case();
            }
        }
    }

    void mesh()
    {
        if (begin(ShapeKind::mesh)) {
            static constexpr std::string_view lengths[]{"m", "m", "m"}, numbers[]{"1", "1", "1"};
            keys_.rows({.name = "vertices", .range = moderate, .help = "points of the surface"},
                       lengths, shape_.vertices);
            keys_.rows({.name = "triangles",
                        .range = {.least = 0, .most = 4e9},
                        .help = "three points each, numbered from 0"},
                       numbers, shape_.triangles);
            keys_.text(
                {.name = "file",
                 .help = "instead of both: an STL or OBJ file, named from the scene's folder"},
                shape_.file);
            scale("factor of all coordinates, e.g. 0.001 for a file in mm");
            keys_.end_case();
        }
    }

private:
    /// Whether the keys that follow are those of this kind.
    bool begin(ShapeKind kind)
    {
        const Choice& choice = *std::find_if(std::begin(shape_kinds), std::end(shape_kinds),
                                             [&](const Choice& c) { return c.value == int(kind); });
        return keys_.begin_case("type", choice.name, shape_.kind == kind);
    }
    void radius(const Range& range)
    {
        keys_.number(
            {.name = "radius", .unit = "m", .range = range, .help = "radius", .required = true},
            shape_.radius);
    }
    void length(std::string_view help, const Range& range)
    {
        keys_.number(
            {.name = "length", .unit = "m", .range = range, .help = help, .required = true},
            shape_.length);
    }
    void scale(std::string_view help)
    {
        keys_.number({.name = "scale", .range = {.least = 1e-12, .most = 1e12}, .help = help},
                     shape_.scale);
    }

    Keys& keys_;
    ShapeTable& shape_;
};

void describe_shape(Keys& k, ShapeTable& s, std::span<const Choice> kinds)
{
    k.choice({.name = "type", .help = "kind of shape", .required = true}, kinds, s.kind);
    ShapeKeys keys(k, s);
    keys.simple_shapes();
    keys.polyhedron();
    if (kinds.front().value == int(ShapeKind::clump)) {
        keys.clump();
    }
    if (kinds.back().value == int(ShapeKind::mesh)) {
        keys.curved_walls();
        keys.mesh();
    }
}

}  // namespace

void describe(Keys& k, Turn& t)
{
    k.vector({.name = "axis", .range = moderate, .help = "direction of the axis", .required = true},
             t.axis);
    k.number({.name = "angle",
              .unit = "rad",
              .range = moderate,
              .help = "right-handed, e.g. \"30 deg\"",
              .required = true},
             t.angle);
}

void describe(Keys& k, ShapeTable& s) { describe_shape(k, s, body_kinds); }

static void describe_place(Keys& k, PlacedShapeTable& s)
{
    k.vector({.name = "position", .unit = "m", .range = moderate, .help = "of the shape's origin"},
             s.position);
    k.vector({.name = "direction",
              .range = moderate,
              .help = "turns the shape's axis (a half-space's normal) to this direction"},
             s.direction);
    k.table({.name = "turn", .help = "turns the shape about its origin"}, s.turn);
}

void describe(Keys& k, PlacedShapeTable& s)
{
    describe_shape(k, s, obstacle_kinds);
    describe_place(k, s);
}

void describe(Keys& k, PartTable& p)
{
    describe_shape(k, p, convex_kinds);
    describe_place(k, p);
}

void describe(Keys& k, MaterialTable& m)
{
    k.text({.name = "name", .help = "how the rest of the file calls it", .required = true}, m.name);
    k.number({.name = "density",
              .unit = "kg/m^3",
              .range = {.least = 1e-9, .most = 1e15},
              .help = "of bodies made of it"},
             m.density);
    k.number({.name = "friction",
              .range = {.least = 0, .most = 1e6},
              .help = "μ with itself; with another material the smaller one, unless [[surface]] "
                      "says otherwise"},
             m.friction);
    k.number({.name = "restitution", .range = share, .help = "e with itself, likewise"},
             m.restitution);
}

void describe(Keys& k, SurfaceTable& s)
{
    k.texts({.name = "between", .help = "names of two materials", .required = true}, 2, s.between);
    k.number(
        {.name = "friction", .range = {.least = 0, .most = 1e6}, .help = "μ", .required = true},
        s.friction);
    k.number({.name = "restitution", .range = share, .help = "e"}, s.restitution);
}

void describe(Keys& k, MotionTable& m)
{
    k.choice({.name = "type", .help = "kind of motion", .required = true}, motions, m.kind);
    if (k.begin_case("type", "constant", m.kind == MotionKind::constant)) {
        k.vector({.name = "velocity", .unit = "m/s", .range = moderate, .help = "of the obstacle"},
                 m.velocity);
        k.end_case();
    }
    if (k.begin_case("type", "oscillate", m.kind == MotionKind::oscillate)) {
        k.vector({.name = "amplitude",
                  .unit = "m",
                  .range = moderate,
                  .help = "farthest from the start, A in x = x₀ + A (sin(2πft + φ) − sin φ)",
                  .required = true},
                 m.amplitude);
        k.number(
            {.name = "frequency", .unit = "Hz", .range = above_zero, .help = "f", .required = true},
            m.frequency);
        k.number({.name = "phase", .unit = "rad", .range = moderate, .help = "φ at the start"},
                 m.phase);
        k.end_case();
    }
    if (k.begin_case("type", "rotate", m.kind == MotionKind::rotate)) {
        k.vector({.name = "axis", .range = moderate, .help = "direction of the axis"}, m.axis);
        k.vector({.name = "centre",
                  .unit = "m",
                  .range = moderate,
                  .help = "a point of the axis; default: the obstacle's position"},
                 m.centre);
        k.number({.name = "rate",
                  .unit = "rad/s",
                  .range = moderate,
                  .help = "right-handed, e.g. \"15 rpm\"",
                  .required = true},
                 m.rate);
        k.end_case();
    }
    k.number({.name = "start", .unit = "s", .range = duration, .help = "at rest before"}, m.start);
    k.number({.name = "stop", .unit = "s", .range = positive_or_infinite, .help = "at rest after"},
             m.stop);
}

void describe(Keys& k, RepeatTable& r)
{
    k.integer({.name = "count",
               .range = {.least = 1, .most = most_copies},
               .help = "how many there are, the first included",
               .required = true},
              r.count);
    k.vector({.name = "step", .unit = "m", .range = moderate, .help = "from each to the next"},
             r.step);
    k.table({.name = "turn", .help = "from each to the next, about an axis through the centre"},
            r.turn);
    k.vector({.name = "centre", .unit = "m", .range = moderate, .help = "a point of that axis"},
             r.centre);
}

void describe(Keys& k, BodyTable& b)
{
    k.text({.name = "name", .help = "for results"}, b.name);
    describe_shape(k, b, body_kinds);
    describe_place(k, b);
    k.text({.name = "material", .help = "default: the first"}, b.material);
    k.vector(
        {.name = "velocity", .unit = "m/s", .range = moderate, .help = "of the centre of mass"},
        b.velocity);
    k.vector({.name = "angular_velocity",
              .unit = "rad/s",
              .range = moderate,
              .help = "in the world frame"},
             b.angular_velocity);
    k.number({.name = "mass",
              .unit = "kg",
              .range = {.least = 1e-30, .most = 1e30},
              .help = "instead of the material's density"},
             b.mass);
    k.tables({.name = "repeat",
              .help = "copies of the body in a row or a ring; the second repeats the whole of the "
                      "first, and so on"},
             b.repeat);
}

void describe(Keys& k, ObstacleTable& o)
{
    k.text({.name = "name", .help = "for results and measures"}, o.name);
    k.text({.name = "material", .help = "default: the first"}, o.material);
    k.tables({.name = "shapes",
              .help = "one or more shapes that stand or move together; contacts inside of another "
                      "member do not count",
              .required = true},
             o.shapes);
    k.vector({.name = "position", .unit = "m", .range = moderate, .help = "moves all shapes"},
             o.position);
    k.table({.name = "turn", .help = "turns all shapes about the obstacle's position"}, o.turn);
    k.table({.name = "motion", .help = "how it moves; default: it stands"}, o.motion);
    k.number({.name = "remove_at",
              .unit = "s",
              .range = positive_or_infinite,
              .help = "taken away at this time, as a gate is"},
             o.remove_at);
}

}  // namespace scree::scene
