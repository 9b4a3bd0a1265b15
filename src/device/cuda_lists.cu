// Neighbour lists on NVIDIA GPUs, what follows from a new one, and their way to the host and back.
#include "device/cuda_parts.cuh"
#include "device/cuda_sort.cuh"

namespace scree::device {

template class Lists<CudaLoops>;
template void follow_list(CudaLoops&, const ModelView&, const BodyColumns<CudaLoops>&,
                          const ListColumns<CudaLoops>&, PairRows<CudaLoops>&);
template void scan_general(CudaLoops&, std::size_t, PairRows<CudaLoops>&);
template struct ListOrder<CudaLoops>;
template void upload(CudaLoops&, const PairList&, ListColumns<CudaLoops>&);
template void download(CudaLoops&, const ListColumns<CudaLoops>&, PairList&);
template void upload(CudaLoops&, const StoredImpulses&, const ListColumns<CudaLoops>&,
                     StoredColumns<CudaLoops>&);
template void download(CudaLoops&, const StoredColumns<CudaLoops>&, const ListColumns<CudaLoops>&,
                       StoredImpulses&);

}  // namespace scree::device
