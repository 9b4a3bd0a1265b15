// All keys of a scene file. The order here is the order of the reference page.
#include "scene/scene.hpp"

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/counts.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <cmath>

namespace scree::scene {

namespace {

constexpr Range share{.least = 0, .most = 1};
constexpr Range positive_share{.least = 0, .most = 1, .open_at_least = true};
constexpr Range whole{.least = 0, .most = 1e15};
constexpr Range number_of_grains{.least = 0, .most = most_grains};
// Wider than anything that is meant, and narrow enough that squares, cubes and masses stay numbers.
/// Positions, velocities, directions, angles.
constexpr Range moderate{.least = -1e9, .most = 1e9};
constexpr Range extent{.least = 1e-9, .most = 1e9};  ///< sizes of what is solid [m]
constexpr Range up_to_moderate{.least = 0, .most = 1e9};
constexpr Range above_zero{.least = 0, .most = 1e9, .open_at_least = true};
constexpr Range duration{.least = 0, .most = 1e15};  ///< [s]

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

constexpr Choice gap_forms[]{
    {"shifted", int(GapForm::shifted), "gaps shift plane and objective alike"},
    {"plane-only", int(GapForm::plane_only), "the paper's letter"}};
constexpr Choice precisions[]{
    {"double", int(Precision::full), "doubles throughout"},
    {"mixed", int(Precision::mixed), "floats for what is relaxed, on a GPU"}};
constexpr Choice rotations[]{
    {"momentum", int(Rotation::momentum), "carries angular momentum"},
    {"semi-implicit-euler", int(Rotation::semi_implicit_euler), "the paper's"}};
constexpr Choice motions[]{{"constant", int(MotionKind::constant)},
                           {"oscillate", int(MotionKind::oscillate)},
                           {"rotate", int(MotionKind::rotate)}};
constexpr Choice size_kinds[]{
    {"monodisperse", int(SizeKind::monodisperse)},
    {"uniform", int(SizeKind::uniform), "by number, between min and max"},
    {"normal", int(SizeKind::normal), "by number, cut off at min and max"},
    {"lognormal", int(SizeKind::lognormal), "by number, cut off at min and max"},
    {"sieve", int(SizeKind::sieve), "a sieve curve, by mass"}};
constexpr Choice orientations[]{{"given", int(Orient::given)}, {"random", int(Orient::random)}};
constexpr Choice region_kinds[]{{"box", int(RegionKind::box)},
                                {"cylinder", int(RegionKind::cylinder)},
                                {"sphere", int(RegionKind::sphere)}};
constexpr Choice fill_kinds[]{
    {"grid", int(FillKind::grid), "a rectangular grid"},
    {"random", int(FillKind::random), "random places, one after the other, without overlap"},
    {"pour", int(FillKind::pour), "loose layers above the region's bottom, as many as needed"}};
constexpr Choice source_kinds[]{
    {"piston", int(SourceKind::piston),
     "a plane that pushes grains ahead; after a distance it is set back and a new layer of grains "
     "is made in the room it leaves"},
    {"rain", int(SourceKind::rain), "grains at random places in a region, at a rate"}};
constexpr Choice measure_kinds[]{
    {"region", int(MeasureKind::region), "packing, stress and motion in a region, last frame"},
    {"surface", int(MeasureKind::surface),
     "angle, crest and extent of the free surface, last frame"},
    {"force", int(MeasureKind::force), "the force on an obstacle, over the steady part"},
    {"displacement", int(MeasureKind::displacement),
     "the farthest that any grain or body has moved since the start"},
    {"laws", int(MeasureKind::laws),
     "what maximum dissipation and Coulomb make of the same contacts, over the steady part"}};

}  // namespace

// Each is found by its second argument from Keys::table and Keys::tables.
static void describe(Keys& k, Turn& t)
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

/// The keys that give a shape its size, for each type.
static void describe(Keys& k, PartTable& p);

static void describe_shape(Keys& k, ShapeTable& s, std::span<const Choice> kinds)
{
    k.choice({.name = "type", .help = "kind of shape", .required = true}, kinds, s.kind);
    const auto of = [&](std::string_view kind) {
        for (const Choice& c : shape_kinds) {
            if (c.name == kind) {
                return k.begin_case("type", kind, int(s.kind) == c.value);
            }
        }
        return false;
    };
    const auto radius = [&](const Range& range) {
        k.number(
            {.name = "radius", .unit = "m", .range = range, .help = "radius", .required = true},
            s.radius);
    };
    const auto length = [&](std::string_view help, const Range& range) {
        k.number({.name = "length", .unit = "m", .range = range, .help = help, .required = true},
                 s.length);
    };
    if (of("sphere")) {
        radius(extent);
        k.end_case();
    }
    if (of("box")) {
        k.vector({.name = "size",
                  .unit = "m",
                  .range = extent,
                  .help = "edge lengths",
                  .required = true,
                  .uniform = true},
                 s.size);
        k.end_case();
    }
    if (of("capsule")) {
        radius(up_to_moderate);
        length("between the centres of the half spheres", extent);
        k.end_case();
    }
    if (of("cylinder")) {
        radius(extent);
        length("from end to end", extent);
        k.end_case();
    }
    if (of("ellipsoid")) {
        k.vector({.name = "semi_axes",
                  .unit = "m",
                  .range = extent,
                  .help = "along x, y, z",
                  .required = true},
                 s.size);
        k.end_case();
    }
    if (of("profile")) {
        radius(extent);
        length("of the box behind the half disc", up_to_moderate);
        k.number(
            {.name = "height", .unit = "m", .range = extent, .help = "along z", .required = true},
            s.height);
        k.end_case();
    }
    if (of("polyhedron")) {
        static constexpr std::string_view units[]{"m", "m", "m"};
        k.rows(
            {.name = "vertices",
             .range = moderate,
             .help = "points, at least 4, whose convex hull is the shape; others may lie inside"},
            units, s.vertices);
        k.text({.name = "file",
                .help = "instead of vertices: an STL or OBJ file, named from the scene's folder, "
                        "whose points are taken"},
               s.file);
        k.number({.name = "scale",
                  .range = {.least = 1e-12, .most = 1e12},
                  .help = "factor of all coordinates, e.g. 0.001 for a file in mm"},
                 s.scale);
        k.end_case();
    }
    if (kinds.front().value == int(ShapeKind::clump) && of("clump")) {
        k.tables({.name = "parts",
                  .help = "shapes that make up the clump; they may overlap",
                  .required = true},
                 s.parts);
        k.number({.name = "scale",
                  .range = {.least = 1e-12, .most = 1e12},
                  .help = "factor of all lengths"},
                 s.scale);
        k.end_case();
    }
    if (kinds.back().value == int(ShapeKind::mesh)) {
        if (of("cylinder_wall")) {
            radius(extent);
            k.end_case();
        }
        if (of("sphere_wall")) {
            radius(extent);
            k.end_case();
        }
        if (of("mesh")) {
            static constexpr std::string_view lengths[]{"m", "m", "m"}, numbers[]{"1", "1", "1"};
            k.rows({.name = "vertices", .range = moderate, .help = "points of the surface"},
                   lengths, s.vertices);
            k.rows({.name = "triangles",
                    .range = {.least = 0, .most = 4e9},
                    .help = "three points each, numbered from 0"},
                   numbers, s.triangles);
            k.text({.name = "file",
                    .help = "instead of both: an STL or OBJ file, named from the scene's folder"},
                   s.file);
            k.number({.name = "scale",
                      .range = {.least = 1e-12, .most = 1e12},
                      .help = "factor of all coordinates, e.g. 0.001 for a file in mm"},
                     s.scale);
            k.end_case();
        }
    }
}

static void describe(Keys& k, ShapeTable& s) { describe_shape(k, s, body_kinds); }

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

static void describe(Keys& k, PlacedShapeTable& s)
{
    describe_shape(k, s, obstacle_kinds);
    describe_place(k, s);
}

static void describe(Keys& k, PartTable& p)
{
    describe_shape(k, p, convex_kinds);
    describe_place(k, p);
}

static void describe(Keys& k, MaterialTable& m)
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

static void describe(Keys& k, SurfaceTable& s)
{
    k.texts({.name = "between", .help = "names of two materials", .required = true}, 2, s.between);
    k.number(
        {.name = "friction", .range = {.least = 0, .most = 1e6}, .help = "μ", .required = true},
        s.friction);
    k.number({.name = "restitution", .range = share, .help = "e"}, s.restitution);
}

static void describe(Keys& k, DomainTable& d)
{
    k.vector(
        {.name = "min", .unit = "m", .range = moderate, .help = "lower corner", .required = true},
        d.min);
    k.vector(
        {.name = "max", .unit = "m", .range = moderate, .help = "upper corner", .required = true},
        d.max);
    constexpr Choice faces[]{{"open", int(Face::open), "nothing there"},
                             {"wall", int(Face::wall), "a plane wall"},
                             {"periodic", int(Face::periodic), "leads to the other side"}};
    constexpr std::string_view names[]{"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::string> said{"open"};
        k.texts({.name = names[axis],
                 .help = "its two faces, lower and upper, or both in one word: \"open\", \"wall\" "
                         "or \"periodic\""},
                2, said);
        for (std::size_t side = 0; side < said.size() && side < 2; ++side) {
            bool known = false;
            for (const Choice& c : faces) {
                if (c.name == said[side]) {
                    d.faces[2 * axis + side] = Face(c.value);
                    known = true;
                }
            }
            if (!known) {
                k.complain(names[axis], "\"" + said[side] +
                                            "\" is not a kind of face; use "
                                            "\"open\", \"wall\" or \"periodic\"");
            }
        }
        if ((d.faces[2 * axis] == Face::periodic) != (d.faces[2 * axis + 1] == Face::periodic)) {
            k.complain(names[axis], "both faces of an axis are periodic, or none");
        }
    }
    k.text({.name = "material", .help = "of the walls; default: the first"}, d.material);
}

static void describe(Keys& k, SolverTable& s)
{
    Settings& t = s.settings;
    std::vector<Choice> laws;
    for (const LawName& law : law_names) {
        laws.push_back({law.name, int(law.law)});
    }
    k.choice({.name = "law", .help = "contact law"}, laws, t.law);
    k.integer({.name = "sweeps",
               .range = {.least = 1, .most = 1e6},
               .help = "of relaxation per step, at most"},
              s.sweeps);
    k.number({.name = "tolerance",
              .range = share,
              .help = "relative residual to stop at; 0: always all sweeps"},
             t.tolerance);
    k.number({.name = "relaxation",
              .range = positive_share,
              .help = "part of each block's change that is applied"},
             t.relaxation);
    k.number({.name = "warm_start",
              .range = share,
              .help = "part of the last step's impulses to start from"},
             t.warm_start);
    k.flag({.name = "accelerate", .help = "Anderson acceleration when sweeps stall"}, t.accelerate);
    k.choice({.name = "gap_form", .help = "what the gap term does to a contact's problem"},
             gap_forms, t.gap_form);
    k.number({.name = "error_reduction",
              .range = share,
              .help = "ε: the part of a penetration removed per step"},
             t.error_reduction);
    k.number({.name = "correction_limit",
              .range = up_to_moderate,
              .help = "deeper penetrations, in radii, are corrected as if they were this deep"},
             t.correction_limit);
    k.number({.name = "slack",
              .range = {.least = 0, .most = 2e-5},
              .help = "gaps and penetrations up to this, in radii, count as none: for masonry"},
             t.slack);
    k.number({.name = "restitution_threshold",
              .unit = "m/s",
              .range = up_to_moderate,
              .help = "slower approaches do not bounce"},
             t.restitution_threshold);
    k.choice({.name = "rotation", .help = "how orientations advance"}, rotations, t.rotation);
    k.integer({.name = "contacts_per_copy",
               .range = {.least = 1, .most = 32},
               .help = "bodies with more neighbours are split; 1: block Jacobi"},
              s.contacts_per_copy);
    k.integer(
        {.name = "region_pairs", .range = up_to_moderate, .help = "pairs swept together; 0: all"},
        s.region_pairs);
    k.choice({.name = "precision", .help = "of velocities and impulses of spheres in sweeps"},
             precisions, t.precision);
    k.number({.name = "skin", .range = share, .help = "of neighbour lists, in radii"}, t.skin);
    k.integer({.name = "threads",
               .range = {.least = 0, .most = 1024},
               .help = "0: as many as there are; results do not depend on it"},
              s.threads);
    k.number({.name = "deep_penetration",
              .range = above_zero,
              .help = "deeper contacts, in radii of the smaller body, are reported"},
             t.deep_penetration);
    k.number({.name = "energy_tolerance",
              .range = above_zero,
              .help = "a larger miss of the energy balance is reported"},
             t.energy_tolerance);
    k.number({.name = "trust_share",
              .range = share,
              .help = "part of the steps that may be unconverged, or have deep or missed contacts, "
                      "before the run's results are not to be trusted"},
             s.trust_share);
}

static void describe(Keys& k, TimeTable& t)
{
    k.number({.name = "step",
              .unit = "s",
              .range = {.least = 1e-12, .most = 1e6},
              .help = "δt",
              .required = true},
             t.step);
    k.number({.name = "end",
              .unit = "s",
              .range = {.least = 1e-12, .most = 1e15},
              .help = "when the run is over",
              .required = true},
             t.end);
}

static void describe(Keys& k, MotionTable& m)
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

static void describe(Keys& k, RepeatTable& r)
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

static void describe(Keys& k, BodyTable& b)
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

static void describe(Keys& k, ObstacleTable& o)
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

static void describe(Keys& k, SizeTable& s)
{
    k.choice({.name = "type", .help = "kind of distribution", .required = true}, size_kinds,
             s.kind);
    const auto limits = [&] {
        k.number({.name = "min", .unit = "m", .range = up_to_moderate, .help = "smallest diameter"},
                 s.min);
        k.number(
            {.name = "max", .unit = "m", .range = positive_or_infinite, .help = "largest diameter"},
            s.max);
    };
    const auto moments = [&] {
        k.number({.name = "mean",
                  .unit = "m",
                  .range = extent,
                  .help = "mean diameter, before cutting off",
                  .required = true},
                 s.mean);
        k.number({.name = "deviation",
                  .unit = "m",
                  .range = extent,
                  .help = "standard deviation, before cutting off",
                  .required = true},
                 s.deviation);
    };
    if (k.begin_case("type", "monodisperse", s.kind == SizeKind::monodisperse)) {
        k.number(
            {.name = "diameter", .unit = "m", .range = extent, .help = "of all", .required = true},
            s.diameter);
        k.end_case();
    }
    if (k.begin_case("type", "uniform", s.kind == SizeKind::uniform)) {
        k.number({.name = "min",
                  .unit = "m",
                  .range = extent,
                  .help = "smallest diameter",
                  .required = true},
                 s.min);
        k.number({.name = "max",
                  .unit = "m",
                  .range = extent,
                  .help = "largest diameter",
                  .required = true},
                 s.max);
        k.end_case();
    }
    if (k.begin_case("type", "normal", s.kind == SizeKind::normal)) {
        moments();
        limits();
        k.end_case();
    }
    if (k.begin_case("type", "lognormal", s.kind == SizeKind::lognormal)) {
        moments();
        limits();
        k.end_case();
    }
    if (k.begin_case("type", "sieve", s.kind == SizeKind::sieve)) {
        constexpr std::string_view units[]{"m", "1"};
        k.rows({.name = "curve",
                .range = up_to_moderate,
                .help = "rows of a mesh width and the share of mass that passes it, from 0 to 1",
                .required = true},
               units, s.curve);
        k.end_case();
    }
}

static void describe_grains(Keys& k, GrainTable& g)
{
    k.text({.name = "material", .help = "default: the first"}, g.material);
    k.table({.name = "shape", .help = "of the grains", .required = true}, g.shape);
    k.table({.name = "sizes",
             .help = "distribution of the diameter of the sphere of a grain's volume; the shape is "
                     "scaled to it. Default: the shape as given"},
            g.sizes);
    k.choice({.name = "orientation", .help = "of the grains"}, orientations, g.orient);
    k.table({.name = "turn", .help = "of all grains, if the orientation is given"}, g.turn);
    k.vector({.name = "velocity", .unit = "m/s", .range = moderate, .help = "at the start"},
             g.velocity);
    k.vector({.name = "velocity_spread",
              .unit = "m/s",
              .range = up_to_moderate,
              .help = "each component is drawn evenly from velocity ± this"},
             g.velocity_spread);
    k.vector(
        {.name = "angular_velocity", .unit = "rad/s", .range = moderate, .help = "at the start"},
        g.angular_velocity);
    k.vector({.name = "angular_velocity_spread",
              .unit = "rad/s",
              .range = up_to_moderate,
              .help = "likewise"},
             g.angular_velocity_spread);
}

static void describe(Keys& k, RegionTable& r)
{
    k.choice({.name = "type", .help = "kind of region"}, region_kinds, r.kind);
    if (k.begin_case("type", "box", r.kind == RegionKind::box)) {
        k.vector({.name = "min",
                  .unit = "m",
                  .range = moderate,
                  .help = "lower corner",
                  .required = true},
                 r.min);
        k.vector({.name = "max",
                  .unit = "m",
                  .range = moderate,
                  .help = "upper corner",
                  .required = true},
                 r.max);
        k.end_case();
    }
    const auto centre = [&](std::string_view help) {
        k.vector({.name = "centre", .unit = "m", .range = moderate, .help = help, .required = true},
                 r.centre);
        k.number(
            {.name = "radius", .unit = "m", .range = extent, .help = "radius", .required = true},
            r.radius);
    };
    if (k.begin_case("type", "cylinder", r.kind == RegionKind::cylinder)) {
        centre("of the cylinder");
        k.number({.name = "length",
                  .unit = "m",
                  .range = extent,
                  .help = "along the axis",
                  .required = true},
                 r.length);
        k.vector(
            {.name = "axis", .range = moderate, .help = "direction: one of the coordinate axes"},
            r.axis);
        k.end_case();
    }
    if (k.begin_case("type", "sphere", r.kind == RegionKind::sphere)) {
        centre("of the sphere");
        k.end_case();
    }
}

static void describe(Keys& k, FillTable& f)
{
    k.text({.name = "name", .help = "for messages"}, f.name);
    k.choice({.name = "type", .help = "how grains are placed", .required = true}, fill_kinds,
             f.kind);
    k.table({.name = "region",
             .help = "where; grains lie wholly inside, those of a grid with their centres",
             .required = true},
            f.region);
    if (k.begin_case("type", "grid", f.kind == FillKind::grid)) {
        k.vector({.name = "spacing",
                  .unit = "m",
                  .range = extent,
                  .help = "of the grid's places; the first is half a spacing from the lower corner",
                  .required = true,
                  .uniform = true},
                 f.spacing);
        k.number({.name = "jitter",
                  .range = share,
                  .help = "random displacement, as a part of the spacing left free"},
                 f.jitter);
        k.end_case();
    }
    if (k.begin_case("type", "random", f.kind == FillKind::random)) {
        k.integer({.name = "count",
                   .range = number_of_grains,
                   .help = "number of grains; or give the fraction"},
                  f.count);
        k.number({.name = "fraction",
                  .range = {.least = 0, .most = 0.6},
                  .help = "solid fraction to reach"},
                 f.fraction);
        k.end_case();
    }
    if (k.begin_case("type", "pour", f.kind == FillKind::pour)) {
        k.integer({.name = "count",
                   .range = number_of_grains,
                   .help = "number of grains; layers go on above the region if need be; default: "
                           "fill the region"},
                  f.count);
        k.end_case();
    }
    k.flag({.name = "clear",
            .help = "leave out grains that would intersect obstacles, walls or grains that are "
                    "there already"},
           f.clear);
    k.flag({.name = "fixed", .help = "grains that do not move: a rough floor"}, f.fixed);
    describe_grains(k, f);
}

static void describe(Keys& k, SourceTable& s)
{
    k.text({.name = "name", .help = "for results"}, s.name);
    k.choice({.name = "type", .help = "kind of source", .required = true}, source_kinds, s.kind);
    if (k.begin_case("type", "piston", s.kind == SourceKind::piston)) {
        k.vector({.name = "position",
                  .unit = "m",
                  .range = moderate,
                  .help = "a point of the plane when it starts",
                  .required = true},
                 s.position);
        k.vector(
            {.name = "normal", .range = moderate, .help = "where it pushes: ± a coordinate axis"},
            s.normal);
        k.number({.name = "speed",
                  .unit = "m/s",
                  .range = above_zero,
                  .help = "of the plane",
                  .required = true},
                 s.speed);
        k.number({.name = "distance",
                  .unit = "m",
                  .range = extent,
                  .help = "after which it is set back",
                  .required = true},
                 s.distance);
        k.table({.name = "region", .help = "the layer's box", .required = true}, s.region);
        k.vector({.name = "spacing",
                  .unit = "m",
                  .range = extent,
                  .help = "of the layer's grid in the region",
                  .required = true,
                  .uniform = true},
                 s.spacing);
        k.end_case();
    }
    if (k.begin_case("type", "rain", s.kind == SourceKind::rain)) {
        k.number({.name = "rate",
                  .unit = "1/s",
                  .range = {.least = 0, .most = 1e15, .open_at_least = true},
                  .help = "grains per time",
                  .required = true},
                 s.rate);
        k.number({.name = "interval",
                  .unit = "s",
                  .range = duration,
                  .help = "between insertions; 0: twenty grains at a time"},
                 s.interval);
        k.integer(
            {.name = "count", .range = number_of_grains, .help = "grains in all; 0: no limit"},
            s.count);
        k.table({.name = "region", .help = "where", .required = true}, s.region);
        k.end_case();
    }
    k.number({.name = "start", .unit = "s", .range = duration, .help = "when it starts"}, s.start);
    k.number({.name = "stop", .unit = "s", .range = positive_or_infinite, .help = "when it stops"},
             s.stop);
    describe_grains(k, s);
}

static void describe(Keys& k, SinkTable& s)
{
    k.text({.name = "name", .help = "for results"}, s.name);
    k.vector({.name = "min",
              .unit = "m",
              .range = {.infinite = true},
              .help = "lower corner of the box in which bodies are deleted when their centre "
                      "enters; default: no limit"},
             s.min);
    k.vector(
        {.name = "max", .unit = "m", .range = {.infinite = true}, .help = "upper corner, likewise"},
        s.max);
}

static void describe(Keys& k, OutputTable& o)
{
    k.number({.name = "sample",
              .unit = "s",
              .range = duration,
              .help = "between rows of series.csv; 0: a hundredth of the run"},
             o.sample);
    k.number({.name = "frames",
              .unit = "s",
              .range = duration,
              .help = "between frames for ParaView; 0: the first and the last"},
             o.frames);
    k.flag({.name = "contacts", .help = "frames of contacts too"}, o.contacts);
    k.integer({.name = "checkpoint_steps",
               .range = whole,
               .help = "between checkpoints; 0: when the run ends or is interrupted"},
              o.checkpoint_steps);
}

static void describe(Keys& k, AnalysisTable& a)
{
    k.table({.name = "region", .help = "for averages and maps; default: the domain"}, a.region);
    k.texts({.name = "plane", .help = "two axes of the maps"}, 2, a.plane);
    k.integer({.name = "cells_across",
               .range = {.least = 1, .most = 4096},
               .help = "cells of the maps along the first axis"},
              a.cells_across);
    k.integer(
        {.name = "cells_up", .range = {.least = 1, .most = 4096}, .help = "and along the second"},
        a.cells_up);
    k.table({.name = "rdf", .help = "region of the radial distribution function; default: region"},
            a.rdf);
    k.number({.name = "rdf_diameters",
              .range = {.least = 1, .most = 50},
              .help = "its range, in mean diameters"},
             a.rdf_diameters);
    k.integer({.name = "rdf_bins", .range = {.least = 2, .most = 100000}, .help = "its bins"},
              a.rdf_bins);
    k.number({.name = "steady_from",
              .unit = "s",
              .range = duration,
              .help = "where the steady part begins; default: at two thirds of the run"},
             a.steady_from);
}

static void describe(Keys& k, MeasureTable& m)
{
    k.text({.name = "name", .help = "first part of the results' names", .required = true}, m.name);
    k.choice({.name = "type", .help = "what is measured", .required = true}, measure_kinds, m.kind);
    if (k.begin_case("type", "region", m.kind == MeasureKind::region)) {
        k.table({.name = "region", .help = "where; default: the domain"}, m.region);
        k.end_case();
    }
    if (k.begin_case("type", "force", m.kind == MeasureKind::force)) {
        k.text({.name = "obstacle",
                .help = "its name, or a face of the domain: \"x min\" … \"z max\"",
                .required = true},
               m.obstacle);
        k.end_case();
    }
    if (k.begin_case("type", "surface", m.kind == MeasureKind::surface)) {
        k.text({.name = "axis",
                .help = "horizontal axis: \"x\", \"y\", or \"r\" for the distance from the centre"},
               m.axis);
        k.number({.name = "from",
                  .unit = "m",
                  .range = moderate,
                  .help = "where it begins",
                  .required = true},
                 m.from);
        k.number({.name = "to",
                  .unit = "m",
                  .range = moderate,
                  .help = "where it ends",
                  .required = true},
                 m.to);
        k.vector({.name = "centre",
                  .unit = "m",
                  .range = moderate,
                  .help = "where positions are counted from"},
                 m.centre);
        k.number(
            {.name = "least_height",
             .unit = "m",
             .range = moderate,
             .help = "the extent is the last position at which the surface is at least so high"},
            m.least_height);
        k.integer(
            {.name = "bins", .range = {.least = 3, .most = 10000}, .help = "places along the axis"},
            m.bins);
        k.end_case();
    }
}

static Quat<double> quaternion_of(const std::optional<Turn>& turn)
{
    if (!turn) {
        return {1, 0, 0, 0};
    }
    const double length = norm(turn->axis);
    const double s = math::sine(turn->angle / 2) / (length > 0 ? length : 1);
    return {math::cosine(turn->angle / 2), s * turn->axis.x, s * turn->axis.y, s * turn->axis.z};
}

Body RepeatTable::copy(const Body& first, std::int64_t k) const
{
    const auto n = static_cast<double>(k);
    Body body = first;
    if (turn) {
        const Quat<double> q = quaternion_of(Turn{turn->axis, n * turn->angle});
        body.position = centre + rotate(q, first.position - centre);
        body.orientation = q * first.orientation;
        body.velocity = rotate(q, first.velocity);
        body.angular_velocity = rotate(q, first.angular_velocity);
    }
    body.position = body.position + n * step;
    return body;
}

double BodyTable::count() const
{
    double n = 1;
    for (const RepeatTable& r : repeat) {
        n *= static_cast<double>(r.count);
    }
    return n;
}

void describe(Keys& k, Scene& s)
{
    k.text({.name = "title", .help = "for people"}, s.title);
    k.vector({.name = "gravity", .unit = "m/s^2", .range = moderate, .help = "acceleration"},
             s.gravity);
    k.integer({.name = "seed", .range = whole, .help = "of all random numbers"}, s.seed);
    k.vector({.name = "partition",
              .range = {.least = 0, .most = 1e6},
              .help = "even boxes along x, y and z, one for each process that mpirun starts; "
                      "[0, 0, 0]: boxes of equal work"},
             s.partition);
    for (const double n : {s.partition.x, s.partition.y, s.partition.z}) {
        if (n != std::floor(n) || (n == 0) != (s.partition.x == 0)) {
            k.complain("partition", "must be three whole numbers, all zero or none");
            break;
        }
    }
    k.table({.name = "time", .help = "time step and end", .required = true}, s.time);
    k.table({.name = "domain", .help = "a box with walls, open faces and periodic axes"}, s.domain);
    k.tables({.name = "material", .help = "materials; without any there is one with the defaults"},
             s.materials);
    k.tables({.name = "surface", .help = "friction and restitution of two materials in contact"},
             s.surfaces);
    k.table({.name = "solver", .help = "how contacts are solved"}, s.solver);
    k.tables({.name = "body", .help = "single bodies"}, s.bodies);
    k.tables({.name = "obstacle", .help = "fixed or moving obstacles and walls"}, s.obstacles);
    k.tables({.name = "fill", .help = "many grains at the start"}, s.fills);
    k.tables({.name = "source", .help = "grains that come in while the scene runs"}, s.sources);
    k.tables({.name = "sink", .help = "regions that delete bodies"}, s.sinks);
    k.table({.name = "output", .help = "what is written while the scene runs"}, s.output);
    k.table({.name = "analysis", .help = "what is computed afterwards"}, s.analysis);
    k.tables({.name = "measure", .help = "further results"}, s.measures);
    k.ranges({.name = "expect",
              .help = "results of summary.json and the range [least, most] they must lie in"},
             s.expect);
}

Shape ShapeTable::shape() const
{
    switch (kind) {
    case ShapeKind::sphere: return Shape::sphere(radius);
    case ShapeKind::box: return Shape::box(size.x, size.y, size.z);
    case ShapeKind::capsule: return Shape::capsule(radius, length);
    case ShapeKind::cylinder: return Shape::cylinder(radius, length);
    case ShapeKind::ellipsoid: return Shape::ellipsoid(size.x, size.y, size.z);
    case ShapeKind::profile: return Shape::profile(radius, length, height);
    case ShapeKind::half_space: return Shape::half_space();
    case ShapeKind::cylinder_wall: return Shape::cylinder_wall(radius);
    case ShapeKind::sphere_wall: return Shape::sphere_wall(radius);
    case ShapeKind::polyhedron: {
        std::vector<Vec3<double>> points;
        for (const std::vector<double>& p : vertices) {
            points.push_back({scale * p[0], scale * p[1], scale * p[2]});
        }
        return Shape::polyhedron(points);
    }
    case ShapeKind::mesh: {
        std::vector<Vec3<double>> points;
        for (const std::vector<double>& p : vertices) {
            points.push_back({scale * p[0], scale * p[1], scale * p[2]});
        }
        std::vector<std::array<std::uint32_t, 3>> corners;
        for (const std::vector<double>& t : triangles) {
            corners.push_back({});
            for (std::size_t k = 0; k < 3; ++k) {
                if (t[k] != std::floor(t[k])) {
                    throw Error("a triangle has the corner " + std::to_string(t[k]) +
                                ", must be a whole number");
                }
                corners.back()[k] = static_cast<std::uint32_t>(t[k]);
            }
        }
        return Shape::mesh(points, corners);
    }
    case ShapeKind::clump: {
        std::vector<Part> list;
        for (const PartTable& p : parts) {
            list.push_back({p.shape(), p.position, p.orientation()});
        }
        return scaled(Shape::clump(list), scale);
    }
    }
    return {};
}

Quat<double> PlacedShapeTable::orientation() const
{
    Quat<double> q{1, 0, 0, 0};
    if (direction) {
        q = kind == ShapeKind::half_space ? orientation_of_z(*direction)
                                          : orientation_of_x(*direction);
    }
    return quaternion_of(turn) * q;
}

Quat<double> ObstacleTable::orientation() const { return quaternion_of(turn); }

Settings Scene::settings() const
{
    Settings s = solver.settings;
    s.time_step = time.step;
    s.gravity = gravity;
    s.sweeps = static_cast<int>(solver.sweeps);
    s.contacts_per_copy = static_cast<int>(solver.contacts_per_copy);
    s.region_pairs = static_cast<int>(solver.region_pairs);
    s.threads = static_cast<int>(solver.threads);
    if (domain) {
        const Vec3<double> size = domain->max - domain->min;
        s.period = {domain->periodic(0) ? size.x : 0, domain->periodic(1) ? size.y : 0,
                    domain->periodic(2) ? size.z : 0};
        s.origin = domain->min;
    }
    return s;
}

Partition Scene::ranks_partition() const
{
    Partition p;
    p.boxes = {static_cast<int>(partition.x), static_cast<int>(partition.y),
               static_cast<int>(partition.z)};
    if (domain) {
        p.min = domain->min;
        p.max = domain->max;
    }
    return p;
}

std::size_t Scene::material(const std::string& name) const
{
    for (std::size_t i = 0; i < materials.size(); ++i) {
        if (materials[i].name == name) {
            return i;
        }
    }
    return 0;
}

}  // namespace scree::scene
