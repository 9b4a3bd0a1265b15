// The GPUs that worlds can be stepped on: Settings::gpu names one by its number.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scree {

/// A GPU of this machine.
struct Gpu {
    int number;          ///< for Settings::gpu, from 0 on
    std::string name;    ///< as its maker calls it
    int processors;      ///< multiprocessors
    std::size_t memory;  ///< in all [bytes]
};

/// Those that this machine has and this build can use.
std::vector<Gpu> gpus();

/// Why there are none, where there are none; otherwise which driver and runtime they have.
std::string gpu_support();

/// Bytes per second that a GPU reads and writes when it copies within its memory, measured now.
/// Throws Error if there is no such GPU.
double copy_bandwidth(int gpu);

/// For Settings::gpu: the host's threads.
inline constexpr int no_gpu = -1;

}  // namespace scree
