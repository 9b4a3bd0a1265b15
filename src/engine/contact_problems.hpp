// The contacts of a step as problems of their own: what each would have to solve again, given the
// impulses of all others. For those who ask what another law would have done there.
#pragma once

#include "scree/world.hpp"
#include "shapes/support.hpp"
#include "stages/relax/mass_splitting.hpp"
#include "stages/relax/row_rule.hpp"
#include "state/pairs.hpp"

#include <span>
#include <vector>

namespace scree::engine {

using rows::BodyVelocity, rows::GeneralRow, rows::RoundRow;

/// Velocities and masses that rows refer to, where relaxation left them.
class ProblemBodies {
public:
    ProblemBodies(std::span<const state::VelocityLine> velocity, std::size_t copies)
        : velocity_(velocity), body_of_copy_(copies)
    {
    }

    /// A copy poses the problem of its body: how bodies are split decides nothing.
    template <class S> void name_copies(const std::vector<S>& split)
    {
        for (const S& s : split) {
            relax::name_copies(s, velocity_.size(), body_of_copy_.data());
        }
    }

    /// Whether it is a body's or a copy's; others belong to idle rows.
    [[nodiscard]] bool has(std::uint32_t slot) const
    {
        return slot < velocity_.size() + body_of_copy_.size();
    }
    [[nodiscard]] BodyVelocity<double> operator()(std::uint32_t slot) const
    {
        return rows::load(velocity_[relax::body_of(slot, velocity_.size(), body_of_copy_.data())]);
    }

private:
    std::span<const state::VelocityLine> velocity_;  ///< of bodies
    std::vector<std::uint32_t> body_of_copy_;
};

inline StepContact posed(const GeneralRow<double>& c, const BodyVelocity<double>& a,
                         const BodyVelocity<double>& b)
{
    return {relax::block_problem(c, a, b), c.impulse};
}
/// All directions in the plane are alike: any two serve.
inline StepContact posed(const RoundRow<double>& c, const BodyVelocity<double>& a,
                         const BodyVelocity<double>& b)
{
    const double A_nn = a.inverse_mass + b.inverse_mass;
    const double A_tt =
        A_nn + c.lever_a * c.lever_a * a.inverse_moment + c.lever_b * c.lever_b * b.inverse_moment;
    const Vec3<double> t = shapes::across(c.n), o = cross(c.n, t);
    const auto in_frame = [&](const Vec3<double>& u) -> ContactVector<double> {
        return {dot(c.n, u), dot(t, u), dot(o, u)};
    };
    const ContactVector<double> x = in_frame(c.impulse);
    const ContactVector<double> dv = in_frame(rows::relative_velocity(c, a, b));
    const ContactVector<double> w{A_nn * x.n - dv.n, A_tt * x.t - dv.t, A_tt * x.o - dv.o};
    return {{{A_nn, 0, 0, A_tt, 0, A_tt}, w, w.n - c.shift, c.mu}, x};
}

/// Appends those of the rows, which are so many to a block, that have an impulse.
template <std::size_t lanes, class Block>
void append_problem(const Block* blocks, std::size_t rows, const ProblemBodies& bodies,
                    std::vector<StepContact>& out)
{
    for (std::size_t i = 0; i < rows; ++i) {
        const Block& block = blocks[i / lanes];
        const auto lane = static_cast<int>(i % lanes);
        const std::uint32_t a = block.slot[0][lane], b = block.slot[1][lane];
        if (bodies.has(a) && bodies.has(b)) {
            const StepContact contact = posed(rows::load(block, lane), bodies(a), bodies(b));
            if (contact.impulse.n > 0) {
                out.push_back(contact);
            }
        }
    }
}

}  // namespace scree::engine
