#include "move/integrate.hpp"

#include "exec/parallel.hpp"
#include "math/rigid.hpp"

#include <cmath>

namespace scree::move {

namespace {

using Vec = Vec3<double>;
constexpr std::size_t chunk = 1024;

bool is_round(const Bodies& bodies, std::size_t i) { return (bodies.flags[i] & flag_round) != 0; }

/// Iω in the world frame.
Vec spin(const Prototype& kind, const Quat<double>& q, const Vec& w)
{
    return rotate(q, kind.inertia * rotate_back(q, w));
}
Vec spin_to_velocity(const Prototype& kind, const Quat<double>& q, const Vec& L)
{
    return rotate(q, kind.inverse_inertia * rotate_back(q, L));
}

}  // namespace

double integrate_velocity(const Model& model, Bodies& bodies)
{
    const double h = model.settings.time_step;
    const Vec fall = h * model.settings.gravity;
    const bool gyroscopic = model.settings.rotation == Rotation::semi_implicit_euler;
    const bool forced = !bodies.force.empty();
    return exec::largest(bodies.dynamic_count, model.threads, norm(fall), [&](std::size_t i) {
        VelocityLine line = bodies.velocity_before[i];
        const bool round = is_round(bodies, i);
        if (round && !forced) {
            line.v = line.inverse_mass > 0 ? line.v + fall : line.v;
            bodies.velocity[i] = line;
            return 0.0;
        }
        Vec change = line.inverse_mass > 0 ? fall : Vec{0, 0, 0};
        Vec turn{0, 0, 0};
        if (forced) {
            const Force& f = bodies.force[i];
            change = change + line.inverse_mass * (h * f.force + f.impulse);
            turn = h * f.torque + f.angular_impulse;
        }
        Vec dw{0, 0, 0};
        if (round) {
            dw = line.inverse_moment * turn;
        } else {
            const Prototype& kind = model.prototypes[bodies.prototype[i]];
            if (gyroscopic) {
                turn = turn - h * cross(line.w, spin(kind, bodies.orientation[i], line.w));
            }
            dw = bodies.inertia[i].inverse * turn;
        }
        line.v = line.v + change;
        line.w = line.w + dw;
        bodies.velocity[i] = line;
        return norm(change) + bodies.ball[i].r * norm(dw);
    });
}

void update_inertia(const Model& model, Bodies& bodies, std::size_t i)
{
    const Prototype& kind = model.prototypes[bodies.prototype[i]];
    bodies.inertia[i] = {rotated(bodies.orientation[i], kind.inverse_inertia), {0, 0}};
}

PoseReport integrate_pose(const Model& model, Bodies& bodies, std::vector<PoseReport>& scratch)
{
    const double h = model.settings.time_step;
    const bool momentum = model.settings.rotation == Rotation::momentum;
    const collide::Periodic& box = model.box;
    const bool periodic = is_periodic(box);
    const std::size_t n = bodies.count();
    scratch.assign(exec::chunk_count(n, chunk), PoseReport{});
    exec::for_chunks(
        n, chunk, model.threads, [&](std::size_t c, std::size_t begin, std::size_t end) {
            PoseReport& report = scratch[c];
            for (std::size_t i = begin; i < end; ++i) {
                if ((bodies.flags[i] & flag_alive) == 0) {
                    continue;
                }
                VelocityLine& line = bodies.velocity[i];
                Ball& x = bodies.ball[i];
                Quat<double>& q = bodies.orientation[i];
                const Vec way = h * line.v;
                x.x += way.x;
                x.y += way.y;
                x.z += way.z;
                Drift& drift = bodies.drift[i];
                const Vec strayed = h * (line.v - bodies.drift_velocity);
                drift.x += static_cast<float>(strayed.x);
                drift.y += static_cast<float>(strayed.y);
                drift.z += static_cast<float>(strayed.z);
                const bool moves = i < bodies.dynamic_count;
                if (is_round(bodies, i) || !moves) {
                    q = turned(q, line.w, h);
                } else {
                    const Prototype& kind = model.prototypes[bodies.prototype[i]];
                    const Vec L = spin(kind, q, line.w);
                    const double energy = 0.5 * dot(line.w, L);
                    if (momentum) {
                        const Quat<double> middle = turned(q, line.w, 0.5 * h);
                        q = turned(q, spin_to_velocity(kind, middle, L), h);
                        line.w = spin_to_velocity(kind, q, L);
                        report.rotation_error += 0.5 * dot(line.w, L) - energy;
                    } else {
                        q = turned(q, line.w, h);
                        report.rotation_error += 0.5 * dot(line.w, spin(kind, q, line.w)) - energy;
                    }
                }
                if (!bodies.inertia.empty() && moves) {
                    update_inertia(model, bodies, i);
                }
                if (periodic && i < bodies.bounded_count) {
                    const auto wrap = [&](double& at, int axis, double g) {
                        const double length = box.length[axis];
                        if (length > 0 && std::isfinite(at)) {
                            const double before = at;
                            const double turns = std::floor((at - box.origin[axis]) / length);
                            if (turns != 0) {
                                at -= turns * length;
                                if (moves && line.inverse_mass > 0) {
                                    report.wrap -= g * (at - before) / line.inverse_mass;
                                }
                            }
                        }
                    };
                    const Vec& g = model.settings.gravity;
                    wrap(x.x, 0, g.x);
                    wrap(x.y, 1, g.y);
                    wrap(x.z, 2, g.z);
                }
                const double sum = x.x + x.y + x.z + line.w.x + line.w.y + line.w.z;
                if (!std::isfinite(sum)) {
                    if (report.not_finite++ == 0) {
                        report.first_not_finite = i;
                    }
                }
            }
        });
    PoseReport all;
    for (const PoseReport& r : scratch) {
        all.rotation_error += r.rotation_error;
        all.wrap += r.wrap;
        if (r.not_finite > 0 && all.not_finite == 0) {
            all.first_not_finite = r.first_not_finite;
        }
        all.not_finite += r.not_finite;
    }
    return all;
}

}  // namespace scree::move
