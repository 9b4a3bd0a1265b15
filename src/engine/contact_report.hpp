// A contact as users see it, from what a step leaves: for host and device alike.
#pragma once

#include "scree/world.hpp"
#include "shapes/manifold.hpp"
#include "stages/rows/gap_rule.hpp"
#include "stages/rows/row_access.hpp"
#include "stages/rows/row_pack.hpp"
#include "state/views.hpp"

namespace scree::engine {

SCREE_HD Contact contact_at(const state::BodyView& bodies, state::BodyPair pair,
                            const shapes::ContactPoint& point, const Vec3<double>& impulse)
{
    const double r_a = bodies.ball[pair.first].r;
    const double r_b = bodies.ball[pair.second].r;
    return {bodies.id[pair.first],
            bodies.id[pair.second],
            point.point,
            point.normal,
            point.gap,
            rows::is_touching(point.gap, rows::radius_of_gap(r_a, r_b)),
            impulse};
}

/// Of two spheres: the normal of their contact, and the first one's lever.
struct NormalAndLever {
    Vec3<double> normal;
    double lever;
};
/// The same of a contact whose row is there, as `general_bit` says.
template <class T, int lanes>
SCREE_HD NormalAndLever normal_and_lever(const state::RoundBlockOf<T, lanes>* round,
                                         const state::GeneralBlock* general, std::uint32_t row_of)
{
    constexpr auto of_general = static_cast<std::uint32_t>(state::block_lanes);
    constexpr auto of_round = static_cast<std::uint32_t>(lanes);
    const std::uint32_t at = row_of & ~state::general_bit;
    if ((row_of & state::general_bit) == 0) {
        const rows::RoundRow<double> row =
            rows::load(round[at / of_round], static_cast<int>(at % of_round));
        return {row.n, row.lever_a};
    }
    const rows::GeneralRow<double> row =
        rows::load(general[at / of_general], static_cast<int>(at % of_general));
    return {row.n, -dot(row.n, row.lever_a)};
}

/// The same for two spheres.
SCREE_HD Contact contact_of_spheres(const state::ModelView& model, const state::BodyView& bodies,
                                    state::BodyPair pair, const NormalAndLever& row,
                                    const Vec3<double>& impulse)
{
    const auto& [normal, lever] = row;
    // The centre has moved on since.
    const shapes::Ball& ball = bodies.ball[pair.first];
    const Vec3<double> x = Vec3<double>{ball.x, ball.y, ball.z} -
                           model.settings.time_step * bodies.velocity[pair.first].v;
    return contact_at(bodies, pair, {x - lever * normal, normal, 2 * (lever - ball.r), 0}, impulse);
}

}  // namespace scree::engine
