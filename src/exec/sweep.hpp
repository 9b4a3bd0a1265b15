// A sweep over groups of contacts: what goes in, and the functions that the instruction sets
// provide. Nothing but pointers crosses from code compiled for one instruction set to another.
#pragma once

#include "exec/sums.hpp"
#include "scree/contact.hpp"
#include "scree/law.hpp"
#include "state/bodies.hpp"
#include "state/contact_rows.hpp"
#include "state/model.hpp"

#include <cstdint>
#include <vector>

namespace scree::exec {

enum class Verb : std::uint8_t {
    prepare,            ///< completes round rows of which set-up has gathered the parts
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
/// Those that `prepare` makes; the last ones are maxima.
enum PreparedSum : std::uint8_t {
    prepared_touching,
    prepared_penetrating,
    prepared_depth,
    prepared_bouncing,
    prepared_deep,
    prepared_max_depth,
    prepared_max_speed2
};
using LaneSums = double[sum_count][block_lanes];
/// How many of a verb's sums are sums; the others are maxima.
constexpr int added(Verb verb)
{
    return verb == Verb::prepare ? int(prepared_max_depth) : int(sum_count);
}

/// Sums are made by tasks of this many blocks, each a chunk of exec::tree_sum over rows. In a task
/// the blocks add to this many lane sums in turn.
inline constexpr std::uint32_t task_blocks = tree_chunk / block_lanes;
inline constexpr std::uint32_t task_sums = tree_width / block_lanes;

/// With fewer blocks in all, one thread does everything.
inline constexpr std::size_t parallel_blocks = 128;

/// Touching: within this part of the smaller body's radius.
inline constexpr double touching_gap = 2e-5;

/// What `prepare` makes rows of two dynamic spheres from, all of one surface and without copies:
/// set-up has stored no more of them than slots and impulses.
struct SpheresInRows {
    const Ball* ball = nullptr;  ///< null: set-up has stored all parts
    collide::Periodic box;
    double restitution = 0, mu = 0, weight = 0;
    Ball idle[2] = {{1, 0, 0, 0}, {0, 0, 0, 0}};  ///< of unused lanes
};

struct SweepData {
    RoundBlock* round;
    GeneralBlock* general;
    std::uint32_t round_count, general_count;  ///< blocks
    bool from_memory;  ///< rows are too many for the caches: each sweep reads them from memory
    VelocityLine* velocity;
    const VelocityLine* before;  ///< velocities at the beginning of the step, for `account`
    const InertiaLine* inertia;
    std::uint32_t fixed_begin, fixed_end;  ///< slots that no impulse moves
    Law law;
    // For `prepare`:
    double time_step, error_reduction, correction_limit, slack, restitution_threshold;
    double deep_penetration;
    Vec3<double> gravity;
    SpheresInRows spheres;
};
SweepData sweep_data(const Model& model, Bodies& bodies, ContactRows& rows);

/// Blocks [begin, end) of one kind. Returns the largest squared residual velocity where that is
/// measured; for `account` and `prepare` the blocks are those of one task, whose lanes' sums are
/// written to `sums`.
using SweepBlocks = double (*)(Verb, const SweepData&, RowKind, std::uint32_t begin,
                               std::uint32_t end, LaneSums* sums);

double sweep_blocks_scalar(Verb, const SweepData&, RowKind, std::uint32_t, std::uint32_t,
                           LaneSums*);
double sweep_blocks_sse2(Verb, const SweepData&, RowKind, std::uint32_t, std::uint32_t, LaneSums*);
double sweep_blocks_avx2(Verb, const SweepData&, RowKind, std::uint32_t, std::uint32_t, LaneSums*);
double sweep_blocks_avx512(Verb, const SweepData&, RowKind, std::uint32_t, std::uint32_t,
                           LaneSums*);
SweepBlocks sweep_blocks_of(Isa isa);

/// Runs a verb that makes sums over all rows, and folds these as exec::tree_sum does over the round
/// rows, filled up to a whole task, and the general rows behind them. The maxima of `prepare` stay
/// maxima. Keeps its memory.
class TaskSums {
public:
    Sums<sum_count> run(Verb verb, const SweepData& data, const ContactRows& rows, Isa isa,
                        int threads);
    [[nodiscard]] std::size_t bytes() const { return sums_.capacity() * sizeof(Sums<sum_count>); }

private:
    std::vector<Sums<sum_count>> sums_;
};

/// Solves one problem (Ann … Aoo, bn, bt, bo, β, μ) whatever it takes.
void finish_lane(Law law, const double* problem, double* x);

}  // namespace scree::exec
