// A scene as a whole: its tables, in the order of the reference page, and what the world takes from
// them.
#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/describe.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <cmath>

namespace scree::scene {

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
    // A scene does not say on which device it runs, and the host refuses any other precision.
    s.precision = Precision::full;
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
