// Rows in packs, as many contacts at once as a vector has lanes: what they read, the sums that they
// make, and the loops by instruction set that complete round rows.
#pragma once

#include "exec/sums.hpp"
#include "exec/tree_sum.hpp"
#include "scree/contact.hpp"
#include "stages/rows/gap_rule.hpp"
#include "state/model.hpp"
#include "state/rows.hpp"
#include <vector>

namespace scree::rows {

/// Sums that packs of rows make together, of relaxed rows or of new ones.
inline constexpr int row_sum_count = 7;
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
using LaneSums = double[row_sum_count][state::block_lanes];

/// Sums are made by tasks of this many blocks, each a chunk of exec::tree_sum over rows. In a task
/// the blocks add to this many lane sums in turn.
inline constexpr std::uint32_t task_blocks = exec::tree_chunk / state::block_lanes;
inline constexpr std::uint32_t task_sums = exec::tree_width / state::block_lanes;

/// With fewer blocks in all, one thread does everything.
inline constexpr std::size_t parallel_blocks = 128;

/// What `prepare` makes rows of two dynamic spheres from, all of one surface and without copies:
/// set-up has stored no more of them than slots and impulses.
struct SpheresInRows {
    const shapes::Ball* ball = nullptr;  ///< null: set-up has stored all parts
    shapes::Periodic box;
    double restitution = 0, mu = 0, weight = 0;
    shapes::Ball idle[2] = {{1, 0, 0, 0}, {0, 0, 0, 0}};  ///< of unused lanes
};

/// What packs of rows read.
struct RowPackData {
    state::RoundBlock* round;
    state::GeneralBlock* general;
    std::uint32_t round_count, general_count;  ///< blocks
    bool from_memory;  ///< rows are too many for the caches: each sweep reads them from memory
    const state::VelocityLine* before;     ///< velocities at the beginning of the step
    std::uint32_t fixed_begin, fixed_end;  ///< slots that no impulse moves
};
RowPackData row_pack_data(state::Bodies& bodies, state::ContactRows& rows);

struct PrepareData : RowPackData {
    StepConstants<double> step;
    SpheresInRows spheres;
    std::uint8_t* deep_rows;  ///< by row: gets 1 where it penetrates too deep, is 0 before
};
PrepareData prepare_data(const state::Model& model, state::Bodies& bodies, state::ContactRows& rows,
                         std::uint8_t* deep_rows);

/// Completes the round rows of one task.
using PrepareRows = void (*)(const PrepareData&, std::uint32_t begin, std::uint32_t end,
                             LaneSums* sums);
void prepare_rows_scalar(const PrepareData&, std::uint32_t, std::uint32_t, LaneSums*);
void prepare_rows_sse2(const PrepareData&, std::uint32_t, std::uint32_t, LaneSums*);
void prepare_rows_avx2(const PrepareData&, std::uint32_t, std::uint32_t, LaneSums*);
void prepare_rows_avx512(const PrepareData&, std::uint32_t, std::uint32_t, LaneSums*);
PrepareRows prepare_rows_of(InstructionSet isa);

/// The last part of exec::fold.
exec::Sums<row_sum_count> fold_lanes(LaneSums& sums, int added);

/// Sums over all rows by tasks: blocks(kind, begin, end, sums).
class TaskSums {
public:
    template <class Blocks>
    exec::Sums<row_sum_count> run(std::size_t round, std::size_t general, int added, int threads,
                                  const Blocks& blocks)
    {
        const std::size_t round_tasks = exec::chunk_count(round, task_blocks);
        sums_.resize(round_tasks + exec::chunk_count(general, task_blocks));
        const bool small = round + general < parallel_blocks;
        exec::for_chunks(
            sums_.size(), 1, small ? 1 : threads, [&](std::size_t t, std::size_t, std::size_t) {
                const bool is_round = t < round_tasks;
                const auto count = static_cast<std::uint32_t>(is_round ? round : general);
                const auto begin =
                    static_cast<std::uint32_t>(is_round ? t : t - round_tasks) * task_blocks;
                const std::uint32_t end = begin + task_blocks < count ? begin + task_blocks : count;
                alignas(64) LaneSums sums;
                blocks(is_round ? state::RowKind::round : state::RowKind::general, begin, end,
                       &sums);
                sums_[t] = fold_lanes(sums, added);
            });
        double most[row_sum_count] = {};
        for (const exec::Sums<row_sum_count>& task : sums_) {
            for (int k = added; k < row_sum_count; ++k) {
                most[k] = task.of[k] > most[k] ? task.of[k] : most[k];
            }
        }
        exec::Sums<row_sum_count> all = exec::sum_of_sums(sums_);
        for (int k = added; k < row_sum_count; ++k) {
            all.of[k] = most[k];
        }
        return all;
    }
    [[nodiscard]] std::size_t bytes() const
    {
        return sums_.capacity() * sizeof(exec::Sums<row_sum_count>);
    }

private:
    std::vector<exec::Sums<row_sum_count>> sums_;
};

}  // namespace scree::rows
