#include "world/ledger.hpp"

#include "exec/parallel.hpp"
#include "math/rigid.hpp"

namespace scree::world {

namespace {

using Vec = Vec3<double>;
constexpr std::size_t chunk = 1024;

bool counts(const Bodies& bodies, std::size_t i) { return (bodies.flags[i] & flag_alive) != 0; }

template <class F>
void for_bodies(const Model& model, const Bodies& bodies, EnergyScratch& scratch, F&& f)
{
    scratch.assign(exec::chunk_count(bodies.dynamic_count, chunk), EnergyLedger{});
    exec::for_chunks(bodies.dynamic_count, chunk, model.threads,
                     [&](std::size_t c, std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i) {
                             if (counts(bodies, i)) {
                                 f(i, scratch[c]);
                             }
                         }
                     });
}

}  // namespace

BodyEnergy energy_of(const Model& model, const Bodies& bodies, std::size_t i,
                     const VelocityLine& line)
{
    BodyEnergy e;
    const Ball& x = bodies.ball[i];
    if (line.inverse_mass > 0) {
        const double mass = 1 / line.inverse_mass;
        e.kinetic += 0.5 * mass * dot(line.v, line.v);
        e.potential -= mass * dot(model.settings.gravity, Vec{x.x, x.y, x.z});
    }
    if ((bodies.flags[i] & flag_round) != 0) {
        if (line.inverse_moment > 0) {
            e.kinetic += 0.5 * dot(line.w, line.w) / line.inverse_moment;
        }
    } else {
        const Prototype& kind = model.prototypes[bodies.prototype[i]];
        const Vec w = rotate_back(bodies.orientation[i], line.w);
        e.kinetic += 0.5 * dot(w, kind.inertia * w);
    }
    return e;
}

BodyEnergy total_energy(const Model& model, const Bodies& bodies, EnergyScratch& scratch)
{
    for_bodies(model, bodies, scratch, [&](std::size_t i, EnergyLedger& sum) {
        const BodyEnergy e = energy_of(model, bodies, i, bodies.velocity[i]);
        sum.kinetic += e.kinetic;
        sum.potential += e.potential;
    });
    BodyEnergy all;
    for (const EnergyLedger& sum : scratch) {
        all.kinetic += sum.kinetic;
        all.potential += sum.potential;
    }
    return all;
}

void account_forces(const Model& model, const Bodies& bodies, EnergyScratch& scratch,
                    EnergyLedger& ledger)
{
    const double h = model.settings.time_step;
    const Vec& g = model.settings.gravity;
    const bool gyroscopic = model.settings.rotation == Rotation::semi_implicit_euler;
    for_bodies(model, bodies, scratch, [&](std::size_t i, EnergyLedger& sum) {
        const VelocityLine& before = bodies.velocity_before[i];
        const VelocityLine& after = bodies.velocity[i];
        if (after.inverse_mass > 0) {
            const double mass = 1 / after.inverse_mass;
            sum.gravity_work += 0.5 * h * mass * dot(g, before.v + after.v);
            sum.fall_error -= 0.5 * h * mass * dot(g, after.v - before.v);
        }
        const Vec mean_w = 0.5 * (before.w + after.w);
        if (!bodies.force.empty()) {
            const Force& f = bodies.force[i];
            if (after.inverse_mass > 0) {
                sum.force_work += 0.5 * dot(h * f.force + f.impulse, before.v + after.v);
            }
            sum.force_work += dot(h * f.torque + f.angular_impulse, mean_w);
        }
        if (gyroscopic && (bodies.flags[i] & flag_round) == 0) {
            const Prototype& kind = model.prototypes[bodies.prototype[i]];
            const Quat<double>& q = bodies.orientation[i];
            const Vec L = rotate(q, kind.inertia * rotate_back(q, before.w));
            sum.gyroscopic_work -= h * dot(cross(before.w, L), mean_w);
        }
    });
    for (const EnergyLedger& sum : scratch) {
        ledger.gravity_work += sum.gravity_work;
        ledger.fall_error += sum.fall_error;
        ledger.force_work += sum.force_work;
        ledger.gyroscopic_work += sum.gyroscopic_work;
    }
}

}  // namespace scree::world
