#include "stages/relax/bounce.hpp"

#include "stages/relax/bounce_rule.hpp"

namespace scree::relax {

void choose_bounces(const state::Model& model, const state::Bodies& bodies,
                    const state::PairList& list, std::span<const std::uint8_t> count,
                    std::span<const std::uint32_t> row_of, double least, state::ContactRows& rows,
                    std::vector<state::Bounce>& out)
{
    out.clear();
    const auto material = [&](std::uint32_t body) {
        return model.prototypes[bodies.prototype[body]].material;
    };
    std::size_t contact = 0;
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        const state::BodyPair pair = list.pair[p];
        for (int k = 0; k < count[p]; ++k, ++contact) {
            const std::uint32_t row = row_of[contact];
            const auto choose = [&](auto& block, int lane) {
                if (!(block.weight[lane] < 0)) {
                    return;
                }
                const double restitution =
                    model.surface(material(pair.first), material(pair.second)).restitution;
                double still = 0;
                if (choose_bounce(block, lane, bodies.velocity_before[pair.first],
                                  bodies.velocity_before[pair.second], restitution, least, still)) {
                    out.push_back({row, still, block.shift[lane]});
                }
            };
            const std::uint32_t at = row & ~state::general_bit;
            const auto lane = static_cast<int>(at % state::block_lanes);
            if ((row & state::general_bit) == 0) {
                choose(rows.round[at / state::block_lanes], lane);
            } else {
                choose(rows.general[at / state::block_lanes], lane);
            }
        }
    }
}

}  // namespace scree::relax
