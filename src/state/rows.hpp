// Contacts as the solver sees them: rows in blocks of eight, the contacts of a block touching
// different bodies, so that a SIMD pack relaxes them at once. A row holds what a sweep needs and
// nothing else:
//
//   round    n, impulse (world), two levers, g, μ, weight, two slots    96 bytes, of floats 52
//   general  n, t, two levers, A, impulse (contact frame), g, g of the objective, μ, weight, slots
//   208 bytes
//
// g shifts the plane: the normal velocity is to be −g. A negative weight marks a contact that
// bounces, or that may while it is not known yet.
#pragma once

#include "math/lane.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::state {

inline constexpr int block_lanes = 8;

template <class T, int lanes> struct alignas(64) RoundBlockOf {
    T n[3][lanes];
    T impulse[3][lanes];
    T lever[2][lanes];  ///< distance of the contact point from either centre
    T shift[lanes];
    T mu[lanes];
    T weight[lanes];
    std::uint32_t slot[2][lanes];
};
using RoundBlock = RoundBlockOf<double, block_lanes>;

struct alignas(64) GeneralBlock {
    double n[3][block_lanes];
    double t[3][block_lanes];      ///< and o = n × t
    double lever[6][block_lanes];  ///< contact point from either centre of mass
    double A[6][block_lanes];
    double impulse[3][block_lanes];
    double shift[block_lanes];
    double objective_shift[block_lanes];
    double mu[block_lanes];
    double weight[block_lanes];
    std::uint32_t slot[2][block_lanes];
};

/// Calls f(lanes, number) for each field of a block and the same of a row, in the order of the
/// block.
template <class Block, class Row, class F>
SCREE_HD void for_each_round_field(Block& block, Row& row, const F& f)
{
    f(block.n[0], row.n.x);
    f(block.n[1], row.n.y);
    f(block.n[2], row.n.z);
    f(block.impulse[0], row.impulse.x);
    f(block.impulse[1], row.impulse.y);
    f(block.impulse[2], row.impulse.z);
    f(block.lever[0], row.lever_a);
    f(block.lever[1], row.lever_b);
    f(block.shift, row.shift);
    f(block.mu, row.mu);
    f(block.weight, row.weight);
}
template <class Block, class Row, class F>
SCREE_HD void for_each_general_field(Block& block, Row& row, const F& f)
{
    f(block.n[0], row.n.x);
    f(block.n[1], row.n.y);
    f(block.n[2], row.n.z);
    f(block.t[0], row.t.x);
    f(block.t[1], row.t.y);
    f(block.t[2], row.t.z);
    f(block.lever[0], row.lever_a.x);
    f(block.lever[1], row.lever_a.y);
    f(block.lever[2], row.lever_a.z);
    f(block.lever[3], row.lever_b.x);
    f(block.lever[4], row.lever_b.y);
    f(block.lever[5], row.lever_b.z);
    f(block.A[0], row.A.nn);
    f(block.A[1], row.A.nt);
    f(block.A[2], row.A.no);
    f(block.A[3], row.A.tt);
    f(block.A[4], row.A.to);
    f(block.A[5], row.A.oo);
    f(block.impulse[0], row.impulse.n);
    f(block.impulse[1], row.impulse.t);
    f(block.impulse[2], row.impulse.o);
    f(block.shift, row.shift);
    f(block.objective_shift, row.objective_shift);
    f(block.mu, row.mu);
    f(block.weight, row.weight);
}

enum class RowKind : std::uint8_t {
    round,          ///< of two dynamic bodies
    round_on_wall,  ///< the second body is prescribed
    general
};

inline constexpr std::uint32_t no_part = 0xffffffffU;

/// Contacts that share no body: blocks [begin, end) of the round or the general rows, of one part
/// of the list or of any.
struct Group {
    std::uint32_t begin, end;
    RowKind kind;
    std::uint32_t used = 0;  ///< the place behind the last row
    std::uint32_t part = no_part;
};

struct ContactRows {
    std::vector<RoundBlock> round;
    std::vector<GeneralBlock> general;
    std::vector<Group> groups;  ///< in the order of a sweep
    /// Behind the last group of each leg of a sweep but the last, part_local (pairs.hpp).
    std::array<std::size_t, 3> leg_end{};
};

/// Rows are named by their place among the round ones, or among the general ones with this bit set.
inline constexpr std::uint32_t general_bit = 0x80000000U;

/// A contact that bounces: its shift while it did not, and the one with which it does.
struct Bounce {
    std::uint32_t row;
    double still, shift;
};

/// Gives a row that bounces a shift, which its objective does not see.
template <class T, int lanes>
SCREE_HD void set_shift(RoundBlockOf<T, lanes>& block, int lane, double shift)
{
    block.shift[lane] = static_cast<T>(shift);
}
SCREE_HD void set_shift(GeneralBlock& block, int lane, double shift)
{
    block.shift[lane] = shift;
    block.objective_shift[lane] = 0;
}
inline void set_shift(ContactRows& rows, std::uint32_t row, double shift)
{
    const std::uint32_t at = row & ~general_bit;
    const auto lane = static_cast<int>(at % block_lanes);
    if (at == row) {
        set_shift(rows.round[at / block_lanes], lane, shift);
    } else {
        set_shift(rows.general[at / block_lanes], lane, shift);
    }
}

}  // namespace scree::state

namespace scree::state {

/// Round rows of a device lie side by side as many as a warp has threads, so that one request
/// brings a number of all of them.
inline constexpr int round_lanes = 32;
template <class T> using RoundRowsOf = RoundBlockOf<T, round_lanes>;

/// Where a row is among them.
struct RoundPlace {
    std::size_t block;
    int lane;
    SCREE_HD explicit RoundPlace(std::size_t at)
        : block(at / round_lanes), lane(static_cast<int>(at % round_lanes))
    {
    }
};

/// The inverse masses and moments of the two bodies of each round row: what the lines have no room
/// for.
template <class T> struct alignas(64) InertBlock {
    T inverse_mass[2][round_lanes];
    T inverse_moment[2][round_lanes];
};

}  // namespace scree::state
