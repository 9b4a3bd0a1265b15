// Which NVIDIA GPUs there are.
#include "scree/device.hpp"

#include <cuda_runtime.h>

namespace scree {

std::vector<Gpu> gpus()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        return {};
    }
    std::vector<Gpu> found;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp p{};
        if (cudaGetDeviceProperties(&p, i) == cudaSuccess) {
            found.push_back({i, p.name, p.multiProcessorCount, p.totalGlobalMem});
        }
    }
    return found;
}

std::string gpu_support()
{
    const auto version = [](int v) {
        return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10);
    };
    int count = 0, driver = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cudaDriverGetVersion(&driver);
    const std::string built = "CUDA " + version(CUDART_VERSION);
    if (status != cudaSuccess) {
        return built + ", " + (driver == 0 ? "no NVIDIA driver found" : cudaGetErrorString(status));
    }
    return built + ", driver for " + version(driver);
}

}  // namespace scree
