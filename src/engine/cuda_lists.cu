// Neighbour lists on NVIDIA GPUs, what follows from a new one, and their way to the host and back.
#include "engine/cuda_parts.cuh"
#include "exec/cuda_sort.cuh"

namespace scree {

template class neighbours::DeviceVerletList<exec::CudaLoops>;
template void candidates::follow_list(exec::CudaLoops&, const state::ModelView&,
                                      const state::BodyColumns<exec::CudaLoops>&,
                                      const state::ListColumns<exec::CudaLoops>&,
                                      candidates::FoundPairs<exec::CudaLoops>&);
template void rows::scan_general(exec::CudaLoops&, std::size_t, const std::uint8_t*,
                                 rows::GeneralRows*);
template struct engine::ListOrder<exec::CudaLoops>;
template void engine::upload(exec::CudaLoops&, const state::PairList&,
                             state::ListColumns<exec::CudaLoops>&);
template void engine::download(exec::CudaLoops&, const state::ListColumns<exec::CudaLoops>&,
                               state::PairList&);
template void engine::upload(exec::CudaLoops&, const state::StoredImpulses&,
                             const state::ListColumns<exec::CudaLoops>&,
                             state::StoredColumns<exec::CudaLoops>&);
template void engine::download(exec::CudaLoops&, const state::StoredColumns<exec::CudaLoops>&,
                               const state::ListColumns<exec::CudaLoops>&, state::StoredImpulses&);

}  // namespace scree
