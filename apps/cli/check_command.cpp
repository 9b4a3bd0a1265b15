#include "check_command.hpp"

#include "exit_code.hpp"
#include "io/new_file.hpp"
#include "progress.hpp"
#include "scene/regions.hpp"
#include "scene/simulation.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

namespace scree::cli {

namespace {

constexpr double bytes_per_grain = 620;

/// What a step costs per grain in a packing, on one core of a machine of 2023.
struct Cost {
    double step;      ///< but for sweeps [s]
    double contacts;  ///< per grain
    double sweep;     ///< per contact [s]
};

/// From `scree bench bed`: bench/results/bed-amd-epyc-zen4.txt for spheres, bed-shapes.txt for
/// others, halved, since there a sweep took twice the time that it takes on a core without
/// neighbours.
Cost cost_of(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::sphere: return {0.16e-6, 2.2, 10e-9};
    case ShapeKind::capsule: return {1.5e-6, 3.1, 30e-9};
    case ShapeKind::ellipsoid: return {3.2e-6, 3.1, 30e-9};
    case ShapeKind::box: return {3.5e-6, 3.7, 30e-9};
    case ShapeKind::polyhedron: return {8.7e-6, 3.8, 30e-9};
    case ShapeKind::clump: return {2.9e-6, 3.4, 30e-9};
    default: return {6.3e-6, 3.3, 30e-9};  // cylinders, and profiles, which are as dear
    }
}

/// Of a step, per grain [s].
double step_cost(ShapeKind kind, double sweeps)
{
    const Cost cost = cost_of(kind);
    return cost.step + cost.contacts * sweeps * cost.sweep;
}

double length(const Vec3<double>& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// What a scene will be like, as far as can be told before it runs.
struct Estimate {
    std::map<std::string, std::size_t> kinds;  ///< of the grains and bodies at the start
    double mass = 0;                           ///< of these [kg]
    double arriving = 0;                       ///< grains that sources bring
    double smallest = std::numeric_limits<double>::infinity();  ///< radius [m]
    double fastest = 0;                                         ///< [m/s]
    double counted = 0, step_seconds = 0;  ///< of a step, with all that are counted

    /// What is there at the start.
    void add(const Frame& frame, double sweeps)
    {
        for (std::size_t i = 0; i < frame.dynamic_count; ++i) {
            ++kinds[std::string(name_of(frame.shapes[i].kind))];
            smallest = std::min(smallest, outer_radius(frame.shapes[i]));
            fastest = std::max(fastest, length(frame.velocities[i]));
            step_seconds += step_cost(frame.shapes[i].kind, sweeps);
            counted += 1;
            mass += std::isfinite(frame.masses[i]) ? frame.masses[i] : 0;
        }
    }

    /// What a source brings until the end.
    void add(const scene::SourceTable& t, double end, double sweeps)
    {
        fastest = std::max(fastest, length(t.velocity) + length(t.velocity_spread));
        const Shape shape = t.shape.shape();
        smallest = std::min(smallest, outer_radius(shape));
        const double until = std::min(end, t.stop) - t.start, before = arriving;
        if (t.kind == scene::SourceKind::rain) {
            const double n = t.rate * until;
            arriving += t.count > 0 ? std::min(n, static_cast<double>(t.count)) : n;
        } else {
            fastest = std::max(fastest, t.speed);
            arriving += std::floor(until * t.speed / t.distance) *
                        static_cast<double>(scene::grid_places(t.region, t.spacing));
        }
        step_seconds += (arriving - before) * step_cost(shape.kind, sweeps);
        counted += arriving - before;
    }
};

Estimate estimate(const scene::Scene& s, const Frame& frame)
{
    const auto sweeps = static_cast<double>(s.solver.sweeps);
    Estimate e;
    e.add(frame, sweeps);
    for (const scene::SourceTable& t : s.sources) {
        e.add(t, s.time.end, sweeps);
    }
    return e;
}

void print_bodies(const Estimate& e, const Frame& frame)
{
    fmt::print("  grains and bodies at the start  {}", frame.dynamic_count);
    for (const auto& [kind, n] : e.kinds) {
        fmt::print("{}{} {}", kind == e.kinds.begin()->first ? " (" : ", ", n, kind);
    }
    fmt::print("{}, {:.4g} kg\n", e.kinds.empty() ? "" : ")", e.mass);
    if (e.arriving > 0) {
        fmt::print("  grains that come in             {:.4g}\n", e.arriving);
    }
    fmt::print("  walls and obstacles             {}\n", frame.ids.size() - frame.dynamic_count);
}

void print_steps(const Estimate& e, const scene::Scene& s)
{
    fmt::print("  steps                           {:.6g} of {:g} s to {:g} s\n",
               s.time.end / s.time.step, s.time.step, s.time.end);
    // A twentieth of a radius per step at the fastest speed, or in a fall of one radius.
    const double fall = std::sqrt(2 * length(s.gravity) * e.smallest);
    const double speed = std::max(e.fastest, fall);
    if (std::isfinite(e.smallest) && speed > 0) {
        const double suggested = 0.05 * e.smallest / speed;
        fmt::print(
            "  suggested step                  at most {:.2g} s: a twentieth of the smallest "
            "radius at {:.3g} m/s{}\n",
            suggested, speed, s.time.step > suggested ? "  ← yours is longer" : "");
    }
}

void print_costs(const Estimate& e, const scene::Scene& s, const Frame& frame)
{
    const auto grains = static_cast<double>(frame.dynamic_count);
    const double most = std::max(grains, s.sinks.empty() ? grains + e.arriving : grains * 1.3);
    fmt::print("  memory                          about {:.3g} MB\n", most * bytes_per_grain / 1e6);
    const double cores = s.solver.threads > 0 ? static_cast<double>(s.solver.threads)
                                              : std::max(1U, std::thread::hardware_concurrency());
    const double per_step = e.counted > 0 ? most * e.step_seconds / e.counted : 0.0;
    const double steps = s.time.end / s.time.step;
    fmt::print("  time                            about {} on {:.0f} core(s), if grains are packed "
               "and all sweeps are needed\n",
               duration(per_step * steps / (0.9 * cores)), cores);
}

void check(const std::string& path, const std::vector<std::string>& set)
{
    std::vector<scene::Override> overrides;
    for (const std::string& text : set) {
        overrides.push_back(scene::parse_override(text));
    }
    const scene::SceneFile file = scene::read_scene(path, overrides);
    const scene::Simulation simulation(file.scene);
    const Frame frame = simulation.world().frame();
    const Estimate e = estimate(file.scene, frame);
    if (!file.scene.title.empty()) {
        fmt::print("{}\n", file.scene.title);
    }
    print_bodies(e, frame);
    print_steps(e, file.scene);
    print_costs(e, file.scene, frame);
    fmt::print("{} is good.\n", path);
}

constexpr const char* example =
    R"(# A scene for scree. Numbers are SI, or texts with a unit. `scree check FILE` says what would run,
# `scree run FILE` runs it, and docs/scene-reference.md has every key.

title = "Marbles poured into a box"
gravity = [0, 0, -9.81]       # m/s^2
seed = 1                      # of all random numbers

[time]
step = "0.1 ms"
end = "1 s"

[domain]                      # a box; faces are "wall", "open" or "periodic"
min = [0, 0, 0]
max = ["10 cm", "10 cm", "30 cm"]
x = "wall"
y = "wall"
z = ["wall", "open"]

[[material]]
name = "glass"
density = "2.5 g/cm^3"
friction = 0.4
restitution = 0.3

[[fill]]                      # 400 marbles in loose layers above the floor
type = "pour"
region = { min = [0, 0, "1 cm"], max = ["10 cm", "10 cm", "29 cm"] }
count = 400
shape = { type = "sphere", radius = "5 mm" }
sizes = { type = "uniform", min = "8 mm", max = "12 mm" }
velocity_spread = ["0.1 m/s", "0.1 m/s", 0]

[output]
sample = "10 ms"              # rows of series.csv
frames = "50 ms"              # frames for ParaView
checkpoint_steps = 2000

[analysis]
plane = ["x", "z"]
cells_across = 20
cells_up = 60

[expect]                      # checked when the run is over
"particles.last" = [400, 400]
)";

void init(const std::string& name, bool force)
{
    const std::string path = name.ends_with(".toml") ? name : name + ".toml";
    if (std::filesystem::exists(path) && !force) {
        throw Error(fmt::format("{}: is there already; choose another name, or --force", path));
    }
    io::NewFile file(path);
    file.write(example);
    file.commit();
    fmt::print("Wrote {}. Next:\n  scree check {}\n  scree run {}\n", path, path, path);
}

}  // namespace

void add_check_command(Command& program)
{
    Command command = program.add("check", "Check a scene and say what would run");
    struct Options {
        std::string scene;
        std::vector<std::string> set;
    };
    auto o = std::make_shared<Options>();
    command.option("SCENE", o->scene, "scene file (TOML)").required();
    command.repeated("--set", o->set, "change a key of the scene: KEY=VALUE");
    command.footer("\nExample:\n  scree check scenes/channel.toml");
    command.does([o] {
        check(o->scene, o->set);
        return good;
    });
}

void add_init_command(Command& program)
{
    Command command = program.add("init", "Write a commented example scene");
    struct Options {
        std::string name;
        bool force = false;
    };
    auto o = std::make_shared<Options>();
    command.option("NAME", o->name, "file to write, .toml is added").required();
    command.flag("--force", o->force, "replace the file if it is there");
    command.footer("\nExample:\n  scree init marbles && scree run marbles.toml");
    command.does([o] {
        init(o->name, o->force);
        return good;
    });
}

void add_reference_command(Command& program)
{
    Command command =
        program.add("reference", "Print every key of scene files, or a schema for editors");
    auto schema = std::make_shared<bool>(false);
    command.flag("--schema", *schema, "as a JSON schema");
    command.footer("\nExamples:\n  scree reference | less\n  scree reference --schema > "
                   "scene.schema.json");
    command.does([schema] {
        fmt::print("{}", *schema ? scene::scene_schema() : scene::scene_reference());
        return good;
    });
}

}  // namespace scree::cli
