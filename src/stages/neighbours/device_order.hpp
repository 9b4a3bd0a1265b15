// Bodies into order on a device: dynamic ones along the Z-curve, prescribed bounded ones, walls;
// removed ones are dropped.
#pragma once

#include "exec/arena.hpp"
#include "exec/serial_loops.hpp"
#include "stages/neighbours/z_curve.hpp"
#include "state/device_columns.hpp"

namespace scree::neighbours {

/// Numbers of bodies by kind.
struct Kinds {
    std::uint32_t dynamic = 0, prescribed = 0, walls = 0;
    SCREE_HD friend Kinds operator+(const Kinds& a, const Kinds& b)
    {
        return {a.dynamic + b.dynamic, a.prescribed + b.prescribed, a.walls + b.walls};
    }
};
SCREE_HD Kinds kind_of(std::uint8_t flags)
{
    const state::BodyClass of = state::body_class(flags);
    return {of == state::BodyClass::dynamic ? 1U : 0U, of == state::BodyClass::prescribed ? 1U : 0U,
            of == state::BodyClass::wall ? 1U : 0U};
}

/// What the host has to know of the bodies to order them.
struct BodyCensus {
    Kinds kinds;
    shapes::Ball sample[neighbours::curve_samples];
};

template <class Loops, class T>
void permute(Loops& loops, typename Loops::template Buffer<T>& column, const std::uint32_t* order,
             std::size_t n, exec::Scratch scratch)
{
    if (column.size() == 0) {
        return;
    }
    const T* from = column.data();
    T* to = scratch.take<T>(n).data();
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t k) { to[k] = from[order[k]]; });
    column.fit(n);
    loops.copy(to, column.data(), n);
}

/// order[k] becomes the old place of the body that is at k now.
template <class Loops>
void arrange(Loops& loops, const shapes::Periodic& box, state::BodyColumns<Loops>& bodies,
             typename Loops::template Buffer<std::uint32_t>& order,
             typename Loops::template Buffer<BodyCensus>& muster, exec::Arena<Loops>& work)
{
    const std::size_t n = bodies.count;
    order.fit(n);
    muster.fit(1);
    exec::Scratch scratch = work.open(exec::room<Kinds>(n + 1) + 3 * exec::room<std::uint32_t>(n));
    Kinds* before = scratch.take<Kinds>(n + 1).data();
    std::uint32_t* dynamic = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* keys = scratch.take<std::uint32_t>(n).data();
    std::uint32_t* sorted_keys = scratch.take<std::uint32_t>(n).data();
    const std::uint8_t* flags = bodies.flags.data();
    const shapes::Ball* balls = bodies.ball.data();
    std::uint32_t* to = order.data();
    BodyCensus* said = muster.data();
    loops.scan(n, before, [=] SCREE_DEVICE(std::size_t i) -> Kinds { return kind_of(flags[i]); });
    loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
        const Kinds kind = kind_of(flags[i]);
        const Kinds at = before[i];
        const Kinds all = before[n];
        const auto place = static_cast<std::uint32_t>(i);
        if (kind.dynamic != 0) {
            dynamic[at.dynamic] = place;
        } else if (kind.prescribed != 0) {
            to[all.dynamic + at.prescribed] = place;
        } else if (kind.walls != 0) {
            to[all.dynamic + all.prescribed + at.walls] = place;
        }
    });
    loops.for_each(neighbours::curve_samples, [=] SCREE_DEVICE(std::size_t k) {
        const Kinds all = before[n];
        if (k == 0) {
            said->kinds = all;
        }
        if (all.dynamic > 0) {
            said->sample[k] = balls[dynamic[neighbours::sampled_ball(all.dynamic, k)]];
        }
    });
    BodyCensus known;
    loops.download(said, &known, 1);
    const std::size_t moving = known.kinds.dynamic;
    if (moving > 0) {
        const ZCurve curve = neighbours::z_curve(
            moving, box, [&](std::size_t k) -> const shapes::Ball& { return known.sample[k]; });
        loops.for_each(moving,
                       [=] SCREE_DEVICE(std::size_t k) { keys[k] = curve.key(balls[dynamic[k]]); });
        loops.sort(keys, sorted_keys, dynamic, to, moving, curve.bits);
    }
    const std::size_t bounded = moving + known.kinds.prescribed;
    const std::size_t count = bounded + known.kinds.walls;
    const exec::Scratch lines =
        work.open(bodies.force.size() > 0 ? exec::room<state::Force>(count)
                                          : exec::room<state::VelocityLine>(count));
    bodies.dynamic_count = moving;
    bodies.bounded_count = bounded;
    bodies.count = count;
    state::Bodies none;
    bodies.for_each_column(none, [&](auto& column, const auto& host) {
        using Value = typename std::remove_cvref_t<decltype(host)>::value_type;
        permute<Loops, Value>(loops, column, to, bodies.count, lines);
    });
}

}  // namespace scree::neighbours
