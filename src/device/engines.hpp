// Which engine steps a world.
#pragma once

#include "world/engine.hpp"

namespace scree::device {

/// The engine that Settings::gpu asks for. Throws Error if there is no such GPU.
std::unique_ptr<world::Engine> make_engine(int gpu, const world::Matter& matter);

#if defined(SCREE_HAS_CUDA)
std::unique_ptr<world::Engine> make_cuda_engine(int gpu, const world::Matter& matter);
#endif

}  // namespace scree::device
