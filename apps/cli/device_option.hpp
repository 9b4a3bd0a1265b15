// The option --device: which machine steps a world.
#pragma once

#include "command.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace scree::cli {

/// Adds --device to a command. The value is Settings::gpu.
void add_device_option(Command& command, int& gpu);

/// Which of a machine's GPUs "cuda" or "cuda:N" is; none if there are not so many. Throws
/// Error at other names.
std::optional<int> numbered_gpu(const std::string& name, std::size_t count);

/// Of several ranks each takes the next of its machine's GPUs, of which there are so many,
/// beginning with this one. One that is none stays what it is.
int gpu_of_rank(int gpu, int rank_on_machine, std::size_t count);

/// In words: the processor, or the GPU.
std::string device_in_words(int gpu);

}  // namespace scree::cli
