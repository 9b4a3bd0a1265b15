// The stage contact_setup: from candidates to the solver's rows. Each contact gets its frame,
// Delassus block, gap term and warm start, and a place in a block of its group.
#pragma once

#include "exec/tree_sum.hpp"
#include "stages/candidates/candidates.hpp"
#include "stages/rows/row_pack.hpp"
#include "state/pairs.hpp"
#include "state/rows.hpp"

namespace scree::rows {

/// What set-up learns on the way.
struct SetupReport {
    std::size_t touching = 0;
    double max_penetration = 0, penetration_sum = 0;
    std::size_t penetrating = 0;
    std::size_t deep = 0, degenerate = 0, bouncing = 0;
    std::size_t first_deep = SIZE_MAX, first_degenerate = SIZE_MAX;  ///< pairs
    double relative_speed = 0;  ///< the largest at any contact before the step
};

class Setup {
public:
    SetupReport run(const state::Model& model, state::Bodies& bodies, const state::PairList& list,
                    const candidates::Candidates& candidates, const state::StoredImpulses& stored,
                    state::ContactRows& rows);
    /// Where the rows' impulses are, by contact in the order of the pairs: as `general_bit` says.
    [[nodiscard]] const std::vector<std::uint32_t>& row_of() const { return row_of_; }
    [[nodiscard]] const std::vector<std::uint32_t>& feature() const { return feature_; }
    /// The first contact of each chunk of pairs.
    [[nodiscard]] const std::vector<std::uint32_t>& chunk_first() const { return chunk_first_; }
    [[nodiscard]] std::size_t bytes() const;

private:
    SetupReport prepare(const state::Model& model, state::Bodies& bodies,
                        const state::PairList& list, const candidates::Candidates& candidates,
                        state::ContactRows& rows);
    std::size_t first_deep_pair(const candidates::Candidates& candidates);
    /// Gives every group of every region its blocks, every chunk its places in each group, and
    /// fills unused lanes.
    void place(const state::PairList& list, const candidates::Candidates& candidates,
               std::size_t region_pairs, std::size_t idle_slot, state::ContactRows& rows);

    std::vector<std::uint32_t> row_of_, feature_, chunk_first_;
    std::vector<std::uint32_t> offset_;  ///< by chunk and group: the next place
    std::vector<SetupReport> chunk_reports_;
    std::vector<double> depth_;  ///< of penetration, of each general row
    std::vector<exec::Sums<1>> depth_sums_;
    std::vector<std::uint8_t> deep_rows_;  ///< by round row: too deep; all 0 between steps
    TaskSums sums_;
};

/// Copies the rows' impulses to where the next step finds them, and keeps the pairs' counts.
void store_impulses(const state::Model& model, const state::ContactRows& rows, const Setup& setup,
                    const candidates::Candidates& candidates, state::StoredImpulses& stored);

}  // namespace scree::rows
