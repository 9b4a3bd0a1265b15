#include "device_option.hpp"

#include "engine/emulation.hpp"
#include "machine.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace scree::cli {

void add_device_option(Command& command, int& gpu)
{
    command
        .option_read_by(
            "--device",
            [&gpu](const std::string& name) {
                if (name == "cpu") {
                    gpu = no_gpu;
                    return;
                }
                if (name == "emulated") {
                    if (engine::make_emulation == nullptr) {
                        throw Error(
                            "the emulation of a GPU is for Scree's tests and not part of this "
                            "program: use cpu, cuda, or cuda:N");
                    }
                    gpu = emulated_gpu;
                    return;
                }
                const std::size_t count = gpus().size();
                const std::optional<int> number = numbered_gpu(name, count);
                if (!number) {
                    throw Error(count == 0
                                    ? fmt::format("there is no GPU to use: {}", gpu_support())
                                    : fmt::format("there is no GPU {}: this machine has {}, the "
                                                  "first is cuda:0 (see scree info)",
                                                  name.substr(name.find(':') + 1), count));
                }
                gpu = *number;
            },
            "what steps the world: cpu, cuda, or cuda:N for the GPU of that number")
        .shows_default("cpu");
}

std::optional<int> numbered_gpu(const std::string& name, std::size_t count)
{
    int number = 0;
    if (name != "cuda") {
        const std::string prefix = "cuda:";
        const char* begin = name.data() + std::min(prefix.size(), name.size());
        const char* end = name.data() + name.size();
        const auto [rest, error] = std::from_chars(begin, end, number);
        if (!name.starts_with(prefix) || rest != end || error == std::errc::invalid_argument) {
            throw Error(fmt::format(
                "\"{}\" is no device: use cpu, cuda, or cuda:N with the number of a GPU", name));
        }
        if (error != std::errc()) {
            return std::nullopt;  // no int is so large
        }
    }
    return number >= 0 && static_cast<std::size_t>(number) < count ? std::optional(number)
                                                                   : std::nullopt;
}

int gpu_of_rank(int gpu, int rank_on_machine, std::size_t count)
{
    return gpu < 0 ? gpu
                   : static_cast<int>((static_cast<std::size_t>(gpu) +
                                       static_cast<std::size_t>(rank_on_machine)) %
                                      count);
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
