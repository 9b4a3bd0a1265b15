// A lattice of bodies of several shapes on a floor, which neighbours touch in one point or several,
// and its contact rows, made without a neighbour list: problems for solvers, with whatever makes
// them hard.
#pragma once

#include "math/random.hpp"
#include "stages/candidates/candidates.hpp"
#include "stages/relax/row_rule.hpp"
#include "stages/rows/contact_rule.hpp"
#include "stages/velocities/free_velocity.hpp"
#include "state/rows.hpp"
#include "world/body_kinds.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scree::test {

struct PileKind {
    std::uint32_t across = 4, high = 6;
    double speed = 0.05;      ///< of bodies at random [m/s]
    double restitution = 0;   ///< the largest; every pair of materials has its own
    double boulder_mass = 0;  ///< of a sphere that touches all bodies of the top layer; 0: none
    std::uint64_t seed = 1;
};

/// What a world holds between set-up and relaxation.
struct Pile {
    state::Model model;
    state::Bodies bodies;
    state::PairList list;
    state::ContactRows rows;
    std::vector<std::uint8_t> count;    ///< contacts of each pair
    std::vector<std::uint32_t> row_of;  ///< of each contact

    Pile(const Settings& settings, const PileKind& kind) : kind_(kind)
    {
        model.settings = settings;
        add_materials();
        add_bodies();
        find_pairs();
        split();
        make_rows();
    }

private:
    static constexpr double spacing = 0.1;
    static constexpr std::uint32_t contacts_per_copy = 8;

    double draw(std::uint64_t i, std::uint64_t k, double from, double to) const
    {
        return math::uniform(kind_.seed, i, k, from, to);
    }
    Vec3<double> vector(std::uint64_t i, std::uint64_t k, double most) const
    {
        return {draw(i, k, -most, most), draw(i, k + 1, -most, most), draw(i, k + 2, -most, most)};
    }

    void add_materials()
    {
        model.materials = 3;
        model.surfaces.resize(9);
        for (std::uint64_t a = 0; a < 3; ++a) {
            for (std::uint64_t b = 0; b <= a; ++b) {
                const double restitution = draw(a, 900 + b, 0, kind_.restitution);
                model.surfaces[a * 3 + b] = {draw(a, 910 + b, 0.1, 0.8), restitution};
                model.surfaces[b * 3 + a] = model.surfaces[a * 3 + b];
            }
        }
    }

    void add(const Body& body)
    {
        state::Bodies& b = bodies;
        const state::Prototype p = world::prototype_of(body);
        b.id.push_back(b.id.size());
        b.ball.push_back({body.position.x, body.position.y, body.position.z, p.radius});
        b.orientation.push_back(body.orientation);
        b.velocity.push_back(state::line_of(p, body.velocity, body.angular_velocity));
        b.drift.push_back({0, 0, 0, 0});
        b.prototype.push_back(static_cast<std::uint32_t>(model.prototypes.size()));
        b.flags.push_back(state::flags_of(p, body.angular_velocity));
        b.reach.push_back(0);
        b.inertia.push_back({rotated(body.orientation, p.inverse_inertia), {0, 0}});
        model.prototypes.push_back(p);
    }

    void add_bodies()
    {
        const std::uint32_t layer = kind_.across * kind_.across;
        for (std::uint32_t i = 0; i < layer * kind_.high; ++i) {
            Body body;
            body.shape = i % 3 == 0   ? Shape::box(0.1, 0.08, 0.09)
                         : i % 7 == 1 ? Shape::capsule(0.03, 0.05)
                                      : Shape::sphere(0.05);
            body.density = draw(i, 0, 500, 3000);
            body.material = static_cast<MaterialId>(i % 3);
            body.position = {spacing * (i % kind_.across),
                             spacing * (i / kind_.across % kind_.across),
                             0.05 + spacing * (i / layer)};
            body.orientation = orientation_of_x({1, draw(i, 1, -1, 1), draw(i, 2, -1, 1)});
            body.velocity = vector(i, 3, kind_.speed);
            body.angular_velocity = vector(i, 6, 10 * kind_.speed);
            add(body);
        }
        if (kind_.boulder_mass > 0) {
            Body boulder;
            boulder.shape = Shape::sphere(0.3);
            boulder.density = kind_.boulder_mass / mass_properties(boulder.shape, 1).mass;
            boulder.position = {0.15, 0.15, spacing * kind_.high + 0.3};
            boulder.velocity = {0, 0, -kind_.speed};
            add(boulder);
        }
        bodies.dynamic_count = bodies.bounded_count = bodies.count();
        add(obstacle(Shape::half_space()));
    }

    void find_pairs()
    {
        const std::uint32_t n = kind_.across;
        const std::uint32_t layer = n * n;
        const std::uint32_t grains = layer * kind_.high;
        const auto floor = static_cast<std::uint32_t>(bodies.count() - 1);
        for (std::uint32_t i = 0; i < grains; ++i) {
            if (i % n + 1 < n) {
                list.pair.push_back({i, i + 1});
            }
            if (i / n % n + 1 < n) {
                list.pair.push_back({i, i + n});
            }
            if (i + layer < grains) {
                list.pair.push_back({i, i + layer});
            } else if (kind_.boulder_mass > 0) {
                list.pair.push_back({i, grains});
            }
            if (i < layer) {
                list.pair.push_back({i, floor});
            }
        }
    }

    /// Copies for bodies with many pairs, and lines for all.
    void split()
    {
        std::vector<std::uint32_t> pairs(bodies.count(), 0), next(bodies.count(), 0);
        for (const state::BodyPair& p : list.pair) {
            ++pairs[p.first];
            ++pairs[p.second];
        }
        list.copies_of.assign(bodies.count(), 1);
        std::vector<std::uint32_t> first(bodies.count(), 0);
        for (std::uint32_t i = 0; i < bodies.dynamic_count; ++i) {
            if (pairs[i] > contacts_per_copy) {
                const std::uint32_t copies = (pairs[i] - 1) / contacts_per_copy + 1;
                first[i] = static_cast<std::uint32_t>(bodies.count()) + list.copy_count;
                list.splits.push_back({i, first[i], copies});
                list.copies_of[i] = copies;
                list.copy_count += copies;
            }
        }
        const auto slot_of = [&](std::uint32_t i) {
            return first[i] == 0 ? i : first[i] + next[i]++ % list.copies_of[i];
        };
        for (const state::BodyPair& p : list.pair) {
            list.slot.push_back({slot_of(p.first), slot_of(p.second)});
        }
        bodies.fit_lines(list.copy_count);
        bodies.velocity_before = bodies.velocity;
        for (const state::SplitBody& s : list.splits) {
            state::InertiaLine copy = bodies.inertia[s.body];
            for (double* entry : {&copy.inverse.xx, &copy.inverse.xy, &copy.inverse.xz,
                                  &copy.inverse.yy, &copy.inverse.yz, &copy.inverse.zz}) {
                *entry *= s.copies;
            }
            std::fill_n(bodies.inertia.begin() + s.first_copy, s.copies, copy);
            std::fill_n(bodies.velocity_before.begin() + s.first_copy, s.copies,
                        bodies.velocity_before[s.body]);
        }
    }

    /// The k-th contact point of a pair that lies in the lattice, or below its boulder.
    shapes::ContactPoint point(const state::BodyPair& p, std::uint64_t pair, std::uint64_t k) const
    {
        const shapes::Ball& a = bodies.ball[p.first];
        const shapes::Ball& b = bodies.ball[p.second];
        const bool floor = p.second >= bodies.dynamic_count;
        Vec3<double> normal{a.x - b.x, a.y - b.y, a.z - b.z};
        normal = floor ? Vec3<double>{0, 0, 1} : normalised(normal);
        const Vec3<double> at =
            Vec3<double>{a.x, a.y, a.z} - 0.05 * normal + vector(pair, 20 + 10 * k, 0.02);
        return {at, normal, draw(pair, 16 + k, -1e-4, 1e-5), static_cast<std::uint32_t>(k)};
    }

    void make_rows()
    {
        // Colours: the least that neither slot has.
        std::vector<std::uint64_t> taken(bodies.velocity.size(), 0);
        for (const state::BodyPair& s : list.slot) {
            const bool fixed = s.second >= bodies.dynamic_count && s.second < bodies.count();
            int colour = 0;
            while (((taken[s.first] | (fixed ? 0 : taken[s.second])) >> colour & 1) != 0) {
                ++colour;
            }
            taken[s.first] |= std::uint64_t(1) << colour;
            taken[s.second] |= std::uint64_t(1) << colour;
            list.colour.push_back(static_cast<std::uint8_t>(colour));
            list.colours = std::max(list.colours, colour + 1);
        }
        const state::ModelView m = view(model);
        const state::BodyView b = view(bodies);
        const bool allowed = model.settings.law != Law::projected;
        const auto is_round = [&](const state::BodyPair& p) {
            return allowed && candidates::round_rows(b.flags[p.first], b.flags[p.second]);
        };
        std::vector<std::array<std::uint32_t, 4>> row(list.pair.size());
        count.resize(list.pair.size());
        for (std::size_t p = 0; p < list.pair.size(); ++p) {
            count[p] = is_round(list.pair[p]) ? 1 : static_cast<std::uint8_t>(1 + p % 3);
        }
        const auto idle = static_cast<std::uint32_t>(bodies.count() + list.copy_count);
        // One group: the rows of a kind that `wanted` tells.
        const auto make_group = [&](state::RowKind kind, auto&& wanted, std::size_t k) {
            auto at = static_cast<std::uint32_t>(
                (kind == state::RowKind::general ? rows.general.size() : rows.round.size()) *
                state::block_lanes);
            const std::uint32_t begin = at;
            for (std::size_t p = 0; p < list.pair.size(); ++p) {
                const state::BodyPair pair = list.pair[p];
                if (!wanted(p) || k >= count[p]) {
                    continue;
                }
                const rows::PairFacts facts = rows::facts_of(m, b, pair, list.copies_of.data());
                const shapes::ContactPoint at_point = point(pair, p, k);
                const Vec3<double> start = 1e-4 * at_point.normal + vector(p, 60 + 3 * k, 1e-5);
                const std::uint32_t lane = at % state::block_lanes;
                if (kind == state::RowKind::general) {
                    rows.general.resize(at / state::block_lanes + 1);
                    rows::GeneralRow<double> made;
                    rows::prepare(m, b, facts, at_point, start, made);
                    rows::store(made, list.slot[p], rows.general.back(), lane);
                    row[p][k] = at | state::general_bit;
                } else {
                    rows.round.resize(at / state::block_lanes + 1);
                    rows::RoundRow<double> made = rows::round_parts(m, b, facts, &at_point, start);
                    rows::prepare(made, rows::load(b.velocity_before[pair.first]),
                                  rows::load(b.velocity_before[pair.second]),
                                  rows::constants_of(model.settings));
                    rows::store(made, list.slot[p], rows.round.back(), lane);
                    row[p][k] = at;
                }
                ++at;
            }
            if (at == begin) {
                return;
            }
            const std::uint32_t used = at;
            for (; at % state::block_lanes != 0; ++at) {
                const std::uint32_t lane = at % state::block_lanes;
                const state::BodyPair slot{idle + lane, idle + lane};
                if (kind == state::RowKind::general) {
                    rows::store_idle_general(slot, rows.general.back(), lane);
                } else {
                    rows::store_idle_round(slot, rows.round.back(), lane);
                }
            }
            rows.groups.push_back(
                {begin / state::block_lanes, at / state::block_lanes, kind, used});
        };
        for (const state::RowKind kind :
             {state::RowKind::round, state::RowKind::round_on_wall, state::RowKind::general}) {
            for (int colour = 0; colour < list.colours; ++colour) {
                const auto wanted = [&](std::size_t p) {
                    const bool wall = list.pair[p].second >= bodies.dynamic_count;
                    const state::RowKind is = !is_round(list.pair[p]) ? state::RowKind::general
                                              : wall ? state::RowKind::round_on_wall
                                                     : state::RowKind::round;
                    return is == kind && list.colour[p] == colour;
                };
                for (std::size_t k = 0; k < (kind == state::RowKind::general ? 3 : 1); ++k) {
                    make_group(kind, wanted, k);
                }
            }
        }
        for (std::size_t p = 0; p < list.pair.size(); ++p) {
            row_of.insert(row_of.end(), row[p].begin(), row[p].begin() + count[p]);
        }
    }

    PileKind kind_;
};

}  // namespace scree::test
