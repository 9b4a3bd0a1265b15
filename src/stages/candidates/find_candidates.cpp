// Candidates of all pairs on the host, chunk by chunk, and afterwards those that were missed.
#include "stages/candidates/candidates.hpp"

#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "stages/candidates/missed_pairs.hpp"
#include "stages/candidates/sphere_pack.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace scree::candidates {

void begin_step(const state::Model& model, state::Bodies& bodies, double spare)
{
    const state::ModelView m = state::view(model);
    const state::BodyView b = state::view(bodies);
    exec::for_each(bodies.count(), model.threads,
                   [&](std::size_t i) { begin_step(m, b, i, spare); });
}

namespace {

/// What all chunks of pairs are searched with.
struct Search {
    state::ModelView model;
    state::BodyView bodies;
    const state::PairList& list;
    Closing step;
    Pass pass;
    bool in_packs;  ///< dynamic bodies are all spheres, most pairs of which packs decide
    MeetBalls meet_balls;
};

/// Of two spheres: 1 if they are candidates. `was`: they have been before.
[[gnu::always_inline]] inline std::uint32_t find_of_spheres(const Search& s, std::size_t p,
                                                            bool was)
{
    const state::BodyPair pair = s.list.pair[p];
    const shapes::Ball& a = s.bodies.ball[pair.first];
    const shapes::Ball& b = s.bodies.ball[pair.second];
    const Vec3<double> d = shapes::is_periodic(s.model.box)
                               ? shapes::image_difference(a, b, s.model.box)
                               : Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z};
    const bool keep = stays_candidate(s.pass, was, exceeds_margin(s.bodies, pair));
    const unsigned met = spheres_meet(s.step, s.bodies, pair, d, a.r + b.r,
                                      coarse_margin(s.bodies.reach, pair), keep);
    return met != 0 && spheres_are_covered(s.model, s.bodies, state::view(s.list), p) ? 0 : met;
}

/// How many contacts pair p can have; their points, if it is not two spheres, go to the chunk.
[[gnu::always_inline]] inline std::uint32_t find_of_pair(const Search& s, std::size_t p, bool was,
                                                         Candidates::Chunk& chunk)
{
    const state::BodyPair pair = s.list.pair[p];
    const std::uint8_t both = s.bodies.flags[pair.first] & s.bodies.flags[pair.second];
    if ((both & state::flag_round) != 0) {
        return find_of_spheres(s, p, was);
    }
    if ((both & state::flag_alive) == 0) {
        return 0;
    }
    shapes::Manifold points;
    find_candidate_points(s.model, s.bodies, state::view(s.list), p, s.step.spare, points);
    chunk.points.insert(chunk.points.end(), points.points, points.points + points.count);
    return static_cast<std::uint32_t>(points.count);
}

/// Searches the pairs [begin, end) of one chunk. `group`: its contacts by group, 0 before.
void search_chunk(const Search& s, std::size_t begin, std::size_t end, Candidates::Chunk& chunk,
                  std::uint8_t* count, std::uint32_t* group)
{
    constexpr std::size_t ahead = 24;  // pairs whose bodies are asked for
    // Local names, since a store to a byte could be to any of them.
    const Search search = s;
    const state::BodyPair* const pairs = s.list.pair.data();
    const std::uint8_t* const flags = s.bodies.flags;
    const std::uint8_t* const colour_of = s.list.colour.data();
    const std::size_t n = s.list.pair.size();
    const auto colours = static_cast<std::size_t>(s.list.colours);
    const bool in_packs = s.in_packs;
    std::uint32_t contacts = 0;
    chunk.points.clear();
    std::array<std::uint8_t, state::pair_chunk> answer;
    if (in_packs) {
        s.meet_balls({pairs, s.bodies.ball, s.bodies.reach, s.model.box, s.step.always,
                      static_cast<std::uint32_t>(s.bodies.dynamic_count)},
                     begin, end, answer.data());
    }
    for (std::size_t p = begin; p < end; ++p) {
        if (in_packs && answer[p - begin] != candidates::balls_unclear) {
            const std::uint8_t found = answer[p - begin];
            count[p] = found;
            contacts += found;
            group[colour_of[p]] += found;
            continue;
        }
        if (!in_packs && p + ahead < n) {
            const std::uint32_t later = pairs[p + ahead].second;
            __builtin_prefetch(&search.bodies.ball[later]);
            __builtin_prefetch(&search.bodies.reach[later]);
            __builtin_prefetch(&flags[later]);
        }
        const std::uint32_t found = find_of_pair(search, p, count[p] != 0, chunk);
        count[p] = static_cast<std::uint8_t>(found);
        contacts += found;
        const state::RowKind kind =
            row_kind(search.model.settings.law, flags[pairs[p].first], flags[pairs[p].second]);
        if (kind != state::RowKind::general) {
            group[group_of(colours, kind, colour_of[p], 0)] += found;
            continue;
        }
        for (std::uint32_t f = 0; f < found; ++f) {
            ++group[group_of(colours, kind, colour_of[p], f)];
        }
    }
    chunk.contacts = contacts;
}

}  // namespace

void find_candidates(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                     double spare, Pass pass, Candidates& out)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, state::pair_chunk);
    out.groups = group_kinds * list.colours;
    const auto groups = static_cast<std::size_t>(out.groups);
    if (out.chunks.size() < chunks) {
        out.chunks.resize(chunks);
    }
    exec::fit(out.count, n);
    out.group_count.assign(chunks * groups, 0);
    // Without tensors all dynamic bodies are spheres, whose pairs need no flags.
    const bool in_packs =
        pass == Pass::first && bodies.inertia.empty() && model.settings.law != Law::projected;
    const Search search{state::view(model),
                        state::view(bodies),
                        list,
                        closing(model.settings, spare, pass),
                        pass,
                        in_packs,
                        candidates::meet_balls_of(model.isa)};
    exec::for_chunks(n, state::pair_chunk, model.threads,
                     [&](std::size_t c, std::size_t begin, std::size_t end) {
                         search_chunk(search, begin, end, out.chunks[c], out.count.data(),
                                      &out.group_count[c * groups]);
                     });
    out.total = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        out.total += out.chunks[c].contacts;
    }
}

std::size_t find_missed(const state::Model& model, state::Bodies& bodies,
                        const state::PairList& list, double spare, const Candidates& candidates,
                        std::size_t& first)
{
    const state::ModelView m = state::view(model);
    const state::BodyView b = state::view(bodies);
    const double any = exec::largest(bodies.dynamic_count, model.threads, 0, [&](std::size_t i) {
        return surprise(m, b, i, spare) ? 1.0 : 0.0;
    });
    if (any == 0) {
        return 0;
    }
    const state::PairView pairs = state::view(list);
    std::atomic<std::size_t> missed{0};
    std::atomic<std::size_t> first_pair{pairs.count};
    exec::for_each(pairs.count, model.threads, [&](std::size_t p) {
        if (exceeds_margin(b, pairs.pair[p]) && is_missed(m, b, pairs, p, candidates.count[p])) {
            ++missed;
            std::size_t known = first_pair;
            while (p < known && !first_pair.compare_exchange_weak(known, p)) {
            }
        }
    });
    first = first_pair;
    return missed;
}

}  // namespace scree::candidates
