// The guard against energy that bounces gain, whatever runs the loops: see restitution_guard.hpp.
// `Rows` are as in control.hpp, with these verbs besides:
//
//   model(), bodies()  views of what rows refer to
//   line_count()       velocity lines, with those of copies and idle lanes
//   account()          the work of this rank's impulses between velocity_before and velocity
//   blend_shifts(s)    shifts of rows that bounce: this part of the way from still ones
#pragma once

#include "math/tensor.hpp"
#include "stages/relax/contact_work.hpp"
#include "stages/relax/control.hpp"
#include "stages/velocities/body_energy.hpp"
#include "state/views.hpp"

#include <cmath>

namespace scree::relax {

/// ½ Δvᵀ M Δv of one body.
SCREE_HD double kinetic_of_difference(const state::ModelView& model, const state::BodyView& bodies,
                                      std::size_t i, const state::VelocityLine& a,
                                      const state::VelocityLine& b)
{
    if ((bodies.flags[i] & state::flag_ghost) != 0) {
        return 0;
    }
    const Vec3<double> dv = a.v - b.v;
    const double of_centre = a.inverse_mass > 0 ? 0.5 * dot(dv, dv) / a.inverse_mass : 0;
    return of_centre + velocities::energy_of_turning(model, bodies, i, a.w - b.w, a.inverse_moment);
}

template <class Loops> class GuardControl {
public:
    template <class T> using Buffer = typename Loops::template Buffer<T>;

    /// Takes note of the impulses of rows that are relaxed without restitution.
    template <class Rows> void keep_inelastic(Rows& rows) { rows.gather(inelastic_); }

    /// Checks rows that are relaxed with restitution. Returns whether impulses were reduced.
    template <class Rows> bool run(Rows& rows)
    {
        Loops& loops = rows.loops();
        const std::size_t lines = rows.line_count();
        const state::BodyView bodies = rows.bodies();
        const double gained = energy(rows);
        bounced_.fit(lines);
        loops.copy(bodies.velocity, bounced_.data(), lines);
        const double scale = kinetic(rows, bounced_.data(), bodies.velocity_before);
        if (!(gained > 1e-12 * scale)) {
            return false;
        }
        rows.gather(bouncing_);
        set_impulses(rows, inelastic_);
        const double lost = energy(rows);

        // E(s) = lost + linear s + square s²
        const double square = kinetic(rows, bounced_.data(), bodies.velocity);
        const double linear = gained - lost - square;
        double s = 0;
        if (lost < 0 && square > 0) {
            const double root = std::sqrt(linear * linear - 4 * square * lost);
            s = linear > 0 ? -2 * lost / (linear + root) : (root - linear) / (2 * square);
            s = s < 1 ? s : 1;
        }
        go_towards(loops, inelastic_, bouncing_, s, bouncing_);
        rows.blend_shifts(s);
        set_impulses(rows, bouncing_);
        return true;
    }

    [[nodiscard]] std::size_t bytes() const
    {
        return bouncing_.bytes() + inelastic_.bytes() + before_.bytes() + after_.bytes() +
               bounced_.bytes() + sum_.bytes();
    }

    // The parts of `run`; public since a device's compiler asks for that.

    /// What the impulses did to the energy, corrections of gaps left out [J]: their work between
    /// the velocities without them and those with them.
    template <class Rows> double energy(Rows& rows)
    {
        Loops& loops = rows.loops();
        const std::size_t lines = rows.line_count();
        const state::BodyView bodies = rows.bodies();
        after_.fit(lines);
        before_.fit(lines);
        loops.copy(bodies.velocity, after_.data(), lines);
        rows.push();
        loops.copy(bodies.velocity_before, before_.data(), lines);
        loops.copy(bodies.velocity, bodies.velocity_before, lines);
        loops.copy(after_.data(), bodies.velocity, lines);
        const ContactWork work = rows.account();
        loops.copy(before_.data(), bodies.velocity_before, lines);
        double terms[]{work.normal, work.friction, work.correction, work.gap};
        loops.sum_over_ranks(terms);
        return terms[0] + terms[1] - terms[2] - terms[3];
    }
    /// ½ Δvᵀ M Δv of all bodies.
    template <class Rows>
    double kinetic(Rows& rows, const state::VelocityLine* a, const state::VelocityLine* b)
    {
        const state::ModelView model = rows.model();
        const state::BodyView bodies = rows.bodies();
        sum_.fit(1);
        const auto item = [=] SCREE_DEVICE(std::size_t i) -> exec::Sums<1> {
            return {{kinetic_of_difference(model, bodies, i, a[i], b[i])}};
        };
        rows.loops().template sum<1>(bodies.dynamic_count, sum_.data(), item);
        exec::Sums<1> sum;
        rows.loops().download(sum_.data(), &sum, 1);
        rows.loops().sum_over_ranks(sum.of);
        return sum.of[0];
    }

private:
    Buffer<double> bouncing_, inelastic_;
    Buffer<state::VelocityLine> before_, after_, bounced_;
    Buffer<exec::Sums<1>> sum_;
};

}  // namespace scree::relax
