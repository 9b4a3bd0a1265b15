// What engines of all numbers have in common on an NVIDIA GPU: compiled once, in cuda_lists.cu and
// cuda_pairs.cu.
#pragma once

#include "engine/expected_step.hpp"
#include "engine/transfer.hpp"
#include "exec/cuda_grid.cuh"
#include "stages/candidates/device_find.hpp"
#include "stages/neighbours/device_list.hpp"

namespace scree {

extern template class neighbours::DeviceVerletList<exec::CudaLoops>;
extern template void candidates::follow_list(exec::CudaLoops&, const state::ModelView&,
                                             const state::BodyColumns<exec::CudaLoops>&,
                                             const state::ListColumns<exec::CudaLoops>&,
                                             candidates::FoundPairs<exec::CudaLoops>&);
extern template void rows::scan_general(exec::CudaLoops&, std::size_t, const std::uint8_t*,
                                        rows::GeneralRows*);
extern template struct engine::ListOrder<exec::CudaLoops>;
extern template void engine::upload(exec::CudaLoops&, const state::PairList&,
                                    state::ListColumns<exec::CudaLoops>&);
extern template void engine::download(exec::CudaLoops&, const state::ListColumns<exec::CudaLoops>&,
                                      state::PairList&);
extern template void engine::upload(exec::CudaLoops&, const state::StoredImpulses&,
                                    const state::ListColumns<exec::CudaLoops>&,
                                    state::StoredColumns<exec::CudaLoops>&);
extern template void engine::download(exec::CudaLoops&,
                                      const state::StoredColumns<exec::CudaLoops>&,
                                      const state::ListColumns<exec::CudaLoops>&,
                                      state::StoredImpulses&);

extern template void
candidates::find_candidates(exec::CudaLoops&, const state::ModelView&, const state::BodyView&,
                            const state::ListColumns<exec::CudaLoops>&, double, candidates::Pass,
                            const candidates::FoundPairs<exec::CudaLoops>&,
                            const candidates::FoundColumns<exec::CudaLoops>&,
                            const relax::RowNotes&, const engine::ExpectedStep&);
extern template void candidates::look_at_pairs<relax::RowNotes, engine::ExpectedStep>(
    exec::CudaLoops&, const state::ModelView&, const state::BodyView&,
    const state::ListColumns<exec::CudaLoops>&, const candidates::FoundPairs<exec::CudaLoops>&,
    candidates::MissedCounts*);

}  // namespace scree
