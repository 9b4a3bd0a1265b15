// The option --device: which machine steps a world.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::cli {

/// Adds --device to a command. The value is Settings::gpu.
void add_device_option(CLI::App& command, int& gpu);

/// In words: the processor, or the GPU.
std::string device_in_words(int gpu);

}  // namespace scree::cli
