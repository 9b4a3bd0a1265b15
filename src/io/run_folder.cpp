// Frames are found by their names, and their times taken from the files themselves: a run that was
// cut off between a frame and the collection loses nothing.
#include "io/run_folder.hpp"

#include "io/stored_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace scree::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view particles_prefix = "particles_";
constexpr std::string_view contacts_prefix = "contacts_";
constexpr std::string_view suffix = ".vtp";
constexpr std::size_t step_digits = 12;

fs::path frame_file(std::string_view prefix, std::uint64_t step)
{
    return fmt::format("{}{:0{}}{}", prefix, step, step_digits, suffix);
}

bool is_particles(std::string_view name)
{
    if (!name.starts_with(particles_prefix) || !name.ends_with(suffix)) {
        return false;
    }
    name.remove_prefix(particles_prefix.size());
    name.remove_suffix(suffix.size());
    return name.size() >= step_digits &&
           name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

fs::path RunFolder::particles(std::uint64_t step) const
{
    return frames() / frame_file(particles_prefix, step);
}

fs::path RunFolder::contacts(std::uint64_t step) const
{
    return frames() / frame_file(contacts_prefix, step);
}

std::vector<FrameFiles> frames_of(const fs::path& dir)
{
    const RunFolder folder{dir};
    std::vector<FrameFiles> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.frames(), error)) {
        if (!is_particles(entry.path().filename().string())) {
            continue;
        }
        const FrameStamp stamp = read_stamp(entry.path());
        const fs::path contacts = folder.contacts(stamp.step);
        found.push_back({stamp.step, stamp.time, entry.path(),
                         fs::exists(contacts, error) ? contacts : fs::path()});
    }
    std::sort(found.begin(), found.end(),
              [](const FrameFiles& a, const FrameFiles& b) { return a.step < b.step; });
    return found;
}

}  // namespace scree::io
