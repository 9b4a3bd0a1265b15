// The public face of a world: what goes in is checked here, and what comes out is put together.
#include "scree/world.hpp"

#include "engine/host_engine.hpp"
#include "engine/make_engine.hpp"
#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "math/tensor.hpp"
#include "ranks/geometry_message.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"
#include "shapes/support.hpp"
#include "stages/velocities/body_energy.hpp"
#include "world/body_kinds.hpp"
#include "world/checks.hpp"
#include "world/world_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace scree {

namespace {

using Vec = Vec3<double>;

}  // namespace

World::State::State()
    : engine(std::make_unique<engine::HostEngine>(
          engine::WorldData{model, bodies, list, stored, domain}))
{
}

std::size_t World::State::index_of(BodyId id) const
{
    if (engine->elsewhere()) {
        // Here are what is prescribed and what was added since the last step.
        for (std::size_t i = bodies.dynamic_count; i < bodies.count(); ++i) {
            if (bodies.id[i] == id && (bodies.flags[i] & state::flag_alive) != 0) {
                return i;
            }
        }
        engine->fetch(engine::Fetch::bodies);
        by_id_valid = false;
    }
    if (!by_id_valid) {
        by_id.resize(bodies.count());
        std::iota(by_id.begin(), by_id.end(), 0U);
        std::erase_if(by_id,
                      [&](std::uint32_t i) { return (bodies.flags[i] & state::flag_alive) == 0; });
        std::sort(by_id.begin(), by_id.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return bodies.id[a] < bodies.id[b]; });
        by_id_valid = true;
    }
    const auto at =
        std::lower_bound(by_id.begin(), by_id.end(), id,
                         [&](std::uint32_t i, BodyId wanted) { return bodies.id[i] < wanted; });
    return at != by_id.end() && bodies.id[*at] == id ? *at : SIZE_MAX;
}

std::size_t World::State::required(BodyId id) const
{
    const std::size_t i = index_of(id);
    if (i == SIZE_MAX) {
        throw Error("there is no body " + std::to_string(id) + "; the world has " +
                    std::to_string(alive) + " bodies");
    }
    return i;
}

std::size_t World::State::required_somewhere(BodyId id) const
{
    if (!domain) {
        return required(id);
    }
    const std::size_t i = index_of(id);
    return is_everywhere(i) || domain->any(i != SIZE_MAX) ? i : required(id);
}

bool World::State::exists(BodyId id) const
{
    const std::size_t i = index_of(id);
    return domain && !is_everywhere(i) ? domain->any(i != SIZE_MAX) : i != SIZE_MAX;
}

/// All ranks have what is prescribed, and know it.
bool World::State::is_everywhere(std::size_t i) const
{
    return i != SIZE_MAX && (bodies.flags[i] & state::flag_prescribed) != 0;
}

/// Makes sure that a body may be changed.
void World::State::about_to_change(std::size_t i)
{
    if (i >= bodies.dynamic_count) {
        engine->touch();
    } else {
        engine->fetch(engine::Fetch::all_to_change);
    }
}

void World::State::require_dynamic(std::size_t i, const char* what) const
{
    if ((bodies.flags[i] & state::flag_prescribed) != 0) {
        throw Error("body " + std::to_string(bodies.id[i]) + " is prescribed: " + what +
                    " does not move it; use set_velocity");
    }
}

void World::State::release(std::uint32_t at)
{
    state::Prototype& p = model.prototypes[at];
    if (--p.users > 0) {
        return;
    }
    const auto [begin, end] = prototype_by_hash.equal_range(world::hash_of(p));
    for (auto it = begin; it != end; ++it) {
        if (it->second == at) {
            prototype_by_hash.erase(it);
            break;
        }
    }
    free_prototypes.push_back(at);
}

double World::State::energy_of(std::size_t i)
{
    if ((bodies.flags[i] & (state::flag_prescribed | state::flag_ghost)) != 0) {
        return 0;
    }
    const finish::BodyEnergy e =
        finish::energy_of(state::view(model), state::view(bodies), i, bodies.velocity[i]);
    return e.kinetic + e.potential;
}

World::World(const Settings& settings) : state_(std::make_unique<State>())
{
    state_->model.isa = default_instruction_set();
    set_settings(settings);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const Settings& World::settings() const { return state_->model.settings; }

void World::set_settings(const Settings& settings)
{
    world::check(settings);
    State& s = *state_;
    state::Model& m = s.model;
    const auto differ = [](const Vec& a, const Vec& b) {
        return a.x != b.x || a.y != b.y || a.z != b.z;
    };
    // Of how many pairs, if there is more than one.
    const auto regions = [&](const Settings& x) {
        return s.engine->pairs() > state::region_pairs(x) ? state::region_pairs(x) : 0;
    };
    const bool list_changes =
        settings.contacts_per_copy != m.settings.contacts_per_copy ||
        settings.time_step != m.settings.time_step || differ(settings.period, m.settings.period) ||
        differ(settings.origin, m.settings.origin) || regions(settings) != regions(m.settings) ||
        // On several ranks a device has room for fewer colours.
        (s.domain && (settings.gpu == no_gpu) != (m.settings.gpu == no_gpu));
    for (const state::Prototype& kind : m.prototypes) {
        if (kind.users > 0) {
            world::check_fits(kind, settings.period);
        }
    }
    s.engine->fetch(engine::Fetch::all_to_change);
    if (settings.gpu != m.settings.gpu || settings.precision != m.settings.precision) {
        auto engine = engine::make_engine(
            settings, engine::WorldData{m, s.bodies, s.list, s.stored, s.domain});
        engine->set_rebuilds(s.engine->rebuilds());
        s.engine = std::move(engine);
    }
    const double potential_before = s.potential();
    s.stepped = false;
    m.settings = settings;
    s.choose_threads();
    const Vec& L = settings.period;
    const Vec& o = settings.origin;
    m.box = {{L.x, L.y, L.z}, {o.x, o.y, o.z}};
    s.changed = s.changed || list_changes;
    s.inserted += s.potential() - potential_before;
    if (settings.law == Law::projected && s.bodies.inertia.empty()) {
        s.need_inertia(0);
        s.changed = true;  // for the lines behind the bodies
    }
}

MaterialId World::add_material()
{
    state_->engine->fetch(engine::Fetch::all_to_change);
    state::Model& m = state_->model;
    if (m.materials == 256) {
        throw Error("a world has at most 256 materials");
    }
    std::vector<ContactMaterial> wider((m.materials + 1) * (m.materials + 1));
    for (std::size_t a = 0; a < m.materials; ++a) {
        for (std::size_t b = 0; b < m.materials; ++b) {
            wider[a * (m.materials + 1) + b] = m.surfaces[a * m.materials + b];
        }
    }
    m.surfaces = std::move(wider);
    state_->stepped = false;
    return static_cast<MaterialId>(m.materials++);
}

void World::set_surface(MaterialId first, MaterialId second, const ContactMaterial& surface)
{
    state_->engine->fetch(engine::Fetch::all_to_change);
    state::Model& m = state_->model;
    world::check(surface, first, second, m.materials);
    m.surfaces[first * m.materials + second] = surface;
    m.surfaces[second * m.materials + first] = surface;
    state_->stepped = false;
}

double World::State::potential()
{
    const state::ModelView m = state::view(model);
    const state::BodyView b = state::view(bodies);
    double sum = 0;
    for (std::size_t i = 0; i < bodies.count(); ++i) {
        if (state::is_own(bodies.flags[i])) {
            sum += finish::energy_of(m, b, i, bodies.velocity[i]).potential;
        }
    }
    return sum;
}

/// What follows from a body's going away, beside the gap it leaves.
void World::State::forget(BodyId id, std::uint32_t prototype, double energy)
{
    removed += std::isfinite(energy) ? energy : 0;
    release(prototype);
    by_id_valid = by_id_valid && !engine->elsewhere();
    if (by_id_valid) {
        by_id.erase(
            std::lower_bound(by_id.begin(), by_id.end(), id, [&](std::uint32_t k, BodyId wanted) {
                return bodies.id[k] < wanted;
            }));
    }
    stepped = false;
    // A few gaps are left until the list is made anew; many are not.
    if (++gaps > 64 + bodies.count() / 64) {
        changed = true;
    }
}

void World::remove(BodyId id)
{
    State& s = *state_;
    const std::size_t i = s.required_somewhere(id);
    bool prescribed = false;
    if (i != SIZE_MAX) {
        s.about_to_change(i);
        prescribed = (s.bodies.flags[i] & state::flag_prescribed) != 0;
        s.forget(id, s.bodies.prototype[i], s.energy_of(i));
        state::make_gap(state::view(s.bodies), i);
    }
    --s.alive;
    s.alive_dynamic -= prescribed ? 0 : 1;  // ranks that do not have it know that it is dynamic
    s.stepped = false;
}

World::Removed World::remove_inside(const Box& box)
{
    State& s = *state_;
    const std::vector<engine::BodyInBox> inside = s.engine->find_inside(box);
    Removed sum;
    for (const engine::BodyInBox& b : inside) {
        // A ghost goes with its body, which another rank counts.
        sum.count += b.elsewhere ? 0 : 1;
        sum.mass += b.elsewhere ? 0 : s.model.prototypes[b.prototype].mass;
        s.forget(b.id, b.prototype, b.elsewhere ? 0 : b.energy);
    }
    if (!inside.empty()) {
        s.engine->make_gaps(inside);
    }
    if (s.domain) {
        double all[]{static_cast<double>(sum.count), sum.mass};
        s.domain->ranks().sum(all);
        sum = {static_cast<std::size_t>(all[0]), all[1]};
        s.stepped = s.stepped && sum.count == 0;
    }
    s.alive -= sum.count;
    s.alive_dynamic -= sum.count;
    return sum;
}

std::vector<BodyId> World::bodies_in(const Box& box) const
{
    const State& s = *state_;
    s.engine->fetch(engine::Fetch::bodies);
    const Vec centre = 0.5 * (box.min + box.max);
    const double reach = norm(box.max - centre);
    std::vector<BodyId> found;
    for (std::size_t i = 0; i < s.bodies.count(); ++i) {
        if ((s.bodies.flags[i] & state::flag_alive) == 0 || !s.counts(i)) {
            continue;
        }
        const shapes::Ball& b = s.bodies.ball[i];
        const state::Prototype& kind = s.model.prototypes[s.bodies.prototype[i]];
        if (is_wall(kind.shape.kind)) {
            if (shapes::is_near_wall(kind.shape, s.bodies.pose(i, kind), centre, reach)) {
                found.push_back(s.bodies.id[i]);
            }
            continue;
        }
        const Vec d = image_difference(b, {centre.x, centre.y, centre.z, 0}, s.model.box);
        const auto apart = [&](double distance, double half) {
            return std::max(0.0, std::abs(distance) - half);
        };
        const Vec half = box.max - centre;
        const Vec out{apart(d.x, half.x), apart(d.y, half.y), apart(d.z, half.z)};
        if (dot(out, out) <= b.r * b.r) {
            found.push_back(s.bodies.id[i]);
        }
    }
    if (s.domain) {
        found = s.domain->everywhere(found);
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool World::contains(BodyId id) const { return state_->exists(id); }

Body World::body(BodyId id) const { return bodies(std::span(&id, 1)).front(); }

std::vector<Body> World::bodies(std::span<const BodyId> ids) const
{
    struct Told {
        std::size_t place;
        Body body;
    };
    const State& s = *state_;
    std::vector<Body> found(ids.size());
    std::vector<std::size_t> asked;
    std::vector<Told> mine;
    ranks::Solids solids;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const std::size_t i = s.domain ? s.index_of(ids[k]) : s.required(ids[k]);
        const bool everywhere = !s.domain || s.is_everywhere(i);
        if (everywhere || (i != SIZE_MAX && s.counts(i))) {
            found[k] = world::body_at(s.model, s.bodies, i);
        }
        if (!everywhere) {
            asked.push_back(k);
            if (i != SIZE_MAX && s.counts(i)) {
                mine.push_back({k, found[k]});
                solids.add(found[k].shape);
            }
        }
    }
    if (asked.empty()) {
        return found;
    }
    // Their ranks tell the others.
    ranks::Bytes bytes;
    if (!mine.empty()) {
        ranks::put(bytes, mine);
        solids.put(bytes);
    }
    bytes = s.domain->ranks().everywhere(bytes);
    std::vector<bool> known(ids.size(), false);
    for (ranks::Reader reader(bytes); !reader.done();) {
        mine = reader.get_all<Told>();
        const ranks::Solids theirs(reader);
        for (Told& told : mine) {
            theirs.settle(told.body.shape);
            found[told.place] = told.body;
            known[told.place] = true;
        }
    }
    for (const std::size_t k : asked) {
        if (!known[k]) {
            (void)s.required(ids[k]);
        }
    }
    return found;
}

std::size_t World::body_count() const { return state_->alive; }
std::size_t World::dynamic_count() const { return state_->alive_dynamic; }

double World::solid_volume() const
{
    double sum = 0;
    const State& s = *state_;
    if (s.domain) {
        s.engine->fetch(engine::Fetch::bodies);
        for (std::size_t i = 0; i < s.bodies.count(); ++i) {
            if (state::is_own(s.bodies.flags[i])) {
                sum += volume(s.model.prototypes[s.bodies.prototype[i]].shape);
            }
        }
        s.domain->ranks().sum(std::span<double>(&sum, 1));
        return sum;
    }
    for (const state::Prototype& kind : s.model.prototypes) {
        if (kind.users > 0 && (kind.flags & state::flag_prescribed) == 0) {
            sum += kind.users * volume(kind.shape);
        }
    }
    return sum;
}

void World::set_velocity(BodyId id, const Vec& velocity, const Vec& angular_velocity)
{
    State& s = *state_;
    const std::size_t i = s.required_somewhere(id);
    world::check_finite(velocity, "velocity");
    world::check_finite(angular_velocity, "angular_velocity");
    s.stepped = false;
    if (i == SIZE_MAX) {
        return;
    }
    world::check_velocity(velocity, angular_velocity, s.bodies.orientation[i],
                          s.model.prototypes[s.bodies.prototype[i]]);
    s.about_to_change(i);
    const Vec was_turning = s.bodies.velocity[i].w;
    s.removed += s.energy_of(i);
    s.bodies.velocity[i].v = velocity;
    s.bodies.velocity[i].w = angular_velocity;
    s.inserted += s.energy_of(i);
    if ((s.bodies.flags[i] & state::flag_prescribed) != 0) {
        const state::Prototype& kind = s.model.prototypes[s.bodies.prototype[i]];
        std::uint8_t& flags = s.bodies.flags[i];
        const std::uint8_t was = flags & state::flag_turning;
        const std::uint8_t turning = state::flags_of(kind, angular_velocity) & state::flag_turning;
        flags = static_cast<std::uint8_t>((flags & ~state::flag_turning) | turning);
        if (turning != 0 && s.bodies.inertia.empty()) {
            s.engine->fetch(engine::Fetch::all_to_change);
            s.need_inertia(0);
        }
        // A wall that turns about another axis may meet other bodies.
        s.changed = s.changed || turning != was || norm(cross(was_turning, angular_velocity)) > 0;
    }
}

void World::set_pose(BodyId id, const Vec& position, const Quat<double>& orientation)
{
    State& s = *state_;
    const std::size_t i = s.required_somewhere(id);
    const Quat<double> q = world::checked_orientation(orientation);
    world::check_finite(position, "position");
    s.changed = true;
    s.stepped = false;
    if (i == SIZE_MAX) {
        return;
    }
    s.about_to_change(i);
    s.removed += s.energy_of(i);
    const Vec x = position - rotate(q, s.model.prototypes[s.bodies.prototype[i]].offset);
    shapes::Ball& ball = s.bodies.ball[i];
    ball = {x.x, x.y, x.z, ball.r};
    s.bodies.orientation[i] = q;
    if (!s.bodies.inertia.empty()) {
        finish::update_inertia(state::view(s.model), state::view(s.bodies), i);
    }
    s.inserted += s.energy_of(i);
}

void World::set_force(BodyId id, const Vec& force, const Vec& torque)
{
    State& s = *state_;
    const std::size_t i = s.required_somewhere(id);
    world::check_finite(force, "force");
    world::check_finite(torque, "torque");
    if (i == SIZE_MAX) {
        return;
    }
    s.require_dynamic(i, "a force");
    s.engine->fetch(engine::Fetch::forces_to_change);
    s.bodies.force.resize(s.bodies.count());
    s.bodies.force[i].force = force;
    s.bodies.force[i].torque = torque;
}

void World::apply_impulse(BodyId id, const Vec& impulse, const Vec& angular_impulse)
{
    State& s = *state_;
    const std::size_t i = s.required_somewhere(id);
    world::check_finite(impulse, "impulse");
    world::check_finite(angular_impulse, "angular_impulse");
    if (i == SIZE_MAX) {
        return;
    }
    s.require_dynamic(i, "an impulse");
    s.engine->fetch(engine::Fetch::forces_to_change);
    s.bodies.force.resize(s.bodies.count());
    state::Force& f = s.bodies.force[i];
    f.impulse = f.impulse + impulse;
    f.angular_impulse = f.angular_impulse + angular_impulse;
}

const StepReport& World::step()
{
    state_->step();
    return state_->report;
}
const StepReport& World::report() const { return state_->report; }
double World::time() const { return state_->time; }
std::uint64_t World::steps() const { return state_->steps; }
const EnergyLedger& World::energy() const { return state_->totals; }

void World::observe(std::uint64_t interval, std::function<void(const Frame&)> observer)
{
    if (interval == 0) {
        throw Error("an observer's interval is a number of steps, at least 1");
    }
    state_->observers.push_back({interval, std::move(observer)});
}

Frame World::frame(bool with_contacts) const { return state_->make_frame(with_contacts); }

std::vector<StepContact> World::contact_problems() const
{
    State& s = *state_;
    if (!s.stepped) {
        throw Error("problems belong to a step: call step() first, and change nothing after");
    }
    std::vector<StepContact> problems = s.engine->problems();
    if (s.domain) {
        s.domain->to_first(problems);
    }
    return problems;
}

double World::true_residual() const
{
    State& s = *state_;
    if (!s.stepped) {
        throw Error("the residual belongs to a step: call step() first, and change nothing after");
    }
    return s.engine->true_residual() / s.report.velocity_scale;
}

World::Momentum World::momentum() const
{
    const State& s = *state_;
    s.engine->fetch(engine::Fetch::bodies);
    Momentum m{{0, 0, 0}, {0, 0, 0}};
    for (std::size_t i = 0; i < s.bodies.count(); ++i) {
        if (!state::is_own(s.bodies.flags[i])) {
            continue;
        }
        const state::VelocityLine& line = s.bodies.velocity[i];
        const state::Prototype& kind = s.model.prototypes[s.bodies.prototype[i]];
        const Quat<double>& q = s.bodies.orientation[i];
        const shapes::Ball& x = s.bodies.ball[i];
        const Vec p = line.inverse_mass > 0 ? (1 / line.inverse_mass) * line.v : Vec{0, 0, 0};
        m.linear = m.linear + p;
        m.angular = m.angular + cross(Vec{x.x, x.y, x.z}, p) +
                    velocities::angular_momentum(kind, q, line.w);
    }
    if (s.domain) {
        double all[]{m.linear.x, m.linear.y, m.linear.z, m.angular.x, m.angular.y, m.angular.z};
        s.domain->ranks().sum(all);
        m = {{all[0], all[1], all[2]}, {all[3], all[4], all[5]}};
    }
    return m;
}

}  // namespace scree
