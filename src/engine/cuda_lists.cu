// Neighbour lists on NVIDIA GPUs, what follows from a new one, and their way to the host and back.
#include "engine/cuda_parts.cuh"
#include "exec/cuda_sort.cuh"

namespace scree::engine {

template class Lists<exec::CudaLoops>;
template void follow_list(exec::CudaLoops&, const state::ModelView&,
                          const state::BodyColumns<exec::CudaLoops>&,
                          const state::ListColumns<exec::CudaLoops>&,
                          candidates::FoundPairs<exec::CudaLoops>&);
template void scan_general(exec::CudaLoops&, std::size_t, const std::uint8_t*, rows::GeneralRows*);
template struct ListOrder<exec::CudaLoops>;
template void upload(exec::CudaLoops&, const state::PairList&,
                     state::ListColumns<exec::CudaLoops>&);
template void download(exec::CudaLoops&, const state::ListColumns<exec::CudaLoops>&,
                       state::PairList&);
template void upload(exec::CudaLoops&, const state::StoredImpulses&,
                     const state::ListColumns<exec::CudaLoops>&,
                     state::StoredColumns<exec::CudaLoops>&);
template void download(exec::CudaLoops&, const state::StoredColumns<exec::CudaLoops>&,
                       const state::ListColumns<exec::CudaLoops>&, state::StoredImpulses&);

}  // namespace scree::engine
