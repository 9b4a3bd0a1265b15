// What engines of all numbers have in common on an NVIDIA GPU: compiled once, in cuda_lists.cu and
// cuda_pairs.cu.
#pragma once

#include "device/cuda_grid.cuh"
#include "device/find_candidates.hpp"
#include "device/lists.hpp"
#include "device/transfer.hpp"

namespace scree::device {

extern template class Lists<CudaLoops>;
extern template void follow_list(CudaLoops&, const ModelView&, const BodyColumns<CudaLoops>&,
                                 const ListColumns<CudaLoops>&, PairRows<CudaLoops>&);
extern template void scan_general(CudaLoops&, std::size_t, PairRows<CudaLoops>&);
extern template struct ListOrder<CudaLoops>;
extern template void upload(CudaLoops&, const PairList&, ListColumns<CudaLoops>&);
extern template void download(CudaLoops&, const ListColumns<CudaLoops>&, PairList&);
extern template void upload(CudaLoops&, const StoredImpulses&, const ListColumns<CudaLoops>&,
                            StoredColumns<CudaLoops>&);
extern template void download(CudaLoops&, const StoredColumns<CudaLoops>&,
                              const ListColumns<CudaLoops>&, StoredImpulses&);

extern template void find_candidates(CudaLoops&, const ModelView&, const BodyView&,
                                     const ListColumns<CudaLoops>&, double, collide::Pass,
                                     const PairRows<CudaLoops>&, const FoundColumns<CudaLoops>&,
                                     const Foresight&);
extern template void look_at_pairs(CudaLoops&, const ModelView&, const BodyView&,
                                   const ListColumns<CudaLoops>&, const PairRows<CudaLoops>&,
                                   Numbers*);

}  // namespace scree::device
