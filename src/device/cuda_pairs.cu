// Contact points of all shapes on NVIDIA GPUs.
#include "device/cuda_parts.cuh"

namespace scree::device {

template void find_candidates(CudaLoops&, const ModelView&, const BodyView&,
                              const ListColumns<CudaLoops>&, double, collide::Pass,
                              const PairRows<CudaLoops>&, const FoundColumns<CudaLoops>&,
                              const Foresight&);
template void look_at_pairs(CudaLoops&, const ModelView&, const BodyView&,
                            const ListColumns<CudaLoops>&, const PairRows<CudaLoops>&, Numbers*);

}  // namespace scree::device
