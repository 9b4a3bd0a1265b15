// Which NVIDIA GPUs there are, and how fast their memory is.
#include "engine/make_engine.hpp"
#include "scree/device.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

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

double engine::cuda_copy_bandwidth(int gpu)
{
    const auto check = [](cudaError_t status) {
        if (status != cudaSuccess) {
            (void)cudaGetLastError();
            throw std::runtime_error(std::string("GPU: a copy could not be timed: ") +
                                     cudaGetErrorString(status));
        }
    };
    int before_this = 0;
    check(cudaGetDevice(&before_this));
    check(cudaSetDevice(gpu));
    const struct Back {
        int gpu;
        ~Back() { cudaSetDevice(gpu); }
    } back{before_this};
    std::size_t unused = 0, all = 0;
    check(cudaMemGetInfo(&unused, &all));
    const std::size_t bytes = std::min<std::size_t>(unused / 4, std::size_t(1) << 30);
    void *from = nullptr, *to = nullptr;
    cudaEvent_t before{}, after{};
    check(cudaMalloc(&from, bytes));
    check(cudaMalloc(&to, bytes));
    check(cudaMemset(from, 1, bytes));
    check(cudaEventCreate(&before));
    check(cudaEventCreate(&after));
    float best = 1e30F;  // milliseconds
    for (int repeat = 0; repeat < 10; ++repeat) {
        float took = 0;
        check(cudaEventRecord(before));
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
        check(cudaEventRecord(after));
        check(cudaEventSynchronize(after));
        check(cudaEventElapsedTime(&took, before, after));
        best = std::min(best, took);
    }
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    cudaFree(from);
    cudaFree(to);
    return 2 * static_cast<double>(bytes) / (1e-3 * static_cast<double>(best));
}

}  // namespace scree
