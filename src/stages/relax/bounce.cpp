#include "stages/relax/bounce.hpp"

#include "stages/relax/bounce_rule.hpp"

namespace scree::relax {

void choose_bounces(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                    std::span<const std::uint8_t> count, std::span<const std::uint32_t> row_of,
                    double least, state::ContactRows& rows, std::vector<state::Bounce>& out)
{
    out.clear();
    const state::ModelView model_view = state::view(model);
    const state::BodyView body_view = state::view(bodies);
    std::size_t contact = 0;
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        const state::BodyPair pair = list.pair[p];
        for (int k = 0; k < count[p]; ++k, ++contact) {
            const std::uint32_t row = row_of[contact];
            const auto choose = [&](auto& block, int lane) {
                double still = 0;
                if (may_bounce(block, lane) &&
                    choose_bounce(model_view, body_view, pair, block, lane, least, still)) {
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
