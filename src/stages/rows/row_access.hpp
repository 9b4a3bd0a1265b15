// Rows and the velocities that they refer to, one at a time, for host and device alike.
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

/// One lane of a field, from a block to a row and back.
struct LoadField {
    std::uint32_t lane;
    template <class S, std::size_t lanes, class T>
    SCREE_HD void operator()(const S (&from)[lanes], T& to) const
    {
        to = static_cast<T>(from[lane]);
    }
};
struct StoreField {
    std::uint32_t lane;
    template <class S, std::size_t lanes, class T>
    SCREE_HD void operator()(S (&to)[lanes], const T& from) const
    {
        to[lane] = static_cast<S>(from);
    }
};

/// A round row in the numbers that are asked for.
template <class T = double, class S, int lanes>
SCREE_HD RoundRow<T> load(const state::RoundBlockOf<S, lanes>& block, int lane)
{
    RoundRow<T> row;
    state::for_each_round_field(block, row, LoadField{static_cast<std::uint32_t>(lane)});
    return row;
}
SCREE_HD GeneralRow<double> load(const state::GeneralBlock& block, int lane)
{
    GeneralRow<double> row;
    state::for_each_general_field(block, row, LoadField{static_cast<std::uint32_t>(lane)});
    return row;
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
