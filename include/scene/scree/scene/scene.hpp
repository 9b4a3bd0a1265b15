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
    std::uint32_t line = 0, column = 0;  ///< from 1 on; 0: none
};

/// A table of a list.
struct Placed {
    Place place;  ///< where it begins
};

/// A turn about an axis.
struct Turn {
    Vec3<double> axis{0, 0, 1};  ///< of any length but 0
    double angle = 0;            ///< [rad]
};

struct PartTable;

/// A shape. Lengths are in m; docs/scene-reference.md says which keys a kind has, and their ranges.
struct ShapeTable : Placed {
    ShapeKind kind = ShapeKind::sphere;         ///< which of the shapes
    double radius = 0, length = 0, height = 0;  ///< [m]
    Vec3<double> size{0, 0, 0};                 ///< edge lengths or semi-axes [m]
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
    Vec3<double> position{0, 0, 0};         ///< of the shape's origin [m]
    std::optional<Vec3<double>> direction;  ///< of the shape's normal or axis
    std::optional<Turn> turn;               ///< about the origin

    /// What direction and turn make of it.
    [[nodiscard]] Quat<double> orientation() const;
};

/// A shape that is part of a clump.
struct PartTable : PlacedShapeTable {};

/// More copies of a body than this are a mistake.
inline constexpr double most_copies = 1e8;

/// How an obstacle moves.
enum class MotionKind { constant, oscillate, rotate };

/// Prescribed motion of an obstacle.
struct MotionTable {
    MotionKind kind = MotionKind::constant;  ///< which motion
    Vec3<double> velocity{0, 0, 0};          ///< if constant [m/s]
    Vec3<double> amplitude{0, 0, 0};         ///< of an oscillation [m]
    double frequency = 0;                    ///< [Hz]
    double phase = 0;                        ///< [rad]
    Vec3<double> axis{0, 0, 1};              ///< of a rotation
    /// A point of the axis; default: the obstacle's position [m].
    std::optional<Vec3<double>> centre;
    double rate = 0;                                        ///< [rad/s]
    double start = 0;                                       ///< at rest before [s]
    double stop = std::numeric_limits<double>::infinity();  ///< at rest after [s]
};

/// A table `material`.
struct MaterialTable : Placed {
    std::string name;        ///< how the rest of the file calls it
    double density = 1000;   ///< > 0 [kg/m³]
    double friction = 0.5;   ///< μ ≥ 0 with itself
    double restitution = 0;  ///< e with itself, 0 … 1
};

/// A table `surface`: two materials in contact.
struct SurfaceTable : Placed {
    std::vector<std::string> between;  ///< names of two materials
    double friction = 0.5;             ///< μ ≥ 0
    double restitution = 0;            ///< e, 0 … 1
};

/// What a face of the domain is.
enum class Face { wall, open, periodic };

/// The table `domain`: a box with walls, open faces and periodic axes.
struct DomainTable {
    Vec3<double> min{0, 0, 0}, max{0, 0, 0};  ///< lower and upper corner [m]
    std::array<Face, 6> faces{Face::open, Face::open, Face::open,
                              Face::open, Face::open, Face::open};  ///< x min, x max, y min, …
    std::string material;  ///< of the walls; empty: the first

    /// Whether an axis is periodic: 0, 1, 2 for x, y, z.
    [[nodiscard]] bool periodic(int axis) const
    {
        return faces[2 * static_cast<std::size_t>(axis)] == Face::periodic;
    }
};

/// A row or a ring of copies: the k-th is turned k times about an axis through the centre, and then
/// moved by k steps.
struct RepeatTable : Placed {
    std::int64_t count = 1;        ///< with the first
    Vec3<double> step{0, 0, 0};    ///< from each to the next [m]
    std::optional<Turn> turn;      ///< of each against the one before
    Vec3<double> centre{0, 0, 0};  ///< a point of the axis [m]

    /// The k-th copy, 0 being the first body.
    [[nodiscard]] Body copy(const Body& first, std::int64_t k) const;
};

/// A table `body`.
struct BodyTable : PlacedShapeTable {
    std::string name;                                           ///< for results; may be empty
    std::string material;                                       ///< by name; empty: the first
    Vec3<double> velocity{0, 0, 0}, angular_velocity{0, 0, 0};  ///< [m/s] and [rad/s]
    std::optional<double> mass;       ///< instead of that of shape and density [kg]
    std::vector<RepeatTable> repeat;  ///< rows of rows

    /// How many bodies this is; may be beyond all bounds in a scene that was not checked.
    [[nodiscard]] double count() const;
};

/// A table `obstacle`: shapes that stand or move together.
struct ObstacleTable : Placed {
    std::string name;                      ///< for results and measures
    std::string material;                  ///< by name; empty: the first
    std::vector<PlacedShapeTable> shapes;  ///< one or more
    Vec3<double> position{0, 0, 0};        ///< moves all shapes [m]
    std::optional<Turn> turn;              ///< turns all shapes about the position
    std::optional<MotionTable> motion;     ///< none: it stands
    double remove_at = std::numeric_limits<double>::infinity();  ///< taken away at this time [s]

    /// That of the turn.
    [[nodiscard]] Quat<double> orientation() const;
};

/// How diameters are distributed.
enum class SizeKind { monodisperse, uniform, normal, lognormal, sieve };

/// Diameters of spheres of the grains' volume.
struct SizeTable {
    SizeKind kind = SizeKind::monodisperse;                ///< which distribution
    double diameter = 0;                                   ///< of all, if monodisperse [m]
    double min = 0;                                        ///< smallest [m]
    double max = std::numeric_limits<double>::infinity();  ///< largest [m]
    double mean = 0, deviation = 0;  ///< mean and standard deviation, before cutting off [m]
    std::vector<std::vector<double>> curve;  ///< diameter, share of mass that passes
};

/// How grains are turned at the start.
enum class Orient { given, random };

/// What grains are made of and how they start.
struct GrainTable {
    std::string material;            ///< by name; empty: the first
    ShapeTable shape;                ///< of all grains
    std::optional<SizeTable> sizes;  ///< none: the shape as given
    Orient orient = Orient::given;   ///< how they are turned
    std::optional<Turn> turn;        ///< if the orientation is given
    /// Mean, and half the width of the spread [m/s].
    Vec3<double> velocity{0, 0, 0}, velocity_spread{0, 0, 0};
    Vec3<double> angular_velocity{0, 0, 0}, angular_velocity_spread{0, 0, 0};  ///< likewise [rad/s]
};

/// The form of a region.
enum class RegionKind { box, cylinder, sphere };

/// A part of space. Lengths are in m.
struct RegionTable {
    RegionKind kind = RegionKind::box;        ///< which form
    Vec3<double> min{0, 0, 0}, max{0, 0, 0};  ///< corners of a box [m]
    /// Of a cylinder or sphere [m]; direction of the axis.
    Vec3<double> centre{0, 0, 0}, axis{0, 0, 1};
    double radius = 0, length = 0;  ///< of a cylinder or sphere, and length of a cylinder [m]
};

/// How grains are placed at the start.
enum class FillKind { grid, random, pour };

/// A table `fill`: grains at the start.
struct FillTable : Placed, GrainTable {
    std::string name;                ///< for messages
    FillKind kind = FillKind::grid;  ///< how grains are placed
    RegionTable region;              ///< where
    Vec3<double> spacing{0, 0, 0};   ///< of a grid's places [m]
    double jitter = 0;               ///< part of the free spacing, 0 … 1
    std::int64_t count = 0;          ///< grains; 0: by the fraction, or all that fit
    double fraction = 0;             ///< solid fraction to reach, 0 … 0.6
    bool clear = true;               ///< leaves out grains that would intersect something
    bool fixed = false;              ///< grains that do not move
};

/// How grains come in.
enum class SourceKind { piston, rain };

/// A table `source`: grains that come in while the scene runs.
struct SourceTable : Placed, GrainTable {
    std::string name;                      ///< for results
    SourceKind kind = SourceKind::piston;  ///< which source
    // piston
    /// A point of the plane when it starts [m], and where it pushes.
    Vec3<double> position{0, 0, 0}, normal{1, 0, 0};
    /// Of the plane [m/s], and after which distance it is set back [m].
    double speed = 0, distance = 0;
    Vec3<double> spacing{0, 0, 0};  ///< of a layer's places [m]
    // rain
    double rate = 0;         ///< grains per time [1/s]
    double interval = 0;     ///< between insertions [s]; 0: twenty grains at a time
    std::int64_t count = 0;  ///< grains in total; 0: no limit
    RegionTable region;      ///< where grains are made
    double start = 0;        ///< when it starts [s]
    double stop = std::numeric_limits<double>::infinity();  ///< when it stops [s]
};

/// A table `sink`: a box in which bodies are deleted.
struct SinkTable : Placed {
    std::string name;                      ///< for results
    std::optional<Vec3<double>> min, max;  ///< corners; what is left out is unbounded [m]
};

/// The table `time`.
struct TimeTable {
    double step = 0;  ///< δt > 0 [s]
    double end = 0;   ///< when the run is over [s]
};

/// The table `output`: what is written, and how often.
struct OutputTable {
    double sample = 0;                  ///< [s]; 0: a hundredth of the run
    double frames = 0;                  ///< [s]; 0: the first and the last only
    bool contacts = true;               ///< frames have contacts
    std::int64_t checkpoint_steps = 0;  ///< 0: at the end and when interrupted
};

/// What is measured.
enum class MeasureKind { region, surface, force, displacement, laws };

/// A result that the summary shall have.
struct MeasureTable : Placed {
    std::string name;                        ///< first part of the results' names
    MeasureKind kind = MeasureKind::region;  ///< what is measured
    std::optional<RegionTable> region;       ///< none: the domain
    std::string obstacle;                    ///< its name, or a face of the domain
    std::string axis = "x";                  ///< "x", "y", or "r" for the distance from the centre
    double from = 0, to = 0;                 ///< where the surface begins and ends [m]
    Vec3<double> centre{0, 0, 0};            ///< where positions are counted from [m]
    double least_height = 0;                 ///< of the extent of a surface [m]
    std::int64_t bins = 20;                  ///< places along the axis
};

/// Where a result is expected to lie.
struct NamedRange {
    std::string name;    ///< of the result
    double least, most;  ///< bounds, in its unit
};

/// The table `analysis`: what is computed afterwards.
struct AnalysisTable {
    std::optional<RegionTable> region;               ///< default: the domain
    std::vector<std::string> plane{"x", "y"};        ///< two axes of the maps
    std::int64_t cells_across = 150, cells_up = 65;  ///< cells of the maps
    std::optional<RegionTable> rdf;     ///< region of the radial distribution; none: region
    double rdf_diameters = 5;           ///< its range, in mean diameters
    std::int64_t rdf_bins = 250;        ///< its bins
    std::optional<double> steady_from;  ///< [s]; default: two thirds of the run
};

/// The table `solver`.
struct SolverTable {
    Settings settings;  ///< all but the whole numbers below
    /// As in Settings.
    std::int64_t sweeps = 100, contacts_per_copy = 32, region_pairs = 32768, threads = 0;
    /// Part of contacts that may be left unconverged in a run to trust, 0 … 1.
    double trust_share = 0.001;
};

/// A whole scene file.
struct Scene {
    std::string title;                     ///< for people
    Vec3<double> gravity{0, 0, -9.81};     ///< [m/s²]
    std::int64_t seed = 1;                 ///< of all random numbers
    Vec3<double> partition{0, 0, 0};       ///< even boxes for ranks; zeros: by work
    TimeTable time;                        ///< step and end
    std::optional<DomainTable> domain;     ///< none: unbounded
    std::vector<MaterialTable> materials;  ///< at least one after reading
    std::vector<SurfaceTable> surfaces;    ///< pairs of materials
    SolverTable solver;                    ///< settings
    std::vector<BodyTable> bodies;         ///< single bodies
    std::vector<ObstacleTable> obstacles;  ///< walls and what moves as prescribed
    std::vector<FillTable> fills;          ///< grains at the start
    std::vector<SourceTable> sources;      ///< grains that come in
    std::vector<SinkTable> sinks;          ///< where bodies are deleted
    OutputTable output;                    ///< files
    AnalysisTable analysis;                ///< numbers and maps
    std::vector<MeasureTable> measures;    ///< further results
    std::vector<NamedRange> expect;        ///< ranges of results

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
    std::string key, value;  ///< with dots, and its new value
};

/// Reads "KEY=VALUE" as the command line gives it. Throws scree::Error.
Override parse_override(const std::string& text);

/// A scene with the text that it was read from.
struct SceneFile {
    Scene scene;       ///< checked and complete
    std::string text;  ///< as read, or as changed by overrides
};

/// Reads, checks and completes a scene. Throws scree::Error with every complaint.
SceneFile read_scene(const std::string& file, const std::vector<Override>& overrides = {});
/// The same for a text; `name` stands for the file in messages.
SceneFile parse_scene(const std::string& text, const std::string& name,
                      const std::vector<Override>& overrides = {});

}  // namespace scree::scene
