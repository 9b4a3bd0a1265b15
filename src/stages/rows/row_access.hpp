#pragma once

#include "stages/rows/row.hpp"
#include "state/bodies.hpp"
#include "state/rows.hpp"

namespace scree::rows {

// A GPU moves two numbers at a time: its gathers cost by the instruction.
SCREE_HD BodyVelocity<double> load(const state::VelocityLine& line)
{
#if defined(__CUDA_ARCH__)
    const auto* from = reinterpret_cast<const double2*>(&line);
    const double2 a = from[0], b = from[1], c = from[2], d = from[3];
    return {{a.x, a.y, b.x}, {b.y, c.x, c.y}, d.x, d.y};
#else
    return {line.v, line.w, line.inverse_mass, line.inverse_moment};
#endif
}
SCREE_HD void store(const BodyVelocity<double>& body, state::VelocityLine& line)
{
#if defined(__CUDA_ARCH__)
    auto* to = reinterpret_cast<double2*>(&line);
    to[0] = {body.v.x, body.v.y};
    to[1] = {body.v.z, body.w.x};
    to[2] = {body.w.y, body.w.z};
#else
    line.v = body.v;
    line.w = body.w;
#endif
}

template <class T, class S, std::size_t lanes>
SCREE_HD Vec3<T> load(const S (*from)[lanes], int lane)
{
    return {T(from[0][lane]), T(from[1][lane]), T(from[2][lane])};
}
/// A round row in the numbers that are asked for.
template <class T = double, class S, int lanes>
SCREE_HD RoundRow<T> load(const state::RoundBlockOf<S, lanes>& c, int lane)
{
    return {load<T>(c.n, lane),  load<T>(c.impulse, lane), T(c.lever[0][lane]),
            T(c.lever[1][lane]), T(c.shift[lane]),         T(c.mu[lane]),
            T(c.weight[lane])};
}
SCREE_HD GeneralRow<double> load(const state::GeneralBlock& c, int lane)
{
    return {load<double>(c.n, lane),
            load<double>(c.t, lane),
            load<double>(c.lever, lane),
            load<double>(c.lever + 3, lane),
            {c.A[0][lane], c.A[1][lane], c.A[2][lane], c.A[3][lane], c.A[4][lane], c.A[5][lane]},
            {c.impulse[0][lane], c.impulse[1][lane], c.impulse[2][lane]},
            c.shift[lane],
            c.objective_shift[lane],
            c.mu[lane],
            c.weight[lane]};
}

/// Velocities and tensors that rows refer to by slots; no impulse moves those of [fixed_begin,
/// fixed_end).
struct Slots {
    state::VelocityLine* velocity;
    const state::InertiaLine* inertia;
    std::uint32_t fixed_begin, fixed_end;
    [[nodiscard]] SCREE_HD bool moves(std::uint32_t slot) const
    {
        return !(slot - fixed_begin < fixed_end - fixed_begin);
    }
};

template <class T, class S, int lanes>
SCREE_HD void store_impulse(const RoundRow<T>& c, state::RoundBlockOf<S, lanes>& block, int lane)
{
    block.impulse[0][lane] = static_cast<S>(c.impulse.x);
    block.impulse[1][lane] = static_cast<S>(c.impulse.y);
    block.impulse[2][lane] = static_cast<S>(c.impulse.z);
}

}  // namespace scree::rows
