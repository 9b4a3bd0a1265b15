// Neighbour lists on NVIDIA GPUs, what follows from a new one, and their way to the host and back.
#include "engine/cuda_parts.cuh"
#include "exec/cuda_sort.cuh"

namespace scree::device {

template class Lists<CudaLoops>;
template void follow_list(CudaLoops&, const ModelView&, const BodyColumns<CudaLoops>&,
                          const ListColumns<CudaLoops>&, FoundPairs<CudaLoops>&);
template void scan_general(CudaLoops&, std::size_t, const std::uint8_t*, GeneralRows*);
template struct ListOrder<CudaLoops>;
template void upload(CudaLoops&, const PairList&, ListColumns<CudaLoops>&);
template void download(CudaLoops&, const ListColumns<CudaLoops>&, PairList&);
template void upload(CudaLoops&, const StoredImpulses&, const ListColumns<CudaLoops>&,
                     StoredColumns<CudaLoops>&);
template void download(CudaLoops&, const StoredColumns<CudaLoops>&, const ListColumns<CudaLoops>&,
                       StoredImpulses&);

}  // namespace scree::device
