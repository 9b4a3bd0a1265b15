#include "solve/restitution_guard.hpp"

#include "math/rigid.hpp"
#include "move/integrate.hpp"

#include <cmath>

namespace scree::sweeps {

namespace {

/// ½ Δvᵀ M Δv of all bodies.
double kinetic_of_difference(const Model& model, const Bodies& bodies,
                             const std::vector<VelocityLine>& a, const std::vector<VelocityLine>& b)
{
    std::vector<exec::Sums<1>> chunks;
    const auto energy = [&](std::size_t i) {
        const Vec3<double> dv = a[i].v - b[i].v;
        const Vec3<double> dw = a[i].w - b[i].w;
        double sum = 0;
        if (a[i].inverse_mass > 0) {
            sum += 0.5 * dot(dv, dv) / a[i].inverse_mass;
        }
        if ((bodies.flags[i] & flag_round) == 0) {
            const Vec3<double> w = rotate_back(bodies.orientation[i], dw);
            sum += 0.5 * dot(w, model.prototypes[bodies.prototype[i]].inertia * w);
        } else if (a[i].inverse_moment > 0) {
            sum += 0.5 * dot(dw, dw) / a[i].inverse_moment;
        }
        return exec::Sums<1>{{sum}};
    };
    return exec::tree_sum<1>(bodies.dynamic_count, model.threads, chunks, energy).of[0];
}

}  // namespace

double RestitutionGuard::energy(const Model& model, Bodies& bodies, const PairList& list,
                                ContactRows& rows, Relaxation& relaxation)
{
    // Work between the velocities without impulses and those with them.
    after_ = bodies.velocity;
    move::integrate_velocity(model, bodies);
    before_ = bodies.velocity_before;
    bodies.velocity_before = bodies.velocity;
    bodies.velocity = after_;
    const ContactWork work = relaxation.account(model, bodies, list, rows);
    bodies.velocity_before = before_;
    return work.normal + work.friction - work.correction - work.gap;
}

bool RestitutionGuard::run(const Model& model, Bodies& bodies, const PairList& list,
                           const std::vector<Bounce>& bounces, ContactRows& rows,
                           Relaxation& relaxation)
{
    const double gained = energy(model, bodies, list, rows, relaxation);
    const std::vector<VelocityLine> bounced = bodies.velocity;
    const double scale = kinetic_of_difference(model, bodies, bounced, bodies.velocity_before);
    if (!(gained > 1e-12 * scale)) {
        return false;
    }
    const auto set_impulses = [&](const std::vector<double>& x) {
        Relaxation::scatter(model, rows, x);
        move::integrate_velocity(model, bodies);
        relaxation.apply_impulses(model, bodies, list, rows);
    };
    Relaxation::gather(model, rows, bouncing_);
    set_impulses(inelastic_);
    const double lost = energy(model, bodies, list, rows, relaxation);

    // E(s) = lost + linear s + square s²
    const double square = kinetic_of_difference(model, bodies, bounced, bodies.velocity);
    const double linear = gained - lost - square;
    double s = 0;
    if (lost < 0 && square > 0) {
        const double root = std::sqrt(linear * linear - 4 * square * lost);
        s = linear > 0 ? -2 * lost / (linear + root) : (root - linear) / (2 * square);
        s = s < 1 ? s : 1;
    }
    for (std::size_t i = 0; i < bouncing_.size(); ++i) {
        bouncing_[i] = inelastic_[i] + s * (bouncing_[i] - inelastic_[i]);
    }
    for (const Bounce& b : bounces) {
        set_shift(rows, b.row, b.still + s * (b.shift - b.still));
    }
    set_impulses(bouncing_);
    return true;
}

}  // namespace scree::sweeps
