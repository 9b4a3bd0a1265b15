// Which engine steps a world.
#pragma once

#include "engine/engine.hpp"

namespace scree::engine {

/// The engine that Settings::gpu and Settings::precision ask for. Throws Error if there is no such
/// GPU.
std::unique_ptr<Engine> make_engine(const Settings& settings, const WorldData& matter);

#if defined(SCREE_HAS_CUDA)
/// T: double or float, the numbers of a sweep.
template <class T> std::unique_ptr<Engine> make_cuda_engine(int gpu, const WorldData& matter);
double cuda_copy_bandwidth(int gpu);
#endif

}  // namespace scree::engine
