#include "contact/bounce.hpp"

#include "solve/relax_contact.hpp"

#include <cmath>

namespace scree::contact {

namespace {

using Vec = Vec3<double>;

sweeps::BodyVelocity<double> before(const Bodies& bodies, std::uint32_t body)
{
    const VelocityLine& line = bodies.velocity_before[body];
    return {line.v, line.w, line.inverse_mass, line.inverse_moment};
}

/// What a marked contact of either kind of rows has done, and its approach before the step.
struct Impact {
    double change, approach;
};

Impact impact(const RoundBlock& block, int lane, const sweeps::BodyVelocity<double>& a,
              const sweeps::BodyVelocity<double>& b)
{
    const Vec n{block.n[0][lane], block.n[1][lane], block.n[2][lane]};
    const Vec x{block.impulse[0][lane], block.impulse[1][lane], block.impulse[2][lane]};
    const sweeps::RoundRow<double> row{n, x, block.lever[0][lane], block.lever[1][lane], 0, 0, 0};
    return {(a.inverse_mass + b.inverse_mass) * dot(n, x),
            dot(n, sweeps::relative_velocity(row, a, b))};
}

Impact impact(const GeneralBlock& block, int lane, const sweeps::BodyVelocity<double>& a,
              const sweeps::BodyVelocity<double>& b)
{
    const auto& l = block.lever;
    const Vec n{block.n[0][lane], block.n[1][lane], block.n[2][lane]};
    sweeps::GeneralRow<double> row{};
    row.lever_a = {l[0][lane], l[1][lane], l[2][lane]};
    row.lever_b = {l[3][lane], l[4][lane], l[5][lane]};
    return {block.A[0][lane] * block.impulse[0][lane],
            dot(n, sweeps::relative_velocity(row, a, b))};
}

}  // namespace

void choose_bounces(const Model& model, const Bodies& bodies, const PairList& list,
                    const collide::Candidates& candidates, const Setup& setup, double least,
                    ContactRows& rows, std::vector<Bounce>& out)
{
    out.clear();
    std::size_t contact = 0;
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        for (int k = 0; k < candidates.count[p]; ++k, ++contact) {
            const std::uint32_t row = setup.row_of()[contact];
            const auto choose = [&](auto& block, int lane) {
                if (!(block.weight[lane] < 0)) {
                    return;
                }
                const collide::BodyPair pair = list.pair[p];
                const Impact hit =
                    impact(block, lane, before(bodies, pair.first), before(bodies, pair.second));
                if (!(hit.change > least)) {
                    block.weight[lane] = -block.weight[lane];
                    return;
                }
                const MaterialId a = model.prototypes[bodies.prototype[pair.first]].material;
                const MaterialId b = model.prototypes[bodies.prototype[pair.second]].material;
                const double shift = model.surface(a, b).restitution * hit.approach;
                out.push_back({row, block.shift[lane], shift});
                set_shift(rows, row, shift);
            };
            const std::uint32_t at = row & ~general_bit;
            const auto lane = static_cast<int>(at % block_lanes);
            if ((row & general_bit) == 0) {
                choose(rows.round[at / block_lanes], lane);
            } else {
                choose(rows.general[at / block_lanes], lane);
            }
        }
    }
}

}  // namespace scree::contact
