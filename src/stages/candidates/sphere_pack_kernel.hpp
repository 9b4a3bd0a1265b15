// The code of sphere packs, compiled for each instruction set.
#pragma once

#include "exec/line_packs.hpp"
#include "stages/candidates/speculative_margin.hpp"
#include "stages/candidates/sphere_pack.hpp"

namespace scree::candidates {

template <class T> struct PackSpherePairs {
    static constexpr std::size_t width = exec::PackIo<T>::width;

    static void meet(const BallPairs& d, std::size_t begin, std::size_t end, std::uint8_t* answer)
    {
        using namespace math;
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
                const state::BodyPair pair = d.pair[p + k];
                first[k] = &d.ball[pair.first].x;
                second[k] = &d.ball[pair.second].x;
                reaches[k] = coarse_margin(d.reach, pair);
            }
            T a[4], b[4];
            exec::HalfLines<T>::load_half(first, 0, a);
            exec::HalfLines<T>::load_half(second, 0, b);
            const Vec3<T> between =
                between_images(Vec3<T>{a[0] - b[0], a[1] - b[1], a[2] - b[2]}, d.box);
            const Nearness<T> is =
                candidates::nearness(between, a[3] + b[3], always, exec::PackIo<T>::load(reaches));
            exec::PackIo<T>::store(select(is.near, T(balls_meet),
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

}  // namespace scree::candidates
