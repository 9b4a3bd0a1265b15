// The code of finish packs, compiled for each instruction set.
#pragma once

#include "exec/line_packs.hpp"
#include "stages/finish/ball_rule.hpp"
#include "stages/finish/finish_pack.hpp"
#include "stages/finish/move_body.hpp"

namespace scree::finish {

template <class T> struct PackFinish {
    static constexpr std::size_t width = exec::PackIo<T>::width;
    static constexpr std::uint8_t plain = state::flag_alive | state::flag_round;

    [[gnu::always_inline]] static Vec3<T> everywhere(const Vec3<double>& a)
    {
        return {T(a.x), T(a.y), T(a.z)};
    }
    [[gnu::always_inline]] static void add(const T& value, double* to)
    {
        exec::PackIo<T>::store(exec::PackIo<T>::load(to) + value, to);
    }
    [[gnu::always_inline]] static bool all_plain(const std::uint8_t* flags)
    {
        int other = 0;
        for (std::size_t i = 0; i < width; ++i) {
            other |= (flags[i] & ~state::flag_margin_exceeded) ^ plain;
        }
        return other == 0;
    }
    [[gnu::always_inline]] static bool leaves(const T& at, const shapes::Periodic& box, int axis)
    {
        using namespace math;
        return box.length[axis] > 0 && !all(box.inside(at, axis));
    }

    static std::size_t finish(const state::ModelView& model, const state::BodyView& bodies,
                              std::size_t begin, std::size_t end, const BallSums& sums)
    {
        using namespace math;
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
            exec::Lines<T>::load(line, p);
            exec::HalfLines<T>::load_half(line_before, 0, before);
            exec::HalfLines<T>::load_half(centre, 0, ball);
            exec::HalfLines<T>::load_half(turn, 0, old);
            const Vec3<T> v{p[0], p[1], p[2]}, w{p[3], p[4], p[5]};
            const Vec3<T> x = finish::moved({ball[0], ball[1], ball[2]}, v, h);
            if (leaves(x.x, model.box, 0) || leaves(x.y, model.box, 1) ||
                leaves(x.z, model.box, 2)) {
                break;
            }
            const Quat<T> q = turned(Quat<T>{old[0], old[1], old[2], old[3]}, w, h);
            const T new_ball[4] = {x.x, x.y, x.z, ball[3]}, new_turn[4] = {q.w, q.x, q.y, q.z};
            exec::HalfLines<T>::store_half(centre, 0, new_ball);
            exec::HalfLines<T>::store_half(turn, 0, new_turn);

            const Vec3<T> way = finish::way_in_list(v, drift_velocity, h);
            double ways[3][width];
            exec::PackIo<T>::store(way.x, ways[0]);
            exec::PackIo<T>::store(way.y, ways[1]);
            exec::PackIo<T>::store(way.z, ways[2]);
            for (std::size_t k = 0; k < width; ++k) {
                finish::add_way(bodies.drift[i + k], ways[0][k], ways[1][k], ways[2][k]);
                bodies.flags[i + k] = plain;
            }

            const std::size_t at = i - begin;
            const FallWork<T> fall =
                finish::work_of_gravity(h, g, p[6], {before[0], before[1], before[2]}, v);
            const Energy<T> energy = finish::energy_of_centre(g, x, v, p[6]);
            add(fall.work, sums.gravity_work + at);
            add(fall.error, sums.gravity_error + at);
            add(energy.kinetic + velocities::energy_of_turning(w, p[7]), sums.kinetic + at);
            add(energy.potential, sums.potential + at);
            add(select(finish::is_finite(x, w), T(0), T(1)), sums.not_finite + at);
        }
        return i;
    }
};

}  // namespace scree::finish
