#include "stages/rows/row_pack_kernel.hpp"

#include <algorithm>

namespace scree::rows {

void prepare_rows_scalar(const PrepareData& d, std::uint32_t begin, std::uint32_t end,
                         LaneSums* sums)
{
    PackPrepare<double>::run(d, begin, end, sums);
}
PrepareRows prepare_rows_of(InstructionSet isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case InstructionSet::avx512: return prepare_rows_avx512;
    case InstructionSet::avx2: return prepare_rows_avx2;
    case InstructionSet::sse2: return prepare_rows_sse2;
#endif
    default: return prepare_rows_scalar;
    }
}
namespace {

/// Of rows: more are not looked for in the caches.
constexpr std::size_t cached_bytes = std::size_t(12) << 20;

}  // namespace

RowPackData row_pack_data(state::Bodies& bodies, state::ContactRows& rows)
{
    const std::size_t bytes = rows.round.size() * sizeof(state::RoundBlock) +
                              rows.general.size() * sizeof(state::GeneralBlock);
    return {rows.round.data(),
            rows.general.data(),
            static_cast<std::uint32_t>(rows.round.size()),
            static_cast<std::uint32_t>(rows.general.size()),
            bytes > cached_bytes,
            bodies.velocity_before.data(),
            static_cast<std::uint32_t>(bodies.dynamic_count),
            static_cast<std::uint32_t>(bodies.count())};
}
PrepareData prepare_data(const state::Model& model, state::Bodies& bodies, state::ContactRows& rows,
                         std::uint8_t* deep_rows)
{
    return {row_pack_data(bodies, rows), constants_of(model.settings), {}, deep_rows};
}
exec::Sums<row_sum_count> fold_lanes(LaneSums& sums, int added)
{
    exec::Sums<row_sum_count> out;
    for (int k = 0; k < row_sum_count; ++k) {
        double(&lanes)[state::block_lanes] = sums[k];
        for (int half = state::block_lanes / 2; half > 0; half /= 2) {
            for (int lane = 0; lane < half; ++lane) {
                lanes[lane] = k < added ? lanes[lane] + lanes[lane + half]
                                        : std::max(lanes[lane], lanes[lane + half]);
            }
        }
        out.of[k] = lanes[0];
    }
    return out;
}

}  // namespace scree::rows
