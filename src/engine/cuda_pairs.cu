// Contact points of all shapes on NVIDIA GPUs.
#include "engine/cuda_parts.cuh"

namespace scree {

template void candidates::find_candidates(exec::CudaLoops&, const state::ModelView&,
                                          const state::BodyView&,
                                          const state::ListColumns<exec::CudaLoops>&, double,
                                          candidates::Pass,
                                          const candidates::FoundPairs<exec::CudaLoops>&,
                                          const candidates::FoundColumns<exec::CudaLoops>&,
                                          const relax::RowNotes&, const engine::ExpectedStep&);
template void candidates::look_at_pairs<relax::RowNotes, engine::ExpectedStep>(
    exec::CudaLoops&, const state::ModelView&, const state::BodyView&,
    const state::ListColumns<exec::CudaLoops>&, const candidates::FoundPairs<exec::CudaLoops>&,
    candidates::MissedCounts*);

}  // namespace scree
