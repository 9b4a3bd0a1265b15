#include "stages/rows/make_rows.hpp"

#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "exec/tree_sum.hpp"
#include "scree/error.hpp"
#include "stages/rows/contact_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::rows {

namespace {

using Vec = Vec3<double>;

void count_gap(SetupReport& report, const GapState<double>& gap, std::size_t pair)
{
    // Contacts at rest are open or closed by chance: no branches on that.
    report.touching += gap.touching ? 1 : 0;
    report.penetrating += gap.penetrating ? 1 : 0;
    report.max_penetration = std::max(report.max_penetration, gap.depth);
    if (gap.deep) {
        ++report.deep;
        report.first_deep = std::min(report.first_deep, pair);
    }
}

}  // namespace

namespace {

/// Unused lanes from a place to the end of its block.
void fill_idle_lanes(state::ContactRows& rows, bool round, std::uint32_t from,
                     std::size_t idle_slot)
{
    for (std::uint32_t k = from; k % state::block_lanes != 0; ++k) {
        const std::uint32_t lane = k % state::block_lanes;
        const auto slot = static_cast<std::uint32_t>(idle_slot + lane);
        if (round) {
            store_idle_round({slot, slot}, rows.round[k / state::block_lanes], lane);
        } else {
            store_idle_general({slot, slot}, rows.general[k / state::block_lanes], lane);
        }
    }
}

}  // namespace

/// Gives every group of every region its blocks, every chunk its places in each group, and fills
/// unused lanes.
void Setup::place(const state::PairList& list, const candidates::Candidates& candidates,
                  std::size_t region_pairs, std::size_t idle_slot, state::ContactRows& rows)
{
    const std::size_t chunks = exec::chunk_count(list.pair.size(), state::pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    exec::fit(offset_, chunks * groups);
    exec::fit(chunk_first_, chunks);
    if (candidates.total >= state::general_bit / 8 * 7) {  // with unused lanes, rows have 31 bits
        throw Error("more than 1.8e9 contacts: the bodies lie inside each other, or there are too "
                    "many for one world");
    }
    std::uint32_t contact = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        chunk_first_[c] = contact;
        contact += candidates.chunks[c].contacts;
    }
    exec::fit(row_of_, contact);

    rows.groups.clear();
    rows.leg_end.fill(0);
    std::uint32_t blocks[2] = {0, 0};
    // A group of chunks [first, last).
    const auto lay = [&](std::size_t g, std::size_t first, std::size_t last, std::uint32_t part) {
        const bool round = g < 2 * colours;
        std::uint32_t& next_block = blocks[round ? 0 : 1];
        std::uint32_t at = next_block * state::block_lanes;
        for (std::size_t c = first; c < last; ++c) {
            offset_[c * groups + g] = at;
            at += candidates.group_count[c * groups + g];
        }
        const std::uint32_t end = (at + state::block_lanes - 1) / state::block_lanes;
        if (end > next_block) {
            const state::RowKind kind = g < colours ? state::RowKind::round
                                        : round     ? state::RowKind::round_on_wall
                                                    : state::RowKind::general;
            const int leg = state::leg_of(static_cast<int>(candidates::colour_of_group(colours, g)),
                                          list.leg_end.data());
            rows.groups.push_back(
                {next_block, end, kind, at, leg < state::leg_own ? state::no_part : part});
            next_block = end;
            if (leg < state::leg_own) {
                const auto to = rows.leg_end.begin() + leg;
                std::rotate(rows.groups.begin() + static_cast<std::ptrdiff_t>(*to),
                            rows.groups.end() - 1, rows.groups.end());
                std::for_each(to, rows.leg_end.end(), [](std::size_t& behind) { ++behind; });
            }
        }
    };
    const auto between_parts = [&](std::size_t g) {
        return candidates::colour_of_group(colours, g) >=
               static_cast<std::size_t>(list.own_colours);
    };
    // A part is swept region by region, of which the bodies stay in the cache.
    const std::size_t region =
        region_pairs == 0 ? chunks : (region_pairs + state::pair_chunk - 1) / state::pair_chunk;
    for (std::size_t part = 0; part < list.parts; ++part) {
        const std::size_t end = std::min(chunks, (part + 1) * list.part_chunks);
        for (std::size_t first = part * list.part_chunks; first < end; first += region) {
            for (std::size_t g = 0; g < groups; ++g) {
                if (!between_parts(g)) {
                    lay(g, first, std::min(end, first + region),
                        list.parts > 1 ? static_cast<std::uint32_t>(part) : state::no_part);
                }
            }
        }
    }
    for (std::size_t g = 0; g < groups; ++g) {
        if (between_parts(g)) {
            lay(g, 0, chunks, state::no_part);
        }
    }
    exec::fit(rows.round, blocks[0]);
    exec::fit(rows.general, blocks[1]);
    // A round contact is its pair's only one: features are kept where there are others.
    exec::fit(feature_, blocks[1] > 0 ? contact : 0);
    for (const state::Group& g : rows.groups) {
        // Threads write to idle lines, too: each part has its own.
        const std::size_t lines =
            g.part == state::no_part ? 0 : std::size_t(g.part) * state::block_lanes;
        fill_idle_lanes(rows, g.kind != state::RowKind::general, g.used, idle_slot + lines);
    }
}

namespace {

/// Asks for the parts of a block that will be written soon.
void ask_for(const state::RoundBlock& block, bool whole)
{
    const char* const begin = reinterpret_cast<const char*>(&block);
    for (std::size_t k = 0; whole && k < sizeof(state::RoundBlock); k += 64) {
        __builtin_prefetch(begin + k, 1);
    }
    for (const auto& numbers : block.impulse) {
        __builtin_prefetch(numbers, 1);
    }
    __builtin_prefetch(block.slot, 1);
}

/// What a contact's feature had in the last step.
Vec start_of(const state::StoredImpulses& stored, std::uint32_t first, std::uint32_t count,
             std::uint32_t feature)
{
    for (std::uint32_t k = first; k < first + count; ++k) {
        if ((stored.feature.empty() ? 0 : stored.feature[k]) == feature) {
            return stored.impulse[k];
        }
    }
    return {0, 0, 0};
}

bool are_spheres(const state::Bodies& bodies, state::BodyPair pair)
{
    return (bodies.flags[pair.first] & bodies.flags[pair.second] & state::flag_round) != 0;
}

/// Whether rows of two dynamic spheres are made from their balls, in packs: they have one surface,
/// and no copies.
bool rows_from_balls(const state::Model& model, const state::PairList& list)
{
    return model.settings.law != Law::projected && model.materials == 1 && list.copies_of.empty();
}

/// A pair with candidates, and where its old impulses begin.
struct Found {
    std::uint32_t pair, old_first;
};

}  // namespace

SetupReport Setup::run(const state::Model& model, state::Bodies& bodies,
                       const state::PairList& list, const candidates::Candidates& candidates,
                       const state::StoredImpulses& stored, state::ContactRows& rows)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, state::pair_chunk);
    const auto groups = static_cast<std::size_t>(candidates.groups);
    const auto colours = static_cast<std::size_t>(list.colours);
    place(list, candidates, state::region_pairs(model.settings), bodies.count() + list.copy_count,
          rows);
    chunk_reports_.assign(chunks, SetupReport{});
    const Settings& s = model.settings;
    const state::ModelView m = state::view(model);
    const state::BodyView body = state::view(bodies);
    const std::uint32_t* const copies_of = list.copies_of.empty() ? nullptr : list.copies_of.data();
    constexpr std::size_t ahead = 24;  // pairs whose bodies are asked for
    const bool with_features = !feature_.empty();
    const bool round_allowed = s.law != Law::projected;
    const bool warm = stored.count.size() == n;
    const bool all_round = bodies.inertia.empty();
    const bool from_balls = rows_from_balls(model, list);
    depth_.assign(rows.general.size() * state::block_lanes, 0);

    exec::for_chunks(
        n, state::pair_chunk, model.threads,
        [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            SetupReport report;
            std::uint32_t* next = &offset_[chunk * groups];
            std::uint32_t contact = chunk_first_[chunk];
            const shapes::ContactPoint* point = candidates.chunks[chunk].points.data();
            double speed2 = 0;
            // First the pairs that have candidates, without a branch that cannot be foretold.
            std::array<Found, state::pair_chunk + 1> found;
            std::size_t found_count = 0;
            std::uint32_t old = warm ? stored.chunk_first[chunk] : 0;
            for (std::size_t p = begin; p < end; ++p) {
                found[found_count] = {static_cast<std::uint32_t>(p), old};
                found_count += candidates.count[p] > 0 ? 1 : 0;
                old += warm ? stored.count[p] : 0;
            }
            for (std::size_t i = 0; i < found_count; ++i) {
                if (i + ahead < found_count) {
                    const Found later = found[i + ahead];
                    if (!from_balls) {
                        __builtin_prefetch(&bodies.ball[list.pair[later.pair].second]);
                    }
                    if (!from_balls || !all_round) {
                        __builtin_prefetch(&bodies.flags[list.pair[later.pair].second]);
                    }
                    if (warm) {
                        __builtin_prefetch(stored.impulse.data() + later.old_first);
                    }
                }
                const std::size_t p = found[i].pair;
                const state::BodyPair pair = list.pair[p];
                const std::uint32_t count = candidates.count[p];
                const std::uint32_t old_first = found[i].old_first;
                const std::uint32_t old_count = warm ? stored.count[p] : 0;
                if (from_balls && pair.second < bodies.dynamic_count &&
                    (all_round || are_spheres(bodies, pair))) {
                    const std::uint32_t at = next[list.colour[p]]++;
                    state::RoundBlock& block = rows.round[at / state::block_lanes];
                    const std::uint32_t lane = at % state::block_lanes;
                    if (lane == 0) {
                        ask_for(*(&block + 1), false);
                    }
                    if (with_features) {
                        feature_[contact] = 0;
                    }
                    row_of_[contact++] = at;
                    const Vec start = old_count > 0 ? stored.impulse[old_first] : Vec{0, 0, 0};
                    store_start(s.warm_start * start, pair, block, lane);
                    continue;
                }
                const std::uint8_t flags_a = bodies.flags[pair.first];
                const std::uint8_t flags_b = bodies.flags[pair.second];
                const bool spheres = are_spheres(bodies, pair);
                const state::BodyPair slot = copies_of != nullptr ? list.slot[p] : pair;

                if (round_allowed && candidates::round_rows(flags_a, flags_b)) {
                    // Facts that are never pointed to stay in registers.
                    const PairFacts facts = facts_of(m, body, pair, copies_of);
                    const std::uint32_t at =
                        next[(facts.prescribed ? colours : 0) + list.colour[p]]++;
                    state::RoundBlock& block = rows.round[at / state::block_lanes];
                    const std::uint32_t lane = at % state::block_lanes;
                    if (lane == 0) {
                        ask_for(*(&block + 1), true);
                    }
                    if (with_features) {
                        feature_[contact] = 0;
                    }
                    row_of_[contact++] = at;
                    const Vec start = old_count > 0 ? stored.impulse[old_first] : Vec{0, 0, 0};
                    store(round_parts(m, body, facts, spheres ? nullptr : point, start), slot,
                          block, lane);
                    point += spheres ? 0 : 1;
                    continue;
                }
                const PairFacts facts = facts_of(m, body, pair, copies_of);
                for (std::uint32_t f = 0; f < count; ++f, ++contact) {
                    const shapes::ContactPoint at_point =
                        spheres ? point_of_spheres(body, facts) : *point++;
                    const Vec start = start_of(stored, old_first, old_count, at_point.feature);
                    GeneralRow<double> row;
                    const GeneralPrepared made =
                        rows::prepare(m, body, facts, at_point, start, row);
                    const GapState<double> gap =
                        state_of_gap(made.gap, made.radius, s.deep_penetration);
                    count_gap(report, gap, p);
                    speed2 = std::max(speed2, made.speed2);
                    report.bouncing += made.bounces ? 1 : 0;
                    if (made.degenerate) {
                        ++report.degenerate;
                        report.first_degenerate = std::min(report.first_degenerate, p);
                    }
                    feature_[contact] = at_point.feature;
                    const std::uint32_t at =
                        next[candidates::general_group(colours, list.colour[p], f)]++;
                    row_of_[contact] = at | state::general_bit;
                    depth_[at] = gap.depth;
                    store(row, slot, rows.general[at / state::block_lanes],
                          at % state::block_lanes);
                }
            }
            report.relative_speed = std::sqrt(speed2);
            chunk_reports_[chunk] = report;
        });

    SetupReport all = prepare(model, bodies, list, candidates, rows);
    for (const SetupReport& r : chunk_reports_) {
        all.touching += r.touching;
        all.max_penetration = std::max(all.max_penetration, r.max_penetration);
        all.penetrating += r.penetrating;
        all.deep += r.deep;
        all.degenerate += r.degenerate;
        all.bouncing += r.bouncing;
        all.first_deep = std::min(all.first_deep, r.first_deep);
        all.first_degenerate = std::min(all.first_degenerate, r.first_degenerate);
        all.relative_speed = std::max(all.relative_speed, r.relative_speed);
    }
    all.penetration_sum += exec::tree_sum<1>(depth_.size(), 1, depth_sums_, [&](std::size_t i) {
                               return exec::Sums<1>{{depth_[i]}};
                           }).of[0];
    return all;
}

namespace {

/// The first pair with a round row that penetrates too deep.
std::size_t first_deep_pair(const state::Model& model, const state::Bodies& bodies,
                            const state::PairList& list, const candidates::Candidates& candidates)
{
    const shapes::ContactPoint* point = nullptr;
    for (std::size_t p = 0; p < list.pair.size(); ++p) {
        if (p % state::pair_chunk == 0) {
            point = candidates.chunks[p / state::pair_chunk].points.data();
        }
        const state::BodyPair pair = list.pair[p];
        const shapes::Ball& a = bodies.ball[pair.first];
        const shapes::Ball& b = bodies.ball[pair.second];
        const int count = candidates.count[p];
        const bool spheres = are_spheres(bodies, pair);
        double depth = 0;
        double radius = a.r;
        if (count > 0 && spheres) {
            depth = a.r + b.r - norm(image_difference(a, b, model.box));
            radius = std::min(a.r, b.r);
        } else if (count > 0) {
            depth = -point->gap;
            point += count;
        }
        if (depth > model.settings.deep_penetration * radius &&
            candidates::has_round_rows(model, bodies, pair)) {
            return p;
        }
    }
    return SIZE_MAX;
}

}  // namespace

/// Completes the round rows and counts them.
SetupReport Setup::prepare(const state::Model& model, state::Bodies& bodies,
                           const state::PairList& list, const candidates::Candidates& candidates,
                           state::ContactRows& rows)
{
    SetupReport report;
    if (rows.round.empty()) {
        return report;
    }
    // Rows of split bodies look at their copies, which have the velocities of some earlier step.
    const auto give = [&](const auto& s) {
        std::fill_n(bodies.velocity_before.begin() + s.first_copy, s.copies,
                    bodies.velocity_before[s.body]);
    };
    std::for_each(list.splits.begin(), list.splits.end(), give);
    std::for_each(list.shared.begin(), list.shared.end(), give);
    PrepareData data = rows::prepare_data(model, bodies, rows);
    if (rows_from_balls(model, list)) {
        const Settings& s = model.settings;
        const Surface& surface = model.surfaces[0];
        data.spheres = {bodies.ball.data(), model.box, surface.restitution, friction_of(s, surface),
                        s.relaxation};
    }
    const PrepareRows prepare_rows = rows::prepare_rows_of(model.isa);
    const exec::Sums<rows::row_sum_count> sums =
        sums_.run(rows.round.size(), 0, int(rows::prepared_max_depth), model.threads,
                  [&](state::RowKind, std::uint32_t begin, std::uint32_t end, LaneSums* to) {
                      prepare_rows(data, begin, end, to);
                  });
    const auto count = [&](PreparedSum which) { return static_cast<std::size_t>(sums.of[which]); };
    report.touching = count(rows::prepared_touching);
    report.penetrating = count(rows::prepared_penetrating);
    report.bouncing = count(rows::prepared_bouncing);
    report.deep = count(rows::prepared_deep);
    report.penetration_sum = sums.of[rows::prepared_depth];
    report.max_penetration = sums.of[rows::prepared_max_depth];
    report.relative_speed = std::sqrt(sums.of[rows::prepared_max_speed2]);
    if (report.deep > 0) {
        report.first_deep = first_deep_pair(model, bodies, list, candidates);
    }
    return report;
}

std::size_t Setup::bytes() const
{
    return (row_of_.capacity() + feature_.capacity() + chunk_first_.capacity() +
            offset_.capacity()) *
               sizeof(std::uint32_t) +
           chunk_reports_.capacity() * sizeof(SetupReport);
}

void store_impulses(const state::Model& model, const state::ContactRows& rows, const Setup& setup,
                    const candidates::Candidates& candidates, state::StoredImpulses& stored)
{
    const std::vector<std::uint32_t>& row_of = setup.row_of();
    const auto copy = [](const auto& from, auto& to) {
        exec::fit(to, from.size());
        std::copy(from.begin(), from.end(), to.begin());
    };
    copy(candidates.count, stored.count);
    copy(setup.chunk_first(), stored.chunk_first);
    copy(setup.feature(), stored.feature);
    exec::fit(stored.impulse, row_of.size());
    constexpr std::size_t ahead = 24;  // contacts whose rows are asked for
    exec::for_each(row_of.size(), model.threads, [&](std::size_t i) {
        if (i + ahead < row_of.size() && (row_of[i + ahead] & state::general_bit) == 0) {
            for (const auto& numbers : rows.round[row_of[i + ahead] / state::block_lanes].impulse) {
                __builtin_prefetch(numbers);
            }
        }
        const std::uint32_t at = row_of[i] & ~state::general_bit;
        stored.impulse[i] =
            (row_of[i] & state::general_bit) == 0
                ? impulse_of(rows.round[at / state::block_lanes], at % state::block_lanes)
                : impulse_of(rows.general[at / state::block_lanes], at % state::block_lanes);
    });
}

}  // namespace scree::rows
