// What engines of all numbers have in common on an NVIDIA GPU: compiled once, in cuda_lists.cu and
// cuda_pairs.cu.
#pragma once

#include "engine/prediction.hpp"
#include "engine/transfer.hpp"
#include "exec/cuda_grid.cuh"
#include "stages/candidates/device_find.hpp"
#include "stages/neighbours/device_list.hpp"

namespace scree::device {

extern template class Lists<CudaLoops>;
extern template void follow_list(CudaLoops&, const ModelView&, const BodyColumns<CudaLoops>&,
                                 const ListColumns<CudaLoops>&, FoundPairs<CudaLoops>&);
extern template void scan_general(CudaLoops&, std::size_t, const std::uint8_t*, GeneralRows*);
extern template struct ListOrder<CudaLoops>;
extern template void upload(CudaLoops&, const PairList&, ListColumns<CudaLoops>&);
extern template void download(CudaLoops&, const ListColumns<CudaLoops>&, PairList&);
extern template void upload(CudaLoops&, const StoredImpulses&, const ListColumns<CudaLoops>&,
                            StoredColumns<CudaLoops>&);
extern template void download(CudaLoops&, const StoredColumns<CudaLoops>&,
                              const ListColumns<CudaLoops>&, StoredImpulses&);

extern template void find_candidates(CudaLoops&, const ModelView&, const BodyView&,
                                     const ListColumns<CudaLoops>&, double, collide::Pass,
                                     const FoundPairs<CudaLoops>&, const FoundColumns<CudaLoops>&,
                                     const RowNotes&, const Foresight&);
extern template void look_at_pairs<RowNotes, Foresight>(CudaLoops&, const ModelView&,
                                                        const BodyView&,
                                                        const ListColumns<CudaLoops>&,
                                                        const FoundPairs<CudaLoops>&,
                                                        MissedCounts*);

}  // namespace scree::device
