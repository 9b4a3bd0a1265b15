// The verbs of contact_rule.hpp on packs of contacts: the loop that every instruction
// set compiles for itself. Instantiated with pack types only (see batch_kernel.hpp for why), and
// with double where no instruction set is known.
#pragma once

#include "exec/line_packs.hpp"
#include "stages/relax/contact_rule.hpp"
#include "stages/relax/sweep_pack.hpp"
#include "stages/rows/row_pack_kernel.hpp"

namespace scree::relax {

template <class T> struct PackSweep : rows::RowPacks<T> {
    using Base = rows::RowPacks<T>;
    using Base::width, Base::load, Base::store, Base::load3, Base::load_body, Base::store_lines,
        Base::load_row, Base::add;
    using typename Base::Body;
    template <Verb verb>
    using PartialSums = typename Base::template PartialSums<verb == Verb::account, int(sum_count)>;
    [[gnu::always_inline]] static void store_body(const SweepData& d, const Body& body,
                                                  const std::uint32_t* slot)
    {
        double* line[width];
        for (int i = 0; i < width; ++i) {
            line[i] = &d.velocity[slot[i]].v.x;
        }
        store_lines(body, line);
    }
    /// The same where some lanes' bodies are prescribed: other threads read their lines.
    [[gnu::always_inline]] static void store_movable(const SweepData& d, const Body& body,
                                                     const std::uint32_t* slot,
                                                     state::VelocityLine* trash)
    {
        double* line[width];
        for (int i = 0; i < width; ++i) {
            const bool fixed = slot[i] - d.fixed_begin < d.fixed_end - d.fixed_begin;
            line[i] = fixed ? &trash[i].v.x : &d.velocity[slot[i]].v.x;
        }
        store_lines(body, line);
    }
    [[gnu::always_inline]] static Sym3<T> load_inertia(const state::InertiaLine* lines,
                                                       const std::uint32_t* slot)
    {
        const double* line[width];
        for (int i = 0; i < width; ++i) {
            line[i] = &lines[slot[i]].inverse.xx;
        }
        T p[8];
        exec::Lines<T>::load(line, p);
        return {p[0], p[1], p[2], p[3], p[4], p[5]};
    }

    [[gnu::always_inline]] static void add(rows::LaneSums& sums, int lane, const Work<T>& work)
    {
        add(sums, sum_normal, lane, work.normal);
        add(sums, sum_friction, lane, work.friction);
        add(sums, sum_wall, lane, work.wall);
        add(sums, sum_correction, lane, work.correction);
        add(sums, sum_gap, lane, work.gap);
        add(sums, sum_restitution, lane, work.restitution);
        add(sums, sum_active, lane, work.active);
    }

    template <Verb verb, state::RowKind kind>
    [[gnu::always_inline]] static void round(const SweepData& d, state::RoundBlock& block, int lane,
                                             T& residual2, rows::LaneSums* sums)
    {
        using namespace math;
        rows::RoundRow<T> c = load_row(block, lane);
        const std::uint32_t* slot_a = block.slot[0] + lane;
        const std::uint32_t* slot_b = block.slot[1] + lane;
        Body a = load_body(d.velocity, slot_a);
        Body b = load_body(d.velocity, slot_b);
        if constexpr (verb == Verb::account) {
            add(*sums, lane,
                relax::work_of(c, load_body(d.before, slot_a), load_body(d.before, slot_b), a, b));
            return;
        }
        if constexpr (verb == Verb::apply) {
            relax::apply(c, c.impulse, a, b);
            store_bodies<kind>(d, a, b, slot_a, slot_b);
        } else {
            const auto known = relax::block_of(c, a, b);
            const auto pose = relax::trial_impulse(c, known, a, b);
            residual2 = larger(relax::velocity_of(known, pose.x_n, relax::project_on_cone(c, pose)),
                               residual2);
        }
    }
    template <state::RowKind kind>
    [[gnu::always_inline]] static void store_bodies(const SweepData& d, const Body& a,
                                                    const Body& b, const std::uint32_t* slot_a,
                                                    const std::uint32_t* slot_b)
    {
        store_body(d, a, slot_a);
        // Lines that no impulse moves are not written: other threads read them.
        if constexpr (kind == state::RowKind::round) {
            store_body(d, b, slot_b);
        }
    }

    /// The two halves of relaxing a pack of round rows, of which the second waits for a root and a
    /// quotient.
    struct Posed {
        Body a, b;
        KnownBlock<T> known;
        law::TrialImpulse<T> pose;
    };
    [[gnu::always_inline]] static Posed pose(const SweepData& d, const state::RoundBlock& block,
                                             int lane)
    {
        Posed p;
        p.a = load_body(d.velocity, block.slot[0] + lane);
        p.b = load_body(d.velocity, block.slot[1] + lane);
        const rows::RoundRow<T> c = load_row(block, lane);
        p.known = relax::block_of(c, p.a, p.b);
        p.pose = relax::trial_impulse(c, p.known, p.a, p.b);
        return p;
    }
    template <state::RowKind kind, bool measured>
    [[gnu::always_inline]] static void finish(const SweepData& d, state::RoundBlock& block,
                                              int lane, Posed& p, T& residual2)
    {
        using namespace math;
        const rows::RoundRow<T> c = load_row(block, lane);
        Vec3<T> change = relax::project_on_cone(c, p.pose);
        if constexpr (measured) {
            residual2 = larger(relax::velocity_of(p.known, p.pose.x_n, change), residual2);
        }
        change = abs(c.weight) * change;
        const Vec3<T> impulse = c.impulse + change;
        store(impulse.x, block.impulse[0] + lane);
        store(impulse.y, block.impulse[1] + lane);
        store(impulse.z, block.impulse[2] + lane);
        relax::apply(c, change, p.a, p.b);
        store_bodies<kind>(d, p.a, p.b, block.slot[0] + lane, block.slot[1] + lane);
    }
    /// Relaxes round rows of one group. They share no bodies: while one pack waits, the next one is
    /// begun. The loop does two, so that neither has to move to the other's place.
    template <state::RowKind kind, bool measured>
    static double relax_round(const SweepData& d, std::uint32_t begin, std::uint32_t end)
    {
        constexpr std::uint32_t packs = state::block_lanes / width;
        const auto block = [&](std::uint32_t k) __attribute__((always_inline))->state::RoundBlock&
        {
            return d.round[begin + k / packs];
        };
        const auto lane = [](std::uint32_t k) __attribute__((always_inline))
        {
            return static_cast<int>(k % packs) * width;
        };
        const auto start = [&](std::uint32_t k) __attribute__((always_inline))
        {
            if (k % packs == 0) {
                prefetch<Verb::relax>(d, d.round, begin + k / packs, d.round_count);
            }
            return pose(d, block(k), lane(k));
        };
        T residual2(0);
        const auto end_of = [&](std::uint32_t k, Posed & p) __attribute__((always_inline))
        {
            finish<kind, measured>(d, block(k), lane(k), p, residual2);
        };
        const std::uint32_t count = (end - begin) * packs;
        if (count == 0) {
            return 0;
        }
        Posed even = start(0);
        std::uint32_t k = 0;
        for (; k + 2 < count; k += 2) {
            Posed odd = start(k + 1);
            end_of(k, even);
            even = start(k + 2);
            end_of(k + 1, odd);
        }
        if (k + 1 < count) {
            Posed odd = start(k + 1);
            end_of(k, even);
            end_of(k + 1, odd);
        } else {
            end_of(k, even);
        }
        return largest(residual2);
    }

    /// The law's solution in every lane, the few that take longer one by one.
    template <Law L>
    [[gnu::always_inline]] static ContactVector<T> solve_lanes(const ContactProblem<T>& problem)
    {
        using namespace math;
        law::Outcome<T> out = law::quick<L>(problem);
        if (any(out.unfinished)) {
            double in[11][width], x[3][width], todo[width];
            const T columns[11] = {problem.A.nn, problem.A.nt, problem.A.no, problem.A.tt,
                                   problem.A.to, problem.A.oo, problem.b.n,  problem.b.t,
                                   problem.b.o,  problem.beta, problem.mu};
            for (int k = 0; k < 11; ++k) {
                store(columns[k], in[k]);
            }
            store(out.x.n, x[0]);
            store(out.x.t, x[1]);
            store(out.x.o, x[2]);
            store(select(out.unfinished, T(1), T(0)), todo);
            for (int i = 0; i < width; ++i) {
                if (todo[i] != 0) {
                    double one[11], solution[3];
                    for (int k = 0; k < 11; ++k) {
                        one[k] = in[k][i];
                    }
                    finish_lane(L, one, solution);
                    for (int k = 0; k < 3; ++k) {
                        x[k][i] = solution[k];
                    }
                }
            }
            out.x = {load(x[0]), load(x[1]), load(x[2])};
        }
        return out.x;
    }

    template <Verb verb, Law L>
    [[gnu::always_inline]] static void general(const SweepData& d, state::GeneralBlock& block,
                                               int lane, state::VelocityLine* trash, T& residual2,
                                               rows::LaneSums* sums)
    {
        using namespace math;
        rows::GeneralRow<T> c = load_row(block, lane);
        const std::uint32_t* slot_a = block.slot[0] + lane;
        const std::uint32_t* slot_b = block.slot[1] + lane;
        Body a = load_body(d.velocity, slot_a);
        Body b = load_body(d.velocity, slot_b);
        if constexpr (verb == Verb::account) {
            add(*sums, lane,
                relax::work_of(c, load_body(d.before, slot_a), load_body(d.before, slot_b), a, b));
            return;
        }
        ContactVector<T> change = c.impulse;
        if constexpr (verb != Verb::apply) {
            const ContactVector<T> x = solve_lanes<L>(relax::block_problem(c, a, b));
            change = {x.n - c.impulse.n, x.t - c.impulse.t, x.o - c.impulse.o};
            residual2 = larger(relax::velocity_of(c.A, change), residual2);
        }
        if constexpr (verb == Verb::relax_and_measure) {
            const T weight = abs(c.weight);
            change = {weight * change.n, weight * change.t, weight * change.o};
            store(c.impulse.n + change.n, block.impulse[0] + lane);
            store(c.impulse.t + change.t, block.impulse[1] + lane);
            store(c.impulse.o + change.o, block.impulse[2] + lane);
        }
        if constexpr (verb != Verb::measure) {
            relax::apply(c, relax::to_world(c, change), a, b, load_inertia(d.inertia, slot_a),
                         load_inertia(d.inertia, slot_b));
            store_body(d, a, slot_a);
            store_movable(d, b, slot_b, trash);
        }
    }

    /// Asks for the lines of a later block's bodies. Where rows are too many for the caches, also
    /// for a block later still, and all for the second cache: the first has few places for lines
    /// that are under way.
    template <Verb verb, class Block>
    [[gnu::always_inline]] static void prefetch(const SweepData& d, const Block* blocks,
                                                std::uint32_t i, std::uint32_t count)
    {
        constexpr int read = 0, write = 1, second_cache = 2;
        const std::uint32_t next = i + (d.from_memory ? ahead_from_memory : ahead);
        if (next < count) {
            const Block& block = blocks[next];
            for (int k = 0; k < 2 * state::block_lanes; ++k) {
                const std::uint32_t slot =
                    block.slot[k / state::block_lanes][k % state::block_lanes];
                if (d.from_memory) {
                    __builtin_prefetch(&d.velocity[slot], read, second_cache);
                } else {
                    __builtin_prefetch(&d.velocity[slot], write);
                }
                if constexpr (makes_sums<verb>) {
                    __builtin_prefetch(&d.before[slot], read, second_cache);
                }
            }
        }
        if (d.from_memory) {
            // Behind the last one nothing is lost.
            const char* later = reinterpret_cast<const char*>(blocks + i + far_ahead);
            for (std::size_t at = 0; at < sizeof(Block); at += 64) {
                __builtin_prefetch(later + at, read, second_cache);
            }
        }
    }
    static constexpr std::uint32_t ahead = 2, ahead_from_memory = 6, far_ahead = 32;  ///< blocks

    template <Verb verb> static constexpr bool makes_sums = verb == Verb::account;
    template <Verb verb>
    static constexpr bool relaxes = verb == Verb::relax || verb == Verb::relax_and_measure;

    template <Verb verb, state::RowKind kind>
    static double round_blocks(const SweepData& d, std::uint32_t begin, std::uint32_t end,
                               rows::LaneSums* sums)
    {
        if constexpr (relaxes<verb>) {
            return relax_round<kind, verb == Verb::relax_and_measure>(d, begin, end);
        }
        T residual2(0);
        PartialSums<verb> partial(end - begin);
        for (std::uint32_t i = begin; i < end; ++i) {
            prefetch<verb>(d, d.round, i, d.round_count);
            for (int lane = 0; lane < state::block_lanes; lane += width) {
                round<verb, kind>(d, d.round[i], lane, residual2, partial.of_block(i - begin));
            }
        }
        partial.fold(sums);
        return largest(residual2);
    }
    template <Verb verb, Law L>
    static double general_blocks(const SweepData& d, std::uint32_t begin, std::uint32_t end,
                                 rows::LaneSums* sums)
    {
        alignas(64) state::VelocityLine trash[state::block_lanes];
        T residual2(0);
        PartialSums<verb> partial(end - begin);
        for (std::uint32_t i = begin; i < end; ++i) {
            prefetch<verb>(d, d.general, i, d.general_count);
            for (int lane = 0; lane < state::block_lanes; lane += width) {
                general<verb, L>(d, d.general[i], lane, trash, residual2,
                                 partial.of_block(i - begin));
            }
        }
        partial.fold(sums);
        return largest(residual2);
    }

    static double largest(const T& lanes)
    {
        double value[width];
        store(lanes, value);
        double most = value[0];
        for (int i = 1; i < width; ++i) {
            most = value[i] > most ? value[i] : most;
        }
        return most;
    }

    template <Verb verb>
    static double blocks(const SweepData& d, state::RowKind kind, std::uint32_t begin,
                         std::uint32_t end, rows::LaneSums* sums)
    {
        if (kind == state::RowKind::round) {
            return round_blocks<verb, state::RowKind::round>(d, begin, end, sums);
        }
        if (kind == state::RowKind::round_on_wall) {
            return round_blocks<verb, state::RowKind::round_on_wall>(d, begin, end, sums);
        }
        if constexpr (verb == Verb::relax) {
            // Measuring costs little here.
            return blocks<Verb::relax_and_measure>(d, kind, begin, end, sums);
        } else if constexpr (verb == Verb::apply || verb == Verb::account) {
            return general_blocks<verb, Law::max_dissipation>(d, begin, end, sums);
        } else {
            switch (d.law) {
            case Law::coulomb: return general_blocks<verb, Law::coulomb>(d, begin, end, sums);
            case Law::frictionless:
                return general_blocks<verb, Law::frictionless>(d, begin, end, sums);
            case Law::projected: return general_blocks<verb, Law::projected>(d, begin, end, sums);
            default: return general_blocks<verb, Law::max_dissipation>(d, begin, end, sums);
            }
        }
    }

    static double sweep(Verb verb, const SweepData& d, state::RowKind kind, std::uint32_t begin,
                        std::uint32_t end, rows::LaneSums* sums)
    {
        switch (verb) {
        case Verb::relax: return blocks<Verb::relax>(d, kind, begin, end, sums);
        case Verb::relax_and_measure:
            return blocks<Verb::relax_and_measure>(d, kind, begin, end, sums);
        case Verb::apply: return blocks<Verb::apply>(d, kind, begin, end, sums);
        case Verb::measure: return blocks<Verb::measure>(d, kind, begin, end, sums);
        default: return blocks<Verb::account>(d, kind, begin, end, sums);
        }
    }
};

}  // namespace scree::relax
