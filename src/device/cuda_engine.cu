// The device's engine on NVIDIA GPUs, in the numbers of SCREE_NUMBERS.
#include "device/cuda_grid.cuh"
#include "device/engine.hpp"
#include "device/engines.hpp"

namespace scree::device {

template <>
std::unique_ptr<world::Engine> make_cuda_engine<SCREE_NUMBERS>(int gpu, const world::Matter& matter)
{
    check(cudaSetDevice(gpu), "cannot be used");
    return std::make_unique<Engine<CudaLoops, SCREE_NUMBERS>>(matter);
}

}  // namespace scree::device
