// Contact points of all shapes on NVIDIA GPUs.
#include "engine/cuda_parts.cuh"

namespace scree::device {

template void find_candidates(CudaLoops&, const ModelView&, const BodyView&,
                              const ListColumns<CudaLoops>&, double, collide::Pass,
                              const FoundPairs<CudaLoops>&, const FoundColumns<CudaLoops>&,
                              const RowNotes&, const Foresight&);
template void look_at_pairs<RowNotes, Foresight>(CudaLoops&, const ModelView&, const BodyView&,
                                                 const ListColumns<CudaLoops>&,
                                                 const FoundPairs<CudaLoops>&, MissedCounts*);

}  // namespace scree::device
