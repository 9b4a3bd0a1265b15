// The choice declared in frame_choice.hpp.
#include "frame_choice.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace scree::cli {

std::vector<io::FrameFiles> chosen_frames(const std::string& folder, const std::string& which,
                                          const std::string& option)
{
    std::vector<io::FrameFiles> frames = io::frames_of(folder);
    if (frames.empty()) {
        throw Error(fmt::format("{}: has no frames; they are files {} in a run's folder", folder,
                                io::RunFolder{}.particles(0).generic_string()));
    }
    if (which == "all") {
        return frames;
    }
    if (which == "last") {
        return {frames.back()};
    }
    std::uint64_t step = 0;
    const char* const end = which.data() + which.size();
    const auto [parsed, error] = std::from_chars(which.data(), end, step);
    if (error != std::errc() || parsed != end) {
        throw Error(fmt::format("{} {}: must be all, last, or a step", option, which));
    }
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const io::FrameFiles& f) { return f.step == step; });
    if (found == frames.end()) {
        const auto after = std::find_if(frames.begin(), frames.end(),
                                        [&](const io::FrameFiles& f) { return f.step > step; });
        const bool later =
            after != frames.end() &&
            (after == frames.begin() || after->step - step <= step - (after - 1)->step);
        const auto near = later ? after : after - 1;
        throw Error(fmt::format("{} {}: {} has no frame of this step; a near one is {}, "
                                "there are {} from {} to {}",
                                option, step, folder, near->step, frames.size(),
                                frames.front().step, frames.back().step));
    }
    return {*found};
}

}  // namespace scree::cli
