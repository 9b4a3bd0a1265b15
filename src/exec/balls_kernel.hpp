// Verbs on packs of balls: those of src/move/ on bodies that follow each other, and the narrow
// phase's on pairs. The loops that every instruction set compiles for itself, with pack types only
// (see batch_kernel.hpp for why).
#pragma once

#include "collide/candidates.hpp"
#include "exec/balls.hpp"
#include "exec/line_packs.hpp"
#include "move/move_body.hpp"

namespace scree::exec {

template <class T> struct PackBalls {
    static constexpr std::size_t width = PackIo<T>::width;
    static constexpr std::uint8_t plain = flag_alive | flag_round;

    [[gnu::always_inline]] static Vec3<T> everywhere(const Vec3<double>& a)
    {
        return {T(a.x), T(a.y), T(a.z)};
    }
    [[gnu::always_inline]] static void add(const T& value, double* to)
    {
        PackIo<T>::store(PackIo<T>::load(to) + value, to);
    }
    [[gnu::always_inline]] static bool all_plain(const std::uint8_t* flags)
    {
        int other = 0;
        for (std::size_t i = 0; i < width; ++i) {
            other |= (flags[i] & ~flag_surprised) ^ plain;
        }
        return other == 0;
    }
    [[gnu::always_inline]] static bool leaves(const T& at, const collide::Periodic& box, int axis)
    {
        using namespace lane;
        return box.length[axis] > 0 && !all(box.inside(at, axis));
    }

    static std::size_t finish(const ModelView& model, const BodyView& bodies, std::size_t begin,
                              std::size_t end, const BallSums& sums)
    {
        using namespace lane;
        const bool alike = bodies.force == nullptr && bodies.inertia == nullptr;
        const std::size_t last = end < bodies.dynamic_count ? end : bodies.dynamic_count;
        const T h(model.settings.time_step);
        const Vec3<T> g = everywhere(model.settings.gravity);
        const Vec3<T> drift_velocity = everywhere(bodies.drift_velocity);
        std::size_t i = begin;
        for (; alike && i + width <= last && all_plain(bodies.flags + i); i += width) {
            double *line[width], *line_before[width], *centre[width], *turn[width];
            for (std::size_t k = 0; k < width; ++k) {
                line[k] = &bodies.velocity[i + k].v.x;
                line_before[k] = &bodies.velocity_before[i + k].v.x;
                centre[k] = &bodies.ball[i + k].x;
                turn[k] = &bodies.orientation[i + k].w;
            }
            T p[8], before[4], ball[4], old[4];
            Lines<T>::load(line, p);
            HalfLines<T>::load_half(line_before, 0, before);
            HalfLines<T>::load_half(centre, 0, ball);
            HalfLines<T>::load_half(turn, 0, old);
            const Vec3<T> v{p[0], p[1], p[2]}, w{p[3], p[4], p[5]};
            const Vec3<T> x = move::moved({ball[0], ball[1], ball[2]}, v, h);
            if (leaves(x.x, model.box, 0) || leaves(x.y, model.box, 1) ||
                leaves(x.z, model.box, 2)) {
                break;
            }
            const Quat<T> q = turned(Quat<T>{old[0], old[1], old[2], old[3]}, w, h);
            const T new_ball[4] = {x.x, x.y, x.z, ball[3]}, new_turn[4] = {q.w, q.x, q.y, q.z};
            HalfLines<T>::store_half(centre, 0, new_ball);
            HalfLines<T>::store_half(turn, 0, new_turn);

            const Vec3<T> way = move::way_in_list(v, drift_velocity, h);
            double ways[3][width];
            PackIo<T>::store(way.x, ways[0]);
            PackIo<T>::store(way.y, ways[1]);
            PackIo<T>::store(way.z, ways[2]);
            for (std::size_t k = 0; k < width; ++k) {
                move::add_way(bodies.drift[i + k], ways[0][k], ways[1][k], ways[2][k]);
                bodies.flags[i + k] = plain;
            }

            const std::size_t at = i - begin;
            const move::FallWork<T> fall =
                move::work_of_gravity(h, g, p[6], {before[0], before[1], before[2]}, v);
            const move::Energy<T> energy = move::energy_of_centre(g, x, v, p[6]);
            add(fall.work, sums.gravity_work + at);
            add(fall.error, sums.fall_error + at);
            add(energy.kinetic + move::energy_of_turning(w, p[7]), sums.kinetic + at);
            add(energy.potential, sums.potential + at);
            add(select(move::is_finite(x, w), T(0), T(1)), sums.not_finite + at);
        }
        return i;
    }

    static void meet(const BallPairs& d, std::size_t begin, std::size_t end, std::uint8_t* answer)
    {
        using namespace lane;
        constexpr std::size_t ahead = 24;  // pairs whose bodies are asked for
        const T always(d.always);
        std::size_t p = begin;
        for (; p + width <= end; p += width) {
            const double *first[width], *second[width];
            double reaches[width], by_place[width];
            for (std::size_t k = 0; k < width; ++k) {
                if (p + ahead + width <= end) {
                    __builtin_prefetch(&d.ball[d.pair[p + ahead + k].second]);
                    __builtin_prefetch(&d.reach[d.pair[p + ahead + k].second]);
                }
                const collide::BodyPair pair = d.pair[p + k];
                first[k] = &d.ball[pair.first].x;
                second[k] = &d.ball[pair.second].x;
                reaches[k] = static_cast<double>(d.reach[pair.first]) +
                             static_cast<double>(d.reach[pair.second]);
            }
            T a[4], b[4];
            HalfLines<T>::load_half(first, 0, a);
            HalfLines<T>::load_half(second, 0, b);
            const Vec3<T> between =
                between_images(Vec3<T>{a[0] - b[0], a[1] - b[1], a[2] - b[2]}, d.box);
            const collide::Nearness<T> is =
                collide::nearness(between, a[3] + b[3], always, PackIo<T>::load(reaches));
            PackIo<T>::store(select(is.near, T(balls_meet),
                                    select(is.unclear, T(balls_unclear), T(balls_apart))),
                             by_place);
            for (std::size_t k = 0; k < width; ++k) {
                const auto said = static_cast<std::uint8_t>(static_cast<int>(by_place[k]));
                answer[p - begin + k] =
                    d.pair[p + k].second < d.dynamic_count ? said : std::uint8_t(balls_unclear);
            }
        }
        for (; p < end; ++p) {
            answer[p - begin] = balls_unclear;
        }
    }
};

}  // namespace scree::exec
