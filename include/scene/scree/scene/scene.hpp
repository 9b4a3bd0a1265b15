// What a scene file says, as plain data: nothing here steps or generates.
#pragma once

#include "scree/body.hpp"
#include "scree/ranks.hpp"
#include "scree/settings.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace scree::scene {

/// Where in the file something stands, counted from 1. What comes from elsewhere has no line.
struct Place {
    std::uint32_t line = 0, column = 0;
};

/// A table of a list.
struct Placed {
    Place place;  ///< where it begins
};

/// A turn about an axis.
struct Turn {
    Vec3<double> axis{0, 0, 1};
    double angle = 0;  ///< [rad]
};

struct PartTable;

struct ShapeTable : Placed {
    ShapeKind kind = ShapeKind::sphere;
    double radius = 0, length = 0, height = 0;
    Vec3<double> size{0, 0, 0};
    std::vector<std::vector<double>> vertices;  ///< of a polyhedron
    std::string file;  ///< the same from a file; embed_shape_files has put vertices in its place
    double scale = 1;  ///< of vertices and parts
    std::vector<std::vector<double>> triangles;  ///< of a mesh: three numbers of vertices each
    std::vector<PartTable> parts;                ///< of a clump

    /// Throws Error if a polyhedron has no hull, or a clump a bad part.
    [[nodiscard]] Shape shape() const;
};

/// A shape somewhere: a member of an obstacle.
struct PlacedShapeTable : ShapeTable {
    Vec3<double> position{0, 0, 0};
    std::optional<Vec3<double>> direction;  ///< of the shape's normal or axis
    std::optional<Turn> turn;

    [[nodiscard]] Quat<double> orientation() const;
};

/// A shape that is part of a clump.
struct PartTable : PlacedShapeTable {};

/// More copies of a body than this are a mistake.
inline constexpr double most_copies = 1e8;

enum class MotionKind { constant, oscillate, rotate };

/// Prescribed motion of an obstacle.
struct MotionTable {
    MotionKind kind = MotionKind::constant;
    Vec3<double> velocity{0, 0, 0};
    Vec3<double> amplitude{0, 0, 0};
    double frequency = 0;  ///< [Hz]
    double phase = 0;      ///< [rad]
    Vec3<double> axis{0, 0, 1};
    std::optional<Vec3<double>> centre;
    double rate = 0;  ///< [rad/s]
    double start = 0;
    double stop = std::numeric_limits<double>::infinity();
};

struct MaterialTable : Placed {
    std::string name;
    double density = 1000;
    double friction = 0.5;
    double restitution = 0;
};

struct SurfaceTable : Placed {
    std::vector<std::string> between;
    double friction = 0.5;
    double restitution = 0;
};

enum class Face { wall, open, periodic };

struct DomainTable {
    Vec3<double> min{0, 0, 0}, max{0, 0, 0};
    std::array<Face, 6> faces{Face::open, Face::open, Face::open,
                              Face::open, Face::open, Face::open};  ///< x min, x max, y min, …
    std::string material;

    [[nodiscard]] bool periodic(int axis) const
    {
        return faces[2 * static_cast<std::size_t>(axis)] == Face::periodic;
    }
};

/// A row or a ring of copies: the k-th is turned k times about an axis through the centre, and then
/// moved by k steps.
struct RepeatTable : Placed {
    std::int64_t count = 1;  ///< with the first
    Vec3<double> step{0, 0, 0};
    std::optional<Turn> turn;
    Vec3<double> centre{0, 0, 0};

    [[nodiscard]] Body copy(const Body& first, std::int64_t k) const;
};

struct BodyTable : PlacedShapeTable {
    std::string name;
    std::string material;
    Vec3<double> velocity{0, 0, 0}, angular_velocity{0, 0, 0};
    std::optional<double> mass;
    std::vector<RepeatTable> repeat;  ///< rows of rows

    /// How many bodies this is; may be beyond all bounds in a scene that was not checked.
    [[nodiscard]] double count() const;
};

struct ObstacleTable : Placed {
    std::string name;
    std::string material;
    std::vector<PlacedShapeTable> shapes;
    Vec3<double> position{0, 0, 0};
    std::optional<Turn> turn;
    std::optional<MotionTable> motion;
    double remove_at = std::numeric_limits<double>::infinity();

    [[nodiscard]] Quat<double> orientation() const;
};

enum class SizeKind { monodisperse, uniform, normal, lognormal, sieve };

/// Diameters of spheres of the grains' volume.
struct SizeTable {
    SizeKind kind = SizeKind::monodisperse;
    double diameter = 0;
    double min = 0, max = std::numeric_limits<double>::infinity();
    double mean = 0, deviation = 0;
    std::vector<std::vector<double>> curve;  ///< diameter, share of mass that passes
};

enum class Orient { given, random };

/// What grains are made of and how they start.
struct GrainTable {
    std::string material;
    ShapeTable shape;
    std::optional<SizeTable> sizes;
    Orient orient = Orient::given;
    std::optional<Turn> turn;
    Vec3<double> velocity{0, 0, 0}, velocity_spread{0, 0, 0};
    Vec3<double> angular_velocity{0, 0, 0}, angular_velocity_spread{0, 0, 0};
};

enum class RegionKind { box, cylinder, sphere };

struct RegionTable {
    RegionKind kind = RegionKind::box;
    Vec3<double> min{0, 0, 0}, max{0, 0, 0};
    Vec3<double> centre{0, 0, 0}, axis{0, 0, 1};
    double radius = 0, length = 0;
};

enum class FillKind { grid, random, pour };

struct FillTable : Placed, GrainTable {
    std::string name;
    FillKind kind = FillKind::grid;
    RegionTable region;
    Vec3<double> spacing{0, 0, 0};
    double jitter = 0;
    std::int64_t count = 0;
    double fraction = 0;
    bool clear = true;
    bool fixed = false;
};

enum class SourceKind { piston, rain };

struct SourceTable : Placed, GrainTable {
    std::string name;
    SourceKind kind = SourceKind::piston;
    // piston
    Vec3<double> position{0, 0, 0}, normal{1, 0, 0};
    double speed = 0, distance = 0;
    Vec3<double> spacing{0, 0, 0};
    // rain
    double rate = 0;
    double interval = 0;
    std::int64_t count = 0;
    RegionTable region;
    double start = 0;
    double stop = std::numeric_limits<double>::infinity();
};

struct SinkTable : Placed {
    std::string name;
    std::optional<Vec3<double>> min, max;
};

struct TimeTable {
    double step = 0;
    double end = 0;
};

struct OutputTable {
    double sample = 0;  ///< [s]; 0: a hundredth of the run
    double frames = 0;  ///< [s]; 0: the first and the last only
    bool contacts = true;
    std::int64_t checkpoint_steps = 0;  ///< 0: at the end and when interrupted
};

enum class MeasureKind { region, surface, force, displacement, laws };

/// A result that the summary shall have.
struct MeasureTable : Placed {
    std::string name;
    MeasureKind kind = MeasureKind::region;
    std::optional<RegionTable> region;
    std::string obstacle;
    std::string axis = "x";
    double from = 0, to = 0;
    Vec3<double> centre{0, 0, 0};
    double least_height = 0;
    std::int64_t bins = 20;
};

/// Where a result is expected to lie.
struct NamedRange {
    std::string name;
    double least, most;
};

struct AnalysisTable {
    std::optional<RegionTable> region;  ///< default: the domain
    std::vector<std::string> plane{"x", "y"};
    std::int64_t cells_across = 150, cells_up = 65;
    std::optional<RegionTable> rdf;
    double rdf_diameters = 5;
    std::int64_t rdf_bins = 250;
    std::optional<double> steady_from;  ///< [s]; default: two thirds of the run
};

struct SolverTable {
    Settings settings;
    std::int64_t sweeps = 100, contacts_per_copy = 32, region_pairs = 32768, threads = 0;
    double trust_share = 0.001;
};

struct Scene {
    std::string title;
    Vec3<double> gravity{0, 0, -9.81};
    std::int64_t seed = 1;
    Vec3<double> partition{0, 0, 0};  ///< even boxes for ranks; zeros: by work
    TimeTable time;
    std::optional<DomainTable> domain;
    std::vector<MaterialTable> materials;
    std::vector<SurfaceTable> surfaces;
    SolverTable solver;
    std::vector<BodyTable> bodies;
    std::vector<ObstacleTable> obstacles;
    std::vector<FillTable> fills;
    std::vector<SourceTable> sources;
    std::vector<SinkTable> sinks;
    OutputTable output;
    AnalysisTable analysis;
    std::vector<MeasureTable> measures;
    std::vector<NamedRange> expect;

    /// What a world is stepped with on the host. Who steps it on a GPU sets `gpu`, and `precision`
    /// to that of `solver.settings`.
    [[nodiscard]] Settings settings() const;
    /// How ranks share it, where there are several.
    [[nodiscard]] Partition ranks_partition() const;
    /// The number of a material; 0 for "" if there is any.
    [[nodiscard]] std::size_t material(const std::string& name) const;
};

/// A change on the command line: "solver.sweeps=20", "material.1.friction=0.3".
struct Override {
    std::string key, value;
};

/// Reads "KEY=VALUE" as the command line gives it. Throws scree::Error.
Override parse_override(const std::string& text);

struct SceneFile {
    Scene scene;
    std::string text;  ///< as read, or as changed by overrides
};

/// Reads, checks and completes a scene. Throws scree::Error with every complaint.
SceneFile read_scene(const std::string& file, const std::vector<Override>& overrides = {});
/// The same for a text; `name` stands for the file in messages.
SceneFile parse_scene(const std::string& text, const std::string& name,
                      const std::vector<Override>& overrides = {});

}  // namespace scree::scene
