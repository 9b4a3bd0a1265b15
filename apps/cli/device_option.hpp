// The option --device: which machine steps a world.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::cli {

/// Adds --device to a command. The value is Settings::gpu.
void add_device_option(CLI::App& command, int& gpu);

/// Of several ranks each takes the next of its machine's GPUs, beginning with this one. One that is
/// none stays what it is.
int gpu_of_rank(int gpu, int rank);

/// In words: the processor, or the GPU.
std::string device_in_words(int gpu);

}  // namespace scree::cli
