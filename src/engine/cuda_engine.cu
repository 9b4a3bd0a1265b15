// The device's engine on NVIDIA GPUs, in the numbers of SCREE_NUMBERS.
#include "engine/cuda_parts.cuh"
#include "engine/device_engine.hpp"
#include "engine/make_engine.hpp"

namespace scree::engine {

template <>
std::unique_ptr<Engine> make_cuda_engine<SCREE_NUMBERS>(int gpu, const WorldData& matter)
{
    int before = 0;
    exec::check(cudaGetDevice(&before), "cannot be used");
    exec::check(cudaSetDevice(gpu), "cannot be used");
    try {
        return std::make_unique<DeviceEngine<exec::CudaLoops, SCREE_NUMBERS>>(matter);
    } catch (...) {
        cudaSetDevice(before);  // the world stays where it was
        throw;
    }
}

}  // namespace scree::engine
