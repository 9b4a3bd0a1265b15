// Frames are found by their names, and their times taken from the files themselves: a run that was
// cut off between a frame and the collection loses nothing.
#include "scree/io/run_folder.hpp"

#include "scree/io/pvtp_index.hpp"
#include "scree/io/vtp_reader.hpp"

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

/// Whether a name is the prefix and a step.
bool is_frame(std::string_view name, std::string_view prefix)
{
    return name.starts_with(prefix) && name.size() >= prefix.size() + step_digits &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

bool is_particles(const fs::path& file)
{
    return is_frame(file.stem().string(), particles_prefix) &&
           (file.extension() == suffix || is_index(file));
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

fs::path contacts_beside(const fs::path& particles, std::uint64_t step)
{
    return (particles.parent_path() / frame_file(contacts_prefix, step))
        .replace_extension(particles.extension());
}

std::vector<FrameFiles> frames_of(const fs::path& dir)
{
    const RunFolder folder{dir};
    std::vector<FrameFiles> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.frames(), error)) {
        if (!is_particles(entry.path())) {
            continue;
        }
        const FrameStamp stamp = read_stamp(entry.path());
        const fs::path contacts = contacts_beside(entry.path(), stamp.step);
        found.push_back({stamp.step, stamp.time, entry.path(),
                         fs::exists(contacts, error) ? contacts : fs::path()});
    }
    std::sort(found.begin(), found.end(),
              [](const FrameFiles& a, const FrameFiles& b) { return a.step < b.step; });
    return found;
}

void remove_loose_pieces(const fs::path& dir)
{
    std::vector<fs::path> loose;
    std::error_code error;  // there may be none at all
    for (const fs::directory_entry& entry :
         fs::directory_iterator(RunFolder{dir}.frames(), error)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() &&
            (is_frame(name, particles_prefix) || is_frame(name, contacts_prefix)) &&
            !fs::exists(index_of(entry.path()))) {
            loose.push_back(entry.path());
        }
    }
    for (const fs::path& pieces : loose) {
        fs::remove_all(pieces);
    }
}

}  // namespace scree::io
