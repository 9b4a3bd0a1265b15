#include "device_option.hpp"

#include "machine.hpp"
#include "scree/device.hpp"

#include <fmt/format.h>

#include <charconv>

namespace scree::cli {

void add_device_option(CLI::App& command, int& gpu)
{
    command
        .add_option_function<std::string>(
            "--device",
            [&gpu](const std::string& name) {
                if (name == "cpu") {
                    gpu = no_gpu;
                    return;
                }
                if (name == "emulated") {
                    gpu = emulated_gpu;
                    return;
                }
                int number = 0;
                const std::string prefix = "cuda";
                const bool numbered = name.starts_with(prefix + ":");
                const char* begin = name.data() + prefix.size() + 1;
                const char* end = name.data() + name.size();
                if (name != prefix &&
                    (!numbered || std::from_chars(begin, end, number).ptr != end || begin == end)) {
                    throw CLI::ValidationError(
                        "--device",
                        fmt::format("\"{}\" is no device: use cpu, cuda, or cuda:N with "
                                    "the number of a GPU",
                                    name));
                }
                if (const std::size_t count = gpus().size();
                    number < 0 || static_cast<std::size_t>(number) >= count) {
                    throw CLI::ValidationError(
                        "--device",
                        count == 0 ? fmt::format("there is no GPU to use: {}", gpu_support())
                                   : fmt::format("there is no GPU {}: this machine has {}, the "
                                                 "first is cuda:0 (see scree info)",
                                                 number, count));
                }
                gpu = number;
            },
            "what steps the world: cpu, cuda, or cuda:N for the GPU of that number")
        ->default_str("cpu");
}

int gpu_of_rank(int gpu, int rank)
{
    return gpu < 0 ? gpu : (gpu + rank) % static_cast<int>(gpus().size());
}

std::string device_in_words(int gpu)
{
    if (gpu >= 0) {
        for (const Gpu& g : gpus()) {
            if (g.number == gpu) {
                return g.name;
            }
        }
    }
    return gpu == emulated_gpu ? "emulated GPU" : processor();
}

}  // namespace scree::cli
