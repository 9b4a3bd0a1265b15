// Contact points of all shapes on NVIDIA GPUs.
#include "engine/cuda_parts.cuh"

namespace scree::engine {

template void find_candidates(exec::CudaLoops&, const state::ModelView&, const state::BodyView&,
                              const state::ListColumns<exec::CudaLoops>&, double, candidates::Pass,
                              const candidates::FoundPairs<exec::CudaLoops>&,
                              const candidates::FoundColumns<exec::CudaLoops>&,
                              const relax::RowNotes&, const ExpectedStep&);
template void look_at_pairs<relax::RowNotes, ExpectedStep>(
    exec::CudaLoops&, const state::ModelView&, const state::BodyView&,
    const state::ListColumns<exec::CudaLoops>&, const candidates::FoundPairs<exec::CudaLoops>&,
    candidates::MissedCounts*);

}  // namespace scree::engine
