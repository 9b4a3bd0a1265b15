// Looking at files before reading them, and pictures in another form.
#include "files.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <spawn.h>
#include <system_error>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

void require_readable(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        throw Error(fmt::format("{}: is a directory, not a file", path));
    }
    if (::access(path.c_str(), R_OK) != 0) {
        throw Error(fmt::format("{}: cannot be read: {}", path, reason()));
    }
}

bool convert_svg(const std::string& svg, const std::string& png)
{
    // Absolute paths, so that no name looks like an option.
    std::string words[] = {"rsvg-convert", "--output", fs::absolute(png).string(),
                           fs::absolute(svg).string()};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                         nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments, environ) != 0) {
        return false;
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace scree::cli
