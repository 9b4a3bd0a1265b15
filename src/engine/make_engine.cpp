#include "engine/make_engine.hpp"

#include "engine/emulation.hpp"
#include "engine/host_engine.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"

namespace scree {

#if !defined(SCREE_HAS_CUDA)
std::vector<Gpu> gpus() { return {}; }
std::string gpu_support() { return "built without CUDA (`make build-cuda` builds with it)"; }
#endif

namespace {

void require_gpu(int gpu)
{
    const std::size_t count = gpus().size();
    if (gpu < 0 || static_cast<std::size_t>(gpu) >= count) {
        throw Error("there is no GPU " + std::to_string(gpu) + ": " +
                    (count == 0 ? gpu_support()
                                : "this machine has " + std::to_string(count) +
                                      ", the first has the number 0"));
    }
}

}  // namespace

double copy_bandwidth(int gpu)
{
    require_gpu(gpu);
#if defined(SCREE_HAS_CUDA)
    return engine::cuda_copy_bandwidth(gpu);
#else
    return 0;
#endif
}

namespace engine {

std::unique_ptr<engine::Engine> (*make_emulation)(bool, const engine::WorldData&) = nullptr;

std::unique_ptr<engine::Engine> make_engine(const Settings& settings,
                                            const engine::WorldData& matter)
{
    const int gpu = settings.gpu;
    const bool mixed = settings.precision == Precision::mixed;
    if (gpu == no_gpu) {
        return std::make_unique<engine::HostEngine>(matter);
    }
    if (gpu == emulated_gpu) {
        return make_emulation(mixed, matter);
    }
    require_gpu(gpu);
#if defined(SCREE_HAS_CUDA)
    return mixed ? make_cuda_engine<float>(gpu, matter) : make_cuda_engine<double>(gpu, matter);
#else
    return nullptr;
#endif
}

}  // namespace engine
}  // namespace scree
