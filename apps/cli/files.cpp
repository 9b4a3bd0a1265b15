// Files that appear whole or not at all.
#include "files.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <stdexcept>
#include <system_error>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

/// The one temporary file in the making, for the signal handler.
std::array<char, 4096> unfinished_file{};

extern "C" void remove_and_die(int signal)
{
    if (unfinished_file[0] != '\0') {
        ::unlink(unfinished_file.data());
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void remember(const std::string& path)
{
    unfinished_file[0] = '\0';
    if (path.size() < unfinished_file.size()) {
        std::memcpy(unfinished_file.data(), path.c_str(), path.size() + 1);
    }
    const auto handler = path.empty() ? SIG_DFL : remove_and_die;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, handler);
    }
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path)
{
    std::error_code error;
    if (const fs::path real = fs::weakly_canonical(path, error); !error) {
        path_ = real.string();
    }
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        throw Error(fmt::format("{}: is a directory", path));
    }
    if (exists && !S_ISREG(status.st_mode)) {
        file_ = std::fopen(path_.c_str(), "wb");
    } else {
        const fs::path folder = fs::path(path_).parent_path();
        temporary_ = (folder / fmt::format(".scree-{}.tmp", ::getpid())).string();
        file_ = std::fopen(temporary_.c_str(), "wbx");
        if (file_ != nullptr && exists) {
            (void)!::fchmod(::fileno(file_), status.st_mode & 07777);
        }
    }
    if (file_ == nullptr) {
        throw Error(fmt::format("{}: cannot be written: {}", path, reason()));
    }
    if (!temporary_.empty()) {
        remember(temporary_);
    }
}

NewFile::~NewFile()
{
    if (file_ != nullptr) {
        std::fclose(file_);
        if (!temporary_.empty()) {
            std::remove(temporary_.c_str());
            remember("");
        }
    }
}

void NewFile::write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
        fail();
    }
}

void NewFile::commit()
{
    if (std::fflush(file_) != 0 || (!temporary_.empty() && ::fsync(::fileno(file_)) != 0)) {
        fail();
    }
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        fail();
    }
    std::fclose(file_);
    file_ = nullptr;
    if (!temporary_.empty()) {
        remember("");
    }
}

void NewFile::fail() const
{
    throw std::runtime_error(fmt::format("{}: writing failed: {}", path_, reason()));
}

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
