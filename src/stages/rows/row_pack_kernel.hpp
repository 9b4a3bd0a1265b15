// The code of row packs, compiled for each instruction set.
#pragma once

#include "exec/line_packs.hpp"
#include "stages/rows/round_row_rule.hpp"
#include "stages/rows/row_pack.hpp"

namespace scree::rows {

/// Loads of rows and of what they refer to, and sums by lanes.
template <class T> struct RowPacks {
    static constexpr int width = static_cast<int>(exec::PackIo<T>::width);
    using Body = BodyVelocity<T>;

    [[gnu::always_inline]] static T load(const double* from) { return exec::PackIo<T>::load(from); }
    [[gnu::always_inline]] static void store(const T& value, double* to)
    {
        exec::PackIo<T>::store(value, to);
    }
    [[gnu::always_inline]] static Vec3<T> load3(const double (*from)[state::block_lanes], int lane)
    {
        return {load(from[0] + lane), load(from[1] + lane), load(from[2] + lane)};
    }

    [[gnu::always_inline]] static Body load_body(const state::VelocityLine* lines,
                                                 const std::uint32_t* slot)
    {
        const double* line[width];
        for (int i = 0; i < width; ++i) {
            line[i] = &lines[slot[i]].v.x;
        }
        T p[8];
        exec::Lines<T>::load(line, p);
        return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, p[6], p[7]};
    }
    [[gnu::always_inline]] static void store_lines(const Body& body, double* const* line)
    {
        const T p[6] = {body.v.x, body.v.y, body.v.z, body.w.x, body.w.y, body.w.z};
        exec::Lines<T>::store(line, p);
    }
    /// A pack of a field's lanes, from a block to rows and back.
    struct LoadField {
        int lane;
        template <std::size_t lanes>
        [[gnu::always_inline]] void operator()(const double (&from)[lanes], T& to) const
        {
            to = load(from + lane);
        }
    };
    struct StoreField {
        int lane;
        template <std::size_t lanes>
        [[gnu::always_inline]] void operator()(double (&to)[lanes], const T& from) const
        {
            store(from, to + lane);
        }
    };
    [[gnu::always_inline]] static RoundRow<T> load_row(const state::RoundBlock& block, int lane)
    {
        RoundRow<T> row;
        state::for_each_round_field(block, row, LoadField{lane});
        return row;
    }
    [[gnu::always_inline]] static GeneralRow<T> load_row(const state::GeneralBlock& block, int lane)
    {
        GeneralRow<T> row;
        state::for_each_general_field(block, row, LoadField{lane});
        return row;
    }

    [[gnu::always_inline]] static void add(LaneSums& sums, int which, int lane, const T& value)
    {
        store(load(sums[which] + lane) + value, sums[which] + lane);
    }
    /// The lane sums that a task's blocks add to.
    template <bool makes, int added_count> struct PartialSums {
        alignas(64) LaneSums of[makes ? task_sums : 1];

        explicit PartialSums(std::uint32_t blocks) : used(blocks < task_sums ? blocks : task_sums)
        {
            if constexpr (makes) {
                for (std::uint32_t j = 0; j < used; ++j) {
                    for (int k = 0; k < row_sum_count; ++k) {
                        for (int lane = 0; lane < state::block_lanes; lane += width) {
                            store(T(0), of[j][k] + lane);
                        }
                    }
                }
            }
        }
        [[gnu::always_inline]] LaneSums* of_block(std::uint32_t i)
        {
            return of + (makes ? i % task_sums : 0);
        }
        /// The first part of exec::fold. Sums that no block added to are zero.
        void fold(LaneSums* out)
        {
            if constexpr (makes) {
                for (std::uint32_t half = task_sums / 2; half > 0; half /= 2) {
                    for (std::uint32_t j = 0; j < half && j + half < used; ++j) {
                        for (int k = 0; k < row_sum_count; ++k) {
                            for (int lane = 0; lane < state::block_lanes; lane += width) {
                                double* const to = of[j][k] + lane;
                                const T a = load(to), b = load(of[j + half][k] + lane);
                                store(k < added_count ? a + b : math::larger(a, b), to);
                            }
                        }
                    }
                }
                for (int k = 0; k < row_sum_count; ++k) {
                    for (int lane = 0; lane < state::block_lanes; lane += width) {
                        store(load(of[0][k] + lane), (*out)[k] + lane);
                    }
                }
            }
        }
        std::uint32_t used;
    };
};

template <class T> struct PackPrepare : RowPacks<T> {
    using Base = RowPacks<T>;
    using Base::width, Base::load, Base::store, Base::load3, Base::load_body, Base::load_row,
        Base::add;
    using typename Base::Body;
    [[gnu::always_inline]] static void load_balls(const PrepareData& d, const shapes::Ball& idle,
                                                  const std::uint32_t* slot, T (&out)[4])
    {
        const double* at[width];
        for (int i = 0; i < width; ++i) {
            at[i] = slot[i] < d.fixed_begin ? &d.spheres.ball[slot[i]].x : &idle.x;
        }
        exec::HalfLines<T>::load_half(at, 0, out);
    }
    /// The parts of rows of two dynamic spheres, as rows::round_parts has them.
    [[gnu::always_inline]] static RoundRow<T>
    parts_of_spheres(const PrepareData& d, const state::RoundBlock& block, int lane)
    {
        T a[4], b[4];
        load_balls(d, d.spheres.idle[0], block.slot[0] + lane, a);
        load_balls(d, d.spheres.idle[1], block.slot[1] + lane, b);
        return {between_images(Vec3<T>{a[0] - b[0], a[1] - b[1], a[2] - b[2]}, d.spheres.box),
                load3(block.impulse, lane),
                a[3],
                b[3],
                T(d.spheres.restitution),
                T(d.spheres.mu),
                T(d.spheres.weight)};
    }

    [[gnu::always_inline]] static StepConstants<T> in_packs(const StepConstants<double>& s)
    {
        return {T(s.time_step),
                T(s.error_reduction),
                T(s.correction_limit),
                T(s.slack),
                T(s.threshold),
                T(s.deep),
                {T(s.gravity.x), T(s.gravity.y), T(s.gravity.z)}};
    }
    static void note_deep(const math::mask_of<T>& deep, std::uint8_t* to)
    {
        using namespace math;
        double is_deep[width];
        store(select(deep, T(1), T(0)), is_deep);
        for (int i = 0; i < width; ++i) {
            to[i] = is_deep[i] != 0 ? 1 : 0;
        }
    }
    /// Completes a round row, and counts.
    [[gnu::always_inline]] static void prepare(const PrepareData& d, state::RoundBlock& block,
                                               int lane, LaneSums& sums)
    {
        using namespace math;
        // The first lane has a row, and says which kind the block's are.
        const bool of_spheres = d.spheres.ball != nullptr && block.slot[1][0] < d.fixed_begin;
        RoundRow<T> c = of_spheres ? parts_of_spheres(d, block, lane) : load_row(block, lane);
        const Body a = load_body(d.before, block.slot[0] + lane);
        const Body b = load_body(d.before, block.slot[1] + lane);
        const StepConstants<T> s = in_packs(d.step);
        const Prepared<T> p = rows::prepare(c, a, b, s);
        state::for_each_round_field(block, c, typename Base::StoreField{lane});

        const auto count = [&](PreparedSum which, const auto& mask) {
            add(sums, which, lane, select(mask, T(1), T(0)));
        };
        const auto most = [&](PreparedSum which, const T& value) {
            store(larger(value, load(sums[which] + lane)), sums[which] + lane);
        };
        const GapState<T> gap = state_of_gap(p.gap, p.radius, s.deep);
        count(prepared_touching, gap.touching);
        count(prepared_penetrating, gap.penetrating);
        count(prepared_bouncing, p.bounces);
        count(prepared_deep, gap.deep);
        if (any(gap.deep)) {
            note_deep(gap.deep, d.deep_rows + (&block - d.round) * state::block_lanes + lane);
        }
        add(sums, prepared_depth, lane, gap.depth);
        most(prepared_max_depth, gap.depth);
        most(prepared_max_speed2, p.speed2);
    }

    static constexpr std::uint32_t ahead = 2, ahead_from_memory = 6, far_ahead = 32;  ///< blocks
    static void run(const PrepareData& d, std::uint32_t begin, std::uint32_t end, LaneSums* sums)
    {
        typename Base::template PartialSums<true, int(prepared_max_depth)> partial(end - begin);
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t next = i + (d.from_memory ? ahead_from_memory : ahead);
            for (int k = 0; next < d.round_count && k < 2 * state::block_lanes; ++k) {
                const std::uint32_t slot =
                    d.round[next].slot[k / state::block_lanes][k % state::block_lanes];
                __builtin_prefetch(&d.before[slot], 0, 2);
                if (d.spheres.ball != nullptr) {
                    __builtin_prefetch(&d.spheres.ball[slot], 0, 2);
                }
            }
            for (int lane = 0; lane < state::block_lanes; lane += width) {
                prepare(d, d.round[i], lane, *partial.of_block(i - begin));
            }
        }
        partial.fold(sums);
    }
};

}  // namespace scree::rows
