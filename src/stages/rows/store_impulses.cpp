// Impulses of a step's rows, kept for the next step to start from.
#include "exec/memory.hpp"
#include "exec/threads.hpp"
#include "stages/rows/contact_rule.hpp"
#include "stages/rows/make_rows.hpp"

#include <algorithm>

namespace scree::rows {

void store_impulses(const state::Model& model, const state::ContactRows& rows, const Setup& setup,
                    const candidates::Candidates& candidates, state::StoredImpulses& stored)
{
    const std::vector<std::uint32_t>& row_of = setup.row_of();
    const auto copy = [](const auto& from, auto& to) {
        exec::fit(to, from.size());
        std::copy(from.begin(), from.end(), to.begin());
    };
    copy(candidates.count, stored.count);
    copy(setup.chunk_first(), stored.chunk_first);
    copy(setup.feature(), stored.feature);
    exec::fit(stored.impulse, row_of.size());
    constexpr std::size_t ahead = 24;  // contacts whose rows are asked for
    exec::for_each(row_of.size(), model.threads, [&](std::size_t i) {
        if (i + ahead < row_of.size() && (row_of[i + ahead] & state::general_bit) == 0) {
            for (const auto& numbers : rows.round[row_of[i + ahead] / state::block_lanes].impulse) {
                __builtin_prefetch(numbers);
            }
        }
        const std::uint32_t at = row_of[i] & ~state::general_bit;
        stored.impulse[i] =
            (row_of[i] & state::general_bit) == 0
                ? impulse_of(rows.round[at / state::block_lanes], at % state::block_lanes)
                : impulse_of(rows.general[at / state::block_lanes], at % state::block_lanes);
    });
}

}  // namespace scree::rows
