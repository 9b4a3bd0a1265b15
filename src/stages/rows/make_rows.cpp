// Rows of all candidates, chunk by chunk of pairs; round ones are made whole in packs afterwards.
#include "stages/rows/make_rows.hpp"

#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "exec/tree_sum.hpp"
#include "stages/rows/contact_rule.hpp"
#include "stages/rows/warm_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::rows {

namespace {

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

/// What some chunks report, with what others do.
void join(SetupReport& all, const SetupReport& r)
{
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

/// Whether rows of two dynamic spheres are made from their balls, in packs: they have one surface,
/// and no copies.
bool rows_from_balls(const state::Model& model, const state::PairList& list)
{
    return model.settings.law != Law::projected && model.materials == 1 && list.copies_of.empty();
}

/// A pair with candidates, and its old impulses.
struct Found {
    std::uint32_t pair, old_first, old_count;
};

/// What the rows of all chunks are made from, and where they go.
struct RowsOfPass {
    state::ModelView model;
    state::BodyView bodies;
    const state::PairList& list;
    const candidates::Candidates& candidates;
    const state::StoredImpulses& stored;
    state::ContactRows& rows;
    OldImpulses old;
    const std::uint32_t* copies_of;   ///< null: none
    std::uint32_t *row_of, *feature;  ///< of contacts; no features where all rows are round
    double* depth;                    ///< of general rows
    bool warm;                        ///< the stored impulses are of these pairs
    bool all_round;                   ///< all dynamic bodies are spheres
    bool from_balls;                  ///< see rows_from_balls
};

/// Makes the rows of one chunk of pairs. `next`: the next place in each group.
class ChunkRows {
public:
    [[gnu::always_inline]] ChunkRows(const RowsOfPass& pass, std::uint32_t* next,
                                     std::uint32_t contact, const shapes::ContactPoint* point)
        : pass_(pass), next_(next), contact_(contact), point_(point)
    {
    }
    /// Of the pairs [begin, end), whose old impulses begin at `old`.
    [[gnu::always_inline]] SetupReport make(std::size_t begin, std::size_t end, std::uint32_t old)
    {
        std::array<Found, state::pair_chunk + 1> found;
        const std::size_t count = find_pairs(begin, end, old, found);
        constexpr std::size_t ahead = 24;  // pairs whose bodies are asked for
        for (std::size_t i = 0; i < count; ++i) {
            if (i + ahead < count) {
                ask_for_bodies(found[i + ahead]);
            }
            make_pair(found[i]);
        }
        report_.relative_speed = std::sqrt(speed2_);
        return report_;
    }

private:
    struct Place {
        state::RoundBlock& block;
        std::uint32_t lane;
    };

    /// The pairs that have candidates, without a branch that cannot be foretold.
    [[gnu::always_inline]] std::size_t
    find_pairs(std::size_t begin, std::size_t end, std::uint32_t old,
               std::array<Found, state::pair_chunk + 1>& found) const
    {
        std::size_t count = 0;
        for (std::size_t p = begin; p < end; ++p) {
            const std::uint32_t old_count = pass_.warm ? pass_.stored.count[p] : 0;
            found[count] = {static_cast<std::uint32_t>(p), old, old_count};
            count += pass_.candidates.count[p] > 0 ? 1 : 0;
            old += old_count;
        }
        return count;
    }
    [[gnu::always_inline]] void ask_for_bodies(const Found& later) const
    {
        const std::uint32_t second = pass_.list.pair[later.pair].second;
        if (!pass_.from_balls) {
            __builtin_prefetch(&pass_.bodies.ball[second]);
        }
        if (!pass_.from_balls || !pass_.all_round) {
            __builtin_prefetch(&pass_.bodies.flags[second]);
        }
        if (pass_.warm) {
            __builtin_prefetch(pass_.old.impulse + later.old_first);
        }
    }
    [[nodiscard]] [[gnu::always_inline]] bool are_spheres(state::BodyPair pair) const
    {
        const std::uint8_t* const flags = pass_.bodies.flags;
        return (flags[pair.first] & flags[pair.second] & state::flag_round) != 0;
    }
    [[gnu::always_inline]] void make_pair(const Found& found)
    {
        const state::BodyPair pair = pass_.list.pair[found.pair];
        if (pass_.from_balls && pair.second < pass_.bodies.dynamic_count &&
            (pass_.all_round || are_spheres(pair))) {
            make_of_balls(found, pair);
            return;
        }
        const std::uint8_t* const flags = pass_.bodies.flags;
        const state::RowKind kind =
            candidates::row_kind(pass_.model.settings.law, flags[pair.first], flags[pair.second]);
        const state::BodyPair slot =
            pass_.copies_of != nullptr ? pass_.list.slot[found.pair] : pair;
        const PairFacts facts = facts_of(pass_.model, pass_.bodies, pair, pass_.copies_of);
        if (kind == state::RowKind::general) {
            make_general(found, facts, slot);
        } else {
            make_round(found, facts, slot, kind);
        }
    }
    /// The next round row of a group; `whole`: all parts of it will be written.
    [[gnu::always_inline]] Place next_round(std::size_t group, bool whole)
    {
        const std::uint32_t at = next_[group]++;
        state::RoundBlock& block = pass_.rows.round[at / state::block_lanes];
        const std::uint32_t lane = at % state::block_lanes;
        if (lane == 0) {
            ask_for(*(&block + 1), whole);
        }
        if (pass_.feature != nullptr) {
            pass_.feature[contact_] = 0;
        }
        pass_.row_of[contact_++] = at;
        return {block, lane};
    }
    /// Two dynamic spheres of a world of one surface, without copies: the rest is made in packs.
    [[gnu::always_inline]] void make_of_balls(const Found& found, state::BodyPair pair)
    {
        const Place to = next_round(pass_.list.colour[found.pair], false);
        const Vec3<double> start = pass_.old.of_only(found.old_first, found.old_count);
        store_start(pass_.model.settings.warm_start * start, pair, to.block, to.lane);
    }
    [[gnu::always_inline]] void make_round(const Found& found, const PairFacts& facts,
                                           state::BodyPair slot, state::RowKind kind)
    {
        const auto colours = static_cast<std::size_t>(pass_.list.colours);
        const std::size_t colour = pass_.list.colour[found.pair];
        const bool spheres = are_spheres(facts.pair);
        const Place to = next_round(candidates::group_of(colours, kind, colour, 0), true);
        const Vec3<double> start = pass_.old.of_only(found.old_first, found.old_count);
        store(round_parts(pass_.model, pass_.bodies, facts, spheres ? nullptr : point_, start),
              slot, to.block, to.lane);
        point_ += spheres ? 0 : 1;
    }
    [[gnu::always_inline]] void make_general(const Found& found, const PairFacts& facts,
                                             state::BodyPair slot)
    {
        const auto colours = static_cast<std::size_t>(pass_.list.colours);
        const bool spheres = are_spheres(facts.pair);
        for (std::uint32_t f = 0; f < pass_.candidates.count[found.pair]; ++f, ++contact_) {
            const shapes::ContactPoint point =
                spheres ? point_of_spheres(pass_.bodies, facts) : *point_++;
            const Vec3<double> start =
                pass_.old.of_feature(found.old_first, found.old_count, point.feature);
            GeneralRow<double> row;
            const GeneralPrepared made =
                rows::prepare(pass_.model, pass_.bodies, facts, point, start, row);
            const std::uint32_t at = next_[candidates::group_of(
                colours, state::RowKind::general, pass_.list.colour[found.pair], f)]++;
            note_general(made, found.pair, at);
            pass_.feature[contact_] = point.feature;
            pass_.row_of[contact_] = at | state::general_bit;
            store(row, slot, pass_.rows.general[at / state::block_lanes], at % state::block_lanes);
        }
    }
    [[gnu::always_inline]] void note_general(const GeneralPrepared& made, std::size_t pair,
                                             std::uint32_t at)
    {
        const GapState<double> gap =
            state_of_gap(made.gap, made.radius, pass_.model.settings.deep_penetration);
        count_gap(report_, gap, pair);
        pass_.depth[at] = gap.depth;
        speed2_ = std::max(speed2_, made.speed2);
        report_.bouncing += made.bounces ? 1 : 0;
        if (made.degenerate) {
            ++report_.degenerate;
            report_.first_degenerate = std::min(report_.first_degenerate, pair);
        }
    }

    const RowsOfPass& pass_;
    std::uint32_t* next_;
    std::uint32_t contact_;
    const shapes::ContactPoint* point_;
    double speed2_ = 0;
    SetupReport report_;
};

}  // namespace

SetupReport Setup::run(const state::Model& model, state::Bodies& bodies,
                       const state::PairList& list, const candidates::Candidates& candidates,
                       const state::StoredImpulses& stored, state::ContactRows& rows)
{
    const std::size_t n = list.pair.size();
    const auto groups = static_cast<std::size_t>(candidates.groups);
    place(list, candidates, state::region_pairs(model.settings), bodies.count() + list.copy_count,
          rows);
    chunk_reports_.assign(exec::chunk_count(n, state::pair_chunk), SetupReport{});
    depth_.assign(rows.general.size() * state::block_lanes, 0);
    const auto or_null = [](auto& column) { return column.empty() ? nullptr : column.data(); };
    const bool warm = stored.count.size() == n;
    const RowsOfPass pass{.model = state::view(model),
                          .bodies = state::view(bodies),
                          .list = list,
                          .candidates = candidates,
                          .stored = stored,
                          .rows = rows,
                          .old = {stored.impulse.data(), or_null(stored.feature)},
                          .copies_of = or_null(list.copies_of),
                          .row_of = row_of_.data(),
                          .feature = or_null(feature_),
                          .depth = depth_.data(),
                          .warm = warm,
                          .all_round = bodies.inertia.empty(),
                          .from_balls = rows_from_balls(model, list)};
    exec::for_chunks(n, state::pair_chunk, model.threads,
                     [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                         ChunkRows made(pass, &offset_[chunk * groups], chunk_first_[chunk],
                                        candidates.chunks[chunk].points.data());
                         chunk_reports_[chunk] =
                             made.make(begin, end, warm ? stored.chunk_first[chunk] : 0);
                     });

    SetupReport all = prepare(model, bodies, list, candidates, rows);
    for (const SetupReport& r : chunk_reports_) {
        join(all, r);
    }
    all.penetration_sum += exec::tree_sum<1>(depth_.size(), 1, depth_sums_, [&](std::size_t i) {
                               return exec::Sums<1>{{depth_[i]}};
                           }).of[0];
    return all;
}

/// The first pair with a round row that penetrates too deep. No row is noted any more then.
std::size_t Setup::first_deep_pair(const candidates::Candidates& candidates)
{
    std::size_t pair = 0;
    int left = 0;  // contacts of that pair
    const auto is_deep = [&](std::uint32_t row) {
        for (; left == 0; ++pair) {
            left = candidates.count[pair];
        }
        --left;
        return (row & state::general_bit) == 0 && deep_rows_[row] != 0;
    };
    const bool any = std::any_of(row_of_.begin(), row_of_.end(), is_deep);
    std::fill(deep_rows_.begin(), deep_rows_.end(), std::uint8_t{0});
    return any ? pair - 1 : SIZE_MAX;
}

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
    exec::fit(deep_rows_, rows.round.size() * state::block_lanes);
    PrepareData data = rows::prepare_data(model, bodies, rows, deep_rows_.data());
    if (rows_from_balls(model, list)) {
        const Settings& s = model.settings;
        const ContactMaterial& surface = model.surfaces[0];
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
        report.first_deep = first_deep_pair(candidates);
    }
    return report;
}

std::size_t Setup::bytes() const
{
    return (row_of_.capacity() + feature_.capacity() + chunk_first_.capacity() +
            offset_.capacity()) *
               sizeof(std::uint32_t) +
           deep_rows_.capacity() + chunk_reports_.capacity() * sizeof(SetupReport);
}

}  // namespace scree::rows
