#include "scree/scene/simulation.hpp"

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/fills.hpp"
#include "scene/grain_counts.hpp"
#include "scene/grains.hpp"
#include "scene/occupied.hpp"
#include "scene/regions.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::scene {

namespace {

using Vec = Vec3<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Ids of what is no grain: faces of the domain, parts of obstacles, pistons, single bodies.
constexpr BodyId first_face = 0;
constexpr BodyId first_part = 16;
constexpr BodyId first_piston = BodyId(1) << 32U;
constexpr BodyId first_body = BodyId(2) << 32U;

constexpr const char* face_names[]{"x min", "x max", "y min", "y max", "z min", "z max"};

Vec unit(int axis, double sign)
{
    return {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
}

World new_world(const Scene& scene)
{
    World world(scene.settings());
    for (std::size_t i = 1; i < scene.materials.size(); ++i) {
        world.add_material();
    }
    for (std::size_t a = 0; a < scene.materials.size(); ++a) {
        for (std::size_t b = a; b < scene.materials.size(); ++b) {
            const MaterialTable& m = scene.materials[a];
            const MaterialTable& n = scene.materials[b];
            world.set_surface(
                static_cast<MaterialId>(a), static_cast<MaterialId>(b),
                {std::min(m.friction, n.friction), std::min(m.restitution, n.restitution)});
        }
    }
    for (const SurfaceTable& s : scene.surfaces) {
        world.set_surface(static_cast<MaterialId>(scene.material(s.between[0])),
                          static_cast<MaterialId>(scene.material(s.between[1])),
                          {s.friction, s.restitution});
    }
    return world;
}

/// How far a motion has come: the displacement and the turn at a time.
struct Course {
    Vec shift{0, 0, 0};
    double angle = 0;
};
Course course(const MotionTable& m, double time)
{
    const double t = std::min(time, m.stop) - m.start;
    if (t <= 0) {
        return {};
    }
    switch (m.kind) {
    case MotionKind::constant: return {t * m.velocity, 0};
    case MotionKind::oscillate: {
        const double phase = m.phase / (2 * math::pi);
        return {(math::sin_turns(m.frequency * t + phase) - math::sin_turns(phase)) * m.amplitude,
                0};
    }
    case MotionKind::rotate: return {{0, 0, 0}, m.rate * t};
    }
    return {};
}

/// The n-th return of a piston is before the step with this number (counted from 0).
double step_of_return(const SourceTable& s, double h, std::uint64_t n)
{
    const double time = s.start + static_cast<double>(n) * (s.distance / s.speed);
    return std::ceil(time / h - 1e-6);
}

}  // namespace

Simulation::Simulation(const Scene& scene, std::shared_ptr<Ranks> ranks)
    : scene_(scene), world_(new_world(scene))
{
    if (ranks) {
        world_.distribute(std::move(ranks), scene.ranks_partition());
    }
    progress_.sources.resize(scene.sources.size());
    progress_.sinks.resize(scene.sinks.size());
    place_walls();
    place_obstacles();
    place_pistons();
    place_bodies();
    place_grains();
    placed_ = {};
}

Simulation::Simulation(const Scene& scene, World world, const Progress& progress,
                       std::shared_ptr<Ranks> ranks)
    : scene_(scene), world_(std::move(world)), progress_(progress)
{
    if (progress_.sources.size() != scene.sources.size() ||
        progress_.sinks.size() != scene.sinks.size()) {
        throw Error("the checkpoint belongs to a scene with other sources and sinks");
    }
    // Where parts are comes from the scene.
    World scratch = std::move(world_);
    world_ = World(scene.settings());
    for (std::size_t i = 1; i < scene.materials.size(); ++i) {
        world_.add_material();
    }
    place_obstacles();
    placed_ = {};
    world_ = std::move(scratch);
    if (ranks) {
        world_.distribute(std::move(ranks), scene.ranks_partition());
    }
}

double Simulation::time() const { return static_cast<double>(world_.steps()) * scene_.time.step; }

void Simulation::add(Body body, BodyId id)
{
    body.id = id;
    world_.add(body);
    placed_.push_back(body);
}

void Simulation::place_walls()
{
    if (!scene_.domain) {
        return;
    }
    const DomainTable& d = *scene_.domain;
    for (int face = 0; face < 6; ++face) {
        if (d.faces[static_cast<std::size_t>(face)] != Face::wall) {
            continue;
        }
        const bool upper = face % 2 == 1;
        Body wall = obstacle(Shape::half_space(), upper ? d.max : d.min,
                             orientation_of_z(unit(face / 2, upper ? -1 : 1)));
        wall.material = static_cast<MaterialId>(scene_.material(d.material));
        add(wall, first_face + static_cast<BodyId>(face));
    }
}

void Simulation::place_obstacles()
{
    BodyId id = first_part;
    for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
        const ObstacleTable& table = scene_.obstacles[o];
        const Quat<double> q = table.orientation();
        for (const PlacedShapeTable& shape : table.shapes) {
            Body part = obstacle(shape.shape(), table.position + rotate(q, shape.position),
                                 q * shape.orientation());
            part.material = static_cast<MaterialId>(scene_.material(table.material));
            part.group = table.shapes.size() > 1 ? static_cast<std::uint32_t>(o + 1) : 0;
            parts_.push_back({id, o, part.position, part.orientation});
            add(part, id++);
        }
    }
}

void Simulation::place_pistons()
{
    for (std::size_t i = 0; i < scene_.sources.size(); ++i) {
        const SourceTable& s = scene_.sources[i];
        if (s.kind == SourceKind::piston) {
            Body plane = obstacle(Shape::half_space(), s.position, orientation_of_z(s.normal));
            plane.material = static_cast<MaterialId>(scene_.material(s.material));
            add(plane, first_piston + i);
        }
    }
}

void Simulation::place_bodies()
{
    BodyId id = first_body;
    for (const BodyTable& table : scene_.bodies) {
        Body body;
        body.shape = table.shape();
        body.position = table.position;
        body.orientation = table.orientation();
        body.velocity = table.velocity;
        body.angular_velocity = table.angular_velocity;
        body.material = static_cast<MaterialId>(scene_.material(table.material));
        body.density = scene_.materials[body.material].density;
        if (table.mass) {
            body.density *= *table.mass / mass_properties(body.shape, body.density).mass;
        }
        const auto count = static_cast<std::int64_t>(table.count());
        for (std::int64_t i = 0; i < count; ++i) {
            Body copy = body;
            std::int64_t rest = i;
            for (const RepeatTable& r : table.repeat) {
                copy = r.copy(copy, rest % r.count);
                rest /= r.count;
            }
            add(copy, id++);
        }
    }
}

void Simulation::place_grains()
{
    Occupied occupied(scene_.settings().period);
    for (const Body& body : placed_) {
        occupied.add(body);
    }
    // So many at once that threads have enough to do, and no more, since a rank keeps few of them.
    constexpr std::size_t portion = 1U << 14U;
    std::vector<Body> some;
    const auto give = [&] {
        world_.add_all(some.size(), [&](std::size_t k) { return some[k]; });
        some.clear();
    };
    fill(scene_, occupied, [&](const Body& grain) {
        some.push_back(grain);
        if (some.size() == portion) {
            give();
        }
    });
    give();
}

const StepReport& Simulation::step()
{
    drain();
    open_gates();
    for (std::size_t i = 0; i < scene_.sources.size(); ++i) {
        if (scene_.sources[i].kind == SourceKind::piston) {
            push(i);
        } else {
            rain(i);
        }
    }
    for (const Part& part : parts_) {
        drive(part);
    }
    return world_.step();
}

void Simulation::drain()
{
    for (std::size_t i = 0; i < scene_.sinks.size(); ++i) {
        const SinkTable& s = scene_.sinks[i];
        const World::Removed removed =
            world_.remove_inside({s.min.value_or(Vec{-infinity, -infinity, -infinity}),
                                  s.max.value_or(Vec{infinity, infinity, infinity})});
        progress_.sinks[i].count += removed.count;
        progress_.sinks[i].mass += removed.mass;
    }
}

void Simulation::open_gates()
{
    std::erase_if(parts_, [&](const Part& part) {
        const ObstacleTable& o = scene_.obstacles[part.obstacle];
        const bool gone = time() >= o.remove_at * (1 - 1e-12);
        if (gone && world_.contains(part.id)) {
            world_.remove(part.id);
        }
        return gone;
    });
}

/// Moves a piston's plane; sets it back and makes a layer when it has come its way.
void Simulation::push(std::size_t source)
{
    const SourceTable& s = scene_.sources[source];
    Flow& flow = progress_.sources[source];
    const double h = scene_.time.step;
    const std::uint64_t step = world_.steps();
    const BodyId plane = first_piston + source;
    const Vec n = normalised(s.normal);
    const bool runs = time() >= s.start * (1 - 1e-12) && time() < s.stop;
    const Vec velocity = runs ? s.speed * n : Vec{0, 0, 0};
    const Vec now = world_.body(plane).velocity;
    if (norm(velocity - now) > 0) {
        world_.set_velocity(plane, velocity, {0, 0, 0});
    }
    if (!runs || static_cast<double>(step) < step_of_return(s, h, flow.layers + 1)) {
        return;
    }
    ++flow.layers;
    const double way = s.speed * (time() - s.start) - static_cast<double>(flow.layers) * s.distance;
    world_.set_pose(plane, s.position + std::max(way, 0.0) * n, orientation_of_z(s.normal));
    const GrainMaker maker(scene_, s, scene_.fills.size() + 1 + source);
    std::uint64_t index = 0;
    grid_places(s.region, s.spacing, [&](const Vec& place) {
        Body grain = maker.make(flow.layers, index++);
        grain.position = place;
        flow.mass += mass_properties(grain.shape, grain.density).mass;
        ++flow.count;
        world_.add(grain);
    });
}

/// Puts the grains that are due in at random places; those without room wait.
void Simulation::rain(std::size_t source)
{
    const SourceTable& s = scene_.sources[source];
    Flow& flow = progress_.sources[source];
    const double t = std::min(time(), s.stop) - s.start;
    const double interval = s.interval > 0 ? s.interval : std::max(scene_.time.step, 20 / s.rate);
    if (t < static_cast<double>(flow.layers) * interval || time() > s.stop + interval) {
        return;
    }
    ++flow.layers;
    const double fallen = std::floor(s.rate * t + 1e-9);
    const auto due = static_cast<std::uint64_t>(
        std::min(fallen, s.count > 0 ? static_cast<double>(s.count) : most_grains));
    if (due <= flow.count) {
        return;
    }
    // What has waited for room comes in by and by.
    const auto at_once =
        static_cast<std::uint64_t>(std::min(1000 + 10 * s.rate * interval, most_grains));
    const std::uint64_t last = std::min(due, flow.count + at_once);
    const GrainMaker maker(scene_, s, scene_.fills.size() + 1 + source);
    double largest = 0;
    Occupied occupied(scene_.settings().period);
    const std::vector<Body> there = world_.bodies(world_.bodies_in(box_of(s.region)));
    for (const Body& body : there) {
        largest = std::max(largest, is_wall(body.shape.kind) ? 0 : outer_radius(body.shape));
    }
    occupied.expect_radius(largest);
    for (const Body& body : there) {
        occupied.add(body);
    }
    for (std::uint64_t i = flow.count; i < last; ++i) {
        const Body grain = maker.make(i / most_indices, i % most_indices);
        occupied.expect_radius(outer_radius(grain.shape));
        const auto found =
            place_at_random(grain, s.region, occupied, maker.seed(), 1000 * flow.layers, 100);
        // Grains keep their order, so that ids are dense: the first without room ends it.
        if (!found) {
            ++flow.blocked;
            return;
        }
        occupied.add(found->grain);
        world_.add(found->grain);
        ++flow.count;
        flow.mass += mass_properties(grain.shape, grain.density).mass;
    }
}

/// Gives a part the velocity that takes it to where its motion wants it after the step.
void Simulation::drive(const Part& part)
{
    const ObstacleTable& o = scene_.obstacles[part.obstacle];
    if (!o.motion) {
        return;
    }
    const MotionTable& m = *o.motion;
    const double h = scene_.time.step;
    const Course now = course(m, time());
    const Course then = course(m, time() + h);
    const Vec axis = normalised(m.axis);
    const Vec centre = m.centre.value_or(o.position);
    const auto place = [&](const Course& c) {
        const double s = math::sine(c.angle / 2);
        const Quat<double> turn{math::cosine(c.angle / 2), s * axis.x, s * axis.y, s * axis.z};
        return centre + rotate(turn, part.position - centre) + c.shift;
    };
    const bool on_axis = norm(cross(part.position - centre, axis)) == 0;
    Vec velocity{0, 0, 0};
    if (m.kind == MotionKind::constant) {
        velocity = time() + h / 2 > m.start && time() + h / 2 < m.stop ? m.velocity : velocity;
    } else if (m.kind == MotionKind::oscillate || !on_axis) {
        const bool moves = then.angle != now.angle || norm(then.shift - now.shift) > 0;
        velocity = moves ? (1 / h) * (place(then) - world_.body(part.id).position) : velocity;
    }
    // A step turns a body by 2 arctan(ω δt/2).
    const double turn = then.angle - now.angle;
    const bool whole = time() >= m.start && time() + h <= m.stop;  // not rounded anew each step
    const double half = (whole ? m.rate * h : turn) / 2;
    const double rate = turn != 0 ? 2 / h * math::sine(half) / math::cosine(half) : 0;
    const Vec angular = rate * axis;
    const Body body = world_.body(part.id);
    if (norm(body.velocity - velocity) > 0 || norm(body.angular_velocity - angular) > 0) {
        world_.set_velocity(part.id, velocity, angular);
    }
}

std::vector<BodyId> Simulation::bodies_of(const std::string& name) const
{
    for (std::size_t face = 0; face < 6; ++face) {
        if (name == face_names[face]) {
            return {first_face + face};
        }
    }
    std::vector<BodyId> ids;
    for (const Part& part : parts_) {
        if (scene_.obstacles[part.obstacle].name == name) {
            ids.push_back(part.id);
        }
    }
    return ids;
}

}  // namespace scree::scene
