#include "stages/candidates/candidates.hpp"

#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "stages/candidates/speculative_margin.hpp"
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

void find_candidates(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                     double spare, Pass pass, Candidates& out)
{
    const std::size_t n = list.pair.size();
    const std::size_t chunks = exec::chunk_count(n, state::pair_chunk);
    const auto colours = static_cast<std::size_t>(list.colours);
    out.groups = group_kinds * list.colours;
    const auto groups = static_cast<std::size_t>(out.groups);
    if (out.chunks.size() < chunks) {
        out.chunks.resize(chunks);
    }
    exec::fit(out.count, n);
    out.group_count.assign(chunks * groups, 0);
    const state::ModelView m = state::view(model);
    const state::BodyView body = state::view(bodies);
    const state::PairView listed = state::view(list);
    const bool periodic = shapes::is_periodic(model.box);
    constexpr std::size_t ahead = 24;  // pairs whose bodies are asked for
    const bool round_rows_allowed = model.settings.law != Law::projected;
    // Without tensors all dynamic bodies are spheres, whose pairs need no flags.
    const bool in_packs = pass == Pass::first && bodies.inertia.empty() && round_rows_allowed;
    const MeetBalls meet_balls = candidates::meet_balls_of(model.isa);
    exec::for_chunks(
        n, state::pair_chunk, model.threads,
        [&](std::size_t c, std::size_t begin, std::size_t end) {
            Candidates::Chunk& chunk = out.chunks[c];
            chunk.points.clear();
            std::uint32_t contacts = 0;
            const Closing step = closing(model.settings, spare, pass);
            const shapes::Periodic box = model.box;
            // Local names, since a store to a byte could be to any of them.
            const state::BodyPair* const pairs = list.pair.data();
            const std::uint8_t* const flags = bodies.flags.data();
            const std::uint8_t* const colour_of = list.colour.data();
            const shapes::Ball* const balls = bodies.ball.data();
            const float* const reach = bodies.reach.data();
            std::uint8_t* const count = out.count.data();
            std::uint32_t* group = &out.group_count[c * groups];
            std::array<std::uint8_t, state::pair_chunk> answer;
            if (in_packs) {
                meet_balls({pairs, balls, reach, box, step.always,
                            static_cast<std::uint32_t>(bodies.dynamic_count)},
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
                    __builtin_prefetch(&balls[later]);
                    __builtin_prefetch(&reach[later]);
                    __builtin_prefetch(&flags[later]);
                }
                const state::BodyPair pair = pairs[p];
                const std::uint8_t flags_a = flags[pair.first];
                const std::uint8_t flags_b = flags[pair.second];
                const bool surprised = ((flags_a | flags_b) & state::flag_surprised) != 0;
                std::uint32_t found = 0;
                if ((flags_a & flags_b & state::flag_round) != 0) {
                    const shapes::Ball& a = balls[pair.first];
                    const shapes::Ball& b = balls[pair.second];
                    const Vec3<double> d = periodic ? shapes::image_difference(a, b, box)
                                                    : Vec3<double>{a.x - b.x, a.y - b.y, a.z - b.z};
                    const double coarse = static_cast<double>(reach[pair.first]) +
                                          static_cast<double>(reach[pair.second]);
                    // In a further pass none is lost that was found before.
                    const bool keep =
                        (pass == Pass::again && count[p] != 0) || (pass == Pass::wide && surprised);
                    found = spheres_meet(step, body, pair, d, a.r + b.r, coarse, keep);
                    if ((flags_b & state::flag_grouped) != 0 && found != 0 &&
                        is_covered(m, body, listed, p)) {
                        found = 0;
                    }
                } else if ((flags_a & flags_b & state::flag_alive) != 0) {
                    shapes::Manifold points;
                    find_candidate_points(m, body, listed, p, spare, points);
                    found = static_cast<std::uint32_t>(points.count);
                    chunk.points.insert(chunk.points.end(), points.points,
                                        points.points + points.count);
                }
                count[p] = static_cast<std::uint8_t>(found);
                contacts += found;
                const std::size_t colour = colour_of[p];
                if (round_rows_allowed && round_rows(flags_a, flags_b)) {
                    group[((flags_b & state::flag_prescribed) != 0 ? colours : 0) + colour] +=
                        found;
                } else {
                    for (std::uint32_t f = 0; f < found; ++f) {
                        ++group[general_group(colours, colour, f)];
                    }
                }
            }
            chunk.contacts = contacts;
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
        if (is_surprised(b, pairs.pair[p]) && is_missed(m, b, pairs, p, candidates.count[p])) {
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
