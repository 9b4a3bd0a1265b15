// Sweeps over blocks of rows on the host, as compiled for each instruction set: which verbs there
// are, what they read and write, and the function that runs one.
#pragma once

#include "scree/law.hpp"
#include "stages/rows/row_pack.hpp"

namespace scree::relax {

enum class Verb : std::uint8_t {
    relax,              ///< solves each block and applies its change
    relax_and_measure,  ///< the same, and gives the residual
    apply,              ///< lets the impulses act, as for a warm start
    measure,            ///< gives the residual and changes nothing
    account             ///< sums up the work of the impulses
};

/// The sums that `account` makes.
enum Sum : std::uint8_t {
    sum_normal,
    sum_friction,
    sum_wall,
    sum_correction,
    sum_gap,
    sum_restitution,
    sum_active,
    sum_count
};
static_assert(sum_count == rows::row_sum_count);

struct SweepData : rows::RowPackData {
    state::VelocityLine* velocity;
    const state::InertiaLine* inertia;
    Law law;
};
SweepData sweep_data(const state::Model& model, state::Bodies& bodies, state::ContactRows& rows);

/// Blocks [begin, end) of one kind. Returns the largest squared residual velocity where that is
/// measured; for `account` and `prepare` the blocks are those of one task, whose lanes' sums are
/// written to `sums`.
using SweepBlocks = double (*)(Verb, const SweepData&, state::RowKind, std::uint32_t begin,
                               std::uint32_t end, rows::LaneSums* sums);

double sweep_blocks_scalar(Verb, const SweepData&, state::RowKind, std::uint32_t, std::uint32_t,
                           rows::LaneSums*);
double sweep_blocks_sse2(Verb, const SweepData&, state::RowKind, std::uint32_t, std::uint32_t,
                         rows::LaneSums*);
double sweep_blocks_avx2(Verb, const SweepData&, state::RowKind, std::uint32_t, std::uint32_t,
                         rows::LaneSums*);
double sweep_blocks_avx512(Verb, const SweepData&, state::RowKind, std::uint32_t, std::uint32_t,
                           rows::LaneSums*);
SweepBlocks sweep_blocks_of(InstructionSet isa);

/// Solves one problem (Ann … Aoo, bn, bt, bo, β, μ) whatever it takes.
void finish_lane(Law law, const double* problem, double* x);

}  // namespace scree::relax
